import type { DynamicServer, Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import type { Managed } from "../support/managed";
import { changed, type InPlaceChange, type Sample } from "../support/sample";
import type { Stage } from "../support/stage";
import { census, type Census } from "./census";
import { numbered } from "./point";

/** What the engine has a provider do. */
export interface Verb {
  /** As it stands in the name of a case. */
  readonly title: string;
  readonly is: "create" | "update" | "read" | "delete";
  /** Which one of the sample's changes in place an update is; those before it were made one after the other. */
  readonly change: number;
}

/** A resource that is about to go through a verb. */
export interface Subject<Resource extends Managed = EngineResource> {
  readonly stage: Stage;
  readonly sample: Sample;
  readonly verb: Verb;
  readonly resource: Resource;
  /** What the program says when the verb is called. */
  readonly program: Values;
  /** The project that all of it is in, if any. */
  readonly project: string | undefined;
  /** What there was before the resource was made. */
  readonly before: Census;
}

/** What a kind can be led through: each update that sends something else than the others is one of its own. */
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

/** Leads a new resource up to a verb. */
export async function subjectOf(
  stage: Stage,
  sample: Sample,
  verb: Verb,
  server: DynamicServer = stage.server,
): Promise<Subject> {
  const resource = stage.resource(sample.kind);
  resource.server = server;
  return ledUp(stage, sample, verb, resource);
}

/**
 * Leads a resource that is not in the state yet up to a verb.
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
  await resource.up(declared);
  if (verb.is !== "update") return subject;
  let program = declared;
  for (const [index, { input, to }] of sample.inPlace(declared, resource.outputs).entries()) {
    if (atOnce && index === verb.change && index > 0) await resource.up(program);
    program = changed(program, input, to);
    if (index === verb.change) return { ...subject, program };
    if (!atOnce) await resource.up(program);
  }
  throw new Error(`${sample.kind} has no change ${verb.change}`);
}

/** Has the verb done. */
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

/** Leaves the account as small as it was, whatever was left there. */
export async function cleanUp({ stage, sample, project, resource }: Subject<Managed>): Promise<void> {
  if (project !== undefined) await stage.platform.call("DELETE", `/projects/${project}`);
  else if (resource.state !== undefined) await sample.remove(stage, resource.outputs).catch(() => undefined);
}
