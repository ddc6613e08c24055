import * as pulumi from "@pulumi/pulumi";

import type { KindName } from "../../provider/frozen-entry";
import { unknownText, type Values } from "../support/provider-server";
import { inDays } from "../support/in-days";
import { mailServer } from "../support/samples/neon-auth";

/** Nothing listens there, and nothing needs to: judging inputs sends nothing. */
export const nowhere = { "neon:apiKey": "napi_some_key", "neon:apiUrl": "http://127.0.0.1:9/api/v2" };

/** Something that must not be repeated in a message: it could be a secret. */
export const secret = "hunter2";
export const project = { projectId: "spring-example-302709" };

export const branch = { ...project, branchId: "br-wispy-meadow-118737" };
const tooLong = "must be at most 63 bytes long in UTF-8";
const jwksUrl = "https://auth.example.com/.well-known/jwks.json";
const timestamp = "2030-01-31T12:00:00Z";
const max = "autoscalingLimitMaxCu";
const sized = (autoscalingLimitMinCu: number, autoscalingLimitMaxCu: number): Values => ({
  autoscalingLimitMinCu,
  autoscalingLimitMaxCu,
});
const nightly = { frequency: "daily", hour: 3 };
const nothingHere = /^there is no such property here/;
const instant = 'must be an ISO 8601 timestamp with a time zone, such as "2030-01-31T12:00:00Z"';
const noText = "must be a string, not a number";

/** What a program declares in addition to valid inputs, and why it is rejected at one property. */
type BadInput = readonly [declared: Values, property: string, reason: string | RegExp];

/** A name of a key is limited, and only its id identifies it. */
const badKeys: readonly BadInput[] = [
  ...[true, 165434, "deployment"].map((adopt) => [{ adopt }, "adopt", /^must be the id of a key/] as const),
  [{ name: "" }, "name", "must be at least 1 character long"],
  [{ name: "x".repeat(65) }, "name", "must be at most 64 characters long"],
];

