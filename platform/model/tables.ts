import type { Store } from "../storage/store";
import type { Table } from "../storage/table";
import { apiKeyTable } from "./accounts/api-key-row";
import { invitationTable } from "./accounts/invitation";
import { membershipTable } from "./accounts/membership-row";
import { organizationTable } from "./accounts/organization-row";
import { userTable } from "./accounts/user-row";
import { backupScheduleTable } from "./branches/backup-schedule";
import { branchTable } from "./branches/branch-row";
import { bucketObjectTable, multipartUploadTable } from "./branches/bucket-object-row";
import { bucketTable } from "./branches/bucket";
import { credentialTable } from "./branches/credential";
import { customDomainTable } from "./branches/custom-domain";
import { databaseTable } from "./branches/database";
import { functionBundleTable, functionDeploymentTable, functionTable } from "./branches/function-row";
import { jwksTable } from "./branches/jwks-url";
import { neonAuthTable } from "./branches/neon-auth";
import { neonAuthUserTable } from "./branches/neon-auth-user";
import { realtimeTable } from "./branches/realtime";
import { roleTable } from "./branches/role";
import { snapshotTable } from "./branches/snapshot-row";
import { triggerDeliveryTable } from "./branches/trigger-delivery";
import { triggerTable } from "./branches/trigger";
import { endpointTable } from "./computes/endpoint-row";
import type { RowTable } from "./containment";
import { numberTable } from "./sequence";
import { operationTable } from "./operations/operation";
import { permissionTable } from "./projects/project-permission";
import { projectRoleTable } from "./projects/project-role-row";
import { projectTable } from "./projects/project-row";
import { transferRequestTable } from "./projects/transfer";
import { vpcEndpointTable, vpcRestrictionTable } from "./projects/vpc-endpoint";
import { removalTable } from "./files";

/** All tables. Copies of branches, purges and the feed of changes follow from their definitions. */
const definitions = {
  numbers: numberTable,
  users: userTable,
  organizations: organizationTable,
  memberships: membershipTable,
  invitations: invitationTable,
  projectRoles: projectRoleTable,
  apiKeys: apiKeyTable,
  projects: projectTable,
  permissions: permissionTable,
  transferRequests: transferRequestTable,
  vpcEndpoints: vpcEndpointTable,
  vpcRestrictions: vpcRestrictionTable,
  branches: branchTable,
  endpoints: endpointTable,
  roles: roleTable,
  databases: databaseTable,
  snapshots: snapshotTable,
  backupSchedules: backupScheduleTable,
  jwks: jwksTable,
  buckets: bucketTable,
  functions: functionTable,
  functionDeployments: functionDeploymentTable,
  functionBundles: functionBundleTable,
  triggers: triggerTable,
  triggerDeliveries: triggerDeliveryTable,
  customDomains: customDomainTable,
  bucketObjects: bucketObjectTable,
  multipartUploads: multipartUploadTable,
  credentials: credentialTable,
  neonAuth: neonAuthTable,
  neonAuthUsers: neonAuthUserTable,
  realtime: realtimeTable,
  operations: operationTable,
  removals: removalTable,
};

type RowOf<Definition> = [Definition] extends [RowTable<infer Row extends object>] ? Row : never;
type TableOf<Row extends object> = Table<Row, RowTable<Row>>;

/** All data of the platform. */
export type Tables = {
  readonly [Name in keyof typeof definitions]: TableOf<RowOf<(typeof definitions)[Name]>>;
};

/** Opens the tables of a store. Missing tables are created. */
export function openTables(store: Store): Tables {
  const opened = Object.entries(definitions).map(([name, definition]) => [
    name,
    store.table(definition as RowTable<object>),
  ]);
  return Object.fromEntries(opened) as Tables;
}

export function latestTimestamp(tables: Tables): string | undefined {
  return Object.values(tables)
    .map((table) => table.latest())
    .filter((timestamp) => timestamp !== undefined)
    .sort()
    .at(-1);
}
