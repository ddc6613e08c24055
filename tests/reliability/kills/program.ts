import { samples } from "../../support/samples";

/**
 * The parts of the program that can be changed: the number of mutations for each, and whether it creates a new
 * object, in the project or outside it.
 */
const table = {
  size: { requests: 2 },
  name: { requests: 1 },
  compute: { requests: 1 },
  restore: { requests: 1 },
  password: { requests: 1 },
  database: { requests: 1 },
  snapshot: { requests: 1 },
  reader: { requests: 2 },
  backups: { requests: 1 },
  code: { requests: 2 },
  trigger: { requests: 2 },
  limit: { requests: 1 },
  member: { requests: 1 },
  access: { requests: 1 },
  label: { requests: 3 },
  key: { requests: 7, replaces: true },
  jwks: { requests: 2, replaces: true },
  domain: { requests: 4, replaces: true },
  branch: { requests: 2, replaces: true },
  project: { requests: 50, replaces: true },
} as const satisfies Readonly<Record<string, { readonly requests: number; readonly replaces?: true }>>;

export type Part = keyof typeof table;
export const parts = Object.keys(table) as readonly Part[];
export const replacing = parts.filter((part) => "replaces" in table[part]);

/** The kinds that need only a branch. */
const plain = Object.values(samples).flatMap(({ kind, posted }) => (posted === undefined ? [] : [kind]));

/** The number of mutations that create the whole program. */
export const requestsToCreate = 33 + plain.length;

export function requestsOf(part: Part): number {
  return table[part].requests;
}

/** The number of changes of each part so far, and of deletions of the whole program. */
export type Revisions = Readonly<Record<Part | "life", number>>;

/** The file next to the program, to which the program writes its secrets. */
export const secretsFile = "secrets.json";

/** @param life counts deletions of the stack, because a deleted VPC endpoint can never be assigned again */
export const initialRevisions = (life: number): Revisions => ({
  ...(Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>),
  life,
});

/** A person with an account, who joins the organization when invited. */
export const invited = "colleague@example.com";

/** The revisions with some parts changed once more. */
export function revised(revisions: Revisions, those: readonly Part[]): Revisions {
  return { ...revisions, ...Object.fromEntries(those.map((part) => [part, revisions[part] + 1])) };
}

/** Whether a change overwrites the branch: a replaced branch is not overwritten. */
export function restoresBranch(from: Revisions, to: Revisions): boolean {
  return from.restore !== to.restore && from.branch === to.branch && from.project === to.project;
}

