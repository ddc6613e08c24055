import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

describe("getRoles", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  before(async () => {
    const { project, branch } = await platform().project();
    projectId = project.id;
    branchId = branch.id;
    const path = `/projects/${projectId}/branches/${branchId}/roles`;
    await platform().call("POST", path, { role: { name: "team/readers", no_login: true } });
    await platform().settled(projectId);
  });

  it("lists all roles of a branch without their passwords", async () => {
    const roles = await neon.getRoles({ projectId, branchId });
    for (const { createdAt, updatedAt } of roles) {
      for (const time of [createdAt, updatedAt]) assert.ok(Date.parse(time ?? "") > 0);
    }
    assert.deepEqual(
      roles.map(({ createdAt: _, updatedAt: __, ...rest }) => rest),
      [
        { branchId, name: "neondb_owner", protected: false, authenticationMethod: "password" },
        { branchId, name: "team/readers", protected: false, authenticationMethod: "no_login" },
      ],
    );
  });
});
