import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteBranches } from "./support/branches";
import { assertError } from "./support/responses";
import { day, second } from "./support/time";

describe("local platform: default branch and recovery", () => {
  const { clock, project } = suiteBranches();

  describe("set_as_default", () => {
    it("makes the previous default branch an ordinary one", async () => {
      const { main, call, branch, get } = await project();
      const { branch: created } = await branch();
      const { status, body } = await call("POST", `/${created.id}/set_as_default`);
      assert.equal(status, 200);
      assert.deepEqual(body.operations, []);
      assert.deepEqual([body.branch.id, body.branch.default], [created.id, true]);
      assert.equal((await get(main.id)).default, false);
      assert.equal(
        (await call("POST", `/${created.id}/set_as_default`)).body.branch.updated_at,
        body.branch.updated_at,
      );
      assertError(await call("DELETE", `/${created.id}`), 422, /default/);
      assertError(await call("DELETE", `/${main.id}`), 422, /root branch/);
    });

    it("rejects a branch that expires, and an unknown one", async () => {
      const { call, branch } = await project();
      const { branch: created } = await branch({ branch: { expires_at: new Date(clock.now() + day).toISOString() } });
      assertError(await call("POST", `/${created.id}/set_as_default`), 422, /expires/);
      assertError(await call("POST", "/br-no-such-one/set_as_default"), 404, /branch not found/);
    });
  });

  describe("recover", () => {
    it("restores a branch within 7 days, with its computes suspended and without an expiry", async () => {
      const { call, branch, get } = await project();
      const { branch: created, endpoints } = await branch({
        branch: { name: "phoenix", expires_at: new Date(clock.now() + day).toISOString() },
        endpoints: [{ type: "read_write" }],
      });
      assertError(await call("POST", `/${created.id}/recover`), 422, /not deleted/);
      await call("DELETE", `/${created.id}`);
      assertError(await call("POST", `/${created.id}/recover`), 423, /still in progress/);
      clock.advance(6 * day);
      const { status, body } = await call("POST", `/${created.id}/recover`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.endpoints.map(({ id, host, current_state }) => [id, host, current_state]),
        [[endpoints[0]?.id, endpoints[0]?.host, "idle"]],
      );
      const back = await get(created.id);
      assert.deepEqual([back.name, back.expires_at, back.recovery], ["phoenix", undefined, undefined]);
      clock.advance(2 * day);
      assert.equal((await get(created.id)).id, created.id);
    });

    it("rejects a branch whose name is in use, whose parent is deleted, or that was deleted over 7 days ago", async () => {
      const { call, branch } = await project();
      const { branch: parent } = await branch({ branch: { name: "parent" } });
      const { branch: created } = await branch({ branch: { name: "child", parent_id: parent.id } });
      for (const { id } of [created, parent]) {
        assert.equal((await call("DELETE", `/${id}`)).status, 200);
        clock.advance(10 * second);
      }
      assertError(await call("POST", `/${created.id}/recover`), 422, /recover it first/);
      await branch({ branch: { name: "parent" } });
      assertError(await call("POST", `/${parent.id}/recover`), 409, /"parent"/);
      clock.advance(8 * day);
      assertError(await call("POST", `/${parent.id}/recover`), 404, /branch not found/);
    });
  });
});
