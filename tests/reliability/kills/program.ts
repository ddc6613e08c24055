/**
 * The parts of the program that can be changed, each with how it is changed: a number of its own, which stands in the
 * program.
 */
export const parts = [
  "size",
  "name",
  "compute",
  "restore",
  "password",
  "database",
  "snapshot",
  "reader",
  "limit",
  "member",
  "access",
  "key",
  "branch",
  "project",
] as const;
export type Part = (typeof parts)[number];

/** How often each part was changed so far. */
export type Revisions = Readonly<Record<Part, number>>;

/** The file next to the program to which it writes its secrets. */
export const secretsFile = "secrets.json";

export const initialRevisions: Revisions = Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>;

/** Somebody who has an account, and joins the organization when invited. */
export const invited = "colleague@example.com";

/** The parts that a replacement of the project does not create again. */
export const outsideProject: readonly Part[] = ["limit", "member", "key"];

/** The parts whose change creates new objects. */
export const replacing = ["key", "branch", "project"] as const;

export function isReplacing(part: Part): boolean {
  return (replacing as readonly Part[]).includes(part);
}

/** The same with these parts changed once more. */
export function revised(revisions: Revisions, those: readonly Part[]): Revisions {
  return { ...revisions, ...Object.fromEntries(those.map((part) => [part, revisions[part] + 1])) };
}

/** Whether a change overwrites the branch: a replaced branch is not overwritten. */
export function restoresBranch(from: Revisions, to: Revisions): boolean {
  return from.restore !== to.restore && from.branch === to.branch && from.project === to.project;
}

/** The program. `adopt` contains the lines to add, by logical name. */
export function programText(revisions: Revisions, adopt: ReadonlyMap<string, string> = new Map()): string {
  const line = (name: string): string => adopt.get(name) ?? "";
  const isSecond = (part: Part): boolean => revisions[part] % 2 === 1;
  const largest = isSecond("size") ? 2 : 1;
  const trigger = isSecond("restore")
    ? `restore: { trigger: "${revisions.restore}", sourceBranchId: project.defaultBranchId }`
    : `resetTrigger: "${revisions.restore}"`;
  return `
    const project = new neon.Project("shop", {
      regionId: "${isSecond("project") ? "aws-eu-west-2" : "aws-eu-central-1"}",
      historyRetentionSeconds: ${3600 * largest},
      ${line("shop")}
    });
    new neon.Branch("pr", {
      projectId: project.id,
      name: "pr-${revisions.name}",
      annotations: { made: "${revisions.branch}" },
      ${isSecond("compute") ? "" : `compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${largest} },`}
      ${trigger},
      ${line("pr")}
    });
    const home = { projectId: project.id, branchId: project.defaultBranchId };
    const role = new neon.Role("app", { ...home, passwordTrigger: "${revisions.password}", ${line("app")} });
    new neon.Database("data", { ...home, name: "data-${revisions.database}", ownerName: role.name, ${line("data")} });
    new neon.Endpoint("reader", {
      ...home, type: "read_only", name: "reader", restartTrigger: "${revisions.reader}",
      autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${isSecond("reader") ? 2 : 1}, ${line("reader")}
    });
    const kept = new neon.Snapshot("kept", { ...home, name: "kept-${revisions.snapshot}", ${line("kept")} });
    new neon.Branch("copy", { projectId: project.id, name: "copy", snapshotId: kept.snapshotId, ${line("copy")} });
    new neon.Branch("masked", {
      projectId: project.id, name: "masked",
      maskingRules: [{
        databaseName: "neondb", schemaName: "public", tableName: "customer", columnName: "email",
        maskingFunction: "anon.fake_email()",
      }],
      ${line("masked")}
    });
    new neon.DataApi("rest", { ...home, databaseName: "neondb", ${line("rest")} });
    new neon.Credential("uploads", { ...home, name: "uploads", scopes: ["storage:read"], ${line("uploads")} });
    new neon.Bucket("files", { ...home, name: "files", ${line("files")} });
    const auth = new neon.NeonAuth("auth", { ...home, ${line("auth")} });
    new neon.NeonAuthOauthProvider("github", {
      projectId: auth.projectId, branchId: auth.branchId, providerId: "github", clientId: "shop", clientSecret: "s3cr3t",
      ${line("github")}
    });
    new neon.SpendingLimit("limit", { spendingLimitCents: ${5_000 + revisions.limit}, ${line("limit")} });
    const colleague = new neon.OrganizationMember("colleague", {
      email: "${invited}", role: "${isSecond("member") ? "admin" : "member"}", ${line("colleague")}
    });
    new neon.ProjectMemberRole("access", {
      projectId: project.id, memberId: colleague.requireOutput("memberId"),
      role: "${isSecond("access") ? "editor" : "viewer"}", ${line("access")}
    });
    const key = new neon.ApiKey("ci", { rotateTrigger: "${revisions.key}", ${line("ci")} });
    const secrets = pulumi.all([role.password, key.key]);
    secrets.apply(([password, key]) => require("fs").writeFileSync("${secretsFile}", JSON.stringify({ password, key })));
  `;
}
