import assert from "node:assert/strict";
import { dirname, join } from "node:path";

import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { anotherCopy } from "./another-copy";
import { suiteAccount } from "./program";

describe("two copies of the package in one program", () => {
  const platform = suiteAccount();
  const folder = dirname(dirname(require.resolve("../../sdk")));
  const rooms = ["sdk", "provider", "bundle", "api"].map((name) => join(folder, name));
  const copy = anotherCopy(require.resolve("../../sdk"), rooms) as typeof neon;

  it("have different classes", () => {
    assert.notEqual(copy.Project, neon.Project);
    assert.equal(new copy.Project("theirs") instanceof neon.Project, false);
  });

  it("recognize each other's resources with isInstance", () => {
    const project: unknown = new copy.Project("project-of-a-copy");
    const branch: unknown = new copy.Branch("branch-of-a-copy", { projectId: "some-project-1" });
    assert.deepEqual([neon.Project.isInstance(project), neon.Project.isInstance(branch)], [true, false]);
    assert.deepEqual([neon.Branch.isInstance(project), neon.Branch.isInstance(branch)], [false, true]);
    assert.equal(copy.Project.isInstance(new neon.Project("project-of-ours")), true);
  });

  it("recognize each other's providers, and read from their accounts", async () => {
    const { apiKey, apiUrl } = platform();
    await platform().call("POST", "/projects", { project: { name: "shop" } });
    const provider = new copy.Provider("provider-of-a-copy", { apiKey, apiUrl });
    assert.equal(neon.Provider.isInstance(provider), true);
    const [found] = await neon.getProjects({}, { provider });
    assert.equal(found?.name, "shop");
  });
});