/** Invalid inputs of every kind: the compiler asks for those that are missing. */
export const badInputs: Readonly<Record<KindName, readonly [valid: Values, bad: readonly BadInput[]]>> = {
  Project: [
    {},
    [
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: secret.repeat(40) }, "name", "must be at most 256 characters long"],
      [{ pgVersion: 13 }, "pgVersion", "must be at least 14"],
      [{ orgId: `Org ${secret}` }, "orgId", "must be an id of lower-case letters, digits and dashes"],
      [{ historyRetentionSeconds: 2_592_001 }, "historyRetentionSeconds", "must be at most 2592000"],
      [{ storePasswords: null }, "storePasswords", /^must be a boolean/],
      [sized(2, 1), max, "the minimum of 2 CU is above the maximum of 1 CU"],
      [
        { defaultEndpointSettings: sized(2, 1) },
        "defaultEndpointSettings",
        "the minimum of 2 CU is above the maximum of 1 CU",
      ],
      [{ branch: { name: "" } }, "branch.name", "must be at least 1 character long"],
      [{ branch: { annotations: { a: secret, b: [secret] } } }, "branch.annotations.b", /^must be a string/],
      [{ regionID: secret }, "regionID", "there is no such property here; did you mean regionId?"],
      [{ somethingElse: secret }, "somethingElse", /here; there are name, regionId, /],
      [{ settings: { quotas: {} } }, "settings.quotas", /; did you mean quota\?$/],
      [{ settings: { allowed_ips: { ips: [] } } }, "settings.allowed_ips", /; did you mean allowedIps\?$/],
    ],
  ],
  Role: [
    branch,
    [
      [{ name: "é".repeat(32) }, "name", tooLong],
      [{ name: "a".repeat(64) }, "name", tooLong],
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: "a\0b" }, "name", "must not contain a NUL character"],
      [{ name: ".." }, "name", 'must not be "." or ".."'],
      [
        { name: "pgadmin" },
        "name",
        'is reserved: the name must not start with "pg" or be one of neon_superuser, cloud_admin, zenith_admin, public, none',
      ],
      [
        { noLogin: true, passwordTrigger: "1" },
        "passwordTrigger",
        "cannot be declared together with noLogin: a role that cannot log in has no password",
      ],
      [{ projectId: undefined }, "projectId", "is required"],
      [{ branchId: undefined }, "branchId", "is required"],
      [
        { password: secret },
        "password",
        "there is no such property here; there are projectId, branchId, name, noLogin, passwordTrigger, adopt",
      ],
    ],
  ],
  Database: [
    { ...branch, ownerName: "neondb_owner" },
    [
      [{ name: "é".repeat(32) }, "name", tooLong],
      [{ ownerName: "a".repeat(64) }, "ownerName", tooLong],
      [{ name: "" }, "name", "must be at least 1 character long"],
      [{ name: "a\0b" }, "name", "must not contain a NUL character"],
      [{ name: "." }, "name", 'must not be "." or ".."'],
      [{ ownerName: undefined }, "ownerName", "is required"],
      [{ branchId: undefined }, "branchId", "is required"],
      [
        { owner: "app" },
        "owner",
        "there is no such property here; there are projectId, branchId, name, ownerName, adopt",
      ],
    ],
  ],
  Endpoint: [
    { ...branch, type: "read_write" },
    [
      [{ suspendTimeoutSeconds: 60.5 }, "suspendTimeoutSeconds", "must be a whole number"],
      [{ autoscalingLimitMaxCu: 0.3 }, max, /must be a compute size in CU/],
      [sized(4, 2), max, "the minimum of 4 CU is above the maximum of 2 CU"],
      // A range is invalid whatever the branch is.
      [{ ...sized(4, 2), branchId: unknownText }, max, /minimum of 4 CU is above/],
      [sized(1, 10), max, /at most 8 CU above the minimum, but it is 9 CU above it/],
      [sized(16, 18), max, /autoscaling is limited to 16 CU/],
      [{ suspendTimeoutSeconds: 59 }, "suspendTimeoutSeconds", /60 to 604800 seconds/],
      [{ name: "x".repeat(65) }, "name", /at most 64 characters/],
      [{ name: "" }, "name", /at least 1 character/],
      [{ type: "write_only" }, "type", /"read_write" or "read_only"/],
      [{ state: "asleep" }, "state", /"active" or "idle"/],
      [{ state: "active", disabled: true }, "state", /while disabled is true/],
      [{ type: "read_only", adopt: true }, "adopt", /must be the id of the compute/],
      [{ settings: { pgSetting: {} } }, "settings.pgSetting", /did you mean pgSettings\?/],
    ],
  ],
  Branch: [
    project,
    [
      [{ projectId: undefined }, "projectId", "is required"],
      [{ projectId: "" }, "projectId", "must be at least 1 character long"],
      [{ projectId: 5 }, "projectId", noText],
      [{ parentLsn: secret }, "parentLsn", 'must be a log sequence number such as "0/1DE2850"'],
      [{ expiresAt: secret }, "expiresAt", instant],
      [{ parentTimestamp: "2030-01-31" }, "parentTimestamp", instant],
      [{ initSource: secret }, "initSource", 'must be "parent-data" or "schema-only"'],
      [{ protected: "yes" }, "protected", "must be a boolean, not a string"],
      [{ archived: 1 }, "archived", "must be a boolean, not a number"],
      [{ annotations: { team: 7 } }, "annotations.team", noText],
      [{ adopt: 5 }, "adopt", /./],
      [{ compute: true }, "compute", "must be an object, not a boolean"],
      [{ compute: { autoscalingLimitMinCu: 0.3 } }, "compute.autoscalingLimitMinCu", /^must be a compute size in CU/],
      [{ compute: { suspendTimeoutSeconds: 30 } }, "compute.suspendTimeoutSeconds", /^must be -1 \(never suspend\)/],
      [{ compute: { provisioner: "" } }, "compute.provisioner", "must be at least 1 character long"],
      [
        { compute: sized(1, 16) },
        "compute",
        "the maximum must be at most 8 CU above the minimum, but it is 15 CU above it",
      ],
      [{ compute: sized(16, 18) }, "compute", /^autoscaling is limited to 16 CU/],
      [{ compute: { settings: { pgSettings: { work_mem: 8 } } } }, "compute.settings.pgSettings.work_mem", noText],
      [
        { compute: { settings: { preloadLibraries: { enabledLibraries: ["a", 1] } } } },
        "compute.settings.preloadLibraries.enabledLibraries.1",
        noText,
      ],
      [
        { compute: { autoscalingLimitMaxCU: 1 } },
        "compute.autoscalingLimitMaxCU",
        /; did you mean autoscalingLimitMaxCu\?$/,
      ],
      [{ endpoints: [] }, "endpoints", nothingHere],
      // Outputs of a resource are no inputs.
      [{ branchId: "br-1" }, "branchId", nothingHere],
      [{ default: true, expiresAt: inDays(1) }, "expiresAt", "a default branch cannot expire"],
      [{ protected: true, expiresAt: inDays(1) }, "expiresAt", "a protected branch cannot expire"],
      [
        { restore: { trigger: "1", sourceLsn: "0/1DE2850", sourceTimestamp: timestamp } },
        "restore",
        "sourceLsn and sourceTimestamp exclude each other: declare one of them",
      ],
      [{ restore: { trigger: "1", sourceBranchId: "br-main-1", sourceLsn: "7" } }, "restore.sourceLsn", /./],
      [
        { restore: { trigger: "1", sourceTimestamp: timestamp } },
        "restore.sourceBranchId",
        'is required with a point in time: the id of the branch in whose history it is, or "self"',
      ],
      [
        { restore: { trigger: "1", sourceBranchId: "self" } },
        "restore",
        /^a restore from the branch's own history needs/,
      ],
      [{ projectid: "p", projectId: undefined }, "projectid", /did you mean projectId\?$/],
      [{ name: "pr-Calling __str__ on an Output[T] is not supported." }, "name", /`pulumi\.Output\.format`$/],
      [{ parentId: "calm-tree-1/br-1" }, "parentId", /^must be an id without its parents: .* `branchId` of a branch/],
      [{ parentId: "Main" }, "parentId", /^must be an id of lower-case letters, digits and dashes$/],
      [{ parentId: "" }, "parentId", /^must be at least 1 character long$/],
      [
        { annotations: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, ""])) },
        "annotations",
        /^must have at most 49 members/,
      ],
      [{ name: `pr-${pulumi.output("7") as unknown as string}` }, "name", /build the value with `pulumi\.interpolate`/],
      [
        { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 64 } },
        "compute.autoscalingLimitMaxCu",
        /^must be a compute size in CU/,
      ],
      [{ restore: { sourceBranchId: "br-main-1" } }, "restore.trigger", /./],
      [{ restore: { trigger: "1", triger: "1" } }, "restore.triger", /did you mean trigger\?/],
    ],
  ],
  Snapshot: [
    branch,
    [
      [{ branchId: undefined }, "branchId", "is required"],
      [{ lsn: "0/1DE2850", timestamp }, "timestamp", /together with lsn/],
      [{ lsn: "here" }, "lsn", /log sequence number/],
      [{ timestamp: "yesterday" }, "timestamp", /must be an ISO 8601 timestamp/],
      [{ expiresAt: "2030-01-31" }, "expiresAt", /must be an ISO 8601 timestamp/],
      [{ name: "" }, "name", /at least 1/],
      [{ expires_at: timestamp }, "expires_at", /did you mean expiresAt\?/],
    ],
  ],
  BackupSchedule: [
    branch,
    (
      [
        [[], "", /at least 1 entry/],
        [[{}], ".0.frequency", /"hourly" or "daily"/],
        [[{ frequency: "fortnightly" }], ".0.frequency", /"hourly" or "daily"/],
        [[nightly, { frequency: "daily", hour: 24 }], ".1.hour", /at most 23/],
        [[{ frequency: "daily", day: 1 }], ".0.day", /is not allowed for frequency "daily"/],
        [[{ frequency: "weekly", day: 8 }], ".0.day", /at most 7 .*Monday/],
        [[{ frequency: "yearly", month: 4, day: 31 }], ".0.day", /at most 30 in month 4/],
        [[{ frequency: "yearly", month: 0 }], ".0.month", /at least 1/],
        [[{ frequency: "daily", retentionSeconds: 60 }], ".0.retentionSeconds", /at least 3600/],
        [[{ frequency: "daily", retention_seconds: 3600 }], ".0.retention_seconds", /mean retentionSeconds\?/],
      ] as const
    ).map(([schedule, at, reason]) => [{ schedule }, `schedule${at}`, reason]),
  ],
  Credential: [
    { ...project, branchId: "br-1", scopes: ["storage:read"] },
    [
      [{ scopes: [] }, "scopes", /at least 1/],
      [{ scopes: ["everything"] }, "scopes.0", /"storage:read" or/],
      [{ name: "" }, "name", /at least 1 character/],
      [{ name: "x".repeat(257) }, "name", /at most 256/],
      [{ adopt: true }, "adopt", /must be the id of a credential/],
    ],
  ],
  Bucket: [
    { ...project, branchId: "br-1" },
    [
      [{ name: "" }, "name", /at least 1 character/],
      [{ name: "x".repeat(256) }, "name", /at most 255/],
      [{ name: ".." }, "name", /must not be "\."/],
      [{ accessLevel: "public" }, "accessLevel", /"private" or "public_read"/],
    ],
  ],
  DataApi: [
    { ...project, branchId: "br-1", databaseName: "neondb" },
    [
      [{ authProvider: "external" }, "jwksUrl", "is required with an external provider"],
      [{ authProvider: "mine" }, "authProvider", /"neon_auth" or "external"/],
      [{ jwksUrl: "http://auth.example.com/jwks.json" }, "jwksUrl", /must be an https URL/],
      [{ settings: { dbMaxRow: 1 } }, "settings.dbMaxRow", /did you mean dbMaxRows/],
      [{ settings: { dbMaxRows: 0.5 } }, "settings.dbMaxRows", /^must be a whole number$/],
    ],
  ],
  JwksUrl: [
    { ...project, jwksUrl, providerName: "Auth0" },
    [
      [{ jwksUrl: "http://auth.example.com/jwks.json" }, "jwksUrl", /must be an https URL/],
      [{ jwksUrl: "auth.example.com" }, "jwksUrl", /must be an https URL/],
      [{ providerName: "" }, "providerName", /at least 1/],
      [{ jwtAudience: "" }, "jwtAudience", /at least 1/],
      [{ roleNames: Array.from({ length: 11 }, (_, index) => `r${index}`) }, "roleNames", /at most 10 entries/],
      [{ roleNames: ["x".repeat(64)] }, "roleNames.0", /at most 63 bytes/],
      [{ providerName: undefined }, "providerName", "is required"],
    ],
  ],
  NeonAuth: [
    branch,
    [
      [{ branchId: undefined }, "branchId", "is required"],
      [{ authProvider: "keycloak" }, "authProvider", /"better_auth" or "stack" or "mock"/],
      [{ name: "" }, "name", /at least 1 character/],
      [{ emailProviderPassword: secret }, "emailProviderPassword", /needs an `emailProvider` of the type "standard"/],
      [
        { emailProvider: { ...mailServer, host: undefined } },
        "emailProvider.host",
        'is required for the type "standard"',
      ],
      [{ emailProvider: { type: "shared", port: 25 } }, "emailProvider.port", /only for the type "standard"/],
      [{ plugins: { magicLink: { expiresIn: 4 } } }, "plugins.magicLink.expiresIn", /at least 5/],
      [{ plugins: { phoneNumber: { otpExpiresIn: 601 } } }, "plugins.phoneNumber.otpExpiresIn", /at most 600/],
      [{ webhooks: { webhookUrl: "https://shop.example" } }, "webhooks.enabled", "is required"],
      [{ webhooks: { enabled: true, timeoutSeconds: 11 } }, "webhooks.timeoutSeconds", /at most 10/],
    ],
  ],
  NeonAuthOauthProvider: [
    { ...branch, providerId: "github" },
    [
      [{ providerId: "gitlab" }, "providerId", /"google" or "github" or "microsoft" or "vercel"/],
      [{ clientSecret: "" }, "clientSecret", /at least 1 character/],
    ],
  ],
  NeonAuthTrustedDomain: [
    { ...branch, domain: "https://shop.example" },
    [
      [{ domain: "shop.example" }, "domain", /must be a URI with its scheme/],
      [{ domain: "https://shop.example/" }, "domain", /must not end with a slash/],
      [{ domain: `https://ann:${secret}@shop.example`, adopt: true }, "domain", /must not contain a user name/],
      [{ authProvider: "keycloak" }, "authProvider", /"better_auth"/],
    ],
  ],
  ProjectPermission: [
    { ...project, email: "ann@example.com" },
    [
      [{ projectId: undefined }, "projectId", "is required"],
      [{ email: undefined }, "email", "is required"],
      [{ email: "" }, "email", "must be an e-mail address"],
      [{ email: `${"x".repeat(250)}@x.example` }, "email", /at most 256 characters/],
    ],
  ],
  ApiKey: [{}, badKeys],
  OrganizationApiKey: [{ orgId: "org-quiet-river-302709" }, badKeys],
  ProjectApiKey: [{ orgId: "org-quiet-river-302709", ...project }, badKeys],
  VpcEndpointAssignment: [
    { orgId: "org-quiet-river-302709", regionId: "aws-us-east-2", vpcEndpointId: "vpce-1", label: "office" },
    [
      [{ regionId: undefined }, "regionId", "is required"],
      [{ vpcEndpointId: "" }, "vpcEndpointId", /at least 1/],
      [{ regionId: "azure-eastus2" }, "regionId", "must be a region of AWS: those of Azure have no VPC endpoints"],
    ],
  ],
  VpcEndpointRestriction: [
    { ...project, vpcEndpointId: "vpce-1", label: "office" },
    [
      [{ projectId: undefined }, "projectId", "is required"],
      [{ label: 5 }, "label", noText],
    ],
  ],
  OrganizationMember: [
    { orgId: "org-quiet-river-302709", email: "ann@example.com", role: "member" },
    [
      [{ email: secret }, "email", "must be an e-mail address"],
      [{ role: "owner" }, "role", /"admin" or "member" or/],
      [{ memberId: secret }, "memberId", nothingHere],
    ],
  ],
  ProjectMemberRole: [
    { ...project, memberId: "one", role: "viewer" },
    [
      [{ memberId: undefined }, "memberId", "is required"],
      [{ role: "owner" }, "role", /"admin" or|"editor" or/],
    ],
  ],
  SpendingLimit: [
    { orgId: "org-quiet-river-302709", spendingLimitCents: 5000 },
    [
      [{ spendingLimitCents: 0.5 }, "spendingLimitCents", /^must be a whole number$/],
      [{ spendingLimitCents: -1 }, "spendingLimitCents", /at least/],
    ],
  ],
};

