import assert from "node:assert/strict";

import type { ProjectPermission, VPCEndpointDetails } from "@neondatabase/api-client";
import { describe } from "mocha";

import { refusesInputs } from "../support/expected-errors";
import { concurrently, type Stage, suiteStage } from "../support/stage";

describe("access to projects", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("JwksUrl › refresh › finds no drift in values that the platform chooses, or in the order of roles", async () => {
    const { args, url } = await undeclaredUrl(stage());
    await url.up({ ...args, skipRoleCreation: false });
    assert.deepEqual(url.outputs["roleNames"], ["authenticator", "authenticated", "anonymous"]);
    assert.equal(await url.refresh(), "same");
    assert.equal(await url.up(args), "same");
    assert.equal(await url.up({ ...args, roleNames: ["anonymous", "authenticator", "authenticated"] }), "same");
  });

  test("ProjectPermission › refresh › ignores upper and lower case in the address, and so does adopt", async () => {
    const { id: projectId } = await stage().project();
    const [permission, adopted] = [stage().resource("ProjectPermission"), stage().resource("ProjectPermission")];
    await permission.up({ projectId, email: "Ann@Example.com" });
    assert.equal(await permission.refresh(), "same");
    assert.equal(await permission.up({ projectId, email: "Ann@Example.com" }), "same");
    assert.equal((await permission.preview({ projectId, email: "ann@example.com" })).changes, false);

    const { id: other } = await stage().project();
    await stage().platform.call("POST", `/projects/${other}/permissions`, { email: "Ann@Example.com" });
    const args = { projectId: other, email: "ANN@example.com" };
    await assert.rejects(adopted.up(args), /This project permission already exists/);
    await adopted.up({ ...args, adopt: true });
    const ids = (await granted(stage(), other)).map(({ id }) => id);
    assert.deepEqual(ids, [adopted.outputs["permissionId"]]);
  });

  test("VpcEndpointAssignment › check › refuses a region that does not exist, and names the nearest", async () => {
    const { args, path, resource } = await assignment(stage());
    await assert.rejects(
      resource.preview({ ...args, regionId: "eu-central-1" }),
      refusesInputs({ regionId: 'there is no region "eu-central-1". Did you mean aws-eu-central-1?' }),
    );
    assert.deepEqual(await sentOn(stage(), path), []);
  });

  test("VpcEndpointAssignment › update › fails if the platform confirms a change or a delete that it has not made", async () => {
    const { args, path, resource } = await assignment(stage());
    await resource.up(args);
    const renamed = { ...args, label: "head office" };
    await stage().platform.fault({ method: "POST", path: `^${path}$`, status: 200, body: "" });
    await assert.rejects(
      resource.up(renamed),
      /succeeded, but the change was not made: change VPC endpoint assignment\. The next `pulumi up` resumes from here/,
    );
    assert.equal(await labelAt(stage(), path), "office");
    assert.equal(await resource.up(renamed), "update");
    assert.equal(await labelAt(stage(), path), "head office");
    await stage().platform.fault({ method: "DELETE", path: `^${path}$`, status: 200, body: "" });
    await assert.rejects(
      resource.destroy(),
      /DELETE \/organizations\/\S+ succeeded, but the change was not made: delete assignment\. Run the same command again/,
    );
    await resource.destroy();
    assert.equal(await labelAt(stage(), path), undefined);
  });

  test("VpcEndpointAssignment › delete › fails, as a refresh does, if this key cannot see the organization", async () => {
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

/** A list of the API, by the member of the answer that holds it. */
async function listAt<Item>(stage: Stage, path: string, member: string): Promise<readonly Item[]> {
  const { body } = await stage.platform.call("GET", path);
  return (body as unknown as Readonly<Record<string, readonly Item[]>>)[member] ?? assert.fail(path);
}

/** A project, and the smallest declaration of a JWKS URL for it, which is not created yet. */
async function undeclaredUrl(stage: Stage) {
  const { id: projectId, branchId } = await stage.project();
  const args = { projectId, jwksUrl: "https://auth.example.com/.well-known/jwks.json", providerName: "Auth0" };
  return { projectId, branchId, args, url: stage.resource("JwksUrl") };
}

/** The permissions of a project that are not revoked. */
async function granted(stage: Stage, projectId: string): Promise<readonly ProjectPermission[]> {
  const path = `/projects/${projectId}/permissions`;
  const all = await listAt<ProjectPermission>(stage, path, "project_permissions");
  return all.filter(({ revoked_at }) => revoked_at === undefined);
}

/** An assignment that is not created yet, with inputs that no other test declares. */
async function assignment(stage: Stage) {
  const [orgId, regionId] = [await stage.platform.firstOrganization(), "aws-eu-central-1"];
  const args = { orgId, regionId, vpcEndpointId: stage.name("vpce"), label: "office" };
  const path = `/organizations/${orgId}/vpc/region/${regionId}/vpc_endpoints/${args.vpcEndpointId}`;
  return { args, path, resource: stage.resource("VpcEndpointAssignment") };
}

/** The label of the VPC endpoint that is assigned at a path, if it is. */
async function labelAt(stage: Stage, path: string): Promise<string | undefined> {
  const { status, body } = await stage.platform.call("GET", path);
  return status === 200 ? (body as unknown as VPCEndpointDetails).label : undefined;
}

/** The mutations that were sent below a path. */
async function sentOn(stage: Stage, path: string): Promise<unknown[][]> {
  return (await stage.sent(path)).map(({ method, body }) => [method, body ?? undefined]);
}
