import { systemClock } from "../../api/clock";
import type { KeySource } from "../../api/key-source";
import { ProjectLocks } from "../call/project-locks";
import type { Services } from "../call/services";
import type { BackendFacts } from "../ownership/backend";
import { ClaimFiles, noOthers } from "../ownership/shared-claims";
import { foldersIn, pulumiHome } from "../ownership/folders";
import { Journal } from "../ownership/journal";
import { engineOf } from "../ownership/process-name";
import { ResourceRegistry } from "../ownership/registry";
import { stackIdentity } from "../ownership/stack-identity";
import { type EngineRows, engineRows, exitWithEngine, isEngineGone } from "./engine";
import { ProcessSettings } from "./process-settings";
import { settleAtEnd } from "./run-end";

/** What a provider process has, whichever protocol it speaks. */
export interface ProviderProcess {
  readonly services: Services;
  readonly rows: EngineRows;
  readonly run: ReturnType<typeof settleAtEnd>;
  /** The settings of the run are known. May be called again: the engine can configure a process several times. */
  readonly configure: ProcessSettings["configure"];
  /** Where the API key of the process comes from, as far as the process knows. */
  readonly keySource: () => KeySource;
  /** Ends the run when the engine ends this process, and the process when the engine is gone. Once. */
  readonly followEngine: () => void;
}

/** What depends on the protocol. */
interface ProcessOptions {
  /** The engine's address. Undefined: nobody has to be told anything. */
  readonly engine: string | undefined;
  /** Shows a line of the log. Default: the engine does, at the stack. */
  readonly log?: (line: string) => void;
  /** The Pulumi organization of the stack of a resource, if its backend has any. */
  readonly organizationOf: (place: BackendFacts, urn: string) => string | undefined;
}

/** Builds what all resources of this process share: its settings, its clients, its registry and its journal. */
export function providerProcess(
  process: NodeJS.Process,
  { engine, log, organizationOf }: ProcessOptions,
): ProviderProcess {
  const home = pulumiHome(process.env);
  const folders = foldersIn(home);
  const claimFiles = engine === undefined ? undefined : new ClaimFiles(folders.runs, engine, systemClock);
  const rows = engineRows(engine);
  const settings = new ProcessSettings(process.env, log ?? rows.log);
  const place = { environment: process.env, home, folder: process.cwd() };
  const journal = new Journal(folders.journal, systemClock, {
    process: claimFiles?.process,
    isRunning: async (name) => {
      const served = engineOf(name);
      return served !== undefined && (served === engine || !(await isEngineGone(served)));
    },
    isEngineGone: () => isEngineGone(engine),
  });
  const services: Services = {
    account: () => settings.account(),
    journal,
    locks: new ProjectLocks(),
    registry: new ResourceRegistry(claimFiles ?? noOthers, () => settings.service()),
    stack: (urn) => stackIdentity({ ...place, organization: organizationOf(place, urn), urn }),
    progress: rows.progress,
    warn: rows.warn,
    failures: new Set(),
  };
  const run = settleAtEnd(() => {
    journal.settleReturned();
    claimFiles?.end();
  });
  let isFollowing = false;
  return {
    services,
    rows,
    run,
    configure: (read, provider) => settings.configure(read, provider),
    keySource: () => settings.keySource(),
    followEngine: () => {
      if (isFollowing) return;
      isFollowing = true;
      run.watch(process);
      void exitWithEngine(engine, systemClock);
    },
  };
}
