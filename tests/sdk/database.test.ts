import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

describe("getDatabases", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  before(async () => {
    const { project, branch } = await platform().project();
    projectId = project.id;
    branchId = branch.id;
    const path = `/projects/${projectId}/branches/${branchId}/databases`;
    await platform().call("POST", path, { database: { name: "50% off", owner_name: "neondb_owner" } });
    await platform().settled(projectId);
  });

  it("lists all databases of a branch", async () => {
    const databases = await neon.getDatabases({ projectId, branchId });
    assert.equal(new Set(databases.map(({ id }) => id)).size, 2);
    for (const { createdAt, updatedAt } of databases) {
      for (const time of [createdAt, updatedAt]) assert.ok(Date.parse(time ?? "") > 0);
    }
    assert.deepEqual(
      databases.map(({ id: _, createdAt: __, updatedAt: ___, ...rest }) => rest),
      ["neondb", "50% off"].map((name) => ({ branchId, name, ownerName: "neondb_owner" })),
    );
  });
});
