import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { assertConforms, requestDifferencesFrom } from "../support/openapi";

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

  const branch = "/projects/p/branches/b";
  const server = { type: "standard", host: "h", port: 25, username: "u", sender_email: "e", sender_name: "n" };

  it("accepts published requests", () => {
    for (const [method, path, body] of [
      ["GET", `${url}?limit=1000&cursor=2022-11-15T20%3A02%3A00Z`],
      [
        "GET",
        "/consumption_history/v2/projects?org_id=o&from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z&granularity=daily&metrics=a,b",
      ],
      ["POST", "/projects", { project: { name: "shop", settings: { quota: { logical_size_bytes: 0 } } } }],
      ["POST", "/projects/p/branches"],
      ["PATCH", branch, { branch: { expires_at: null } }],
      ["DELETE", `${branch}/roles/a%20b%2Fc`],
      ["PATCH", `${branch}/auth/email_provider`, { ...server, password: "p" }],
      // The newer of the vendor's documents has it.
      ["GET", "/projects/p/members?limit=500"],
    ] as const) {
      assert.deepEqual(requestDifferencesFrom(method, path, body), [], `${method} ${path}`);
    }
  });

  it("rejects requests whose path, query or body is not published", () => {
    for (const [method, path, difference, body] of [
      ["GET", "/nonsense", /nothing is published as GET \/nonsense/],
      ["GET", "/projects/P", /path parameter project_id "P": must match pattern/],
      ["DELETE", "/api_keys/first", /path parameter key_id "first": must be integer/],
      ["GET", `${url}?limit=0`, /query parameter limit: must be >= 1/],
      ["GET", `${url}?page=2`, /no query parameter page/],
      ["GET", "/projects/p/connection_uri?role_name=r", /query parameter database_name is missing/],
      ["POST", "/projects", /the body is missing/],
      ["POST", "/projects/p/recover", /has no body here/, {}],
      ["POST", "/projects", /does not name body.project.nmae/, { project: { nmae: "shop" } }],
      ["POST", "/projects", /body\/project\/pg_version must be integer/, { project: { pg_version: "17" } }],
      ["PATCH", branch, /body\/branch\/name must be string/, { branch: { name: null } }],
      ["PATCH", `${branch}/auth/email_provider`, /must have required property 'password'/, server],
      ["PATCH", `${branch}/auth/email_provider`, /does not name body.host/, { ...server, type: "shared" }],
    ] as const) {
      assert.match(requestDifferencesFrom(method, path, body).join("\n"), difference, `${method} ${path}`);
    }
  });
});
