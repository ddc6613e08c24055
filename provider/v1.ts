/**
 * The frozen entry: what every resource's state calls. It stands in users' state files for ever, so nothing here is
 * renamed and no kind is taken out.
 */
import type { dynamic } from "@pulumi/pulumi";

import { systemClock } from "../api/clock";
import { connect, resolveSettings, type SettingName } from "../api/settings";
import { dynamicProvider } from "./dynamic";
import { endWithEngine, engineAddress, engineRows } from "./engine";
import { Journal, journalFolder } from "./journal";
import type { Kind, Problem } from "./kind";
import { Lifecycle } from "./lifecycle";
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
import { Seen } from "./seen";
import type { Account, Surroundings } from "./surroundings";

/** Every resource of a process shares its configuration, its client, what it has seen and its journal. */
let readConfig: (key: string) => string | undefined = () => undefined;

const engine = engineAddress(process.argv[2]);
let watchesEngine = false;
const rows = engineRows(engine);
const surroundings: Surroundings = {
  account,
  journal: new Journal(journalFolder(process.env), systemClock),
  progress: rows.progress,
  warn: rows.warn,
  seen: new Seen(),
  failures: new Set(),
};

function account(): Account | { readonly problems: readonly Problem[] } {
  const resolved = resolveSettings((name: SettingName) => readConfig(`neon:${name}`), process.env);
  if ("problems" in resolved) {
    return {
      problems: resolved.problems.map(({ setting, problem }) => ({ property: `neon:${setting}`, reason: problem })),
    };
  }
  const { settings } = resolved;
  return { settings, client: connect(settings, (line) => console.log(line)) };
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

function serve<Inputs, Outputs extends object>(kind: Kind<Inputs, Outputs>): dynamic.ResourceProvider {
  let lifecycle: Lifecycle<Inputs, Outputs> | undefined;
  return dynamicProvider(
    () => (lifecycle ??= new Lifecycle(kind, surroundings)),
    (read) => {
      readConfig = read;
      if (!watchesEngine) void endWithEngine(engine, systemClock);
      watchesEngine = true;
    },
  );
}

/** The names of the kinds that this entry serves. */
export type KindName = keyof typeof kinds;

/** The provider of a kind, as the text in state asks for it. */
export function provider(kind: KindName): dynamic.ResourceProvider {
  return kinds[kind];
}
