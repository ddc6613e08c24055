import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { assertConforms } from "../../tests/support/openapi";

describe("local platform: check against the published API", () => {
  const operation = {
    id: "d8ac46eb-a757-42b1-9907-f78322ee394e",
    project_id: "p",
    action: "start_compute",
    status: "finished",
    failures_count: 0,
    created_at: "2022-11-15T20:02:00.000001Z",
    updated_at: "2022-11-15T20:02:02Z",
    total_duration_ms: 200,
  };
  const url = "/projects/p/operations";

  it("accepts published responses", () => {
    assertConforms("GET", `${url}?limit=1`, 200, { operations: [operation], pagination: { cursor: "x" } });
    assertConforms("GET", "/projects/{project_id}/operations", 200, { operations: [] });
    assertConforms("GET", url, 423, { code: "", message: "busy" });
    assertConforms("DELETE", "/projects/p/branches/b", 204, undefined);
  });

  it("rejects missing, wrong and unpublished members at any depth [1.4 operation.id; 1.4 operation.action; 1.4 operation.status; 1.4 operation.created_at; 1.4 operation.updated_at]", () => {
    const { status: _status, ...incomplete } = operation;
    for (const body of [
      {},
      { operations: [incomplete] },
      { operations: [{ ...operation, status: "postponed" }] },
      { operations: [{ ...operation, created_at: "yesterday" }] },
      { operations: [{ ...operation, steps: [] }] },
      { operations: [], pagination: { cursor: "" } },
    ]) {
      assert.throws(() => {
        assertConforms("GET", url, 200, body);
      }, JSON.stringify(body));
    }
  });

  it("rejects unpublished statuses, bodies and routes", () => {
    for (const [method, path, status, body] of [
      ["GET", url, 201, { operations: [] }],
      ["PUT", url, 200, { operations: [] }],
      ["GET", "/nonsense", 200, {}],
      ["DELETE", "/projects/p/branches/b", 204, {}],
      ["GET", url, 404, { message: "no code" }],
    ] as const) {
      assert.throws(() => {
        assertConforms(method, path, status, body);
      }, `${method} ${path} ${status}`);
    }
  });
});
