import { join } from "node:path";

import { systemClock } from "../../api/core/clock";
import { withoutStop } from "../../api/core/errors";
import { ProjectLocks } from "../call/project-locks";
import type { Services } from "../call/services";
import { ResourceRegistry } from "../ownership/registry";
import { OwnClaimLog, SharedClaimLog } from "../ownership/shared-claims";
import { pulumiHome, stackHash } from "../ownership/stack";
import type { KeySource } from "../settings/key-source";
import { type EngineRows, engineRows, exitWithEngine } from "./engine";
import { ProcessSettings } from "./process-settings";

/** What a provider process has, whichever protocol it speaks. */
export interface ProviderProcess {
  readonly services: Services;
  readonly rows: EngineRows;
  /** The settings of the run are known. May be called again: the engine can configure a process several times. */
  readonly configure: ProcessSettings["configure"];
  /** Where the API key of the process comes from, as far as the process knows. */
  readonly keySource: () => KeySource;
  /** Ends the process when the engine is gone. Once. */
  readonly followEngine: () => void;
}

/** What depends on the protocol. */
interface ProcessOptions {
  /** The engine's address. Undefined: nobody has to be told anything. */
  readonly engine: string | undefined;
  /** Shows a line of the log. Default: the engine does, at the stack. */
  readonly log?: (line: string) => void;
  /** The Pulumi organization of the stack, if its backend has any and the protocol tells. Default: it does not. */
  readonly organization?: () => string | undefined;
}

/** Builds what all resources of this process share: its settings, its clients and its registry. */
export function providerProcess(
  process: NodeJS.Process,
  { engine, log, organization = () => undefined }: ProcessOptions,
): ProviderProcess {
  const runs = join(pulumiHome(process.env), "neon-pulumi", "runs");
  const rows = engineRows(engine);
  const settings = new ProcessSettings(process.env, log ?? rows.log);
  const place = { environment: process.env, folder: process.cwd() };
  let isShared = true;
  const onUnshared = (urn: string, reason: string): void => {
    if (isShared) rows.warn(urn, unshared(reason));
    isShared = false;
  };
  const services: Services = {
    account: () => settings.account(),
    locks: new ProjectLocks(),
    registry: new ResourceRegistry(
      engine === undefined ? new OwnClaimLog() : new SharedClaimLog(runs, engine, systemClock, onUnshared),
      () => settings.service(),
    ),
    stack: (urn) => stackHash(place, organization(), urn),
    progress: rows.progress,
    warn: rows.warn,
    told: new Set(),
    failures: new Set(),
  };
  let isFollowing = false;
  return {
    services,
    rows,
    configure: (read, provider) => settings.configure(read, provider),
    keySource: () => settings.keySource(),
    followEngine: () => {
      if (isFollowing) return;
      isFollowing = true;
      void exitWithEngine(engine, systemClock);
    },
  };
}

function unshared(reason: string): string {
  return `The provider processes of this run do not know of each other's objects: ${withoutStop(reason)}. If resources of two providers adopt the same object, neither is refused. Set PULUMI_HOME to a folder that can be written.`;
}
