import assert from "node:assert/strict";

import type { Values } from "./provider-server";
import type { EngineResource } from "./engine";
import type { Stage } from "./stage";

/** Asserts that an unchanged program has nothing to do, and sends no request about the project or the object. */
export async function assertUnchanged(stage: Stage, resource: EngineResource, args: Values): Promise<void> {
  const { projectId = resource.id.split("/").at(-1) } = resource.outputs;
  const of = String(projectId);
  const before = await stage.platform.latestRequest();
  assert.equal(await resource.up(args), "same");
  assert.equal(resource.plan?.changes, false);
  assert.deepEqual(await stage.requests(of, before), [], "an unchanged program sends no requests");
}

/** Outputs that only a refresh reads. */
const readByRefresh: readonly string[] = ["CustomDomain.status"];

/** Outputs without the note of a refresh for the next one: the time that they are of. */
function withoutNotes({ __neon: hidden, ...outputs }: Values): Values {
  const { asOf: _, ...others } = hidden as Values;
  return { ...outputs, __neon: others };
}

/** Asserts that a refresh finds the values in the state. It cannot tell whether the object was adopted. */
export async function assertRefreshed(resource: EngineResource): Promise<void> {
  const { inputs, outputs } = resource.present;
  const { adopt: _, ...readable } = inputs;
  assert.equal(await resource.refresh(), "same");
  assert.deepEqual(resource.present.inputs, readable);
  const isKnown = ([name]: readonly [string, unknown]): boolean =>
    name in outputs || !readByRefresh.includes(`${resource.kind}.${name}`);
  const refreshed = Object.fromEntries(Object.entries(resource.present.outputs).filter(isKnown));
  assert.deepEqual(withoutNotes(refreshed), withoutNotes(outputs));
}

/** Asserts that an unchanged program finds no difference, nor does a refresh, nor the program after the refresh. */
export async function assertUpToDate(stage: Stage, resource: EngineResource, args: Values): Promise<void> {
  await assertUnchanged(stage, resource, args);
  await assertRefreshed(resource);
  await assertUnchanged(stage, resource, args);
}
