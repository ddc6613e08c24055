import type { DynamicServer } from "../support/dynamic-server";
import type { Sample } from "../support/sample";
import type { Stage } from "../support/stage";
import { census, growth, type Census } from "./census";
import type { Fault } from "./fault";
import { operationPoints, requestPoints, type Point } from "./point";
import { faultsOfError } from "./shown";
import { perform, subjectOf, type Subject, type Verb } from "./subject";

/** What a verb does when nothing goes wrong. */
export interface Clean {
  readonly sample: Sample;
  readonly verb: Verb;
  readonly points: readonly Point[];
  /** What it has made of what there was before the resource was made, and what is left of that after `destroy`. */
  readonly made: Census;
  readonly left: Census;
}

/** One fault at one moment of a verb. */
export interface Case {
  readonly clean: Clean;
  readonly point: Point;
  readonly fault: Fault;
}

/** What a case has come to; it has passed if it struck, nothing is unclear and nothing disagrees. */
export interface Verdict {
  readonly case: Case;
  readonly struck: boolean;
  /** What the verb said, if it failed. */
  readonly shown: string | undefined;
  /** What is wrong with what it said. */
  readonly unclear: readonly string[];
  /** Where program, state and platform do not agree in the end. */
  readonly disagreements: readonly string[];
}

/** The provider processes of the run that meets the fault, and of the runs after it. */
export interface Processes {
  readonly first: DynamicServer;
  readonly later: DynamicServer;
}

/** The name of a case, by which it can be run again. */
export function nameOf({ clean: { sample, verb }, point, fault }: Case): string {
  return `${sample.kind}/${verb}/${point.title}/${fault.title}`;
}

/**
 * Leads a resource through a verb without faults, and records it; undefined where the kind has no such verb. Only a new
 * process sends what is sent but once.
 */
export async function record(
  stage: Stage,
  first: DynamicServer,
  sample: Sample,
  verb: Verb,
): Promise<Clean | undefined> {
  const subject = await subjectOf(stage, sample, verb, first);
  if (subject === undefined) return undefined;
  const { resource } = subject;
  const earlier = new Set((await operationsIn(subject)).map(({ id }) => id));
  await stage.platform.clearRequests();
  await perform(subject);
  const requests = await stage.platform.requests();
  const started = (await operationsIn(subject)).filter(({ id }) => !earlier.has(id));
  const made = await grown(subject);
  if (resource.state !== undefined) await resource.destroy();
  const left = await grown(subject);
  await cleanUp(subject);
  return {
    sample,
    verb,
    points: [...requestPoints(requests), ...operationPoints(started.map(({ action }) => action))],
    made,
    left,
  };
}

/**
 * Has a verb meet its fault, then does what people do: the same command again, in another process. Program, state and
 * platform have to agree after it.
 */
export async function run(stage: Stage, { first, later }: Processes, one: Case): Promise<Verdict> {
  const { clean, point, fault } = one;
  const subject = await subjectOf(stage, clean.sample, clean.verb, first);
  if (subject === undefined) throw new Error(`${nameOf(one)} can no longer be led up to its verb`);
  const order = { ...fault.order, ...point.order };
  await stage.platform.fault(order);
  const unclear: string[] = [];
  const disagreements: string[] = [];
  let shown: string | undefined;
  try {
    await perform(subject).catch((error: unknown) => {
      shown = messageOf(error);
      unclear.push(...faultsOfError(subject, error));
    });
    const struck = await hasStruck(stage, order);
    await stage.platform.clearFaults();
    subject.resource.server = later;
    for await (const disagreement of disagreementsAfter(subject, clean)) disagreements.push(disagreement);
    return { case: one, struck, shown, unclear, disagreements };
  } catch (error) {
    return { case: one, struck: true, shown, unclear, disagreements: [...disagreements, messageOf(error)] };
  } finally {
    await stage.platform.clearFaults();
    await cleanUp(subject);
  }
}

/** Runs the same again, and compares program, state and platform. */
async function* disagreementsAfter(subject: Subject, { made, left }: Clean): AsyncGenerator<string> {
  const { stage, sample, resource, program, verb } = subject;
  const last = resource.state?.outputs ?? {};
  if (verb === "delete") {
    if (resource.state !== undefined) await step("the second destroy", () => resource.destroy());
    if (last["__provider"] !== undefined && (await sample.exists(stage, last))) yield "it is still there after destroy";
    yield* difference("after destroy", left, await grown(subject));
    return;
  }
  if (verb === "read" && resource.state !== undefined) {
    const seen = await step("the second refresh", () => resource.refresh());
    if (seen !== "same") yield `the second refresh finds it ${seen}`;
  }
  const isLost = verb !== "create" && resource.state === undefined;
  if (isLost) yield "it was dropped from the state while it is there";
  await step("the second up", () => upAgain(subject));
  if (!(await sample.exists(stage, resource.outputs))) yield "it is in the state and not on the platform";
  yield* difference("after the second up", made, await grown(subject));
  const third = await step("the third up", () => resource.up(program));
  if (third !== "same") yield `the third up is ${third}`;
  const seen = await step("a refresh", () => resource.refresh());
  if (seen !== "same") yield `a refresh finds it ${seen}`;
  if (seen === "gone") return;
  const fourth = await step("an up after the refresh", () => resource.up(program));
  if (fourth !== "same") yield `an up after the refresh is ${fourth}`;
  const { outputs } = resource;
  await step("destroy", () => resource.destroy());
  if (await sample.exists(stage, outputs)) yield "it is still there after destroy";
  yield* difference("after destroy", left, await grown(subject));
}

/** The same again, with what the error asks for, if it does. */
async function upAgain({ resource, program }: Subject): Promise<void> {
  try {
    await resource.up(program);
  } catch (error) {
    if (!messageOf(error).includes("is gone: run `pulumi refresh`")) throw error;
    await resource.refresh();
    await resource.up(program);
  }
}

function* difference(when: string, expected: Census, actual: Census): Generator<string> {
  const extra = growth(expected, actual);
  if (Object.keys(extra).length === 0) return;
  const list = Object.entries(extra).map(([sort, count]) => `${count > 0 ? "+" : ""}${count} ${sort}`);
  yield `${when}, the account has ${list.join(", ")}`;
}

/** A step that has to work; says which one it was if it does not. */
async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what} failed: ${messageOf(error)}`, { cause: error });
  }
}

async function grown({ stage, project, before }: Subject): Promise<Census> {
  return growth(before, await census(stage, project));
}

/** The operations of the subject's project, in the order of their beginning. */
async function operationsIn({ stage, project, resource }: Subject) {
  const id = project ?? resource.state?.outputs["projectId"];
  if (typeof id !== "string") return [];
  const { status, body } = await stage.platform.call("GET", `/projects/${id}/operations?limit=200`);
  return status === 200 ? [...body.operations].sort((one, other) => (one.created_at < other.created_at ? -1 : 1)) : [];
}

async function hasStruck(stage: Stage, order: Readonly<Record<string, unknown>>): Promise<boolean> {
  interface Ordered {
    readonly faults: readonly { readonly times: number }[];
  }
  const { body } = await stage.platform.local<Ordered>("GET", "/faults");
  return body.faults.every(({ times }) => times < Number(order["times"] ?? 1));
}

/** Leaves the account as small as it was, whatever the case has left there. */
async function cleanUp({ stage, sample, project, resource }: Subject): Promise<void> {
  if (project !== undefined) await stage.platform.call("DELETE", `/projects/${project}`);
  else if (resource.state !== undefined) await sample.remove(stage, resource.outputs).catch(() => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
