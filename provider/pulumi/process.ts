import { ProjectLocks } from "../call/project-locks";
import type { Services } from "../call/services";
import { ResourceRegistry } from "../ownership/registry";
import { stackHash } from "../ownership/stack";
import type { KeySource } from "../settings/key-source";
import type { Engine, ProcessDependencies } from "./dependencies";
import { ProcessSettings } from "./process-settings";

/** What a provider process has, whichever protocol it speaks. */
export interface ProviderProcess {
  readonly services: Services;
  readonly rows: Engine["rows"];
  /** The settings of the run are known. May be called again: the engine can configure a process several times. */
  readonly configure: ProcessSettings["configure"];
  /** Where the API key of the process comes from, as far as the process knows. */
  readonly keySource: () => KeySource;
}

/** What depends on the protocol. */
interface ProcessOptions {
  /** Shows a line of the log. Default: the engine does, at the stack. */
  readonly log?: (line: string) => void;
  /** The Pulumi organization of the stack, if its backend has any and the protocol tells. Default: it does not. */
  readonly organization?: () => string | undefined;
}

/** Builds what all resources of this process share: its settings, its clients and its registry. */
export function providerProcess(
  dependencies: ProcessDependencies,
  { rows, claims }: Engine,
  { log = rows.log, organization = () => undefined }: ProcessOptions = {},
): ProviderProcess {
  const settings = new ProcessSettings(dependencies, log);
  const services: Services = {
    account: () => settings.account(),
    locks: new ProjectLocks(),
    registry: new ResourceRegistry(claims, () => settings.service()),
    stack: (urn) => stackHash(dependencies, organization(), urn),
    progress: rows.progress,
    warn: rows.warn,
    told: new Set(),
    failures: new Set(),
  };
  return {
    services,
    rows,
    configure: (read, provider) => settings.configure(read, provider),
    keySource: () => settings.keySource(),
  };
}
