import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { idsOf, namesOf } from "../platform/support/responses";
import { assertFails, pagesOf, suiteAccount } from "./program";

describe("getBranches and getBranch", () => {
  const platform = suiteAccount();
  let projectId = "";
  let mainId = "";
  let preview = "";
  before(async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "shop" } });
    projectId = body.project.id;
    mainId = body.branch.id;
    const path = `/projects/${projectId}/branches`;
    const annotation_value = { team: "sales", "neon-pulumi": "aaaaaaaaaaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb" };
    const created = await platform().call("POST", path, { branch: { name: "preview" }, annotation_value });
    preview = created.body.branch.id;
    await platform().call("POST", path, { branch: { name: "another" } });
  });

  it("getBranches reads all pages", async () => {
    const { branches, annotations } = (await platform().call("GET", `/projects/${projectId}/branches`)).body;
    const [first, ...others] = branches;
    await pagesOf(platform(), "/branches\\?", [
      { branches: [first], annotations, pagination: { next: "later" } },
      { branches: others, annotations, pagination: {} },
    ]);
    await platform().clearRequests();
    assert.deepEqual(idsOf(await neon.getBranches({ projectId })), idsOf(branches));
    const queries = (await platform().requests()).map(({ path }) => path.split("?")[1]);
    assert.deepEqual(queries, ["sort_by=created_at&limit=100", "sort_by=created_at&limit=100&cursor=later"]);
  });

  it("getBranches returns the branches whose names contain `search`", async () => {
    const found = await neon.getBranches({ projectId, search: "not" });
    assert.deepEqual(namesOf(found), ["another"]);
  });

  it("getBranch finds a branch by id or exact name, with its annotations but without the provider's own", async () => {
    const byId = await neon.getBranch({ projectId, branchId: preview });
    const byName = await neon.getBranch({ projectId, name: "preview" });
    assert.deepEqual(byId, byName);
    const { createdAt, updatedAt, parentLsn, parentTimestamp, ...rest } = byId;
    for (const time of [createdAt, updatedAt, parentTimestamp]) assert.ok(Date.parse(time ?? "") > 0);
    assert.match(parentLsn ?? "", /^0\//);
    assert.deepEqual(rest, {
      id: preview,
      projectId,
      name: "preview",
      parentId: mainId,
      default: false,
      protected: false,
      currentState: "ready",
      creationSource: "console",
      annotations: { team: "sales" },
    });
  });

  it("getBranches lists deleted branches only if `includeDeleted` asks for them, with when and how they were deleted", async () => {
    const { branch } = (
      await platform().call("POST", `/projects/${projectId}/branches`, { branch: { name: "deleted" } })
    ).body;
    await platform().call("DELETE", `/projects/${projectId}/branches/${branch.id}`);
    await platform().settled(projectId);
    assert.ok(!idsOf(await neon.getBranches({ projectId })).includes(branch.id));
    const found = (await neon.getBranches({ projectId, includeDeleted: true })).find(({ id }) => id === branch.id);
    const { deletedAt, recoverableUntil, deletionMethod } = found?.recovery ?? assert.fail("it is not listed");
    assert.equal(Date.parse(recoverableUntil) - Date.parse(deletedAt), 7 * 86_400_000);
    assert.equal(deletionMethod, "user");
  });

  it("getBranch returns the life of a branch that expires, and the actions that Neon refuses on a masked one", async () => {
    const project = `/projects/${projectId}`;
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { branch } = (await platform().call("POST", `${project}/branches`, { branch: { expires_at } })).body;
    const expiring = await neon.getBranch({ projectId, branchId: branch.id });
    assert.ok(Math.abs((expiring.ttlIntervalSeconds ?? 0) - 3_600) < 60);
    assert.equal(expiring.restrictedActions, undefined);
    const masked = (await platform().call("POST", `${project}/branch_anonymized`, {})).body.branch;
    await platform().settled(projectId);
    const { restrictedActions = [] } = await neon.getBranch({ projectId, branchId: masked.id });
    assert.deepEqual(restrictedActions, [
      { name: "restore", reason: "cannot restore anonymized branches" },
      { name: "delete-rw-endpoint", reason: "cannot delete read-write endpoints for anonymized branches" },
    ]);
  });

  it("§6.22 getBranch fails if the branch does not exist, and never returns the default branch or one with a similar name", async () => {
    for (const name of ["previe", ""]) {
      await assertFails(
        neon.getBranch({ projectId, name }),
        `There is no branch named "${name}" in project ${projectId}.`,
      );
    }
  });
});
