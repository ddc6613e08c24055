import assert from "node:assert/strict";

import type { Values } from "../../support/dynamic-server";
import type { Stage } from "../../support/stage";

const furnished = new WeakSet<Stage>();

/** Puts objects of every kind into an account that no stack manages, once. */
export async function furnish(stage: Stage): Promise<void> {
  if (furnished.has(stage)) return;
  furnished.add(stage);
  const organization = await stage.platform.firstOrganization();
  const { id, branchId } = await stage.project({ org_id: organization, name: "furniture" });
  await furnishProject(stage, id);
  const vpc = "aws-us-east-2/vpc_endpoints/vpce-furniture";
  await created(stage, `/organizations/${organization}/vpc/region/${vpc}`, { label: "furniture" });
  await created(stage, `/projects/${id}/vpc_endpoints/vpce-furniture`, { label: "furniture" });
  await created(stage, "/api_keys", { key_name: "furniture" });
  await created(stage, `/organizations/${organization}/api_keys`, { key_name: "furniture" });
  await created(stage, `/organizations/${organization}/api_keys`, {
    key_name: "furniture of a project",
    project_id: id,
  });
  const { status } = await stage.platform.call("PUT", `/projects/${id}/branches/${branchId}/backup_schedule`, {
    schedule: [{ frequency: "weekly" }],
  });
  assert.equal(status, 200);
}

/** Puts neighbours of every kind beside what a stack manages in a project. */
export async function furnishProject(stage: Stage, projectId: string): Promise<void> {
  const project = `/projects/${projectId}`;
  const branch = { branch: { name: "neighbour" }, endpoints: [{ type: "read_write" }] };
  const { id } = await stage.branch(projectId, branch);
  const base = `${project}/branches/${id}`;
  await created(stage, `${base}/roles`, { role: { name: "neighbour" } });
  await stage.settled(projectId);
  await created(stage, `${base}/databases`, { database: { name: "neighbour", owner_name: "neighbour" } });
  await stage.settled(projectId);
  // Only a root branch has snapshots.
  const root = (await stage.branches(projectId)).find((one) => one.parent_id === undefined);
  await created(stage, `${project}/branches/${root?.id ?? ""}/snapshot?name=neighbour`, undefined);
  await stage.settled(projectId);
  // The first key set of a project brings roles to every branch, which stay: a later one changes nothing else.
  await created(stage, `${project}/jwks`, {
    jwks_url: "https://auth.example.com/neighbour",
    provider_name: "Auth0",
  });
  await stage.settled(projectId);
  await created(stage, `${project}/permissions`, { email: "neighbour@example.com" });
}

async function created(stage: Stage, path: string, body: Values | undefined): Promise<void> {
  const answer = await stage.platform.call("POST", path, body);
  if (answer.status >= 300) assert.fail(`POST ${path} answers ${answer.status}: ${answer.body.message}`);
}
