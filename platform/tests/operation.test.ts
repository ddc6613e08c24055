import { after, before, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type AnswerBody, startTestPlatform, type TestPlatform } from "../../tests/support/platform";
import { ManualPlatformClock } from "../../tests/support/platform-clock";

/** The operations of a project with their statuses, oldest first. */
async function statusesOf(platform: TestPlatform, projectId: string): Promise<string[]> {
  const { body } = await platform.call("GET", `/projects/${projectId}/operations`);
  return body.operations.map(({ action, status }) => `${action} ${status}`).reverse();
}

describe("local platform: operations", () => {
  const second = 1000;
  let clock: ManualPlatformClock;
  let platform: TestPlatform;
  let created: AnswerBody;
  let path: string;
  before(async () => {
    clock = new ManualPlatformClock();
    platform = await startTestPlatform({ clock, operationTime: "1s" });
  });
  after(async () => {
    await platform.close();
  });
  beforeEach(async () => {
    created = (await platform.call("POST", "/projects", { project: {} })).body;
    path = `/projects/${created.project.id}`;
  });

  const branchState = async () => {
    const { body } = await platform.call("GET", `${path}/branches/${created.branch.id}`);
    return [body.branch.current_state, body.branch.pending_state];
  };
  const endpointState = async () => {
    const { body } = await platform.call("GET", `${path}/endpoints/${created.endpoints[0]?.id ?? ""}`);
    return [body.endpoint.current_state, body.endpoint.pending_state];
  };
  const ready = () => {
    clock.advance(2 * second);
  };

  it("the operations of a request run one after another and change the states of their objects", async () => {
    assert.deepEqual(await statusesOf(platform, created.project.id), [
      "create_timeline running",
      "start_compute scheduling",
    ]);
    clock.advance(999);
    assert.deepEqual(await branchState(), ["init", "ready"]);
    clock.advance(1);
    assert.deepEqual(await statusesOf(platform, created.project.id), [
      "create_timeline finished",
      "start_compute running",
    ]);
    assert.deepEqual(await branchState(), ["ready", undefined]);
    assert.deepEqual(await endpointState(), ["init", "active"]);
    clock.advance(second);
    assert.deepEqual(await statusesOf(platform, created.project.id), [
      "create_timeline finished",
      "start_compute finished",
    ]);
    assert.deepEqual(await endpointState(), ["active", undefined]);
  });

  it("have a duration and the time of the last change", async () => {
    const id = created.operations[0]?.id ?? "";
    clock.advance(400);
    const { body: during } = await platform.call("GET", `${path}/operations/${id}`);
    assert.equal(during.operation.total_duration_ms, 400);
    clock.advance(5 * second);
    const { body: afterwards } = await platform.call("GET", `${path}/operations/${id}`);
    assert.equal(afterwards.operation.total_duration_ms, second);
    assert.equal(afterwards.operation.failures_count, 0);
    assert.equal(Date.parse(afterwards.operation.updated_at) - Date.parse(afterwards.operation.created_at), second);
  });

  it("reports 404 for an unknown operation", async () => {
    for (const id of ["00000000-0000-4000-8000-000000000000", "nonsense", "%20"]) {
      assert.equal((await platform.call("GET", `${path}/operations/${id}`)).status, 404);
    }
  });

  describe("project lock", () => {
    it("a request during operations gets 423 and changes nothing", async () => {
      const rejected = await platform.call("POST", `${path}/branches`, { branch: { name: "b" } });
      assert.equal(rejected.status, 423);
      assert.equal(
        rejected.body.message,
        "project already has running conflicting operations, scheduling of new ones is prohibited",
      );
      assert.equal((await platform.call("GET", `${path}/branches/count`)).body.count, 1);
      ready();
      assert.equal((await platform.call("POST", `${path}/branches`, { branch: { name: "b" } })).status, 201);
    });

    it("operations of one project do not lock another", async () => {
      ready();
      const other = (await platform.call("POST", "/projects", { project: {} })).body;
      assert.equal((await platform.call("POST", `${path}/branches`, {})).status, 201);
      assert.equal((await platform.call("POST", `/projects/${other.project.id}/branches`, {})).status, 423);
    });
  });

  describe("list", () => {
    it("pagination by timestamp skips none of the operations that were created together", async () => {
      for (let count = 0; count < 5; count += 1) {
        ready();
        await platform.call("POST", `${path}/branches`, { endpoints: [{ type: "read_write" }] });
      }
      const { body: all } = await platform.call("GET", `${path}/operations?limit=1000`);
      assert.equal(all.operations.length, 12);
      const { body: standard } = await platform.call("GET", `${path}/operations`);
      assert.deepEqual(standard, all);
      assert.match(standard.pagination?.cursor ?? "", /^[\d-]+T[\d:]+\.\d+Z$/);
      const timestamps = all.operations.map(({ created_at }) => created_at);
      assert.deepEqual(timestamps, [...new Set(timestamps)].sort().reverse());
      for (const limit of [1, 2, 3, 5, 12]) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const more: string = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
          const { body } = await platform.call("GET", `${path}/operations?limit=${limit}${more}`);
          assert.ok(body.operations.length <= limit);
          seen.push(...body.operations.map(({ id }) => id));
          cursor = body.pagination?.cursor;
          assert.equal(cursor, body.operations.at(-1)?.created_at);
        } while (cursor !== undefined);
        assert.deepEqual(
          seen,
          all.operations.map(({ id }) => id),
          `limit ${limit}`,
        );
      }
    });

    it("a page has only operations older than the cursor, even one in whole seconds", async () => {
      const { body } = await platform.call("GET", `${path}/operations`);
      const oldest = body.operations.at(-1)?.created_at ?? "";
      const toTheSecond = `${oldest.slice(0, 19)}Z`;
      const { body: page } = await platform.call("GET", `${path}/operations?cursor=${encodeURIComponent(toTheSecond)}`);
      assert.deepEqual(page.operations, []);
      assert.equal(page.pagination, undefined);
    });

    for (const query of ["limit=0", "limit=1001", "limit=1.5", "cursor=yesterday"]) {
      it(`rejects the query ${query}`, async () => {
        assert.equal((await platform.call("GET", `${path}/operations?${query}`)).status, 400);
      });
    }
  });

  describe("faults", () => {
    const start = async (action: string, end: string) => {
      ready();
      await platform.fault({ action, end });
      const { body } = await platform.call("POST", `${path}/branches`, { endpoints: [{ type: "read_write" }] });
      const read = async () => {
        const { body: branch } = await platform.call("GET", `${path}/branches/${body.branch.id}`);
        const { body: endpoint } = await platform.call("GET", `${path}/endpoints/${body.endpoints[0]?.id ?? ""}`);
        const { body: first } = await platform.call("GET", `${path}/operations/${body.operations[0]?.id ?? ""}`);
        const { body: last } = await platform.call("GET", `${path}/operations/${body.operations[1]?.id ?? ""}`);
        return {
          branch: branch.branch.current_state,
          endpoint: endpoint.endpoint.current_state,
          pending: [branch.branch.pending_state, endpoint.endpoint.pending_state],
          statuses: [first.operation.status, last.operation.status],
          operation: action === "create_branch" ? first.operation : last.operation,
        };
      };
      return read;
    };
    const isFree = async () => (await platform.call("POST", `${path}/branches`, {})).status === 201;

    for (const end of ["error", "cancelled"]) {
      it(`create_branch ${end}: the branch stays in init and the queued operations are cancelled`, async () => {
        const read = await start("create_branch", end);
        clock.advance(2 * second);
        const found = await read();
        assert.deepEqual(found.statuses, [end, "cancelled"]);
        assert.deepEqual([found.branch, found.endpoint, found.pending], ["init", "init", [undefined, undefined]]);
        assert.equal(found.operation.failures_count, end === "error" ? 1 : 0);
        assert.equal(found.operation.error !== undefined, end === "error");
        assert.ok(await isFree());
      });
    }

    it("start_compute error: the branch is ready, its compute is not", async () => {
      const read = await start("start_compute", "error");
      clock.advance(2 * second);
      const found = await read();
      assert.deepEqual(found.statuses, ["finished", "error"]);
      assert.deepEqual([found.branch, found.endpoint, found.pending], ["ready", "init", [undefined, undefined]]);
    });

    it("failed: locks the project until the faults are deleted, then is retried", async () => {
      const read = await start("create_branch", "failed");
      clock.advance(100 * second);
      const failed = await read();
      assert.deepEqual(failed.statuses, ["failed", "scheduling"]);
      assert.equal(failed.operation.failures_count, 1);
      assert.ok(failed.operation.error);
      assert.equal(await isFree(), false);
      await platform.clearFaults();
      const retried = await read();
      assert.deepEqual(retried.statuses, ["running", "scheduling"]);
      assert.ok(retried.operation.retry_at);
      assert.ok(retried.operation.updated_at > failed.operation.updated_at);
      clock.advance(2 * second);
      const found = await read();
      assert.deepEqual(found.statuses, ["finished", "finished"]);
      assert.deepEqual([found.branch, found.endpoint], ["ready", "active"]);
      assert.equal(found.operation.failures_count, 1);
    });

    it("failed-then-finished: is retried without intervention", async () => {
      const read = await start("create_branch", "failed-then-finished");
      clock.advance(second);
      assert.deepEqual((await read()).statuses, ["failed", "scheduling"]);
      clock.advance(second);
      assert.deepEqual((await read()).statuses, ["running", "scheduling"]);
      clock.advance(2 * second);
      assert.deepEqual((await read()).statuses, ["finished", "finished"]);
    });

    it("stuck: runs until the faults are deleted, then finishes", async () => {
      const read = await start("create_branch", "stuck");
      clock.advance(1000 * second);
      assert.deepEqual((await read()).statuses, ["running", "scheduling"]);
      await platform.clearFaults();
      assert.deepEqual((await read()).statuses, ["finished", "running"]);
    });

    it("stuck: has no effect if the faults are deleted before the operation starts", async () => {
      const read = await start("start_compute", "stuck");
      await platform.clearFaults();
      clock.advance(2 * second);
      assert.deepEqual((await read()).statuses, ["finished", "finished"]);
    });

    it("cancelled: has the status cancelling first", async () => {
      const read = await start("create_branch", "cancelled");
      clock.advance(1.1 * second);
      assert.deepEqual((await read()).statuses, ["cancelling", "scheduling"]);
    });

    it("a terminal status never changes", async () => {
      for (const end of ["error", "cancelled", "skipped"]) {
        const read = await start("create_branch", end);
        clock.advance(2 * second);
        const ended = await read();
        await platform.clearFaults();
        clock.advance(86_400 * second);
        assert.deepEqual((await read()).operation, ended.operation);
      }
    });

    it("skipped: succeeds without a duration", async () => {
      const read = await start("create_branch", "skipped");
      const found = await read();
      assert.deepEqual(found.statuses, ["skipped", "running"]);
      assert.equal(found.branch, "ready");
    });
  });
});

describe("local platform: operation with an unknown status", () => {
  it("keeps the status until the faults are deleted", async () => {
    const clock = new ManualPlatformClock();
    const platform = await startTestPlatform({ clock, operationTime: "1s" });
    try {
      await platform.fault({ action: "create_timeline", end: "unknown" });
      const { body } = await platform.call("POST", "/projects", { project: {} });
      clock.advance(10_000);
      const get = async () => {
        // Not with `call`, because the published document does not allow this status.
        const url = `${platform.apiUrl}/projects/${body.project.id}/operations/${body.operations[0]?.id ?? ""}`;
        const response = await fetch(url, { headers: { authorization: `Bearer ${platform.apiKey}` } });
        return ((await response.json()) as AnswerBody).operation.status as string;
      };
      assert.equal(await get(), "postponed");
      await platform.clearFaults();
      clock.advance(1000);
      assert.equal(await get(), "finished");
    } finally {
      await platform.close();
    }
  });
});