/** The program: a resource of each kind. */
export function programText(revisions: Revisions): string {
  const isSecond = (part: Part): boolean => revisions[part] % 2 === 1;
  const largest = isSecond("size") ? 2 : 1;
  const trigger = isSecond("restore")
    ? `restore: { trigger: "${revisions.restore}", sourceBranchId: project.defaultBranchId }`
    : `resetTrigger: "${revisions.restore}"`;
  return `
    const project = new neon.Project("shop", {
      regionId: "${isSecond("project") ? "aws-eu-west-2" : "aws-eu-central-1"}",
      historyRetentionSeconds: ${3600 * largest},
    });
    new neon.Branch("pr", {
      projectId: project.id,
      name: "pr-${revisions.name}",
      annotations: { made: "${revisions.branch}" },
      ${isSecond("compute") ? "" : `compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${largest} },`}
      ${trigger},
    });
    const home = { projectId: project.id, branchId: project.defaultBranchId };
    const role = new neon.Role("app", { ...home, passwordTrigger: "${revisions.password}" });
    new neon.Database("data", { ...home, name: "data-${revisions.database}", ownerName: role.name });
    new neon.Endpoint("reader", {
      ...home, type: "read_only", name: "reader", restartTrigger: "${revisions.reader}",
      autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${isSecond("reader") ? 2 : 1},
    });
    const kept = new neon.Snapshot("kept", { ...home, name: "kept-${revisions.snapshot}" });
    new neon.Branch("copy", { projectId: project.id, name: "copy", snapshotId: kept.snapshotId });
    new neon.Branch("masked", {
      projectId: project.id, name: "masked",
      maskingRules: [{
        databaseName: "neondb", schemaName: "public", tableName: "customer", columnName: "email",
        maskingFunction: "anon.fake_email()",
      }],
    });
    new neon.BackupSchedule("nightly", {
      ...home, schedule: [{ frequency: "daily", hour: ${revisions.backups % 24}, retentionSeconds: 86400 }],
    });
    new neon.DataApi("rest", { ...home, databaseName: "neondb" });
    new neon.Credential("uploads", {
      ...home, name: "uploads", scopes: ["storage:read"], rotateTrigger: "${revisions.key}",
    });
    const files = new neon.Bucket("files", { ...home, name: "files" });
    const text = (text) => new pulumi.asset.StringAsset(text);
    const answer = text("export default { fetch: () => new Response('${revisions.code}') };");
    const api = new neon.Function("api", {
      ...home, slug: "api", code: new pulumi.asset.AssetArchive({ "index.mjs": answer }),
      environment: { REVISION: "${revisions.code}" },
    });
    new neon.Trigger("yearly", {
      ...home, name: "yearly", functionSlug: api.slug, schedule: { cron: "${revisions.trigger % 60} 3 1 1 *" },
    });
    new neon.Trigger("uploaded", {
      ...home, name: "uploaded", functionSlug: api.slug,
      ${isSecond("domain") ? 'schedule: { cron: "0 4 1 1 *" }' : "storageObjectCreated: { bucketName: files.name }"},
    });
    new neon.CustomDomain("www", { ...home, domain: "www-${revisions.domain}.example.com", entityId: api.slug });
    new neon.BucketObject("logo", { ...home, bucketName: files.name, key: "logo", source: text("${revisions.code}") });
    new neon.JwksUrl("issuer", {
      projectId: project.id, providerName: "Auth0", jwksUrl: "https://auth.example.com/${revisions.jwks}",
    });
    new neon.ProjectPermission("guest", { projectId: project.id, email: "guest@example.com" });
    const auth = new neon.NeonAuth("auth", {
      ...home, plugins: { oauthProvider: { enabled: true, resources: ["https://api.example.com"] } },
    });
    const authHome = { projectId: auth.projectId, branchId: auth.branchId };
    new neon.NeonAuthOauthProvider("github", {
      ...authHome, providerId: "github", clientId: "shop", clientSecret: "s3cr3t",
    });
    new neon.NeonAuthTrustedDomain("site", { ...authHome, domain: "https://shop.example.com" });
    new neon.NeonAuthOauthClient("partner", {
      ...authHome, type: "confidential", redirectUris: ["https://partner.example.com/${revisions.label}"],
      resources: ["https://api.example.com"], rotateTrigger: "${revisions.key}",
    });
    new neon.SpendingLimit("limit", { spendingLimitCents: ${5_000 + revisions.limit} });
    const colleague = new neon.OrganizationMember("colleague", {
      email: "${invited}", role: "${isSecond("member") ? "admin" : "member"}",
    });
    new neon.ProjectMemberRole("access", {
      projectId: project.id, memberId: colleague.requireOutput("memberId"),
      role: "${isSecond("access") ? "editor" : "viewer"}",
    });
    const network = new neon.VpcEndpointAssignment("network", {
      regionId: "aws-eu-central-1", vpcEndpointId: "vpce-${revisions.life}", label: "office ${revisions.label}",
    });
    new neon.VpcEndpointRestriction("inside", {
      projectId: project.id, vpcEndpointId: network.vpcEndpointId, label: "only ${revisions.label}",
    });
    const key = new neon.ApiKey("ci", { rotateTrigger: "${revisions.key}" });
    new neon.OrganizationApiKey("deploy", { rotateTrigger: "${revisions.key}" });
    new neon.ProjectApiKey("shop-deploy", { projectId: project.id, rotateTrigger: "${revisions.key}" });
    ${plain.map((kind) => `new neon.${kind}("${kind.toLowerCase()}", home);`).join("\n")}
    const secrets = pulumi.all([role.password, key.key]);
    secrets.apply(([password, key]) => require("fs").writeFileSync("${secretsFile}", JSON.stringify({ password, key })));
  `;
}
