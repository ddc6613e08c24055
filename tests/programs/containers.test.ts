import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { reportedBy, stepOf } from "../reliability/cli-events";
import { doors } from "../support/door";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { type Stack, suiteStacks } from "../support/stack";

/** What a command does with each resource of ours, by logical name; what stays as it is is left out. */
async function did(stack: Stack, command: "preview" | "up"): Promise<Record<string, string>> {
  const { code, text, started } = await reportedBy(stack.folder, (log) =>
    stack.run([command, ...(command === "up" ? ["--yes", "--skip-preview"] : []), ...log]),
  );
  assert.equal(code, 0, text);
  if (process.env["SHOW"]) console.log(text);
  return Object.fromEntries(
    [...started].flatMap(([urn, ops]) => {
      const step = stepOf(ops);
      const isOurs = /[/:]neon:/.test(urn) && step !== "same" && step !== "read";
      return isOurs ? [[urn.slice(urn.lastIndexOf("::") + 2), String(step)]] : [];
    }),
  );
}

describe("programs: what a change deletes of other resources", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  let projects = 0;
  const newName = (): string => `containers-${(projects += 1)}`;

  /** Makes a change as its preview has announced it. Afterwards, a refresh finds nothing that is not there. */
  const changes = async (stack: Stack, program: string, expected: Record<string, string>): Promise<void> => {
    stack.write(program);
    assert.deepEqual(await did(stack, "preview"), expected, "the preview");
    assert.deepEqual(await did(stack, "up"), expected, "the up");
    const before = stack.resources().size;
    await stack.refresh();
    assert.equal(stack.resources().size, before, "the refresh has found something that is not there");
    assert.deepEqual(await did(stack, "preview"), {}, "the preview after the change");
  };

  for (const door of doors) {
    const start = async (program: string): Promise<Stack> => {
      const project = door === "plugin" ? { project: withPlugin } : {};
      const environment = { PULUMI_DEBUG_COMMANDS: "true" };
      const stack = await newStack({ platform: platform(), environment, program, ...project });
      await stack.up();
      return stack;
    };

    /** A domain that names its Neon Auth by the branch of both. */
    const signIn = (name: string, database: string, options: string): string => `
      const project = new neon.Project("project", { name: "${name}" });
      const at = { projectId: project.id, branchId: project.defaultBranchId };
      const other = new neon.Database("other", { ...at, ownerName: project.requireOutput("roleName") });
      const auth = new neon.NeonAuth("auth", { ...at, databaseName: ${database} });
      new neon.NeonAuthTrustedDomain("web", { ...at, domain: "https://shop.example" }, ${options});
    `;

    for (const option of ["dependsOn", "deletedWith"]) {
      it(`creates the domain of a replaced Neon Auth again that has it as \`${option}\`: ${door}`, async () => {
        const name = newName();
        const stack = await start(signIn(name, "project.databaseName", "{ dependsOn: auth }"));
        const replaced = signIn(name, "other.name", `{ ${option}: auth }`);
        await changes(stack, replaced, { auth: "replace", web: "replace" });
      });
    }

    it(`refuses to replace a Neon Auth before anything is changed if its domain does not depend on it: ${door}`, async () => {
      const name = newName();
      const stack = await start(signIn(name, "project.databaseName", "{ dependsOn: auth }"));
      stack.write(signIn(name, "other.name", "{}"));
      const refused = /The replacement of this Neon Auth integration deletes NeonAuthTrustedDomain "web"/;
      assert.match((await stack.failing("preview")).text, refused);
      await platform().requests();
      assert.match((await stack.failing("up")).text, refused);
    });

    it(`creates the objects of a replaced bucket again that the program puts into it by its name: ${door}`, async () => {
      const name = newName();
      const program = (accessLevel: string): string => `
        const project = new neon.Project("project", { name: "${name}" });
        const at = { projectId: project.id, branchId: project.defaultBranchId };
        const bucket = new neon.Bucket("uploads", { ...at, accessLevel: "${accessLevel}", forceDestroy: true });
        const source = new pulumi.asset.StringAsset("Hello");
        new neon.BucketObject("object", { ...at, bucketName: "uploads", source }, { dependsOn: bucket });
      `;
      const stack = await start(program("private"));
      await changes(stack, program("public_read"), { uploads: "replace", object: "replace" });
    });

    it(`does not show what a change is about to replace: ${door}`, async () => {
      const name = newName();
      const program = (trigger: string): string => `
        const project = new neon.Project("project", { name: "${name}" });
        const at = { projectId: project.id, branchId: project.defaultBranchId };
        const role = new neon.Role("app", { ...at, passwordTrigger: "${trigger}" });
        const { uri } = neon.getConnectionUriOutput({ ...at, roleName: role.name, databaseName: project.databaseName });
        const code = new pulumi.asset.StringAsset("export default { fetch: () => new Response('Hello') };");
        const archive = new pulumi.asset.AssetArchive({ "index.mjs": code });
        new neon.Function("api", { ...at, code: archive, environment: { DATABASE_URL: uri } });
        exports.members = neon.getProjectOutput({ projectId: project.id }).name;
      `;
      const stack = await start(program("1"));
      await changes(stack, program("2"), { app: "update", api: "update" });
    });

    it(`creates again what the reset of a branch deletes: ${door}`, async () => {
      const name = newName();
      const program = (sha: string): string => `
        const project = new neon.Project("project", { name: "${name}" });
        const branch = new neon.Branch("branch", { projectId: project.id, compute: {}, resetTrigger: "${sha}" });
        const at = { projectId: project.id, branchId: branch.branchId };
        const role = new neon.Role("app", at);
        const database = new neon.Database("shop", { ...at, ownerName: role.name });
        new neon.DataApi("api", { ...at, databaseName: database.name });
        new neon.Bucket("files", at);
        exports.uri = neon.getConnectionUriOutput({ ...at, roleName: role.name, databaseName: database.name }).uri;
      `;
      const stack = await start(program("1"));
      const expected = { branch: "update", app: "replace", shop: "replace", api: "replace", files: "replace" };
      await changes(stack, program("2"), expected);
    });
  }
});
