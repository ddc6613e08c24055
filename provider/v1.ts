/**
 * The frozen entry: what every resource's state calls. It stands in users' state files for ever, so nothing here is
 * renamed and no kind is taken out.
 */
import type { dynamic } from "@pulumi/pulumi";

import { checkedUrl } from "../api/base-url";
import { resolveSettings, type SettingName } from "../api/client-settings";
import { systemClock } from "../api/clock";
import { connect } from "../api/connect";
import type { AnyKind, Kind, Problem } from "./kind/kind";
import { ProjectLocks } from "./kind/project-locks";
import { SharedReads } from "./kind/shared-reads";
import { ApiKeyCheck } from "./lifecycle/api-key-check";
import { ProgramFacts } from "./lifecycle/program-facts";
import { KindRuntime } from "./lifecycle/runtime";
import type { Account, Services } from "./lifecycle/services";
import { backendOf, stateFolder } from "./ownership/backend";
import { foldersIn, pulumiHome } from "./ownership/folders";
import { hashOf, isJournalOpen, Journal } from "./ownership/journal";
import { ResourceRegistry } from "./ownership/registry";
import { RenamedUrns } from "./ownership/renamed-urns";
import { ClaimFiles, noOthers } from "./ownership/claim-files";
import { SavedStates } from "./ownership/saved-states";
import { stackIdentity } from "./ownership/stack-identity";
import { ProjectVisibility } from "./ownership/visibility";
import { dynamicProvider } from "./pulumi/dynamic-provider";
import { engineAddress, engineRows, exitWithEngine, isEngineGone } from "./pulumi/engine";
import { settleAtEnd } from "./pulumi/run-end";
import { apiKey, organizationApiKey, projectApiKey } from "./resources/api-key";
import { backupSchedule } from "./resources/backup-schedule";
import { branch } from "./resources/branch";
import { database } from "./resources/database";
import { endpoint } from "./resources/endpoint";
import { jwksUrl } from "./resources/jwks-url";
import { project } from "./resources/project";
import { projectPermission } from "./resources/project-permission";
import { role } from "./resources/role";
import { snapshot } from "./resources/snapshot";
import { vpcEndpointAssignment } from "./resources/vpc-endpoint-assignment";
import { vpcEndpointRestriction } from "./resources/vpc-endpoint-restriction";

/** Every resource of a process shares its configuration, its client, its registry and its journal. */
let readConfig: (key: string) => string | undefined = () => undefined;
/** The hash of the configured base URL, which tells the services of a run apart. Undefined: not needed yet. */
let serviceHash: string | undefined;

const engine = engineAddress(process.argv.slice(2));
const home = pulumiHome(process.env);
const folders = foldersIn(home);
const claimFiles = engine === undefined ? undefined : new ClaimFiles(folders.runs, engine, systemClock);
const rows = engineRows(engine);
const program = new ProgramFacts();
const place = { environment: process.env, home, folder: process.cwd() };
const stackOf = (urn: string, organization: string | undefined): string =>
  stackIdentity({ ...place, organization, urn });
const savedStates = new SavedStates(() => stateFolder(backendOf(place)));
if (isJournalOpen(folders.journal)) savedStates.remember();
const services: Services = {
  account,
  journal: new Journal(folders.journal, systemClock, {
    process: claimFiles?.process,
    isRunning: async (name) => {
      const served = claimFiles?.engineOf(name);
      return served !== undefined && (served === engine || !(await isEngineGone(served)));
    },
    isEngineGone: () => isEngineGone(engine),
    savedSince: (since) => savedStates.heldSince(since),
  }),
  locks: new ProjectLocks(),
  registry: new ResourceRegistry(claimFiles ?? noOthers, service),
  program,
  stack: (urn) => stackOf(urn, program.organization),
  savedStates,
  // A `destroy` does not run the program, and so knows no organization.
  renamedUrns: new RenamedUrns(folders.renamedUrns, (urn) => stackOf(urn, undefined)),
  progress: rows.progress,
  warn: rows.warn,
  failures: new Set(),
};
const run = settleAtEnd(() => {
  services.journal.settleReturned();
  claimFiles?.end();
});
let isConfigured = false;
/** What is known of each account. */
const accounts = new Map<string, Pick<Account, "visibility" | "sharedReads" | "apiKeyCheck">>();

function resolvedSettings(): ReturnType<typeof resolveSettings> {
  return resolveSettings((name: SettingName) => readConfig(`neon:${name}`), process.env);
}

function service(): string {
  if (serviceHash !== undefined) return serviceHash;
  const resolved = resolvedSettings();
  serviceHash = "problems" in resolved ? "" : hashOf(checkedUrl(resolved.settings.apiUrl));
  return serviceHash;
}

function account(): Account | { readonly problems: readonly Problem[] } {
  const resolved = resolvedSettings();
  if ("problems" in resolved) {
    return {
      problems: resolved.problems.map(({ setting, problem }) => ({ property: `neon:${setting}`, reason: problem })),
    };
  }
  const { settings } = resolved;
  const client = connect(settings, (line) => console.log(line));
  const fingerprint = hashOf(settings.apiUrl, settings.apiKey);
  const known = accounts.get(fingerprint) ?? {
    visibility: new ProjectVisibility((request) => client.send(request)),
    sharedReads: new SharedReads(client),
    apiKeyCheck: new ApiKeyCheck(client),
  };
  accounts.set(fingerprint, known);
  return { settings, client, fingerprint, ...known };
}

const kinds = {
  Project: serve(project),
  Branch: serve(branch),
  Endpoint: serve(endpoint),
  Role: serve(role),
  Database: serve(database),
  ApiKey: serve(apiKey),
  OrganizationApiKey: serve(organizationApiKey),
  ProjectApiKey: serve(projectApiKey),
  ProjectPermission: serve(projectPermission),
  JwksUrl: serve(jwksUrl),
  Snapshot: serve(snapshot),
  BackupSchedule: serve(backupSchedule),
  VpcEndpointAssignment: serve(vpcEndpointAssignment),
  VpcEndpointRestriction: serve(vpcEndpointRestriction),
};

function serve<Inputs, Outputs>(kind: Kind<Inputs, Outputs>): dynamic.ResourceProvider {
  let runtime: KindRuntime | undefined;
  return dynamicProvider(
    () => (runtime ??= new KindRuntime(kind as unknown as AnyKind, services)),
    (read) => {
      readConfig = read;
      serviceHash = undefined;
      if (isConfigured) return;
      isConfigured = true;
      run.watch(process);
      void exitWithEngine(engine, systemClock);
    },
    { changes: run.during, calls: rows.afterWarnings },
  );
}

/** The names of the kinds that this entry serves. */
export type KindName = keyof typeof kinds;

/** The provider of a kind, as the text in state asks for it. */
export function provider(kind: KindName): dynamic.ResourceProvider {
  return kinds[kind];
}
