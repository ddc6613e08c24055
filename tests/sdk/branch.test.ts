import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount, valueOf } from "./program";

/** More than one page of the size that is asked for. */
const many = 105;

describe("looking up branches", () => {
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
    const made = await platform().call("POST", path, { branch: { name: "preview" }, annotation_value });
    preview = made.body.branch.id;
    // One after the other, as the platform wants it.
    for (let index = 0; index < many; index += 1) {
      await platform().call("POST", path, { branch: { name: `many-${index}` } });
    }
  });

  it("§6.21 lists all of them, through every page", async () => {
    await platform().clearRequests();
    const all = await neon.getBranches({ projectId });
    assert.equal(new Set(all.map(({ id }) => id)).size, many + 2);
    const pages = (await platform().requests()).map(({ path }) => path);
    assert.ok(pages.length >= 2);
    for (const page of pages) assert.match(page, /sort_by=created_at/);
  });

  it("lists those that have a text in their names", async () => {
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

  it("finds one by its id, and one by its exact name, with what is stored beside it and without our mark", async () => {
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

  it("§6.22 fails where there is none: never with the main branch, nor with one of a similar name", async () => {
    const none = (name: string): RegExp =>
      new RegExp(`^There is no branch named "${name}" in project ${projectId}\\.$`);
    await assertFails(neon.getBranch({ projectId, name: "previe" }), none("previe"));
    await assertFails(neon.getBranch({ projectId, name: "" }), none(""));
    await assertFails(neon.getBranch({ projectId, branchId: "br-no-such-1" }), /HTTP 404: branch not found/);
    await assertFails(neon.getBranches({ projectId: "no-such-project-1" }), /HTTP 404: project not found/);
  });

  it("fails unless it is asked by either id or name", async () => {
    const takesOne = /^getBranch takes either `branchId` or `name`\.$/;
    await assertFails(neon.getBranch({ projectId }), takesOne);
    await assertFails(neon.getBranch({ projectId, branchId: preview, name: "preview" }), takesOne);
  });

  it("takes arguments that are outputs, in the forms that wait for them", async () => {
    const all = neon.getBranchesOutput({ projectId: pulumi.output(projectId), search: "preview" });
    assert.deepEqual(
      (await valueOf(all)).map(({ id }) => id),
      [preview],
    );
    const one = neon.getBranchOutput({ projectId, name: pulumi.output("preview") });
    assert.equal(await valueOf(one.id), preview);
  });
});
