import { beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import type { AnswerBody } from "../support/platform";
import { type ProjectFixture, suiteProjects } from "./support/project";
import { assertError, assertMembers, idsOf, pagesOf } from "./support/responses";
import { day, second } from "./support/time";

describe("local platform: operations of a new project", () => {
  const { clock, platform } = suiteProjects();
  let created: AnswerBody;
  let path: string;
  beforeEach(async () => {
    created = (await platform().call("POST", "/projects", { project: {} })).body;
    path = `/projects/${created.project.id}`;
  });
  const get = async (what: string) => (await platform().call("GET", path + what)).body;

  it("the operations of a request run one after another and change the states of their objects [1.6 scheduling; 1.6 running]", async () => {
    const found = async () => {
      const { operations } = await get("/operations");
      const { branch } = await get(`/branches/${created.branch.id}`);
      const { endpoint } = await get(`/endpoints/${created.endpoints[0]?.id ?? ""}`);
      return [
        ...operations.map(({ action, status }) => `${action} ${status}`).reverse(),
        ...[branch, endpoint].map(({ current_state, pending_state = "" }) =>
          `${current_state} ${pending_state}`.trim(),
        ),
      ];
    };
    const begun = ["create_timeline running", "start_compute scheduling", "init ready", "init active"];
    assert.deepEqual(await found(), begun);
    clock.advance(999);
    assert.deepEqual(await found(), begun);
    clock.advance(1);
    assert.deepEqual(await found(), ["create_timeline finished", "start_compute running", "ready", "init active"]);
    clock.advance(second);
    assert.deepEqual(await found(), ["create_timeline finished", "start_compute finished", "ready", "active"]);
  });

  it("have a duration and the time of the last change [1.4 operation.created_at; 1.4 operation.updated_at; 1.13 operation.total_duration_ms]", async () => {
    const read = async () => (await get(`/operations/${created.operations[0]?.id ?? ""}`)).operation;
    clock.advance(400);
    assert.equal((await read()).total_duration_ms, 400);
    clock.advance(5 * second);
    const { total_duration_ms, failures_count, created_at, updated_at } = await read();
    assert.deepEqual([total_duration_ms, failures_count], [second, 0]);
    assert.equal(Date.parse(updated_at) - Date.parse(created_at), second);
  });

  it("a page has only operations older than the cursor, even one in whole seconds [1.8 rule 4]", async () => {
    const oldest = (await get("/operations")).operations.at(-1)?.created_at ?? "";
    const cursor = encodeURIComponent(`${oldest.slice(0, 19)}Z`);
    assertMembers(await get(`/operations?cursor=${cursor}`), { operations: [], pagination: undefined });
  });

  it("the list rejects a cursor that is no time", async () => {
    assertError(await platform().call("GET", `${path}/operations?cursor=yesterday`), 400, /cursor/);
  });
});

describe("local platform: operations", () => {
  const { clock, platform, finish, project } = suiteProjects();
  let fixture: ProjectFixture;
  beforeEach(async () => {
    fixture = await project();
  });

  it("pagination by timestamp skips none of the operations that were created together [1.8 list operations; 1.8 rule 1; 1.8 rule 4]", async () => {
    const { call, branch } = fixture;
    for (let count = 0; count < 5; count += 1) await branch({ endpoints: [{ type: "read_write" }] });
    const { body: all } = await call("GET", "/operations?limit=1000");
    assert.equal(all.operations.length, 17);
    const { body: standard } = await call("GET", "/operations");
    assert.deepEqual(standard, all);
    assert.match(standard.pagination?.cursor ?? "", /^[\d-]+T[\d:]+\.\d+Z$/);
    const timestamps = all.operations.map(({ created_at }) => created_at);
    assert.deepEqual(timestamps, [...timestamps].sort().reverse());
    for (const limit of [1, 2, 3, 5, 17]) {
      const pages = await pagesOf(
        async (cursor) => (await call("GET", `/operations?limit=${limit}${cursor}`)).body,
        ({ pagination }) => pagination?.cursor,
      );
      for (const { operations, pagination } of pages) {
        assert.ok(operations.length <= limit);
        // The cursor has the microseconds of the last operation, whose time is in whole seconds.
        assert.equal(pagination?.cursor.slice(0, 19), operations.at(-1)?.created_at.slice(0, 19));
      }
      const seen = idsOf(pages.flatMap(({ operations }) => operations));
      assert.deepEqual(seen, idsOf(all.operations), `limit ${limit}`);
    }
  });

  describe("project lock", () => {
    it("a request during operations gets 423 and changes nothing [1.1.5; 1.8 polling 3]", async () => {
      const { call, done, branch, main, endpointId } = fixture;
      const { branch: idle } = await branch();
      const at = `/branches/${main.id}`;
      await done("POST", `${at}/roles`, { role: { name: "app" } });
      await done("POST", `${at}/databases`, { database: { name: "shop", owner_name: "neondb_owner" } });
      const lists = ["/branches", "/endpoints", "/jwks", "/snapshots", "/operations", `${at}/roles`, `${at}/databases`];
      const contents = () =>
        Promise.all([...lists, `/branches/${idle.id}/roles`].map(async (path) => (await call("GET", path)).body));
      await platform().fault({ action: "start_compute", end: "stuck" });
      await done("POST", `/endpoints/${endpointId}/restart`);
      const before = await contents();
      for (const [method, path, body] of [
        ["PATCH", "", { project: { history_retention_seconds: 0 } }],
        ["POST", "/branches", { branch: { name: "b" } }],
        ["DELETE", `/branches/${idle.id}`],
        ["POST", "/endpoints", { endpoint: { branch_id: idle.id, type: "read_write" } }],
        ["POST", `${at}/roles`, { role: { name: "new" } }],
        ["POST", `/branches/${idle.id}/roles`, { role: { name: "new" } }],
        ["POST", `${at}/roles/app/reset_password`],
        ["DELETE", `${at}/roles/app`],
        ["POST", `${at}/databases`, { database: { name: "stock", owner_name: "app" } }],
        ["POST", `/branches/${idle.id}/databases`, { database: { name: "stock", owner_name: "neondb_owner" } }],
        ["PATCH", `${at}/databases/shop`, { database: { name: "store" } }],
        ["DELETE", `${at}/databases/shop`],
        ["POST", "/jwks", { jwks_url: "https://auth.example.com/jwks.json", provider_name: "Auth0" }],
        ["POST", `${at}/snapshot`],
      ] as const) {
        const message = /^project already has running conflicting operations, scheduling of new ones is prohibited$/;
        assertError(await call(method, path, body), 423, message, "", `${method} ${path}`);
      }
      assert.deepEqual(await contents(), before);
      await platform().clearFaults();
      finish();
      await done("DELETE", `${at}/databases/shop`);
    });

    it("operations of one project do not lock another", async () => {
      const other = await project();
      assert.equal((await other.call("POST", "/branches", {})).status, 201);
      assert.equal((await fixture.call("POST", "/branches", {})).status, 201);
      assert.equal((await other.call("POST", "/branches", {})).status, 423);
    });
  });

  describe("faults", () => {
    /** Creates a branch with a compute and a fault; returns a function that reads what has become of them. */
    const start = async (action: string, end: string) => {
      const { call } = fixture;
      await platform().fault({ action, end });
      const { body } = await call("POST", "/branches", { endpoints: [{ type: "read_write" }] });
      return async () => {
        const { branch } = (await call("GET", `/branches/${body.branch.id}`)).body;
        const { endpoint } = (await call("GET", `/endpoints/${body.endpoints[0]?.id ?? ""}`)).body;
        const { operations } = (await call("GET", "/operations?limit=3")).body;
        const [last = assert.fail(), , first = assert.fail()] = operations;
        return {
          states: [branch.current_state, endpoint.current_state, branch.pending_state, endpoint.pending_state],
          statuses: [first.status, last.status],
          operation: action === "create_branch" ? first : last,
        };
      };
    };

    for (const end of ["error", "cancelled"]) {
      it(`create_branch ${end}: the branch stays in init and the queued operations are cancelled`, async () => {
        const read = await start("create_branch", end);
        clock.advance(2 * second);
        const { states, statuses, operation } = await read();
        assert.deepEqual(statuses, [end, "cancelled"]);
        assert.deepEqual(states, ["init", "init", undefined, undefined]);
        assert.equal(operation.failures_count, end === "error" ? 1 : 0);
        assert.equal(operation.error !== undefined, end === "error");
        assert.equal((await fixture.call("POST", "/branches", {})).status, 201);
      });
    }

    it("failed: locks the project until the faults are deleted, then is retried [1.4 operation.failures_count; 1.13 operation.error and retry_at]", async () => {
      const read = await start("create_branch", "failed");
      clock.advance(100 * second);
      const failed = await read();
      assert.deepEqual(failed.statuses, ["failed", "scheduling"]);
      assert.equal(failed.operation.failures_count, 1);
      assert.ok(failed.operation.error);
      assert.equal((await fixture.call("POST", "/branches", {})).status, 423);
      await platform().clearFaults();
      const retried = await read();
      assert.deepEqual(retried.statuses, ["running", "scheduling"]);
      assert.ok(retried.operation.retry_at);
      assert.ok(retried.operation.updated_at > failed.operation.updated_at);
      clock.advance(3 * second);
      const { states, statuses, operation } = await read();
      assert.deepEqual(statuses, ["finished", "finished"]);
      assert.deepEqual(states, ["ready", "active", undefined, undefined]);
      assert.equal(operation.failures_count, 1);
    });

    /** The states of the two operations after so many seconds, or once the faults are deleted, and those of the branch and its compute. */
    type Step = readonly [after: number | "deletion", statuses: readonly string[], states?: readonly string[]];
    const rows: readonly (readonly [title: string, action: string, end: string, ...steps: Step[]])[] = [
      [
        "the branch is ready, its compute is not",
        "start_compute",
        "error",
        [3, ["finished", "error"], ["ready", "init"]],
      ],
      [
        "is retried without intervention [1.6 failed]",
        "create_branch",
        "failed-then-finished",
        [1, ["failed", "scheduling"]],
        [1, ["running", "scheduling"]],
        [3, ["finished", "finished"], ["ready", "active"]],
      ],
      [
        "runs until the faults are deleted, then finishes",
        "create_branch",
        "stuck",
        [1000, ["running", "scheduling"]],
        ["deletion", ["finished", "scheduling"]],
      ],
      [
        "runs until the faults are deleted, then fails",
        "create_branch",
        "stuck-then-error",
        [1000, ["running", "scheduling"]],
        ["deletion", ["error", "cancelled"]],
      ],
      [
        "has no effect if the faults are deleted before the operation starts",
        "start_compute",
        "stuck",
        ["deletion", ["running", "scheduling"]],
        [3, ["finished", "finished"]],
      ],
      [
        "has the status cancelling first [1.6 cancelling]",
        "create_branch",
        "cancelled",
        [1.1, ["cancelling", "scheduling"]],
      ],
      ["succeeds without a duration", "create_branch", "skipped", [0, ["skipped", "scheduling"], ["ready", "init"]]],
    ];
    for (const [title, action, end, ...steps] of rows) {
      it(`${action} ${end}: ${title}`, async () => {
        const read = await start(action, end);
        for (const [after, statuses, states] of steps) {
          if (after === "deletion") await platform().clearFaults();
          else clock.advance(after * second);
          const found = await read();
          assert.deepEqual(found.statuses, statuses, `${after}`);
          if (states !== undefined) assert.deepEqual(found.states.slice(0, 2), states, `${after}`);
        }
      });
    }

    for (const end of ["error", "cancelled", "skipped"]) {
      it(`${end}: is terminal and never changes [1.6 finished; 1.6 cancelled; 1.6 skipped; 1.6 terminal]`, async () => {
        const read = await start("create_branch", end);
        clock.advance(2 * second);
        const ended = await read();
        await platform().clearFaults();
        clock.advance(day);
        assert.deepEqual((await read()).operation, ended.operation);
      });
    }

    it("unknown: keeps an unpublished status until the faults are deleted [1.13 status error]", async () => {
      await platform().fault({ action: "create_branch", end: "unknown" });
      const { operations } = (await fixture.send("POST", "/branches", {})).body;
      const path = `/projects/${fixture.id}/operations/${operations[0]?.id ?? ""}`;
      const get = async () => {
        // The published document does not allow this status.
        const { body } = await platform().call("GET", path, undefined, { unchecked: true });
        return body.operation.status as string;
      };
      assert.equal(await get(), "postponed");
      await platform().clearFaults();
      finish();
      assert.equal(await get(), "finished");
    });
  });

  it("skip ignores the first matching operations of a fault", async () => {
    await platform().fault({ action: "create_branch", skip: 1, end: "error" });
    for (const expected of ["finished", "error"]) {
      await fixture.branch();
      const [, latest] = (await fixture.call("GET", "/operations?limit=2")).body.operations;
      assertMembers(latest, { action: "create_branch", status: expected });
    }
  });
});
