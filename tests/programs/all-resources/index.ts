import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// Every kind of resource, once. The organization is that of `neon:orgId`.
const config = new pulumi.Config();
const regionId = "aws-us-east-2";
const vpcEndpointId = config.get("vpcEndpointId") ?? "vpce-0123456789abcdef0";

const project = new neon.Project("everything", {
  regionId,
  historyRetentionSeconds: 86_400,
  settings: { maintenanceWindow: { weekdays: [7], startTime: "03:00", endTime: "04:00" } },
});

// The branch that was created with the project. Only root branches have snapshots and a backup schedule.
const main = new neon.Branch("main", { projectId: project.id, adopt: true });

const staging = new neon.Branch("staging", {
  projectId: project.id,
  compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
  annotations: { team: "shop" },
});

const replica = new neon.Endpoint("reports", {
  projectId: project.id,
  branchId: staging.branchId,
  type: "read_only",
  autoscalingLimitMinCu: 0.25,
  autoscalingLimitMaxCu: 1,
  suspendTimeoutSeconds: 600,
});

const role = new neon.Role("app", { projectId: project.id, branchId: staging.branchId });
const database = new neon.Database("shop", {
  projectId: project.id,
  branchId: staging.branchId,
  ownerName: role.name,
});

new neon.Snapshot("before-launch", { projectId: project.id, branchId: main.branchId });
new neon.BackupSchedule("nightly", {
  projectId: project.id,
  branchId: main.branchId,
  schedule: [{ frequency: "daily", hour: 3, retentionSeconds: 604_800 }],
});

const dataApi = new neon.DataApi("shop", {
  projectId: project.id,
  branchId: staging.branchId,
  databaseName: database.name,
  addDefaultGrants: true,
});

const uploads = new neon.Credential("uploads", {
  projectId: project.id,
  branchId: staging.branchId,
  scopes: ["storage:read", "storage:write"],
});

const users = new neon.NeonAuth("users", { projectId: project.id, branchId: staging.branchId, allowLocalhost: true });
const signIn = { projectId: project.id, branchId: users.branchId };
new neon.NeonAuthOauthProvider("github", {
  ...signIn,
  providerId: "github",
  clientId: "shop",
  clientSecret: config.getSecret("githubClientSecret") ?? pulumi.secret("of no application"),
});
new neon.NeonAuthTrustedDomain("shop", { ...signIn, domain: "https://shop.example" });

const avatars = new neon.Bucket("avatars", {
  projectId: project.id,
  branchId: staging.branchId,
  accessLevel: "public_read",
  forceDestroy: true,
});
new neon.BucketObject("nobody.svg", {
  projectId: project.id,
  branchId: staging.branchId,
  bucketName: avatars.name,
  source: new pulumi.asset.StringAsset("<svg/>"),
  contentType: "image/svg+xml",
});
const api = new neon.Function("api", {
  projectId: project.id,
  branchId: staging.branchId,
  code: new pulumi.asset.AssetArchive({
    "index.mjs": new pulumi.asset.StringAsset("export default { fetch: () => new Response('Hello') };"),
  }),
  environment: { LOG_LEVEL: "info" },
});
const onApi = { projectId: project.id, branchId: staging.branchId };
new neon.Trigger("hourly", { ...onApi, functionSlug: api.slug, schedule: { cron: "0 * * * *" } });
new neon.CustomDomain("www", { ...onApi, domain: "api.example.com", entityId: api.slug });

new neon.JwksUrl("sign-in", {
  projectId: project.id,
  jwksUrl: "https://sign-in.example/.well-known/jwks.json",
  providerName: "Example",
});
new neon.ProjectPermission("auditor", { projectId: project.id, email: "auditor@example.com" });

// They have an account, and so join at once.
const colleague = new neon.OrganizationMember("colleague", {
  email: config.get("colleague") ?? "colleague@example.com",
  role: "member",
});
new neon.ProjectMemberRole("colleague", {
  projectId: project.id,
  memberId: colleague.requireOutput("memberId"),
  role: "viewer",
});
new neon.SpendingLimit("budget", { spendingLimitCents: 50_000 });

const assignment = new neon.VpcEndpointAssignment("office", { regionId, vpcEndpointId, label: "office" });
new neon.VpcEndpointRestriction(
  "office",
  { projectId: project.id, vpcEndpointId, label: "office" },
  { dependsOn: assignment },
);

const personal = new neon.ApiKey("laptop");
const organization = new neon.OrganizationApiKey("automation");
const scoped = new neon.ProjectApiKey("shop-only", { projectId: project.id });

// The JWKS URL above creates roles of its own, so the branch has several.
const preview = new neon.BranchEnvironment("preview", { projectId: project.id, roleName: "neondb_owner" });

export const host = staging.host;
export const apiUrl = api.invocationUrl;
export const dataApiUrl = dataApi.url;
export const reportsHost = replica.host;
export const previewUrl = preview.connectionUri;
export const url = neon.getConnectionUriOutput({
  projectId: project.id,
  branchId: staging.branchId,
  roleName: role.name,
  databaseName: database.name,
}).uri;
export const keys = pulumi.secret([personal.key, organization.key, scoped.key, uploads.apiToken]);
