import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { reportedBy, stepOf } from "../reliability/cli-events";
import { suitePlatform } from "../support/platform";
import { type Preview, type Stack, suiteStacks } from "../support/stack";

/** What a preview is going to do, by logical name; what stays as it is is left out. */
function operations({ steps }: Preview): Record<string, string> {
  const wanted = steps.filter(({ op, urn }) => op !== "same" && urn.includes("/neon:"));
  return Object.fromEntries(wanted.map(({ op, urn }) => [urn.slice(urn.lastIndexOf("::") + 2), op]));
}

describe("programs: values that are not known yet", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("a preview takes them anywhere, and asks the platform whether the key is valid and what is there", async () => {
    const program = (more: string): string => `
      const project = new neon.Project("all", { settings: { allowedIps: { ips: ["10.0.0.1"] } } });
      const base = new neon.Branch("base", { projectId: project.id, compute: {}, ${more} });
      const pr = new neon.Branch("pr", {
        projectId: project.id,
        parentId: base.branchId,
        annotations: { parent: base.name, project: project.projectId, host: base.host },
        compute: {
          autoscalingLimitMinCu: 0.25,
          autoscalingLimitMaxCu: base.createdAt.apply(() => 1),
          settings: { pgSettings: { application_name: base.branchId } },
        },
      });
      exports.project = neon.getProjectOutput({ projectId: project.id }).name;
      exports.branch = neon.getBranchOutput({ projectId: project.id, branchId: pr.branchId }).annotations;
      exports.branches = neon.getBranchesOutput({ projectId: project.id, search: pr.branchId }).apply((all) => all.length);
      exports.actions = neon
        .getOperationsOutput({ projectId: project.id, limit: pr.createdAt.apply(() => 2) })
        .apply((all) => all.map(({ action }) => action).sort());
    `;
    const stack = await newStack({ platform: platform(), program: program("") });
    const first = await stack.preview();
    assert.deepEqual(operations(first), { all: "create", base: "create", pr: "create" });
    assert.deepEqual(
      (await platform().requests()).map(({ method, path }) => `${method} ${path}`),
      ["GET /api/v2/auth", "GET /api/v2/projects?limit=400"],
    );

    await stack.up();
    const pr = stack.resource("pr");
    const { host } = stack.resource("base").outputs;
    const annotations = { parent: "base", project: stack.resource("all").id, host };
    assert.deepEqual(pr.outputs["annotations"], annotations);
    const actions = ["create_branch", "start_compute"];
    assert.deepEqual(stack.outputs(), { project: "all", branch: annotations, branches: 1, actions });

    // A replaced parent makes everything about it unknown again.
    stack.write(program('initSource: "schema-only"'));
    const second = await stack.preview();
    assert.deepEqual(operations(second), { base: "replace", pr: "replace" });
    assert.match(
      second.diagnostics.map(({ message }) => message).join("\n"),
      /Changing .*`parentId` \(its new value is not known yet\) replaces this branch/,
    );
  });
});

/** What a command does with each resource of ours, by logical name; what stays as it is is left out. */
async function did(stack: Stack, command: "preview" | "up", flags: readonly string[]): Promise<Record<string, string>> {
  const { code, text, started } = await reportedBy(stack.folder, (log) =>
    stack.run([command, ...(command === "up" ? ["--yes", "--skip-preview"] : []), ...flags, ...log]),
  );
  assert.equal(code, 0, text);
  return Object.fromEntries(
    [...started].flatMap(([urn, ops]) => {
      const step = stepOf(ops);
      const isOurs = urn.includes("/neon:") && step !== "same" && step !== "read";
      return isOurs ? [[urn.slice(urn.lastIndexOf("::") + 2), String(step)]] : [];
    }),
  );
}

/** Previews a change, makes it, and asserts that both do this and nothing else. */
async function changes(stack: Stack, expected: Record<string, string>, ...flags: readonly string[]): Promise<void> {
  assert.deepEqual(await did(stack, "preview", flags), expected, "the preview");
  assert.deepEqual(await did(stack, "up", flags), expected, "the up");
}

describe("programs: the preview of a change in place", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  /** One of each kind that hangs on what comes with a project, and a chain: branch, role, database, Data API. */
  const everyKind = (project: string, member: string, options = "{ protect: true }"): string => `
    const options = ${options};
    const project = new neon.Project("project", { ${project} }, options);
    const at = { projectId: project.id, branchId: project.defaultBranchId };
    const role = new neon.Role("role", at, options);
    new neon.Database("database", { ...at, ownerName: project.requireOutput("roleName") }, options);
    new neon.DataApi("api", { ...at, databaseName: project.databaseName }, options);
    const auth = new neon.NeonAuth("auth", at, options);
    const signIn = { projectId: project.id, branchId: auth.branchId };
    new neon.NeonAuthTrustedDomain("domain", { ...signIn, domain: "https://shop.example" }, options);
    new neon.NeonAuthOauthProvider("github", { ...signIn, providerId: "github", clientId: "shop", clientSecret: "s3cr3t" }, options);
    new neon.JwksUrl("keys", { projectId: project.id, branchId: project.defaultBranchId, jwksUrl: "https://auth.example.com/keys", providerName: "Own", roleNames: [project.roleName] }, options);
    new neon.Bucket("bucket", at, options);
    new neon.Credential("credential", { ...at, scopes: ["storage:read"] }, options);
    new neon.Endpoint("replica", { ...at, type: "read_only", regionId: project.regionId }, options);
    new neon.Snapshot("snapshot", at, options);
    new neon.BackupSchedule("schedule", { ...at, schedule: [{ frequency: "daily", hour: 3 }] }, options);
    new neon.ProjectApiKey("key", { projectId: project.id, orgId: project.orgId }, options);
    const member = new neon.OrganizationMember("member", { orgId: "${organization}", email: "colleague@example.com", role: "${member}" }, options);
    new neon.ProjectMemberRole("member-role", { projectId: project.id, memberId: member.requireOutput("memberId"), role: "viewer" }, options);
    const branch = new neon.Branch("branch", { projectId: project.id, parentId: project.defaultBranchId, annotations: { of: project.host } }, options);
    const onBranch = { projectId: project.id, branchId: branch.branchId };
    const owner = new neon.Role("owner", onBranch, options);
    const shop = new neon.Database("shop", { ...onBranch, ownerName: owner.name }, options);
    new neon.DataApi("shop", { ...onBranch, databaseName: shop.name }, options);
  `;
  /** With which the CLI accepts a file for its events. */
  const environment = { PULUMI_DEBUG_COMMANDS: "true" };
  let organization = "";

  it("of a project announces nothing of what hangs on it, of every kind, protected or not, until the project is replaced", async () => {
    organization = await platform().firstOrganization();
    await platform().signIn("colleague@example.com");
    const config = { "neon:orgId": organization };
    const stack = await newStack({ platform: platform(), config, environment, program: everyKind("", "member") });
    await stack.up();
    stack.write(everyKind("historyRetentionSeconds: 3600", "admin"));
    await changes(stack, { project: "update", member: "update" });
    await changes(stack, {});
  });
});
