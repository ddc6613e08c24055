import { z } from "zod";

import type { KindName } from "../../provider/frozen-entry";
import type { Values } from "../support/provider-server";
import type { Sample } from "../support/sample";

/** Whether a kind has this input. */
export function hasInput({ definition }: Sample, name: string): boolean {
  const inputs = definition.inputs();
  return inputs instanceof z.ZodObject && name in inputs.shape;
}

/** Whether an update sets the whole object, so that it creates one that somebody else has deleted. */
export function setsWhole({ facts }: Sample): boolean {
  return facts.twice === "the same";
}

/** Whether a change of an input updates the object in place, which the platform reports. */
export function isReported({ definition }: Sample, input: string): boolean {
  const { onChange, platform } = definition.rules[input.split(".", 1)[0] ?? input] ?? {};
  return onChange !== "replace" && platform === undefined;
}

/** Inputs whose change replaces the object, and what the preview warns of, if anything is lost. */
export const replacements: readonly (readonly [kind: KindName, input: string, warning?: RegExp])[] = [
  ["Project", "regionId", /^Changing `regionId` replaces this project\. All branches of the old project/],
  ["Branch", "projectId", /^Changing `projectId` replaces this branch\. Data written to the old branch is deleted/],
  ["Branch", "annotations", /^Changing `annotations` replaces this branch\. Data written to the old branch is deleted/],
  ["Role", "name", /^Changing `name` replaces this role\. .* another password/],
  ["Role", "branchId", /^Changing `branchId` replaces this role\. .* another password/],
  ["Role", "noLogin", /^Changing `noLogin` replaces this role\. .* another password/],
  ["Database", "branchId", /^Changing `branchId` replaces this database\. The data in the old database is deleted/],
  ["JwksUrl", "jwksUrl"],
  ["JwksUrl", "providerName"],
  ["DataApi", "databaseName", /^Changing `databaseName` replaces this Data API\. Requests to the old Data API fail/],
  ["DataApi", "addDefaultGrants"],
  ["Bucket", "accessLevel", /^Changing `accessLevel` replaces this bucket\. The new bucket is empty\. Neon deletes/],
  ["Credential", "scopes", /^Changing `scopes` replaces this credential\. The old credential is revoked/],
  [
    "Snapshot",
    "lsn",
    /^Changing `lsn` replaces this snapshot\. The data in the old snapshot is deleted.* is deleted first/,
  ],
  ["BackupSchedule", "branchId"],
  ["ProjectPermission", "email", /^Changing `email` replaces this project permission\. The old permission is revoked/],
  ["VpcEndpointAssignment", "vpcEndpointId", /can never be assigned to its organization again/],
  ["VpcEndpointRestriction", "vpcEndpointId"],
  ["OrganizationMember", "email", /^Changing `email` replaces this organization member\. The old member loses access/],
  ["ProjectMemberRole", "memberId"],
  ["SpendingLimit", "orgId"],
  [
    "NeonAuth",
    "authProvider",
    /^Changing `authProvider` replaces this Neon Auth integration\. Users cannot sign in until/,
  ],
  ["NeonAuthOauthProvider", "providerId", /^Changing `providerId` replaces this OAuth provider\. Users cannot sign in/],
  ["NeonAuthTrustedDomain", "domain"],
];

/** Objects that are created with a project, and what messages call them. */
export const madeWithProject: readonly (readonly [kind: KindName, noun: string, args: Values])[] = [
  ["Branch", "branch main \\(\\S+\\)", { name: "main", branchId: undefined }],
  ["Role", "role neondb_owner", { name: "neondb_owner" }],
  ["Database", "database neondb", { name: "neondb", ownerName: "neondb_owner" }],
  ["Endpoint", "compute \\S+", { type: "read_write" }],
];
