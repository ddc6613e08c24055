import type { Store } from "../storage/store";
import type { Table, TableDefinition } from "../storage/table";
import { apiKeyTable } from "./accounts/api-key-row";
import { invitationTable } from "./accounts/invitation-row";
import { membershipTable } from "./accounts/membership-row";
import { organizationTable } from "./accounts/organization-row";
import { userTable } from "./accounts/user-row";
import { backupScheduleTable } from "./branches/backup-schedule-row";
import { branchTable } from "./branches/branch-row";
import { bucketObjectTable, multipartUploadTable } from "./branches/bucket-object-row";
import { bucketTable } from "./branches/bucket-row";
import { credentialTable } from "./branches/credential-row";
import { customDomainTable } from "./branches/custom-domain-row";
import { databaseTable } from "./branches/database-row";
import { functionBundleTable, functionDeploymentTable, functionTable } from "./branches/function-row";
import { jwksTable } from "./branches/jwks-url-row";
import { neonAuthTable, neonAuthUserTable } from "./branches/neon-auth-row";
import { roleTable } from "./branches/role-row";
import { snapshotTable } from "./branches/snapshot-row";
import { triggerDeliveryTable } from "./branches/trigger-delivery-row";
import { triggerTable } from "./branches/trigger-row";
import { endpointTable } from "./computes/endpoint-row";
import { numberTable } from "./number-row";
import { operationTable } from "./operations/operation-row";
import { permissionTable } from "./projects/project-permission-row";
import { projectRoleTable } from "./projects/project-role-row";
import { projectTable } from "./projects/project-row";
import { transferRequestTable } from "./projects/transfer-row";
import { vpcEndpointTable, vpcRestrictionTable } from "./projects/vpc-endpoint-row";
import { removalTable } from "./removal-row";

/**
 * All tables. The row of a noun and its table stand in `<noun>-row.ts` beside the noun's rules: a rule is given the control
 * plane, whose type names all tables, so that a row among its noun's rules would import itself.
 */
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
  operations: operationTable,
  removals: removalTable,
};

type RowOf<Definition> = Definition extends TableDefinition<infer Row extends object> ? Row : never;

/** All data of the platform. */
export type Tables = {
  readonly [Name in keyof typeof definitions]: Table<RowOf<(typeof definitions)[Name]>>;
};

/** Opens the tables of a store. Missing tables are created. */
export function openTables(store: Store): Tables {
  const opened = Object.entries(definitions).map(([name, definition]) => [
    name,
    store.table(definition as TableDefinition<object>),
  ]);
  return Object.fromEntries(opened) as Tables;
}

/** The latest timestamp in all tables. */
export function latestTimestamp(tables: Tables): string | undefined {
  return Object.values(tables)
    .map((table) => table.latest())
    .filter((timestamp) => timestamp !== undefined)
    .sort()
    .at(-1);
}
