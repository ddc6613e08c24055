import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { before, describe, it } from "mocha";

import { initialRevisions, invited, programText } from "../reliability/kills/program";
import { doors, typeOf } from "../support/door";
import { suiteFolder } from "../support/folder";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { everySample } from "../support/samples";
import { inventory, suiteStacks } from "../support/stack";

const platform = suitePlatform({ operationTime: "20ms" });
const newStack = suiteStacks();
const folder = suiteFolder("neon-pulumi-program-");
// Programs find the build of this repository, as the examples in it do.
before(() => symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules")));

it("the quickstart creates a project with branches, and destroys them", async () => {
  const stack = await newStack({ folder, example: "quickstart", platform: platform() });
  await stack.up();
  assert.match(String(stack.outputs()["databaseUrl"]), /^postgresql:/);
  assert.match((await stack.up()).text, /Resources:\n +\d+ unchanged/);
  await stack.destroy();
  stack.assertEmpty();
});

describe("a program with every kind", () => {
  for (const door of doors) {
    it(`goes up, stays, and leaves nothing, through the ${door} provider`, async () => {
      const orgId = await platform().firstOrganization();
      await platform().signIn(invited);
      const earlier = await account(orgId);
      const stack = await newStack({
        program: programText(initialRevisions(doors.indexOf(door))),
        platform: platform(),
        config: { "neon:orgId": orgId },
        project: door === "plugin" ? withPlugin : {},
      });
      await stack.up();
      const types = new Set(stack.everyResource().map(({ type }) => type));
      const missing = everySample.filter(({ kind }) => !types.has(typeOf(kind, door))).map(({ kind }) => kind);
      assert.deepEqual(missing, [], "the program has every kind");
      await platform().clearRequests();
      assert.match((await stack.up("--refresh")).text, /Resources:\n +\d+ unchanged/);
      // The header fields of an object are read over S3, with a secret that the API reveals to a POST.
      const reads = ["GET", "HEAD"];
      assert.deepEqual(
        (await platform().requests())
          .filter(({ method, path }) => !reads.includes(method) && !path.endsWith("/reveal"))
          .map(({ path }) => path),
        [],
      );
      await stack.destroy();
      stack.assertEmpty();
      assert.deepEqual(await account(orgId), earlier);
    });
  }
});

/** The objects outside of projects, and the names of the projects. */
async function account(orgId: string): Promise<unknown[]> {
  const paths = ["/api_keys", `/organizations/${orgId}/api_keys`, `/organizations/${orgId}/vpc/vpc_endpoints`];
  const lists = await Promise.all(paths.map(async (path) => (await platform().call("GET", path)).body as unknown));
  const ids = lists.map((list) => JSON.stringify(list).match(/"(id|vpc_endpoint_id)":[^,]+/g));
  return [...ids, Object.keys(await inventory(platform()))];
}