/** Values of which some are not known yet, at every level. */
export const unknowns: readonly { readonly kind: KindName; readonly args: Values }[] = [
  { kind: "Branch", args: { projectId: unknownText } },
  { kind: "Branch", args: { ...project, name: unknownText, parentLsn: unknownText, expiresAt: unknownText } },
  { kind: "Branch", args: { ...project, protected: unknownText, initSource: unknownText, adopt: unknownText } },
  { kind: "Branch", args: { ...project, annotations: unknownText } },
  { kind: "Branch", args: { ...project, annotations: { team: unknownText } } },
  { kind: "Branch", args: { ...project, compute: unknownText } },
  { kind: "Branch", args: { ...project, compute: { autoscalingLimitMinCu: unknownText, autoscalingLimitMaxCu: 1 } } },
  { kind: "Branch", args: { ...project, compute: { settings: unknownText } } },
  { kind: "Branch", args: { ...project, compute: { settings: { pgSettings: { work_mem: unknownText } } } } },
  {
    kind: "Branch",
    args: { ...project, compute: { settings: { preloadLibraries: { enabledLibraries: ["a", unknownText] } } } },
  },
  { kind: "Project", args: { name: unknownText, regionId: unknownText, pgVersion: unknownText, orgId: unknownText } },
  { kind: "Project", args: { autoscalingLimitMinCu: 8, autoscalingLimitMaxCu: unknownText } },
  { kind: "Project", args: { settings: unknownText, defaultEndpointSettings: unknownText, branch: unknownText } },
  { kind: "Project", args: { settings: { allowedIps: { ips: [unknownText, "10.0.0.1"] }, quota: unknownText } } },
  { kind: "Project", args: { settings: { allowedIps: { ips: unknownText } } } },
  {
    kind: "Project",
    args: { settings: { maintenanceWindow: { weekdays: [unknownText], startTime: unknownText, endTime: "10:00" } } },
  },
  { kind: "Project", args: { branch: { annotations: { a: unknownText } } } },
  {
    kind: "Endpoint",
    args: {
      ...branch,
      branchId: unknownText,
      type: "read_write",
      autoscalingLimitMinCu: 4,
      autoscalingLimitMaxCu: unknownText,
    },
  },
  { kind: "Role", args: { ...project, branchId: unknownText, name: unknownText } },
  { kind: "Database", args: { ...branch, ownerName: unknownText, name: unknownText } },
  { kind: "Snapshot", args: { ...branch, lsn: unknownText, expiresAt: unknownText } },
  { kind: "BackupSchedule", args: { ...branch, schedule: unknownText } },
  { kind: "BackupSchedule", args: { ...branch, schedule: [unknownText] } },
  { kind: "BackupSchedule", args: { ...branch, schedule: [{ ...nightly, hour: unknownText }] } },
];
