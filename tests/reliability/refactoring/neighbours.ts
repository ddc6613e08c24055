import assert from "node:assert/strict";

import type { Values } from "../../support/provider-server";
import type { Stage } from "../../support/stage";

const prepared = new WeakSet<Stage>();

/** Creates objects of every kind that no stack manages, once in each account. */
export async function createNeighbours(stage: Stage): Promise<void> {
  if (prepared.has(stage)) return;
  prepared.add(stage);
  const organization = `/organizations/${await stage.platform.firstOrganization()}`;
  const { id, branchId } = await stage.project({ org_id: organization.split("/")[2], name: "neighbour" });
  await createNeighboursIn(stage, id);
  const vpcEndpoint = "vpc_endpoints/vpce-neighbour";
  const schedule = [{ frequency: "weekly", hour: 3, day: 1 }];
  await send(stage, "POST", `${organization}/vpc/region/aws-us-east-2/${vpcEndpoint}`, { label: "neighbour" });
  await send(stage, "POST", `/projects/${id}/${vpcEndpoint}`, { label: "neighbour" });
  await send(stage, "POST", "/api_keys", { key_name: "neighbour" });
  await send(stage, "POST", `${organization}/api_keys`, { key_name: "neighbour" });
  await send(stage, "POST", `${organization}/api_keys`, { key_name: "neighbour of a project", project_id: id });
  await send(stage, "PUT", `/projects/${id}/branches/${branchId}/backup_schedule`, { schedule });
}

/** Creates objects of every kind in a project, next to those of a stack. */
export async function createNeighboursIn(stage: Stage, projectId: string): Promise<void> {
  const project = `/projects/${projectId}`;
  const { id } = await stage.branch(projectId, { branch: { name: "neighbour" }, endpoints: [{ type: "read_write" }] });
  const base = `${project}/branches/${id}`;
  // Only a root branch has snapshots.
  const root = (await stage.branches(projectId)).find((one) => one.parent_id === undefined);
  // The first key set of a project adds roles to every branch, and these roles stay. A later one adds none.
  const jwks = { jwks_url: "https://auth.example.com/neighbour", provider_name: "Auth0" };
  for (const [path, body] of [
    [`${base}/roles`, { role: { name: "neighbour" } }],
    [`${base}/databases`, { database: { name: "neighbour", owner_name: "neighbour" } }],
    [`${base}/data-api/neighbour`, undefined],
    [`${project}/branches/${root?.id ?? ""}/snapshot?name=neighbour`, undefined],
    [`${base}/buckets`, { name: "neighbour" }],
    [`${base}/credentials`, { name: "neighbour", scopes: ["storage:read"], principal_type: "user" }],
    [`${project}/jwks`, jwks],
    [`${project}/permissions`, { email: "neighbour@example.com" }],
  ] as const) {
    await send(stage, "POST", path, body);
    await stage.settled(projectId);
  }
}

async function send(stage: Stage, method: string, path: string, body: Values | undefined): Promise<void> {
  const { status, body: answer } = await stage.platform.call(method, path, body);
  assert.ok(status < 300, `${method} ${path} answers ${status}: ${status < 300 ? "" : answer.message}`);
}
