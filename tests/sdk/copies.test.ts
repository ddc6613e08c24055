import assert from "node:assert/strict";
import { dirname } from "node:path";

import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

/** Loads the package again, as if another part of the program had its own copy installed. */
function anotherCopy(): typeof neon {
  const folder = dirname(dirname(require.resolve("../../sdk")));
  const ours = ["sdk", "provider", "api"].map((name) => `${folder}/${name}/`);
  const loaded = Object.entries(require.cache).filter(([path]) => ours.some((start) => path.startsWith(start)));
  for (const [path] of loaded) Reflect.deleteProperty(require.cache, path);
  try {
    // `import` does not use this cache.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require("../../sdk") as typeof neon;
  } finally {
    Object.assign(require.cache, Object.fromEntries(loaded));
  }
}

describe("two copies of the package in one program", () => {
  const platform = suiteAccount();
  const copy = anotherCopy();

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
