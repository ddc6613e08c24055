import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { describe, it } from "mocha";

import type { KindName } from "../../provider/kinds";
import { ProviderServer, unknownText, type Values } from "../support/provider-server";
import { itThrough, urnOf } from "../support/door";
import { assertRefused, failsWith, type Refusals } from "../support/expected-errors";
import { inDays } from "../support/in-days";
import { mailServer } from "../support/samples/neon-auth";
import { suite } from "../support/suite";

/** Nothing listens there, and nothing needs to: judging inputs sends nothing. */
const nowhere = { "neon:apiKey": "napi_some_key", "neon:apiUrl": "http://127.0.0.1:9/api/v2" };

/** Something that must not be repeated in a message: it could be a secret. */
const secret = "hunter2";
const project = { projectId: "spring-example-302709" };

const branch = { ...project, branchId: "br-wispy-meadow-118737" };
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
  [{ name: "x".repeat(65) }, "name", "must be at most 64 characters long"],
];

/** Invalid inputs of every kind: the compiler asks for those that are missing. */
const badInputs: Readonly<Record<KindName, readonly [valid: Values, bad: readonly BadInput[]]>> = {
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
      [{ somethingElse: secret }, "somethingElse", /here; there are name, historyRetentionSeconds, /],
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
      [{ settings: { dbMaxRows: 0.5 } }, "settings.dbMaxRows", /int/],
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
      [{ spendingLimitCents: 0.5 }, "spendingLimitCents", /int/],
      [{ spendingLimitCents: -1 }, "spendingLimitCents", /at least/],
    ],
  ],
};

