import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { changes } from "../reliability/cli-events";
import { doors } from "../support/door";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { suiteStacks } from "../support/stack";

/** The parts of the program that the steps change. */
interface Edit {
  readonly database?: string;
  /** The options of the domains. Their only reference to the Neon Auth is its branch. */
  readonly options?: readonly string[];
  readonly accessLevel?: string;
  readonly trigger?: string;
}

/** Containers, and objects in them: a Neon Auth, a bucket and a branch. A lookup reads what depends on a role. */
function program(
  name: string,
  { database = "project.databaseName", options, accessLevel, trigger = "1" }: Edit,
): string {
  const [one, two] = options ?? ["dependsOn", "dependsOn"].map((option) => `{ ${option}: auth }`);
  return `
    const project = new neon.Project("project", { name: "${name}" });
    const at = { projectId: project.id, branchId: project.defaultBranchId };
    const other = new neon.Database("other", { ...at, ownerName: project.requireOutput("roleName") });
    const auth = new neon.NeonAuth("auth", { ...at, databaseName: ${database} });
    new neon.NeonAuthTrustedDomain("one", { ...at, domain: "https://one.example" }, ${one});
    new neon.NeonAuthTrustedDomain("two", { ...at, domain: "https://two.example" }, ${two});

    const bucket = new neon.Bucket("uploads", { ...at, accessLevel: "${accessLevel ?? "private"}", forceDestroy: true });
    const text = (content) => new pulumi.asset.StringAsset(content);
    new neon.BucketObject("object", { ...at, bucketName: "uploads", source: text("Hello") }, { dependsOn: bucket });

    const owner = new neon.Role("owner", { ...at, passwordTrigger: "${trigger}" });
    const { uri } = neon.getConnectionUriOutput({ ...at, roleName: owner.name, databaseName: project.databaseName });
    const code = new pulumi.asset.AssetArchive({ "index.mjs": text("export default { fetch: () => new Response('') };") });
    new neon.Function("handler", { ...at, code, environment: { DATABASE_URL: uri } });
    exports.members = neon.getProjectOutput({ projectId: project.id }).name;

    const branch = new neon.Branch("branch", { projectId: project.id, compute: {}, resetTrigger: "${trigger}" });
    const on = { projectId: project.id, branchId: branch.branchId };
    const role = new neon.Role("app", on);
    const shop = new neon.Database("shop", { ...on, ownerName: role.name });
    new neon.DataApi("api", { ...on, databaseName: shop.name });
    new neon.Bucket("files", on);
    exports.uri = neon.getConnectionUriOutput({ ...on, roleName: role.name, databaseName: shop.name }).uri;
  `;
}

describe("programs: what a change deletes of other resources", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  for (const door of doors) {
    it(`is created again by the same change, as its preview announces, or the change is rejected: ${door}`, async () => {
      const name = `containers-${door}`;
      const project = door === "plugin" ? { project: withPlugin } : {};
      const stack = await newStack({ platform: platform(), program: program(name, {}), ...project });
      await stack.up();

      // A domain that does not depend on the Neon Auth could be deleted unnoticed.
      const database = "other.name";
      stack.write(program(name, { database, options: ["{}", "{}"] }));
      const refused = /The replacement of this Neon Auth integration deletes NeonAuthTrustedDomain "(one|two)"/;
      assert.match((await stack.failing("preview")).text, refused);
      assert.match((await stack.failing("up")).text, refused);

      const options = ["{ dependsOn: auth }", "{ deletedWith: auth }"];
      stack.write(program(name, { database, options, accessLevel: "public_read", trigger: "2" }));
      await changes(stack, {
        ...{ auth: "replace", one: "replace", two: "replace" },
        ...{ uploads: "replace", object: "replace" },
        ...{ owner: "update", handler: "update" },
        ...{ branch: "update", app: "replace", shop: "replace", api: "replace", files: "replace" },
      });
      const before = stack.resources().size;
      await stack.refresh();
      assert.equal(stack.resources().size, before, "the refresh has found something that is not there");
      await stack.command("preview", "--expect-no-changes");
    });
  }
});
