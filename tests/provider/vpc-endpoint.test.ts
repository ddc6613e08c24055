import assert from "node:assert/strict";

import type { VPCEndpointDetails, VPCEndpointsResponse } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import { CheckError } from "../support/engine";
import { concurrently, suiteServer, suiteStage, type Stage } from "../support/stage";

const regionId = "aws-eu-central-1";

function assignmentPath({ orgId, regionId: region, vpcEndpointId }: Values): string {
  return `/organizations/${String(orgId)}/vpc/region/${String(region)}/vpc_endpoints/${String(vpcEndpointId)}`;
}

/** The label of an assigned VPC endpoint, if it is assigned. */
async function assigned(stage: Stage, args: Values): Promise<string | undefined> {
  const { status, body } = await stage.platform.call("GET", assignmentPath(args));
  return status === 200 ? (body as unknown as VPCEndpointDetails).label : undefined;
}

/** The labels of a project's restrictions by VPC endpoint. */
async function restrictions(stage: Stage, projectId: string): Promise<Record<string, string>> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/vpc_endpoints`);
  const { endpoints } = body as unknown as VPCEndpointsResponse;
  return Object.fromEntries(endpoints.map(({ vpc_endpoint_id, label }) => [vpc_endpoint_id, label]));
}

/** What a program declares of an assignment that nothing else declares. */
async function assignment(stage: Stage): Promise<Values> {
  return {
    orgId: await stage.platform.firstOrganization(),
    regionId,
    vpcEndpointId: stage.name("vpce"),
    label: "office",
  };
}

/** A project of the organization, and a VPC endpoint that it can be restricted to. */
async function restrictable(stage: Stage): Promise<{ projectId: string; vpcEndpointId: string }> {
  const args = await assignment(stage);
  await stage.platform.call("POST", assignmentPath(args), { label: args["label"] });
  const { id } = await stage.project({ org_id: args["orgId"] });
  return { projectId: id, vpcEndpointId: String(args["vpcEndpointId"]) };
}

/** What was sent to change something below a path. */
async function sentOn(stage: Stage, path: string): Promise<unknown[][]> {
  return (await stage.sent(path)).map(({ method, body }) => [method, body ?? undefined]);
}

describe("a VPC endpoint", () => {
  const stage = suiteStage();
  /** Another run, which has seen nothing of what this one has taken over. */
  const later = suiteServer(stage);
  const test = concurrently();

  describe("assignment", () => {
    test("assigns a VPC endpoint to the organization, and deletes it on destroy", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      assert.deepEqual(await sentOn(stage(), assignmentPath(args)), [["POST", { label: "office" }]]);
      assert.equal(await assigned(stage(), args), "office");
      const { __neon, __provider, ...outputs } = resource.outputs;
      assert.deepEqual(outputs, args);
      assert.equal(resource.id, [args["orgId"], regionId, args["vpcEndpointId"]].join("/"));
      assert.equal(await resource.up(args), "same");
      assert.equal(await resource.refresh(), "same");
      await resource.destroy();
      assert.equal(await assigned(stage(), args), undefined);
    });

    test("is not believed to be changed or deleted when the platform says so and it is not", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      const { body } = await stage().platform.call("GET", assignmentPath(args));
      const path = `^${assignmentPath(args)}$`;
      const renamed = { ...args, label: "head office" };
      await stage().platform.fault({ method: "POST", path, status: 200, body: "" });
      await assert.rejects(
        resource.up(renamed),
        /as if this were done, and it is not: label vpce-\d+\. The next `pulumi up` goes on/,
      );
      assert.deepEqual((await stage().platform.call("GET", assignmentPath(args))).body, body);
      assert.equal(await resource.up(renamed), "update");
      assert.equal(await assigned(stage(), args), "head office");
      await stage().platform.fault({ method: "DELETE", path, status: 200, body: "" });
      await assert.rejects(
        resource.destroy(),
        /answered DELETE \/organizations\/\S+ as if this were done, and it is not: delete assignment of vpce-/,
      );
      await resource.destroy();
      assert.equal(await assigned(stage(), args), undefined);
    });

    test("changes its label in place", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      assert.equal(await resource.up({ ...args, label: "head office" }), "update");
      assert.deepEqual((await sentOn(stage(), assignmentPath(args))).slice(1), [["POST", { label: "head office" }]]);
      assert.equal(await assigned(stage(), args), "head office");
      await stage().platform.call("POST", assignmentPath(args), { label: "renamed by hand" });
      assert.equal(await resource.refresh(), "changed");
      assert.equal(await resource.up({ ...args, label: "head office" }), "update");
      assert.equal(await assigned(stage(), args), "head office");
    });

    test("can never be made again: a replacement says so before, and the refusal after", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      const other = { ...args, vpcEndpointId: stage().name("vpce") };
      const plan = await resource.preview(other);
      assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["vpcEndpointId"], false]);
      assert.match(await resource.warning(), /can never be assigned to its organization again/);
      await resource.up(other);
      assert.equal(await assigned(stage(), args), undefined);
      assert.equal(await assigned(stage(), other), "office");

      await stage().platform.call("DELETE", assignmentPath(other));
      assert.equal(await resource.refresh(), "gone");
      await assert.rejects(resource.up(other), (error) => {
        assert.ok(error instanceof CallError);
        assert.equal(error.partial, undefined);
        assert.match(
          error.message,
          /A VPC endpoint that was deleted from an organization can never be added to it again/,
        );
        assert.match(error.message, /make another VPC endpoint and declare that/);
        return true;
      });
      assert.equal(resource.state, undefined);
    });

    test("that somebody has deleted is not missed on destroy", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      await stage().platform.call("DELETE", assignmentPath(args));
      await resource.destroy();
    });

    test("§6.20 that is there already keeps its label, and the message says how to take it over", async () => {
      const args = await assignment(stage());
      await stage().platform.call("POST", assignmentPath(args), { label: "theirs" });
      const resource = stage().resource("VpcEndpointAssignment");
      await assert.rejects(resource.up(args), (error) => {
        assert.ok(error instanceof CallError);
        assert.ok(error.message.includes(`adopt: "${String(args["vpcEndpointId"])}"`), error.message);
        return true;
      });
      assert.equal(await assigned(stage(), args), "theirs");
      await resource.up({ ...args, adopt: args["vpcEndpointId"] });
      assert.equal(await assigned(stage(), args), "office");
    });

    test("is adopted by what it is, by its id and by its id in state, and made if there is none", async () => {
      const args = await assignment(stage());
      await stage().platform.call("POST", assignmentPath(args), { label: "office" });
      const id = [args["orgId"], regionId, args["vpcEndpointId"]].join("/");
      for (const adopt of [true, args["vpcEndpointId"], id]) {
        const resource = await stage().nextRun(stage().resource("VpcEndpointAssignment"));
        await resource.up({ ...args, adopt });
        assert.equal(resource.id, id);
        assert.equal(await resource.up(args), "same");
        assert.equal(await resource.refresh(), "same");
      }
      assert.equal((await sentOn(stage(), assignmentPath(args))).length, 1);
      const other = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up({ ...other, adopt: true });
      assert.equal(await assigned(stage(), other), "office");
      resource.server = later();
      await resource.destroy();
      assert.equal(await assigned(stage(), other), undefined);
    });

    test("is the organization's of the arguments, else of the stack, and needs one", async () => {
      const { orgId, ...args } = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await assert.rejects(resource.preview(args), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(error.failures, [{ property: "orgId", reason: "is required: declare it, or set neon:orgId" }]);
        return true;
      });
      const server = await stage().anotherServer({ config: { orgId: String(orgId) } });
      try {
        resource.server = server;
        await resource.up(args);
        assert.equal(resource.outputs["orgId"], orgId);
        // Declaring it later changes nothing, and neither does another setting.
        assert.equal((await resource.preview({ ...args, orgId })).step, "same");
        resource.server = stage().server;
        assert.equal((await resource.preview(args)).step, "same");
      } finally {
        await server.stop();
      }
    });

    test("of an organization that the key does not see is neither gone nor deleted", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      const { id, outputs } = resource.present;
      const elsewhere = { ...outputs, orgId: "org-not-seen-000001" };
      const unseen =
        /Organization org-not-seen-000001 was not found, but this API key may be unable to see it: the key belongs to account/;
      await assert.rejects(stage().server.read("VpcEndpointAssignment", id, elsewhere), unseen);
      await assert.rejects(stage().server.delete("VpcEndpointAssignment", id, elsewhere), unseen);
    });
  });

  describe("restriction", () => {
    test("restricts a project, changes its label in place, and lifts the restriction on destroy", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const args = { projectId, vpcEndpointId, label: "office only" };
      const resource = stage().resource("VpcEndpointRestriction");
      await resource.up(args);
      const { __neon, __provider, ...outputs } = resource.outputs;
      assert.deepEqual(outputs, args);
      assert.equal(resource.id, `${projectId}/${vpcEndpointId}`);
      assert.equal(await resource.up(args), "same");
      assert.equal(await resource.refresh(), "same");
      assert.equal(await resource.up({ ...args, label: "head office only" }), "update");
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "head office only" });
      assert.deepEqual(await sentOn(stage(), `/projects/${projectId}/vpc_endpoints/`), [
        ["POST", { label: "office only" }],
        ["POST", { label: "head office only" }],
      ]);
      await resource.destroy();
      assert.deepEqual(await restrictions(stage(), projectId), {});
    });

    test("to another VPC endpoint is made before the old one is lifted", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const other = await restrictable(stage());
      const resource = stage().resource("VpcEndpointRestriction");
      await resource.up({ projectId, vpcEndpointId, label: "office" });
      await resource.up({ projectId, vpcEndpointId: other.vpcEndpointId, label: "office" });
      assert.deepEqual(
        (await stage().sent(`/projects/${projectId}/vpc_endpoints/`)).map(({ method }) => method),
        ["POST", "POST", "DELETE"],
      );
      assert.deepEqual(await restrictions(stage(), projectId), { [other.vpcEndpointId]: "office" });
    });

    test("to a VPC endpoint that is not the organization's fails with what has to be declared", async () => {
      const { projectId } = await restrictable(stage());
      const resource = stage().resource("VpcEndpointRestriction");
      await assert.rejects(
        resource.up({ projectId, vpcEndpointId: "vpce-of-nobody", label: "office" }),
        /has to be assigned to the project's organization first: declare a VpcEndpointAssignment/,
      );
      assert.equal(resource.state, undefined);
    });

    test("that somebody has lifted is made again, and is not missed on destroy", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const args = { projectId, vpcEndpointId, label: "office" };
      const resource = stage().resource("VpcEndpointRestriction");
      await resource.up(args);
      const lift = (): Promise<unknown> =>
        stage().platform.call("DELETE", `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`);
      await lift();
      assert.equal(await resource.refresh(), "gone");
      assert.equal(await resource.up(args), "create");
      await lift();
      await resource.destroy();
    });

    test("goes with its project", async () => {
      for (const step of ["refresh", "destroy"] as const) {
        const { projectId, vpcEndpointId } = await restrictable(stage());
        const resource = stage().resource("VpcEndpointRestriction");
        await resource.up({ projectId, vpcEndpointId, label: "office" });
        await stage().platform.call("DELETE", `/projects/${projectId}`);
        const result = await resource[step]();
        assert.equal(result, step === "refresh" ? "gone" : undefined);
      }
    });

    test("§6.20 that is there already keeps its label until it is adopted", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const path = `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`;
      await stage().platform.call("POST", path, { label: "theirs" });
      const args = { projectId, vpcEndpointId, label: "ours" };
      const resource = stage().resource("VpcEndpointRestriction");
      await assert.rejects(resource.up(args), (error) => {
        assert.ok(error instanceof CallError);
        assert.ok(error.message.includes(`adopt: "${vpcEndpointId}"`), error.message);
        return true;
      });
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "theirs" });
      for (const adopt of [true, vpcEndpointId, `${projectId}/${vpcEndpointId}`]) {
        const taken = await stage().nextRun(stage().resource("VpcEndpointRestriction"));
        await taken.up({ ...args, adopt });
        assert.equal(taken.id, `${projectId}/${vpcEndpointId}`);
        assert.equal(await taken.up(args), "same");
        assert.equal(await taken.refresh(), "same");
      }
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "ours" });
    });
  });

  describe("whose answer is lost", () => {
    test("is assigned, relabelled and deleted all the same", async () => {
      const args = await assignment(stage());
      const path = assignmentPath(args);
      const resource = stage().resource("VpcEndpointAssignment");
      await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "after" });
      await resource.up(args);
      assert.equal(await assigned(stage(), args), "office");
      assert.equal(await resource.up(args), "same");
      await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "after" });
      await resource.up({ ...args, label: "head office" });
      assert.equal(await assigned(stage(), args), "head office");
      assert.equal(await resource.refresh(), "same");
      await stage().platform.fault({ method: "DELETE", path: `^${path}$`, reset: "after" });
      await resource.destroy();
      assert.equal(await assigned(stage(), args), undefined);
      assert.deepEqual(
        (await stage().sent(path)).map(({ method }) => method),
        ["POST", "POST", "DELETE"],
      );
    });

    test("is assigned by sending it again if nothing came of it", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await stage().platform.fault({ method: "POST", path: `^${assignmentPath(args)}$`, reset: "before" });
      await resource.up(args);
      assert.equal(await assigned(stage(), args), "office");
      assert.equal((await stage().sent(assignmentPath(args))).length, 2);
    });

    test("restricts a project and lifts that all the same", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const path = `/projects/${projectId}/vpc_endpoints/`;
      const resource = stage().resource("VpcEndpointRestriction");
      await stage().platform.fault({ method: "POST", path: `^${path}`, reset: "after" });
      await resource.up({ projectId, vpcEndpointId, label: "office" });
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "office" });
      assert.equal(await resource.refresh(), "same");
      await stage().platform.fault({ method: "DELETE", path: `^${path}`, reset: "after" });
      await resource.destroy();
      assert.deepEqual(await restrictions(stage(), projectId), {});
      assert.deepEqual(
        (await stage().sent(path)).map(({ method }) => method),
        ["POST", "DELETE"],
      );
    });
  });

  describe("assignment that cannot be read back", () => {
    it("is kept in the state, and the next up goes on", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      // The first look is before it is sent, and has to find nothing.
      await stage().platform.fault({ method: "GET", path: `^${assignmentPath(args)}$`, status: 404 });
      await stage().platform.fault({ method: "GET", path: `^${assignmentPath(args)}$`, status: 403, times: 2 });
      await assert.rejects(resource.up(args), (error) => {
        assert.ok(error instanceof CallError);
        assert.equal(error.partial?.id, resource.id);
        return true;
      });
      await stage().platform.clearFaults();
      assert.equal(await resource.up(args), "update");
      assert.equal(await resource.up(args), "same");
      assert.equal((await stage().sent(assignmentPath(args))).length, 1);
    });
  });
});
