import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { branchNames, suiteStacks } from "../support/stack";

describe("programs: Pulumi's own options", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("targets, aliases, parents and retention work as with other providers", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const project = new neon.Project("options", {});
        new neon.Branch("one", { projectId: project.id, compute: {} });
        new neon.Branch("two", { projectId: project.id });
        new neon.Branch("kept", { projectId: project.id, protected: true }, { retainOnDelete: true });
      `,
    });
    const target = (kind: string, name: string) => ["--target", stack.urn(`pulumi-nodejs:dynamic/neon:${kind}`, name)];
    await stack.up(...target("Branch", "one"), ...target("Project", "options"));
    assert.deepEqual(await branchNames(platform(), "options"), ["main", "one"]);
    await stack.up();
    assert.deepEqual(await branchNames(platform(), "options"), ["kept", "main", "one", "two"]);

    // A rename with an alias and a move into a component change nothing. Names that the provider has chosen stay.
    const { id } = stack.resource("one");
    stack.write(`
      class Preview extends pulumi.ComponentResource {
        constructor(name, args, opts) {
          super("app:index:Preview", name, {}, opts);
          this.branch = new neon.Branch("uno", args, {
            parent: this,
            aliases: [{ name: "one", parent: pulumi.rootStackResource }],
          });
          this.registerOutputs({ host: this.branch.host });
        }
      }
      const project = new neon.Project("options", {});
      exports.host = new Preview("preview", { projectId: project.id, compute: {} }).branch.host;
    `);
    assert.match(
      (await stack.up()).text,
      /\+ 1 created\n +- 2 deleted\n +3 changes\. 3 unchanged/,
      "only the component is new",
    );
    assert.equal(stack.resource("uno").id, id);
    assert.deepEqual(await branchNames(platform(), "options"), ["kept", "main", "one"], "retained");
  });

  for (const door of ["dynamic", "plugin"] as const) {
    const environment = { NEON_PULUMI_PROVIDER: door };
    const type = (kind: string) => (door === "dynamic" ? `pulumi-nodejs:dynamic/neon:${kind}` : `neon:index:${kind}`);
    const project = door === "dynamic" ? {} : withPlugin;

    it(`${door}: \`--continue-on-error\` leaves out what depends on a resource that failed, and a target names what it depends on`, async () => {
      const [failing, fine] = [await platform().project(), await platform().project()];
      const stack = await newStack({
        platform: platform(),
        environment,
        project,
        program: `
          const at = (projectId, name) => {
            const { branchId } = new neon.Branch(name, { projectId, compute: {} });
            const role = new neon.Role(name + "-role", { projectId, branchId });
            new neon.Database(name + "-database", { projectId, branchId, ownerName: role.name });
            new neon.JwksUrl(name + "-jwks", {
              projectId,
              jwksUrl: "https://auth.example/" + name,
              providerName: "example",
              roleNames: [role.name],
            });
            new neon.Branch(name + "-child", { projectId, parentId: branchId });
          };
          at("${failing.project.id}", "failing");
          at("${fine.project.id}", "fine");
        `,
      });
      const refused = await stack.failing("up", "--target", stack.urn(type("Role"), "fine-role"));
      assert.match(refused.text, /fine-role' depends on '[^']*::fine' which was was not specified in --target list/);
      assert.doesNotMatch(refused.text, /is required|has no value/);

      await platform().fault({
        method: "POST",
        path: `^/projects/${failing.project.id}/branches$`,
        times: 1,
        status: 422,
        body: { message: "no more branches" },
      });
      const { text } = await stack.failing("up", "--continue-on-error");
      assert.match(text, /no more branches/);
      assert.doesNotMatch(text, /is required|has no value|must be at least/);
      const names = ["fine", "fine-child", "fine-database", "fine-jwks", "fine-role"];
      assert.deepEqual([...stack.resources().keys()].sort(), names);
      assert.match((await stack.up()).text, /\+ 5 created\n/);
    });

    it(`${door}: no other key is used if the key of a provider comes from a failed resource`, async () => {
      const { project: existing } = await platform().project();
      const { apiKey, apiUrl } = platform();
      const program = (name: string): string => `
        const { key } = new neon.ApiKey("key", { name: "${name}" });
        const provider = new neon.Provider("own", { apiKey: key, apiUrl: "${apiUrl}" });
        new neon.Branch("pr", { projectId: "${existing.id}", name: "${name}" }, { provider });
        exports.read = neon.getProjects({}, { provider }).then(() => "with another key", () => "nothing");
        exports.output = neon.getProjectsOutput({}, { provider }).apply(() => "with another key");
      `;
      const options = { platform: platform(), project, environment: { ...environment, NEON_API_KEY: apiKey } };
      const stack = await newStack({ ...options, program: program("first") });
      for (const name of ["first", "second"]) {
        stack.write(program(name));
        await platform().fault({ method: "POST", path: "/api_keys$", status: 422, body: { message: "no more keys" } });
        const { text } = await stack.failing("up", "--skip-preview", "--continue-on-error");
        assert.match(text, /no more keys/);
        assert.match(text, /unknown provider/);
        const before = name === "first" ? ["main"] : ["main", "first"];
        const { branches } = (await platform().call("GET", `/projects/${existing.id}/branches`)).body;
        assert.deepEqual(branches.map((branch) => branch.name).sort(), before.sort());
        await stack.up();
      }
    });
  }

  it("a target leaves out an environment, with outputs that follow from it", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const first = new neon.Project("first", {});
        const { branchId, connectionUri } = new neon.BranchEnvironment("pr", { projectId: first.id });
        exports.uri = connectionUri;
        exports.host = new neon.Branch("plain", { projectId: first.id, compute: {} }).requireOutput("host");
        const role = new neon.Role("app", { projectId: first.id, branchId });
        exports.password = role.requireOutput("password");
      `,
    });
    await stack.up("--target", stack.urn("pulumi-nodejs:dynamic/neon:Project", "first"));
    assert.deepEqual(await branchNames(platform(), "first"), ["main"]);
    assert.match((await stack.up()).text, /\+ 4 created\n/);
  });

  it("customTimeouts bound the wait", async () => {
    const { project } = await platform().project({ name: "slow" });
    const stack = await newStack({
      platform: platform(),
      program: `new neon.Branch("pr", { projectId: "${project.id}", compute: {} }, { customTimeouts: { create: "1s" } });`,
    });
    await platform().fault({ action: "create_branch", end: "stuck" });
    const { text } = await stack.failing("up");
    // The message is that of docs/troubleshooting.md, except the numbers and the operation that waits for the stuck one.
    const page = readFileSync("docs/troubleshooting.md", "utf8");
    const [, printed = ""] = /`(Timed out [^`]+)`/.exec(page) ?? [];
    const variable = /[\d.]+(?= s:)|(?<=operation )\S+(?= \()|\w+(?=\) is running)/g;
    assert.ok(text.replaceAll(variable, "…").includes(printed.replaceAll(variable, "…")), `${printed}\n${text}`);
  });
});
