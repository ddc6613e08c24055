import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { changes } from "../reliability/cli-events";
import { doors } from "../support/door";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { type Preview, type Stack, suiteStacks } from "../support/stack";

/** The steps of a preview by logical name, without unchanged resources. */
function operations({ steps }: Preview): Record<string, string> {
  const wanted = steps.filter(({ op, urn }) => op !== "same" && urn.includes("/neon:"));
  return Object.fromEntries(wanted.map(({ op, urn }) => [urn.slice(urn.lastIndexOf("::") + 2), op]));
}

describe("programs: values that are not known yet", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("a preview accepts unknown values in any argument, and checks the key and existing objects", async () => {
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
        .getOperationsOutput({ projectId: project.id, limit: pr.createdAt.apply(() => 3) })
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
    const actions = ["create_branch", "start_compute", "timeline_update_protected_config"];
    assert.deepEqual(stack.outputs(), { project: "all", branch: annotations, branches: 1, actions });

    // If the parent is replaced, all its outputs are unknown again.
    stack.write(program('initSource: "schema-only"'));
    const second = await stack.preview();
    assert.deepEqual(operations(second), { base: "replace", pr: "replace" });
    assert.match(
      second.diagnostics.map(({ message }) => message).join("\n"),
      /Changing .*`parentId` \(its new value is not known yet\) replaces this branch/,
    );
  });
});

