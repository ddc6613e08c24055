import { messageOf } from "../../api/core/errors";
import type { EngineResource } from "../support/engine";
import type { Managed } from "../support/managed";
import type { ProviderServer, Values } from "../support/provider-server";
import { changed, type InPlaceChange, type Sample } from "../support/sample";
import type { Stage } from "../support/stage";
import { census, type Census } from "./census";
import { numbered } from "./point";

export interface Verb {
  readonly title: string;
  readonly is: "create" | "update" | "read" | "delete";
  /** The index of an update among the in-place changes of the sample. The earlier changes are applied first. */
  readonly change: number;
}

/** A resource that is ready for a verb. */
export interface Subject<Resource extends Managed = EngineResource> {
  readonly stage: Stage;
  readonly sample: Sample;
  readonly verb: Verb;
  readonly resource: Resource;
  /** The inputs of the program when the verb is called. */
  readonly program: Values;
  /** The project of the resource, if it has one. */
  readonly project: string | undefined;
  /** The account before the resource was created. */
  readonly before: Census;
}

/** The verbs of a kind, with each update that sends other requests. */
export async function verbsOf(stage: Stage, sample: Sample): Promise<readonly Verb[]> {
  const subject = await subjectOf(stage, sample, { title: "read", is: "read", change: 0 });
  const changes = sample.inPlace(subject.program, subject.resource.outputs).map((change, index) => ({ change, index }));
  const sent = changes.filter(({ change }) => change.sends.length > 0);
  const different = sent.filter((one) => sent.find((other) => shapeOf(other.change) === shapeOf(one.change)) === one);
  await subject.resource.destroy();
  await cleanUp(subject);
  const updates = numbered(different, ({ change }) => change.input).map(({ one: { index, change }, skip }): Verb => ({
    title: `update ${change.input}${skip === 0 ? "" : ` #${skip + 1}`}`,
    is: "update",
    change: index,
  }));
  return [
    { title: "create", is: "create", change: 0 },
    ...updates,
    { title: "read", is: "read", change: 0 },
    { title: "delete", is: "delete", change: 0 },
  ];
}

function shapeOf({ sends }: InPlaceChange): string {
  return sends.map(({ method, path }) => `${method} ${path.source}`).join(", ");
}

/** Prepares a new resource for a verb. */
export async function subjectOf(
  stage: Stage,
  sample: Sample,
  verb: Verb,
  server: ProviderServer = stage.server,
): Promise<Subject> {
  const resource = stage.resource(sample.kind);
  resource.server = server;
  return ledUp(stage, sample, verb, resource);
}

/**
 * Prepares a resource that is not in the state yet for a verb.
 *
 * @param atOnce whether the changes before an update are made by one `up`, and not one after the other
 */
export async function ledUp<Resource extends Managed>(
  stage: Stage,
  sample: Sample,
  verb: Verb,
  resource: Resource,
  atOnce = false,
): Promise<Subject<Resource>> {
  const declared = await sample.declare(stage);
  const project = typeof declared["projectId"] === "string" ? declared["projectId"] : undefined;
  const before = await census(stage, project);
  const subject = { stage, sample, verb, resource, program: declared, project, before };
  if (verb.is === "create") return subject;
  await prepare(resource, declared);
  if (verb.is !== "update") return subject;
  let program = declared;
  for (const [index, { input, to }] of sample.inPlace(declared, resource.outputs).entries()) {
    if (atOnce && index === verb.change && index > 0) await prepare(resource, program);
    program = changed(program, input, to);
    if (index === verb.change) return { ...subject, program };
    if (!atOnce) await prepare(resource, program);
  }
  throw new Error(`${sample.kind} has no change ${verb.change}`);
}

/** An `up` that is no part of the case: where its short budget ends on a busy machine, the next one goes on. */
async function prepare(resource: Managed, program: Values): Promise<void> {
  await resource.up(program).catch(async (error: unknown) => {
    if (!messageOf(error).includes("Timed out after")) throw error;
    await resource.up(program);
  });
}

export async function perform({ verb: { is }, resource, program }: Subject<Managed>): Promise<void> {
  switch (is) {
    case "create":
    case "update":
      await resource.up(program);
      return;
    case "read":
      await resource.refresh();
      return;
    case "delete":
      await resource.destroy();
      return;
    default:
      is satisfies never;
  }
}

/** Deletes everything that the case has left in the account. */
export async function cleanUp({ stage, sample, project, resource }: Subject<Managed>): Promise<void> {
  if (project !== undefined) await stage.platform.call("DELETE", `/projects/${project}`);
  else if (resource.state !== undefined) await sample.remove(stage, resource.outputs).catch(() => undefined);
}
