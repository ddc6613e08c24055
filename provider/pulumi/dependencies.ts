import { join } from "node:path";

import { systemClock } from "../../api/core/clock";
import { withoutStop } from "../../api/core/errors";
import { type ClaimLog, OwnClaimLog, SharedClaimLog } from "../ownership/shared-claims";
import { type Place, pulumiHome } from "../ownership/stack";
import { type Connect, connect } from "../settings/connect";
import { engineAddress, type EngineRows, engineRows, exitWithEngine } from "./engine";

/** The dependencies of a provider process. */
export interface ProcessDependencies extends Place {
  /** The engine at this address. Default: the engine that started the process. */
  readonly engine: (address?: string) => Engine;
  readonly connect: Connect;
  readonly print: (line: string) => void;
}

/** The engine of a run, as its provider processes use it. */
export interface Engine {
  readonly rows: EngineRows;
  /** The claims of all provider processes of the run. */
  readonly claims: ClaimLog;
  /** Ends this process when the engine is gone. */
  readonly follow: () => void;
}

/** The dependencies of a real operating-system process. */
export function dependenciesOf(process: NodeJS.Process): ProcessDependencies {
  const { env: environment } = process;
  const starter = engineAddress(process.argv.slice(2));
  return {
    environment,
    get folder() {
      return process.cwd();
    },
    engine: (address = starter) => (address === undefined ? noEngine() : engineAt(address, environment)),
    connect,
    print: console.log,
  };
}

/** The engine of a process that no engine has started: its messages go nowhere. */
export function noEngine(): Engine {
  return { rows: engineRows(undefined), claims: new OwnClaimLog(), follow: () => undefined };
}

function engineAt(address: string, environment: Place["environment"]): Engine {
  const rows = engineRows(address);
  let isShared = true;
  const onUnshared = (urn: string, reason: string): void => {
    if (isShared) rows.warn(urn, unshared(reason));
    isShared = false;
  };
  const runs = join(pulumiHome(environment), "neon-pulumi", "runs");
  let isFollowing = false;
  return {
    rows,
    claims: new SharedClaimLog(runs, address, systemClock, onUnshared),
    follow: () => {
      if (!isFollowing) void exitWithEngine(address, systemClock);
      isFollowing = true;
    },
  };
}

function unshared(reason: string): string {
  return `The provider processes of this run do not know of each other's objects: ${withoutStop(reason)}. If resources of two providers adopt the same object, neither is refused. Set PULUMI_HOME to a folder that can be written.`;
}
