import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { apiKeys, type Operation, operations, projects } from "../../api/index";
import { projectCreate, projectUpdate } from "../../api/schemas/project";
import { all, scriptedClient } from "../api/scripted-client";

/** A project with the members of the specification and no others. */
const project = {
  id: "late-frost-302709",
  name: "shop",
  platform_id: "aws",
  region_id: "aws-us-east-2",
  provisioner: "k8s-pod",
  pg_version: 15,
  locked: false,
  cpu_used_sec: 0,
  created_at: "2022-12-13T01:30:55Z",
  updated_at: "2022-12-13T01:30:55Z",
  proxy_host: "us-east-2.aws.platform.example",
  branch_logical_size_limit: 0,
};

/** An operation with the required members of the specification and no others. */
const operation: Operation = {
  id: "a07f8772-1877-4da9-a939-3a3ae62d1d8d",
  project_id: project.id,
  branch_id: "br-wispy-meadow-118737",
  action: "start_compute",
  status: "finished",
  failures_count: 0,
  created_at: "2022-12-08T20:02:33Z",
  updated_at: "2022-12-08T20:02:35Z",
};

describe("specification: unspecified values", () => {
  it("an API key may have any members besides id, name and created_at [1.2 rule 6; 1.12.1]", async () => {
    const entry = { id: 7, name: "ci", created_at: "2022-12-13T01:30:55Z" };
    const more = { ...entry, scope: { of: "any sort" }, created_by: { id: "u" } };
    const { client } = scriptedClient([{ body: [entry, { ...entry, last_used_at: null }, more] }]);
    assert.deepEqual(await client.send(apiKeys.list()), [entry, entry, more]);
  });

  it("a project may have any platform, region, provisioner, size limit and lock [1.12.2; 1.12.13; 1.13 project.locked; 1.13 GET /projects]", async () => {
    const { locked: _locked, branch_logical_size_limit: _limit, ...least } = project;
    const variants = [
      project,
      least,
      { ...project, platform_id: "moon", region_id: "moon-north-1", provisioner: "k9-pod" },
      { ...project, branch_logical_size_limit: 2 ** 40, locked: true, later: { any: ["thing"] } },
    ];
    const { client } = scriptedClient([{ body: { projects: variants, applications: {}, integrations: {} } }]);
    assert.deepEqual(await all(client.list(projects.list())), variants);
    for (const { shape } of [projectCreate, projectUpdate]) assert.equal("locked" in shape, false);
  });

  it("an operation may have any action, and no branch [1.5 delete tenant; 1.5 tenant attach; 1.5 tenant detach; 1.5 tenant reattach; 1.12.3; 1.13 operation.branch_id; 1.13 operation.total_duration_ms; 1.13 delete tenant]", async () => {
    const { branch_id: _branch, ...least } = operation;
    const actions = ["delete_tenant", "tenant_attach", "tenant_detach", "tenant_reattach", "", "Any Text"];
    const variants = [least, ...actions.map((action) => ({ ...operation, action }))];
    const { client } = scriptedClient([{ body: { operations: variants } }]);
    assert.deepEqual(await all(client.list(operations.list("p"))), variants);
    for (const one of variants) {
      const waiting = scriptedClient([{ body: { operation: one } }]);
      await waiting.clock.run(waiting.client.wait([{ ...one, status: "running" }]));
      assert.equal(waiting.sent.length, 1, one.action);
    }
  });

  for (const [first, ...later] of [
    ["scheduling", "finished"],
    ["running", "scheduling", "running", "finished"],
    ["failed", "scheduling", "running", "failed", "running", "finished"],
    ["cancelling", "running", "finished"],
    ["scheduling", "skipped"],
  ] as const) {
    it(`an operation may change from ${[first, ...later].join(" to ")} [1.12.4]`, async () => {
      const { client, clock, sent } = scriptedClient(
        later.map((status) => ({ body: { operation: { ...operation, status } } })),
      );
      await clock.run(client.wait([{ ...operation, status: first }]));
      assert.equal(sent.length, later.length);
    });
  }

  it("an API key may have any length [1.13 64-bit token]", async () => {
    for (const apiKey of ["k", "0123456789abcdef", "~".repeat(4096)]) {
      const { client, sent } = scriptedClient([{ body: [] }], { apiKey });
      await client.send(apiKeys.list());
      assert.equal(sent[0]?.headers["authorization"], `Bearer ${apiKey}`);
    }
  });
});
