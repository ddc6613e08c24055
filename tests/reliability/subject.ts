import type { DynamicServer, Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import type { Sample } from "../support/sample";
import type { Stage } from "../support/stage";
import { census, type Census } from "./census";

/** What the engine has a provider do. A sample is changed in place in two ways, one after the other. */
export const verbs = ["create", "update", "update again", "read", "delete"] as const;
export type Verb = (typeof verbs)[number];

/** A resource that is about to go through a verb. */
export interface Subject {
  readonly stage: Stage;
  readonly sample: Sample;
  readonly verb: Verb;
  readonly resource: EngineResource;
  /** What the program says when the verb is called. */
  readonly program: Values;
  /** The project that all of it is in, if any. */
  readonly project: string | undefined;
  /** What there was before the resource was made. */
  readonly before: Census;
}

/** Leads a new resource up to a verb; undefined where its kind has no such verb. */
export async function subjectOf(
  stage: Stage,
  sample: Sample,
  verb: Verb,
  server: DynamicServer = stage.server,
): Promise<Subject | undefined> {
  const declared = await sample.declare(stage);
  const project = typeof declared["projectId"] === "string" ? declared["projectId"] : undefined;
  const before = await census(stage, project);
  const resource = stage.resource(sample.kind);
  resource.server = server;
  const subject = { stage, sample, verb, resource, program: declared, project, before };
  if (verb === "create") return subject;
  await resource.up(declared);
  if (verb === "read" || verb === "delete") return subject;
  const changes = sample.inPlace(declared, resource.outputs);
  const [first, second] = changes;
  if (first === undefined) return undefined;
  const once = changed(declared, first.input, first.to);
  if (verb === "update") return { ...subject, program: once };
  if (second === undefined) return undefined;
  await resource.up(once);
  return { ...subject, program: changed(once, second.input, second.to) };
}

/** Has the verb done. */
export async function perform({ verb, resource, program }: Subject): Promise<void> {
  switch (verb) {
    case "create":
    case "update":
    case "update again":
      await resource.up(program);
      return;
    case "read":
      await resource.refresh();
      return;
    case "delete":
      await resource.destroy();
      return;
    default:
      verb satisfies never;
  }
}

/** What a program declares, with one input at the top changed. */
function changed(declared: Values, input: string, to: unknown): Values {
  const top = input.split(".", 1)[0] ?? input;
  const { [top]: _, ...others } = declared;
  return to === undefined ? others : { ...others, [top]: to };
}
