import assert from "node:assert/strict";

import type { Branch } from "@neondatabase/api-client";

import type { Values } from "./provider-server";
import type { EngineResource } from "./engine";
import type { Stage } from "./stage";

/** A new project, a resource for a branch in it that is not created yet, and the inputs of every program with that branch. */
export async function undeclaredBranch(stage: Stage, body: Values = {}) {
  const project = await stage.project(body);
  const base = { projectId: project.id };
  return { project, projectId: project.id, base, branch: stage.resource("Branch") };
}

/** A new project with a branch that the program has created. */
export async function createdBranch(stage: Stage, args: Values = {}) {
  const fixture = await undeclaredBranch(stage);
  const program = { ...fixture.base, ...args };
  await fixture.branch.up(program);
  return { ...fixture, program, branchId: branchIdOf(fixture.branch), path: branchPathOf(fixture.branch) };
}

export function branchIdOf({ outputs }: EngineResource): string {
  return String(outputs["branchId"]);
}

/** The path of a branch below the base URL. */
export function branchPathOf({ id }: EngineResource): string {
  return `/projects/${id.replace("/", "/branches/")}`;
}

/** The branch of a resource, as the platform reports it. */
export async function branchOf(stage: Stage, resource: EngineResource): Promise<Branch> {
  const { status, body } = await stage.platform.call("GET", branchPathOf(resource));
  assert.equal(status, 200, body.message);
  return body.branch;
}
