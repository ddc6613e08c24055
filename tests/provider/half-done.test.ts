import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { CallError } from "../support/dynamic-server";
import { suiteStage } from "../support/stage";

const small = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
const soon = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, "Z");

describe("what is only half done", () => {
  const stage = suiteStage();

  describe("a change of several requests, of which one is refused", () => {
    it("makes a compute in the next up that was refused in this one", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      await stage().platform.fault({
        method: "POST",
        path: "/endpoints$",
        times: 1,
        status: 422,
        body: { message: "no" },
      });
      await assert.rejects(branch.up({ projectId, protected: true, compute: small }), CallError);
      await branch.up({ projectId, protected: true, compute: small });
      const made = (await stage().branches(projectId)).find(({ name }) => name === branch.name);
      assert.equal(made?.protected, true);
      assert.equal((await stage().computes(projectId, made.id)).length, 1);
    });

    it("removes a compute in the next up whose removal was refused in this one", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId, compute: small });
      const renamed = `${branch.name}-renamed`;
      await stage().platform.fault({
        method: "DELETE",
        path: "/endpoints/",
        times: 1,
        status: 422,
        body: { message: "no" },
      });
      await assert.rejects(branch.up({ projectId, name: renamed }), CallError);
      await branch.up({ projectId, name: renamed });
      const made = (await stage().branches(projectId)).find(({ name }) => name === renamed);
      assert.ok(made);
      assert.deepEqual(await stage().computes(projectId, made.id), []);
      assert.equal((await branch.preview({ projectId, name: renamed })).step, "same");
    });
  });

  describe("an answer that is not true", () => {
    for (const [what, answer, reason] of [
      ["not found", { status: 404 }, /still exists: .* \(DELETE \S+\/endpoints\/\S+ failed with HTTP 404/],
      [
        "something else",
        { status: 200, body: { welcome: 1 } },
        /still exists: .* \(DELETE \S+ did not confirm the deletion\)/,
      ],
    ] as const) {
      it(`does not let a compute be forgotten that is still there: ${what}`, async () => {
        const { id: projectId } = await stage().project();
        const branch = stage().resource("Branch");
        await branch.up({ projectId, compute: small });
        const { branchId } = branch.outputs;
        const path = `^/projects/${projectId}/endpoints/`;
        await stage().platform.fault({ method: "DELETE", path, times: 1, ...answer });
        await assert.rejects(branch.up({ projectId }), reason);
        assert.equal((await stage().computes(projectId, String(branchId))).length, 1);
        assert.equal(await branch.up({ projectId }), "update");
        assert.deepEqual(await stage().computes(projectId, String(branchId)), []);
        assert.equal(await branch.up({ projectId }), "same");
      });
    }

    it("does not let the compute be lost that was just made for a branch", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      const path = `^/projects/${projectId}/branches/[^/]+$`;
      await stage().platform.fault({ method: "GET", path, times: 1, status: 404 });
      assert.equal(await branch.up({ projectId, compute: small }), "update");
      const [compute] = await stage().computes(projectId, String(branch.outputs["branchId"]));
      assert.equal(branch.outputs["endpointId"], compute?.id);
      assert.ok((await stage().requests(projectId)).some(({ method, status }) => method === "GET" && status === 404));
    });
  });

  describe("a new object that could not be read back", () => {
    for (const [kind, more, list] of [
      ["Snapshot", {}, "/snapshots"],
      ["Role", { noLogin: true }, "/roles"],
    ] as const) {
      it(`is gone on with by the next up, and not made anew: ${kind}`, async () => {
        const { id: projectId, branchId } = await stage().project();
        const resource = stage().resource(kind);
        const program = { projectId, branchId, ...more };
        const path = `^/projects/${projectId}/.*${list.slice(1)}`;
        await stage().platform.fault({ method: "GET", path, status: 403 });
        await assert.rejects(resource.up(program), (error) => {
          assert.ok(error instanceof CallError);
          assert.ok(error.partial, error.message);
          return true;
        });
        const { id } = resource.present;
        await stage().platform.clearRequests();
        assert.equal(await resource.up(program), "update");
        assert.deepEqual(await stage().sent(), []);
        assert.equal(resource.id, id);
        assert.equal(await resource.up(program), "same");
      });
    }

    it("is in the state, and said to be missing, where the platform does not find what it said it has made", async () => {
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

  describe("what was taken away by hand", () => {
    it("is not taken for gone at one answer", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      await stage().platform.fault({ method: "GET", path: `^/projects/${projectId}/branches/[^/]+$`, status: 404 });
      assert.equal(await branch.refresh(), "same");
    });

    it("is noticed by a refresh and made again: a compute and an expiry", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      const program = { projectId, compute: small, expiresAt: soon };
      await branch.up(program);
      const made = (await stage().branches(projectId)).find(({ name }) => name === branch.name);
      assert.ok(made);
      const [compute] = await stage().computes(projectId, made.id);
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${compute?.id ?? ""}`);
      await stage().platform.call("PATCH", `/projects/${projectId}/branches/${made.id}`, {
        branch: { expires_at: null },
      });
      await stage().settled(projectId);
      assert.equal(await branch.refresh(), "changed");
      await branch.up(program);
      assert.equal((await stage().computes(projectId, made.id)).length, 1);
      const again = (await stage().branches(projectId)).find(({ id }) => id === made.id);
      assert.equal(again?.expires_at, soon);
    });

    it("and made anew is known to the project after a refresh: its first compute", async () => {
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

  describe("a warning about a replacement", () => {
    it("names the inputs, never their values, which can be secret", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId, annotations: { token: "first-secret" } });
      await branch.preview({ projectId, annotations: { token: "second-secret" } });
      const warning = await branch.warning();
      assert.match(warning, /annotations/);
      assert.doesNotMatch(warning, /secret/);
    });
  });

  describe("sizes that count only when a project is made", () => {
    it("are refused when they are declared later", async () => {
      const project = stage().resource("Project");
      await project.up({});
      await assert.rejects(
        project.preview({ autoscalingLimitMaxCu: 1 }),
        /autoscalingLimitMaxCu|only when|first compute/,
      );
    });
  });
});
