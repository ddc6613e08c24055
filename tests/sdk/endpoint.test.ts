import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, suiteAccount } from "./program";

describe("getEndpoints and getEndpoint", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  let bareId = "";
  let writer = "";
  let reader = "";
  let defaultId = "";
  before(async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "shop" } });
    projectId = body.project.id;
    defaultId = body.endpoints[0]?.id ?? "";
    const path = `/projects/${projectId}/branches`;
    const endpoints = [
      { type: "read_only", autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 },
      { type: "read_write", settings: { pg_settings: { work_mem: "8MB" } } },
    ];
    const created = await platform().call("POST", path, { branch: { name: "preview" }, endpoints });
    branchId = created.body.branch.id;
    const idOf = (wanted: RegExp): string => created.body.endpoints.find(({ type }) => wanted.test(type))?.id ?? "";
    [writer, reader] = [idOf(/^read_write$/), idOf(/^read_only$/)];
    bareId = (await platform().call("POST", path, { branch: { name: "bare" } })).body.branch.id;
    await platform().call("POST", `/projects/${projectId}/endpoints/${writer}/suspend`);
  });
  const ids = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id).sort();

  it("getEndpoints lists the computes of a project, or of one branch", async () => {
    assert.deepEqual(ids(await neon.getEndpoints({ projectId })), [defaultId, writer, reader].sort());
    assert.deepEqual(ids(await neon.getEndpoints({ projectId, branchId })), [writer, reader].sort());
    assert.deepEqual(await neon.getEndpoints({ projectId, branchId: bareId }), []);
  });

  it("getEndpoint finds a compute by id, and the read-write compute of a branch", async () => {
    const { createdAt, host, poolerHost, lastActive, suspendedAt, computeReleaseVersion, ...rest } =
      await neon.getEndpoint({ projectId, branchId });
    assert.deepEqual(rest, {
      id: writer,
      projectId,
      branchId,
      type: "read_write",
      regionId: "aws-us-east-2",
      currentState: "idle",
      autoscalingLimitMinCu: 0.25,
      autoscalingLimitMaxCu: 2,
      suspendTimeoutSeconds: 0,
      provisioner: "k8s-neonvm",
      settings: { pgSettings: { work_mem: "8MB" } },
      disabled: false,
      creationSource: "console",
    });
    for (const time of [createdAt, lastActive, suspendedAt]) assert.ok(Date.parse(time ?? "") > 0);
    assert.ok(Date.parse(suspendedAt ?? "") >= Date.parse(lastActive ?? ""));
    assert.notEqual(computeReleaseVersion, undefined);
    assert.ok(host.startsWith(`${writer}.`));
    assert.equal(poolerHost, host.replace(writer, `${writer}-pooler`));
    assert.equal((await neon.getEndpoint({ projectId, endpointId: reader })).autoscalingLimitMinCu, 1);
  });

  it("§6.22 getEndpoint fails if the compute does not exist, and never returns that of another branch or a read replica", async () => {
    await assertFails(
      neon.getEndpoint({ projectId, branchId: bareId }),
      `The branch ${bareId} of project ${projectId} has no read-write compute.`,
    );
    await assertFails(neon.getEndpoint({ projectId, endpointId: "ep-no-such-1" }), /HTTP 404: endpoint not found/);
    await assertFails(neon.getEndpoint({ projectId, branchId: "br-no-such-1" }), /HTTP 404: branch not found/);
  });
});