describe("programs: the preview of a change in place", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const start = async (program: string, config: Record<string, string> = {}): Promise<Stack> => {
    const stack = await newStack({ platform: platform(), config, program });
    await stack.up();
    return stack;
  };

  const [inPlace, replacing] = ["historyRetentionSeconds: 3600", 'regionId: "aws-eu-central-1"'];

  /** A statement with the code of a function that returns a text. */
  const handler = (answer: string): string => `
    const text = (content) => new pulumi.asset.StringAsset(content);
    const code = text("export default { fetch: () => new Response('${answer}') };");
    const archive = new pulumi.asset.AssetArchive({ "index.mjs": code });
  `;

  /** A resource of each kind that depends on a project's outputs or a member, and a chain: branch, role, database, Data API. */
  const everyKind = (orgId: string, project: string, role: string, options: string): string => `
    const options = ${options};
    const project = new neon.Project("project", { ${project} }, options);
    const at = { projectId: project.id, branchId: project.defaultBranchId };
    new neon.Role("role", at, options);
    new neon.Database("database", { ...at, ownerName: project.requireOutput("roleName") }, options);
    new neon.DataApi("api", { ...at, databaseName: project.databaseName }, options);
    const auth = new neon.NeonAuth("auth", at, options);
    const signIn = { projectId: project.id, branchId: auth.branchId };
    new neon.NeonAuthTrustedDomain("domain", { ...signIn, domain: "https://shop.example" }, options);
    const github = { providerId: "github", clientId: "shop", clientSecret: "s3cr3t" };
    new neon.NeonAuthOauthProvider("github", { ...signIn, ...github }, options);
    const issuer = { jwksUrl: "https://auth.example.com/keys", providerName: "Own", roleNames: [project.roleName] };
    new neon.JwksUrl("keys", { ...at, ...issuer }, options);
    const bucket = new neon.Bucket("bucket", at, options);
    ${handler("Hello")}
    const handler = new neon.Function("handler", { ...at, code: archive }, options);
    const functionSlug = handler.slug;
    new neon.Trigger("yearly", { ...at, functionSlug, schedule: { cron: "0 3 1 1 *" } }, options);
    const uploads = { storageObjectCreated: { bucketName: bucket.name } };
    new neon.Trigger("uploaded", { ...at, functionSlug, ...uploads }, options);
    new neon.CustomDomain("www", { ...at, domain: "www.shop.example", entityId: handler.slug }, options);
    new neon.BucketObject("object", { ...at, bucketName: bucket.name, source: text("Hello") }, options);
    new neon.Credential("credential", { ...at, scopes: ["storage:read"] }, options);
    new neon.Endpoint("replica", { ...at, type: "read_only", regionId: project.regionId }, options);
    new neon.Snapshot("snapshot", at, options);
    new neon.BackupSchedule("schedule", { ...at, schedule: [{ frequency: "daily", hour: 3 }] }, options);
    new neon.ProjectApiKey("key", { projectId: project.id, orgId: project.orgId }, options);
    const colleague = { orgId: "${orgId}", email: "colleague@example.com", role: "${role}" };
    const member = new neon.OrganizationMember("member", colleague, options);
    const memberId = member.requireOutput("memberId");
    new neon.ProjectMemberRole("member-role", { projectId: project.id, memberId, role: "viewer" }, options);
    const annotations = { host: project.host };
    const parentId = project.defaultBranchId;
    const branch = new neon.Branch("branch", { projectId: project.id, parentId, annotations, compute: {} }, options);
    const onBranch = { projectId: project.id, branchId: branch.branchId };
    const owner = new neon.Role("owner", onBranch, options);
    const shop = new neon.Database("shop", { ...onBranch, ownerName: owner.name }, options);
    new neon.DataApi("shop-api", { ...onBranch, databaseName: shop.name }, options);
  `;

  it("announces no change of resources that depend on a project, of any kind, protected or not, until the project is replaced", async () => {
    const orgId = await platform().firstOrganization();
    await platform().signIn("colleague@example.com");
    const stack = await start(everyKind(orgId, "", "member", "{ protect: true }"), { "neon:orgId": orgId });
    stack.write(everyKind(orgId, inPlace, "admin", "{ protect: true }"));
    await changes(stack, { project: "update", member: "update" });
    stack.write(everyKind(orgId, inPlace, "admin", "{}"));
    await changes(stack, {});
    stack.write(everyKind(orgId, `${inPlace}, ${replacing}`, "admin", "{}"));
    const others = [...stack.resources().keys()].filter((name) => name !== "member");
    await changes(stack, Object.fromEntries(others.map((name) => [name, "replace"])));
  });

  for (const door of doors) {
    it(`announces the steps for functions, triggers, domains and objects when their parents change: ${door}`, async () => {
      const [hello, bye] = ["Hello", "Good bye"];
      const program = (change: {
        readonly [name in "project" | "branch" | "bucket" | "slug" | "answer"]?: string;
      }): string => {
        const { project = "", branch = "", bucket = "", slug = "api", answer = hello } = change;
        return `
          const project = new neon.Project("project", { name: "parents-${door}", ${project} });
          const branch = new neon.Branch("branch", { projectId: project.id, ${branch} });
          const at = { projectId: project.id, branchId: branch.branchId };
          const bucket = new neon.Bucket("bucket", { ...at, ${bucket} });
          ${handler(answer)}
          const environment = { ANSWER: "${answer}" };
          const api = new neon.Function("api", { ...at, slug: "${slug}", code: archive, environment });
          const functionSlug = api.slug;
          new neon.Trigger("yearly", { ...at, functionSlug, schedule: { cron: "${answer.length} 3 1 1 *" } });
          const uploads = { storageObjectCreated: { bucketName: bucket.name } };
          new neon.Trigger("uploaded", { ...at, functionSlug, ...uploads });
          new neon.CustomDomain("www", { ...at, domain: "${door}.shop.example", entityId: api.slug });
          new neon.BucketObject("object", { ...at, bucketName: bucket.name, source: text("${answer}") });
        `;
      };
      const project = door === "plugin" ? { project: withPlugin } : {};
      const stack = await newStack({ platform: platform(), program: program({}), ...project });
      await stack.up();
      let change: Parameters<typeof program>[0] = { project: inPlace, branch: 'name: "renamed"', answer: bye };
      stack.write(program(change));
      const updated = { api: "update", yearly: "update", object: "update" };
      await changes(stack, { project: "update", branch: "update", ...updated });

      change = { ...change, slug: "web", bucket: 'name: "moved"' };
      stack.write(program(change));
      const replaced = { bucket: "replace", api: "replace", www: "replace", object: "replace" };
      await changes(stack, { ...replaced, yearly: "update", uploaded: "update" });

      // The new bucket has the same name.
      change = { ...change, bucket: `${change.bucket ?? ""}, accessLevel: "public_read"` };
      stack.write(program(change));
      await changes(stack, { bucket: "replace", object: "replace" });

      change = { ...change, branch: 'initSource: "schema-only"' };
      stack.write(program(change));
      const triggers = { yearly: "replace", uploaded: "replace" };
      await changes(stack, { branch: "replace", ...replaced, ...triggers });
      await stack.command("preview", "--expect-no-changes");
    });
  }

  it("announces no change for a reference through apply, interpolate, a promise, a component, get, a data source or a provider", async () => {
    const program = (project: string): string => `
      class Shop extends pulumi.ComponentResource {
        constructor() {
          super("shop:index:Shop", "shop");
          this.project = new neon.Project("project", { ${project} }, { parent: this });
          this.branchId = this.project.defaultBranchId;
          this.registerOutputs({ branchId: this.branchId });
        }
      }
      const shop = new Shop();
      const { project } = shop;
      const named = { projectId: project.id };
      const read = neon.Branch.get("read", pulumi.interpolate\`\${project.id}/\${project.defaultBranchId}\`);
      const branchIds = {
        interpolated: pulumi.interpolate\`\${project.defaultBranchId}\`,
        applied: project.defaultBranchId.apply((id) => id),
        one: pulumi.all([project.id, project.defaultBranchId]).apply(([, id]) => id),
        lifted: pulumi.output(project).defaultBranchId,
        promised: Promise.resolve(project.defaultBranchId),
        component: shop.branchId,
        got: neon.Project.get("got", project.id).defaultBranchId,
        read: read.branchId,
        found: neon.getBranchOutput({ ...named, branchId: project.defaultBranchId }).id,
      };
      for (const [name, branchId] of Object.entries(branchIds)) new neon.Role(name, { ...named, branchId });
      const other = { provider: new neon.Provider("other"), protect: true };
      new neon.Role("of-other", { ...named, branchId: project.defaultBranchId }, other);
    `;
    const stack = await start(program(""));
    stack.write(program(inPlace));
    await changes(stack, { project: "update" });
    // The preview says the same after a change that failed halfway.
    stack.write(program("settings: { enableLogicalReplication: true }"));
    await platform().fault({ action: "suspend_compute", times: 1, end: "error" });
    await stack.failing("up");
    await changes(stack, { project: "update" });
  });

  it("announces the replacement of a resource whose reference changes", async () => {
    const program = (project: string, roles: string): string => `
      const [one, two] = ["one", "two"].map((name) => new neon.Project(name, { ${project} }));
      const branch = new neon.Branch("branch", { projectId: one.id, annotations: { of: "${project}" } });
      const on = (project, branchId) => ({ projectId: project.id, branchId });
      ${roles}
    `;
    const role = (name: string, where: string): string => `new neon.Role("${name}", on(${where}));`;
    const credential = (name: string, where: string): string =>
      `new neon.Credential("${name}", { ...on(${where}), scopes: ["storage:read"] });`;
    const stack = await start(
      program(
        "",
        role("swapped", "one, one.defaultBranchId") +
          role("exchanged", "two, two.defaultBranchId") +
          credential("moved", "one, branch.branchId") +
          credential("credential", "one, one.defaultBranchId"),
      ),
    );
    stack.write(
      program(
        inPlace,
        role("swapped", "two, two.defaultBranchId") +
          role("exchanged", "one, one.defaultBranchId") +
          credential("moved", "one, one.defaultBranchId") +
          credential("credential", "one, pulumi.all([branch.id, one.defaultBranchId]).apply(() => branch.branchId)"),
      ),
    );
    const moved = { swapped: "replace", exchanged: "replace", moved: "replace", credential: "replace" };
    await changes(stack, { one: "update", two: "update", branch: "replace", ...moved });
  });

  it("announces the replacement of everything in a project that Pulumi's options or flags replace", async () => {
    const program = (project: string, options: string): string => `
      const project = new neon.Project("forced", { ${project} }, { ${options} });
      new neon.Role("role", { projectId: project.id, branchId: project.defaultBranchId });
    `;
    const replaced = { forced: "replace", role: "replace" };
    const stack = await start(program("", "deleteBeforeReplace: true"));
    const urn = stack.urn("pulumi-nodejs:dynamic/neon:Project", "forced");
    stack.write(program(inPlace, "deleteBeforeReplace: true"));
    await changes(stack, {}, "--target", stack.urn("pulumi-nodejs:dynamic/neon:Role", "role"));
    await changes(stack, replaced, "--replace", urn);
    stack.write(
      program(
        "historyRetentionSeconds: 7200",
        'deleteBeforeReplace: true, replaceOnChanges: ["historyRetentionSeconds"]',
      ),
    );
    await changes(stack, replaced);
    await stack.command("state", "taint", urn, "--yes");
    await changes(stack, replaced);
  });
});
