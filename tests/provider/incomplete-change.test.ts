import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { branchOf, createdBranch } from "../support/created-branch";
import { CallError, type Values } from "../support/provider-server";
import { inDays } from "../support/in-days";
import { assertOutputs } from "../support/outputs";
import { suiteStage } from "../support/stage";

const small = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
const soon = inDays(1);

describe("an incomplete change", () => {
  const stage = suiteStage();

  const changes: readonly {
    readonly title: string;
    readonly from: Values;
    readonly to: Values;
    /** What else changes, which is not refused. */
    readonly also: Values;
    readonly refused: { readonly method: string; readonly path: string };
    readonly computes: number;
  }[] = [
    {
      title: "creates a compute in the next up whose creation was refused in this one",
      from: {},
      to: { compute: small },
      also: { protected: true },
      refused: { method: "POST", path: "/endpoints$" },
      computes: 1,
    },
    {
      title: "deletes a compute in the next up whose deletion was refused in this one",
      from: { compute: small },
      to: {},
      also: { name: "renamed" },
      refused: { method: "DELETE", path: "/endpoints/" },
      computes: 0,
    },
  ];
  for (const { title, from, to, also, refused, computes } of changes) {
    it(title, async () => {
      const { branch, base, projectId, branchId } = await createdBranch(stage(), from);
      await stage().platform.fault({ ...refused, status: 422, body: { message: "no" } });
      const program = { ...base, ...to, ...also };
      await assert.rejects(branch.up(program), CallError);
      await branch.up(program);
      assertOutputs({ ...(await branchOf(stage(), branch)) }, also);
      assert.equal((await stage().computes(projectId, branchId)).length, computes);
      assert.equal((await branch.preview(program)).step, "same");
    });
  }

  describe("a wrong response", () => {
    for (const [what, answer, reason] of [
      ["not found", { status: 404 }, /still exists: .* \(DELETE \S+\/endpoints\/\S+ failed with HTTP 404/],
      [
        "something else",
        { status: 200, body: { welcome: 1 } },
        /still exists: .* \(DELETE \S+ did not confirm the deletion\)/,
      ],
    ] as const) {
      it(`does not drop a compute that still exists: ${what}`, async () => {
        const { branch, base, projectId, branchId } = await createdBranch(stage(), { compute: small });
        await stage().platform.fault({ method: "DELETE", path: `^/projects/${projectId}/endpoints/`, ...answer });
        await assert.rejects(branch.up(base), reason);
        assert.equal((await stage().computes(projectId, branchId)).length, 1);
        assert.equal(await branch.up(base), "update");
        assert.deepEqual(await stage().computes(projectId, branchId), []);
        assert.equal(await branch.up(base), "same");
      });
    }

    it("does not lose the compute that was just created for a branch", async () => {
      const { branch, base, projectId, branchId, path } = await createdBranch(stage());
      await stage().platform.fault({ method: "GET", path: `^${path}$`, status: 404 });
      assert.equal(await branch.up({ ...base, compute: small }), "update");
      const [compute] = await stage().computes(projectId, branchId);
      assert.equal(branch.outputs["endpointId"], compute?.id);
      assert.ok((await stage().requests(projectId)).some(({ method, status }) => method === "GET" && status === 404));
    });
  });

  describe("a created object that cannot be read", () => {
    for (const [kind, more, list] of [
      ["Snapshot", {}, "/snapshots"],
      ["Role", { noLogin: true }, "/roles"],
    ] as const) {
      it(`is resumed by the next up, and not created again: ${kind}`, async () => {
        const { id: projectId, branchId } = await stage().project();
        const resource = stage().resource(kind);
        const program = { projectId, branchId, ...more };
        const path = `^/projects/${projectId}/.*${list.slice(1)}`;
        // Two reads look for what is there: that of the preview, and that before the request.
        await stage().platform.fault({ method: "GET", path, status: 403, times: 3 });
        await assert.rejects(resource.up(program), CallError);
        const { id } = resource.present;
        await stage().platform.clearFaults();
        await stage().platform.clearRequests();
        assert.equal(await resource.up(program), "update");
        assert.deepEqual(await stage().sent(), []);
        assert.equal(resource.id, id);
        assert.equal(await resource.up(program), "same");
      });
    }

    it("is in the state, and reported as missing, if the platform does not find it", async () => {
      const resource = stage().resource("VpcEndpointAssignment");
      const orgId = await stage().platform.firstOrganization();
      const program = { orgId, regionId: "aws-eu-central-1", vpcEndpointId: stage().name("vpce"), label: "office" };
      await stage().platform.fault({ method: "POST", path: "/vpc_endpoints/", status: 200, body: "" });
      await assert.rejects(resource.up(program), /it cannot be found\. .*If it stays missing, run `pulumi refresh`/);
      assert.ok(resource.state);
      await stage().platform.clearFaults();
      assert.equal(await resource.refresh(), "gone");
      assert.equal(await resource.up(program), "create");
      assert.equal(await resource.refresh(), "same");
    });
  });

  describe("a part that somebody deleted", () => {
    it("is not dropped after a single 404", async () => {
      const { branch, path } = await createdBranch(stage());
      await stage().platform.fault({ method: "GET", path: `^${path}$`, status: 404 });
      assert.equal(await branch.refresh(), "same");
    });

    it("is noticed by a refresh and created again: a compute and an expiry", async () => {
      const args = { compute: small, expiresAt: soon };
      const { branch, program, projectId, branchId, path } = await createdBranch(stage(), args);
      const { endpointId } = branch.outputs;
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${String(endpointId)}`);
      await stage().platform.call("PATCH", path, { branch: { expires_at: null } });
      await stage().settled(projectId);
      assert.equal(await branch.refresh(), "changed");
      await branch.up(program);
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
      assert.equal((await branchOf(stage(), branch)).expires_at, soon);
    });

    it("and created again is an output of the project after a refresh: its first compute", async () => {
      const project = stage().resource("Project");
      await project.up({});
      const { projectId, defaultBranchId, host } = project.outputs as Record<string, string>;
      assert.ok(projectId && defaultBranchId && host);
      const [first] = await stage().computes(projectId, defaultBranchId);
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${first?.id ?? ""}`);
      await stage().settled(projectId);
      await stage().platform.call("POST", `/projects/${projectId}/endpoints`, {
        endpoint: { branch_id: defaultBranchId, type: "read_write" },
      });
      await stage().settled(projectId);
      await project.refresh();
      const [second] = await stage().computes(projectId, defaultBranchId);
      assert.notEqual(second?.host, host);
      assert.equal(project.outputs["host"], second?.host);
      assert.ok(String(project.outputs["connectionUri"]).includes(second?.host ?? "none"));
    });
  });
});