/** Values of which some are not known yet, at every level. */
const unknowns: readonly { readonly kind: KindName; readonly args: Values }[] = [
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

describe("check", () => {
  const server = suite(
    () => ProviderServer.start({ config: nowhere }),
    (started) => started.stop(),
  );

  const check = (kind: KindName, args: Values, olds: Values = {}): ReturnType<ProviderServer["check"]> =>
    server().check(kind, olds, args, { urn: urnOf(kind, "shop") });

  it("rejects all invalid inputs at once", async () => {
    const settings = {
      quota: { activeTimeSeconds: -1, writtenDataBytes: 0.5 },
      auditLogLevel: secret,
      maintenanceWindow: { weekdays: [0, 8], startTime: secret },
    };
    assertRefused((await check("Project", { nmae: secret, settings })).failures, {
      nmae: "there is no such property here; did you mean name?",
      "settings.quota.activeTimeSeconds": "must be at least 0",
      "settings.quota.writtenDataBytes": /./,
      "settings.maintenanceWindow.weekdays.0": "must be at least 1",
      "settings.maintenanceWindow.weekdays.1": "must be at most 7",
      "settings.maintenanceWindow.startTime": 'must be a time of day in UTC such as "09:30"',
      "settings.maintenanceWindow.endTime": "is required",
      "settings.auditLogLevel": 'must be "base" or "extended" or "full"',
    });
  });

  for (const [kind, [valid, rejected]] of Object.entries(badInputs)) {
    it(`rejects invalid inputs of ${kind}, without quoting them`, async () => {
      for (const [declared, property, reason] of rejected) {
        const { failures } = await check(kind as KindName, { ...valid, ...declared });
        assertRefused(failures, { [property]: reason });
        assert.ok(!JSON.stringify(failures).includes(secret));
      }
    });
  }

  it("accepts the name of an existing role, and names of 63 bytes", async () => {
    const longest = `${"é".repeat(31)}x`;
    for (const [kind, args] of [
      ["Role", { ...branch, projectId: unknownText, name: "pgadmin", adopt: true }],
      ["Role", { ...branch, name: longest }],
      ["Database", { ...branch, ownerName: longest, name: longest }],
    ] as const) {
      assertRefused((await check(kind, args)).failures, {});
    }
  });

  for (const { kind, args } of unknowns) {
    it(`accepts values that are not known yet: ${kind} ${JSON.stringify(args).replaceAll(unknownText, "?")}`, async () => {
      const { inputs, failures } = await check(kind, args);
      assert.deepEqual(failures, []);
      const { __provider: _, __neon: __, ...rest } = inputs;
      // An object that is adopted by its id keeps its name.
      const name = args["adopt"] === unknownText ? unknownText : "shop";
      assert.deepEqual(rest, { ...(kind === "BackupSchedule" ? {} : { name }), ...args });
    });
  }

  it("rejects a wrong value next to an unknown one", async () => {
    const compute = { autoscalingLimitMinCu: unknownText, autoscalingLimitMaxCu: 0.3 };
    const { failures } = await check("Branch", { projectId: unknownText, compute, expiresAt: "soon" });
    assert.deepEqual(failures.map(({ property }) => property).sort(), ["compute.autoscalingLimitMaxCu", "expiresAt"]);
  });

  it("sets the default name, which the preview shows", async () => {
    for (const [kind, args] of [
      ["Project", {}],
      ["Branch", project],
    ] as const) {
      assert.equal((await check(kind, args)).inputs["name"], "shop");
      assert.equal((await check(kind, { ...args, name: "other" })).inputs["name"], "other");
    }
  });

  it("sets a default name with colons unchanged", async () => {
    const about = { urn: urnOf("Project", "shop::stock") };
    assert.equal((await server().check("Project", {}, {}, about)).inputs["name"], "shop::stock");
  });

  // The engine of a plugin has the timeouts, and validates them.
  const onlyDynamic = itThrough("dynamic");

  onlyDynamic("omits from the inputs what the program omits, the timeouts and the organization", async () => {
    const hidden = { urn: urnOf("Project", "shop") };
    const about = { ...hidden, timeouts: { create: "1h30m" }, organization: "acme" };
    const { inputs, failures } = await server().check("Project", {}, {}, about);
    assert.deepEqual(failures, []);
    const { __provider: _, ...rest } = inputs;
    assert.deepEqual(rest, { name: "shop", __neon: { ...hidden, defaultName: "shop" } });
  });

  for (const text of ["10", "ten minutes", "-5m", "0s", "", "5d"]) {
    onlyDynamic(`rejects ${JSON.stringify(text)} as a timeout, and shows the format`, async () => {
      const about = { urn: urnOf("Project", "shop"), timeouts: { create: "5m", update: text, delete: text } };
      const { failures } = await server().check("Project", {}, {}, about);
      const reason = 'must be a duration such as "90s", "10m" or "1h30m"';
      assertRefused(failures, { "customTimeouts.delete": reason, "customTimeouts.update": reason });
    });
  }

  const sizes = /^sets the size of the first compute when the project is created, and cannot be changed later/;
  const oneWay: readonly { readonly from: Values; readonly to: Values; readonly failures: Refusals }[] = [
    {
      from: { settings: { enableLogicalReplication: true } },
      to: { settings: { enableLogicalReplication: false } },
      failures: { "settings.enableLogicalReplication": "cannot be disabled again once it is enabled" },
    },
    {
      from: { settings: { hipaa: true } },
      to: { settings: { hipaa: false } },
      failures: { "settings.hipaa": "cannot be disabled again once it is enabled" },
    },
    {
      from: { settings: { auditLogLevel: "full" } },
      to: { settings: { auditLogLevel: "extended" } },
      failures: { "settings.auditLogLevel": "can only be raised: it is full and cannot be lowered to extended" },
    },
    {
      from: { autoscalingLimitMaxCu: 2 },
      to: { autoscalingLimitMaxCu: 4 },
      failures: { autoscalingLimitMaxCu: sizes },
    },
    { from: {}, to: { autoscalingLimitMinCu: 1 }, failures: { autoscalingLimitMinCu: sizes } },
  ];
  for (const { from, to, failures } of oneWay) {
    it(`rejects a change that cannot be made: ${Object.keys(failures).join(", ")}`, async () => {
      const old = (await check("Project", from)).inputs;
      assertRefused((await check("Project", from, old)).failures, {});
      assertRefused((await check("Project", {}, old)).failures, {});
      assertRefused((await check("Project", to, old)).failures, failures);
      // A new object may have any of them.
      assertRefused((await check("Project", to)).failures, {});
    });
  }

  it("accepts a change to a value that is not known yet", async () => {
    const old = (await check("Project", { settings: { enableLogicalReplication: true, auditLogLevel: "full" } }))
      .inputs;
    const later = { settings: { enableLogicalReplication: unknownText, auditLogLevel: unknownText } };
    assert.deepEqual((await check("Project", later, old)).failures, []);
  });
});

describe("check of the settings", () => {
  const settings: readonly {
    readonly title: string;
    readonly config: Readonly<Record<string, string>>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly failures: Refusals;
  }[] = [
    {
      title: "a missing key",
      config: {},
      failures: {
        "neon:apiKey": /^is missing: set it with `pulumi config set --secret neon:apiKey`, or set NEON_API_KEY$/,
      },
    },
    {
      title: "everything that is wrong at once",
      config: {
        "neon:apiKey": `${secret} with a space`,
        "neon:apiUrl": "console.neon.tech/api/v2",
        "neon:operationTimeout": "10",
        "neon:logLevel": "loud",
      },
      failures: {
        "neon:apiKey": "contains whitespace or characters that are not allowed in an API key",
        "neon:apiUrl": /^must be a base URL such as https:\/\/console\.neon\.tech\/api\/v2/,
        "neon:operationTimeout": 'must be a duration such as "90s", "10m" or "1h30m"',
        "neon:logLevel": "must be one of off, info, debug",
      },
    },
    {
      title: "what the environment has wrong",
      config: {},
      environment: { NEON_API_KEY: "napi_some_key", NEON_API_HOST: "nowhere", NEON_LOG: "loud" },
      failures: {
        "neon:apiUrl": /^must be a base URL such as /,
        "neon:logLevel": "must be one of off, info, debug",
      },
    },
  ];
  for (const { title, config, environment = {}, failures } of settings) {
    it(`reports ${title} and names the settings`, async () => {
      const server = await ProviderServer.start({ config, environment });
      try {
        const answer = await server.check("Project", {}, {}, { urn: urnOf("Project", "shop") });
        assertRefused(answer.failures, failures);
        assert.ok(!JSON.stringify(answer.failures).includes(secret));
        // Calls that come without a check say the same, in one line.
        await assert.rejects(
          server.create("Project", answer.inputs),
          failsWith(...Object.keys(failures), { without: /\n\s+at / }),
        );
      } finally {
        await server.stop();
      }
    });
  }
});
