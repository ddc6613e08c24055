import assert from "node:assert/strict";

import type { VPCEndpointDetails, VPCEndpointsResponse } from "@neondatabase/api-client";
import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { concurrently, type Stage, suiteStage } from "../support/stage";
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

/** An assignment that is not created yet, with inputs that no other test declares. */
async function assignment(stage: Stage) {
  const orgId = await stage.platform.firstOrganization();
  const args = { orgId, regionId, vpcEndpointId: stage.name("vpce"), label: "office" };
  return { args, path: assignmentPath(args), resource: stage.resource("VpcEndpointAssignment") };
}

/** A project of the organization, and a restriction to a VPC endpoint that is not created yet. */
async function restriction(stage: Stage) {
  const { args: assigned, path } = await assignment(stage);
  await stage.platform.call("POST", path, { label: assigned.label });
  const { id: projectId } = await stage.project({ org_id: assigned.orgId });
  const args = { projectId, vpcEndpointId: assigned.vpcEndpointId, label: "office only" };
  return { projectId, args, resource: stage.resource("VpcEndpointRestriction") };
}

/** The mutations that were sent below a path. */
async function sentOn(stage: Stage, path: string): Promise<unknown[][]> {
  return (await stage.sent(path)).map(({ method, body }) => [method, body ?? undefined]);
}

describe("VPC endpoints", () => {
  const stage = suiteStage();

  describe("VpcEndpointAssignment", () => {
    const test = concurrently();

    test("check › uses the declared organization or the one of the settings, and requires one", async () => {
      const { args: declared, resource } = await assignment(stage());
      const { orgId, ...args } = declared;
      await assert.rejects(
        resource.preview(args),
        refusesInputs({ orgId: "is required: declare it, or set neon:orgId" }),
      );
      const server = await stage().anotherServer({ config: { orgId } });
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

    test("check › refuses a region that does not exist, and names the nearest", async () => {
      const { args, path, resource } = await assignment(stage());
      await assert.rejects(
        resource.preview({ ...args, regionId: "eu-central-1" }),
        refusesInputs({ regionId: 'there is no region "eu-central-1". Did you mean aws-eu-central-1?' }),
      );
      assert.deepEqual(await sentOn(stage(), path), []);
    });

    test("create › sends the label, and outputs the inputs", async () => {
      const { args, path, resource } = await assignment(stage());
      await resource.up(args);
      assert.deepEqual(await sentOn(stage(), path), [["POST", { label: "office" }]]);
      assert.equal(await assigned(stage(), args), "office");
      assert.deepEqual(resource.ownOutputs, args);
      assert.equal(resource.id, `${args.orgId}/${regionId}/${args.vpcEndpointId}`);
    });

    test("create › sends the request again if it had no effect", async () => {
      const { args, path, resource } = await assignment(stage());
      await stage().platform.fault({ method: "POST", path: `^${path}$`, reset: "before" });
      await resource.up(args);
      assert.equal(await assigned(stage(), args), "office");
      assert.equal((await stage().sent(path)).length, 2);
    });

    test("update › fails if the platform confirms a change or a delete that it has not made", async () => {
      const { args, path, resource } = await assignment(stage());
      await resource.up(args);
      const { body } = await stage().platform.call("GET", path);
      const requests = `^${path}$`;
      const renamed = { ...args, label: "head office" };
      await stage().platform.fault({ method: "POST", path: requests, status: 200, body: "" });
      await assert.rejects(
        resource.up(renamed),
        /succeeded, but the change was not made: label vpce-\d+\. The next `pulumi up` resumes from here/,
      );
      assert.deepEqual((await stage().platform.call("GET", path)).body, body);
      assert.equal(await resource.up(renamed), "update");
      assert.equal(await assigned(stage(), args), "head office");
      await stage().platform.fault({ method: "DELETE", path: requests, status: 200, body: "" });
      await assert.rejects(
        resource.destroy(),
        /DELETE \/organizations\/\S+ succeeded, but the change was not made: delete assignment of vpce-/,
      );
      await resource.destroy();
      assert.equal(await assigned(stage(), args), undefined);
    });

    test("create › explains that a deleted VPC endpoint cannot be assigned again", async () => {
      const { args, path, resource } = await assignment(stage());
      await resource.up(args);
      await stage().platform.call("DELETE", path);
      assert.equal(await resource.refresh(), "gone");
      await assert.rejects(
        resource.up(args),
        failsWith(
          /was not assigned to organization org-\S+ \(POST .*\)\. A VPC endpoint that was deleted from an organization can never be added to it again\. .* create another VPC endpoint and declare that one/,
        ),
      );
      assert.equal(resource.state, undefined);
    });

    test("delete › fails, as a refresh does, if this key cannot see the organization", async () => {
      const { args, resource } = await assignment(stage());
      await resource.up(args);
      const { id, outputs } = resource.present;
      const elsewhere = { ...outputs, orgId: "org-not-seen-000001" };
      const unseen =
        /Organization org-not-seen-000001 was not found, but this API key may be unable to see it: the key belongs to account/;
      await assert.rejects(stage().server.read("VpcEndpointAssignment", id, elsewhere), unseen);
      await assert.rejects(stage().server.delete("VpcEndpointAssignment", id, elsewhere), unseen);
    });
  });

  describe("VpcEndpointRestriction", () => {
    const test = concurrently();

    test("create › sends the label, and outputs the inputs", async () => {
      const { projectId, args, resource } = await restriction(stage());
      await resource.up(args);
      assert.deepEqual(resource.ownOutputs, args);
      assert.equal(resource.id, `${projectId}/${args.vpcEndpointId}`);
      assert.deepEqual(await restrictions(stage(), projectId), { [args.vpcEndpointId]: "office only" });
      const sent = await sentOn(stage(), `/projects/${projectId}/vpc_endpoints/`);
      assert.deepEqual(sent, [["POST", { label: "office only" }]]);
      await assertUpToDate(stage(), resource, args);
    });

    test("create › fails for a VPC endpoint that is not assigned, and names the resource to declare", async () => {
      const { args, resource } = await restriction(stage());
      await assert.rejects(
        resource.up({ ...args, vpcEndpointId: "vpce-of-nobody" }),
        /was not restricted to the VPC endpoint vpce-of-nobody \(POST .*\)\. A VPC endpoint has to be assigned to the project's organization first\. Declare a `VpcEndpointAssignment`/,
      );
      assert.equal(resource.state, undefined);
    });
  });
});
