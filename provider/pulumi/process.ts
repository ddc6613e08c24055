import { join } from "node:path";

import { systemClock } from "../../api/core/clock";
import { ProjectLocks } from "../call/project-locks";
import type { Services } from "../call/services";
import { ResourceRegistry } from "../ownership/registry";
import { pulumiHome, stackHash } from "../ownership/stack";
import { WorkMarks } from "../ownership/work-marks";
import type { KeySource } from "../settings/key-source";
import type { Engine, ProcessDependencies } from "./dependencies";
import { ProcessSettings } from "./process-settings";

/** The parts of a provider process that do not depend on its protocol. */
export interface ProviderProcess {
  readonly services: Services;
  readonly rows: Engine["rows"];
  /** Passes the settings of the run. May be called several times, because the engine can configure a process again. */
  readonly configure: ProcessSettings["configure"];
  /** The source of the API key, as far as the process knows. */
  readonly keySource: () => KeySource;
}

/** The options that depend on the protocol. */
interface ProcessOptions {
  /** Shows a line of the log. Default: the engine shows it at the stack. */
  readonly log?: (line: string) => void;
  /** The Pulumi organization of the stack, if its backend has any and the protocol tells. Default: not known. */
  readonly organization?: () => string | undefined;
}

/** Builds the services that all resources of this process share, such as its settings, clients and registry. */
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
    marks: new WorkMarks(join(pulumiHome(dependencies.environment), "neon-pulumi", "work"), systemClock),
    stack: (urn) => stackHash(dependencies, organization(), urn),
    progress: rows.progress,
    say: rows.say,
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
