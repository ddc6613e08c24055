import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount } from "./program";

/** More than fit on one page. */
const many = 105;

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
    // One after the other: Neon locks the project during each creation.
    for (let index = 0; index < many; index += 1) {
      await platform().call("POST", path, { branch: { name: `many-${index}` } });
    }
  });

  it("getBranches reads all pages", async () => {
    await platform().clearRequests();
    const all = await neon.getBranches({ projectId });
    assert.equal(new Set(all.map(({ id }) => id)).size, many + 2);
    const pages = (await platform().requests()).map(({ path }) => path);
    assert.ok(pages.length >= 2);
    for (const page of pages) assert.match(page, /sort_by=created_at/);
  });

  it("getBranches returns the branches whose names contain `search`", async () => {
    const found = await neon.getBranches({ projectId, search: "many-10" });
    assert.deepEqual(found.map(({ name }) => name).sort(), [
      "many-10",
      "many-100",
      "many-101",
      "many-102",
      "many-103",
      "many-104",
    ]);
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
      annotations: { team: "sales" },
    });
  });

  it("§6.22 getBranch fails if the branch does not exist, and never returns the default branch or one with a similar name", async () => {
    const notFound = (name: string): RegExp =>
      new RegExp(`^There is no branch named "${name}" in project ${projectId}\\.$`);
    await assertFails(neon.getBranch({ projectId, name: "previe" }), notFound("previe"));
    await assertFails(neon.getBranch({ projectId, name: "" }), notFound(""));
  });
});
