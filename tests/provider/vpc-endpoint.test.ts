import assert from "node:assert/strict";

import type { VPCEndpointDetails, VPCEndpointsResponse } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { concurrently, type Stage, suiteServer, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

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

/** The inputs of an assignment that no other test declares. */
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

/** The mutations that were sent below a path. */
async function sentOn(stage: Stage, path: string): Promise<unknown[][]> {
  return (await stage.sent(path)).map(({ method, body }) => [method, body ?? undefined]);
}

describe("VpcEndpointAssignment", () => {
  const stage = suiteStage();
  /** Another run, which has adopted nothing. */
  const later = suiteServer(stage);
  const test = concurrently();

  describe("check", () => {
    test("uses the declared organization or the one of the settings, and requires one", async () => {
      const { orgId, ...args } = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await assert.rejects(
        resource.preview(args),
        refusesInputs({ orgId: "is required: declare it, or set neon:orgId" }),
      );
      const server = await stage().anotherServer({ config: { orgId: String(orgId) } });
      try {
        resource.server = server;
        await resource.up(args);
        assert.equal(resource.outputs["orgId"], orgId);
        // Neither declaring it later nor another setting is a change.
        assert.equal((await resource.preview({ ...args, orgId })).step, "same");
        resource.server = stage().server;
        assert.equal((await resource.preview(args)).step, "same");
      } finally {
        await server.stop();
      }
    });
  });

  describe("create", () => {
    test("sends the label, and outputs the inputs", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      assert.deepEqual(await sentOn(stage(), assignmentPath(args)), [["POST", { label: "office" }]]);
      assert.equal(await assigned(stage(), args), "office");
      assert.deepEqual(resource.ownOutputs, args);
      assert.equal(resource.id, [args["orgId"], regionId, args["vpcEndpointId"]].join("/"));
    });

    test("fails if the VPC endpoint is assigned, keeps its label, and names the adopt line", async () => {
      const args = await assignment(stage());
      await stage().platform.call("POST", assignmentPath(args), { label: "theirs" });
      const resource = stage().resource("VpcEndpointAssignment");
      await assert.rejects(resource.up(args), failsWith(`adopt: "${String(args["vpcEndpointId"])}"`));
      assert.equal(await assigned(stage(), args), "theirs");
      await resource.up({ ...args, adopt: args["vpcEndpointId"] });
      assert.equal(await assigned(stage(), args), "office");
    });
    test("assigns, relabels and deletes with one request each when every answer is lost", async () => {
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

    test("sends the request again if it had no effect", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await stage().platform.fault({ method: "POST", path: `^${assignmentPath(args)}$`, reset: "before" });
      await resource.up(args);
      assert.equal(await assigned(stage(), args), "office");
      assert.equal((await stage().sent(assignmentPath(args))).length, 2);
    });
  });

  describe("refresh", () => {
    test("finds a label that somebody else has changed, and up sets it again", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      await stage().platform.call("POST", assignmentPath(args), { label: "renamed by hand" });
      assert.equal(await resource.refresh(), "changed");
      assert.equal(await resource.up(args), "update");
      assert.equal(await assigned(stage(), args), "office");
    });
  });

  describe("update", () => {
    test("fails if the platform confirms a change or a delete that it has not made", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      const { body } = await stage().platform.call("GET", assignmentPath(args));
      const path = `^${assignmentPath(args)}$`;
      const renamed = { ...args, label: "head office" };
      await stage().platform.fault({ method: "POST", path, status: 200, body: "" });
      await assert.rejects(
        resource.up(renamed),
        /succeeded, but the change was not made: label vpce-\d+\. The next `pulumi up` resumes from here/,
      );
      assert.deepEqual((await stage().platform.call("GET", assignmentPath(args))).body, body);
      assert.equal(await resource.up(renamed), "update");
      assert.equal(await assigned(stage(), args), "head office");
      await stage().platform.fault({ method: "DELETE", path, status: 200, body: "" });
      await assert.rejects(
        resource.destroy(),
        /DELETE \/organizations\/\S+ succeeded, but the change was not made: delete assignment of vpce-/,
      );
      await resource.destroy();
      assert.equal(await assigned(stage(), args), undefined);
    });
  });

  describe("replace", () => {
    test("warns that the old VPC endpoint cannot be assigned again, and create explains why", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      const other = { ...args, vpcEndpointId: stage().name("vpce") };
      await resource.preview(other);
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
          /was not assigned to organization org-\S+ \(POST .*\)\. A VPC endpoint that was deleted from an organization can never be added to it again\. .* create another VPC endpoint and declare that one/,
        );
        return true;
      });
      assert.equal(resource.state, undefined);
    });
  });

  describe("adopt", () => {
    test("accepts true, the id and the id in state, and assigns the VPC endpoint if it is not", async () => {
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
  });

  describe("delete", () => {
    test("succeeds if somebody else has deleted the assignment", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      await resource.up(args);
      await stage().platform.call("DELETE", assignmentPath(args));
      await resource.destroy();
    });

    test("fails, as a refresh does, if this key cannot see the organization", async () => {
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

  // Clears all faults of the platform, so it runs after the others.
  describe("recover", () => {
    it("continues in the next up with an assignment that could not be read back", async () => {
      const args = await assignment(stage());
      const resource = stage().resource("VpcEndpointAssignment");
      // The first read is before the request, and has to find nothing.
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

describe("VpcEndpointRestriction", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("create", () => {
    test("sends the label, and outputs the inputs", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const args = { projectId, vpcEndpointId, label: "office only" };
      const resource = stage().resource("VpcEndpointRestriction");
      await resource.up(args);
      assert.deepEqual(resource.ownOutputs, args);
      assert.equal(resource.id, `${projectId}/${vpcEndpointId}`);
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "office only" });
      const sent = await sentOn(stage(), `/projects/${projectId}/vpc_endpoints/`);
      assert.deepEqual(sent, [["POST", { label: "office only" }]]);
      await assertUpToDate(stage(), resource, args);
    });

    test("fails for a VPC endpoint that is not assigned, and names the resource to declare", async () => {
      const { projectId } = await restrictable(stage());
      const resource = stage().resource("VpcEndpointRestriction");
      await assert.rejects(
        resource.up({ projectId, vpcEndpointId: "vpce-of-nobody", label: "office" }),
        /was not restricted to the VPC endpoint vpce-of-nobody \(POST .*\)\. A VPC endpoint has to be assigned to the project's organization first\. Declare a `VpcEndpointAssignment`/,
      );
      assert.equal(resource.state, undefined);
    });

    test("fails if the restriction exists, keeps its label, and adopt changes it", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const path = `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`;
      await stage().platform.call("POST", path, { label: "theirs" });
      const args = { projectId, vpcEndpointId, label: "ours" };
      const resource = stage().resource("VpcEndpointRestriction");
      await assert.rejects(resource.up(args), failsWith(`adopt: "${vpcEndpointId}"`));
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "theirs" });
      for (const adopt of [true, vpcEndpointId, `${projectId}/${vpcEndpointId}`]) {
        const adopted = await stage().nextRun(stage().resource("VpcEndpointRestriction"));
        await adopted.up({ ...args, adopt });
        assert.equal(adopted.id, `${projectId}/${vpcEndpointId}`);
        await assertUpToDate(stage(), adopted, args);
      }
      assert.deepEqual(await restrictions(stage(), projectId), { [vpcEndpointId]: "ours" });
    });

    test("restricts the project and deletes that with one request each when both answers are lost", async () => {
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

  describe("replace", () => {
    test("adds the new restriction before it deletes the old one", async () => {
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
  });

  describe("delete", () => {
    test("succeeds if somebody else has deleted the restriction", async () => {
      const { projectId, vpcEndpointId } = await restrictable(stage());
      const resource = stage().resource("VpcEndpointRestriction");
      await resource.up({ projectId, vpcEndpointId, label: "office" });
      await stage().platform.call("DELETE", `/projects/${projectId}/vpc_endpoints/${vpcEndpointId}`);
      await resource.destroy();
    });

    test("succeeds, and a refresh finds nothing, if the project was deleted", async () => {
      for (const step of ["refresh", "destroy"] as const) {
        const { projectId, vpcEndpointId } = await restrictable(stage());
        const resource = stage().resource("VpcEndpointRestriction");
        await resource.up({ projectId, vpcEndpointId, label: "office" });
        await stage().platform.call("DELETE", `/projects/${projectId}`);
        const result = await resource[step]();
        assert.equal(result, step === "refresh" ? "gone" : undefined);
      }
    });
  });
});
