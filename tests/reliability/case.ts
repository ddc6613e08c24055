import { messageOf } from "../../api/errors";
import type { ProviderServer } from "../support/provider-server";
import { entriesOf, killWriters } from "../support/journal";
import type { Managed } from "../support/managed";
import { type Sample, titleOf } from "../support/sample";
import type { Stage } from "../support/stage";
import { census, growth, type Census } from "./census";
import type { Fault } from "./fault";
import type { Lane } from "./lanes";
import { operationPoints, requestPoints, type Point } from "./point";
import { faultsOfError } from "./shown";
import { cleanUp, perform, subjectOf, type Subject, type Verb } from "./subject";
import { momentOf, type Moment } from "./trace";

/** The effects of a verb without faults. */
export interface Clean {
  readonly sample: Sample;
  readonly verb: Verb;
  readonly points: readonly Point[];
  /** The growth of the account after the verb, and after `destroy`. */
  readonly made: Census;
  readonly left: Census;
}

/** What people do after a fault: run the same command again, refresh first, or give up. */
export const recoveries = ["up", "refresh and up", "destroy"] as const;
export type Recovery = (typeof recoveries)[number];

/** One fault at one moment of a verb, and the recovery from it. */
export interface Case {
  readonly clean: Clean;
  readonly point: Point;
  readonly fault: Fault;
  readonly recovery: Recovery;
}

/** The result of a case. It has passed if nothing is unclear or disagrees. */
export type Verdict = Awaited<ReturnType<typeof strike>>;

/** The name of a case, which repeats it. */
export function nameOf({ clean: { sample, verb }, point, fault, recovery }: Case): string {
  return `${titleOf(sample)}/${verb.title}/${point.title}/${fault.title}/${recovery}`;
}

/** Records a verb without faults. Only a new process sends the requests that a process sends once. */
export async function record(stage: Stage, first: ProviderServer, sample: Sample, verb: Verb): Promise<Clean> {
  const subject = await subjectOf(stage, sample, verb, first);
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

/** Runs a verb with its fault in the first process, and recovers in the other one. */
export async function run({ stage, later }: Lane, first: ProviderServer, one: Case): Promise<Verdict> {
  const subject = await subjectOf(stage, one.clean.sample, one.clean.verb, first);
  return strike(subject, one, {
    over: () => {
      killWriters(subject.resource.journal);
      subject.resource.server = later;
    },
  });
}

export interface OnTheWay {
  /** The command with the fault is over. */
  readonly over?: () => void;
  /** A step is over. */
  readonly noted?: (moment: Moment) => void;
}

/** Runs the verb of a subject with a fault, and recovers. Then program, state and platform have to agree. */
export async function strike(subject: Subject<Managed>, one: Case, onTheWay: OnTheWay) {
  const { stage } = subject;
  const { clean, point, fault, recovery } = one;
  const order = { ...fault.order, ...point.order };
  await stage.platform.clearRequests();
  await stage.platform.fault(order);
  const step = stepsOf(subject, onTheWay);
  /** What is wrong with the error. */
  const unclear: string[] = [];
  /** Where program, state and platform do not agree at the end. */
  const disagreements: string[] = [];
  /** The error of the verb, if it failed. */
  let shown: string | undefined;
  let struck = true;
  try {
    await perform(subject).catch((error: unknown) => {
      shown = messageOf(error);
      unclear.push(...faultsOfError(subject, error));
    });
    struck = await hasStruck(stage, order);
    await stage.platform.clearFaults();
    onTheWay.noted?.(await momentOf(subject, clean.verb.title, shown === undefined ? "well" : "badly"));
    const named = namedKeys(subject);
    onTheWay.over?.();
    for await (const found of disagreementsAfter(subject, step, clean, recovery, named)) disagreements.push(found);
  } catch (error) {
    disagreements.push(messageOf(error));
  } finally {
    await stage.platform.clearFaults();
    await cleanUp(subject);
  }
  const wrong = [...unclear, ...disagreements];
  const problems = wrong.length === 0 || shown === undefined ? wrong : [...wrong, `(the verb said: ${shown})`];
  return { struck, shown, unclear, disagreements, problems };
}

/** Recovers, and compares program, state and platform. */
async function* disagreementsAfter(
  subject: Subject<Managed>,
  step: Step,
  { points, made, left }: Clean,
  recovery: Recovery,
  named: readonly string[],
): AsyncGenerator<string> {
  const { stage, sample, resource, program, verb } = subject;
  if (verb.is !== "create" && verb.is !== "delete" && resource.state === undefined) {
    yield "it was dropped from the state while it is there";
  }
  const { outputs: last } = resource.state ?? {};
  let most = points.filter(({ title }) => title.startsWith("POST /projects #")).length;
  if (recovery === "refresh and up" && resource.state !== undefined) {
    const isThere = await sample.exists(stage, resource.outputs);
    const seen = await step("the refresh", () => resource.refresh());
    if (verb.is !== "delete" && isThere === (seen === "gone")) {
      yield `the refresh finds it ${seen}, and it is ${isThere ? "there" : "not there"}`;
    }
  }
  if (verb.is !== "delete" && (recovery !== "destroy" || resource.state === undefined)) {
    await step("the second up", () => upAgain(subject));
    // An object that never became usable is replaced.
    if (resource.did === "replace") most *= 2;
    if (!(await sample.exists(stage, resource.outputs))) yield "it is in the state and not on the platform";
    yield* difference("after the second up", made, await grown(subject, named));
    const third = await step("the third up", () => resource.up(program));
    if (third !== "same") yield `the third up is ${third}`;
    const seen = await step("a refresh", () => resource.refresh());
    if (seen !== "same") yield `a refresh finds it ${seen}`;
    if (seen === "gone") return;
    const fourth = await step("an up after the refresh", () => resource.up(program));
    if (fourth !== "same") yield `an up after the refresh is ${fourth}`;
  }
  const outputs = resource.state?.outputs ?? last;
  if (resource.state !== undefined) await step("destroy", () => resource.destroy());
  if (outputs !== undefined && (await sample.exists(stage, outputs))) yield "it is still there after destroy";
  yield* difference("after destroy", left, await grown(subject, named));
  yield* await untidied(subject, most);
}

/** Projects that were created too often, and journal entries that stay. */
async function untidied({ stage, resource }: Subject<Managed>, most: number): Promise<readonly string[]> {
  const found: string[] = [];
  const projects = (await stage.requests()).filter(
    ({ method, path, status }) => method === "POST" && path === "/api/v2/projects" && status === 201,
  );
  if (projects.length > most) found.push(`${projects.length} projects were made`);
  const entries = entriesOf(resource.journal, resource.urn);
  if (entries.length > 0) found.push(`${entries.length} entries stay in the journal`);
  return found;
}

/** The same command again, after a refresh if the error asks for it. */
async function upAgain({ resource, program }: Subject<Managed>): Promise<void> {
  try {
    await resource.up(program);
  } catch (error) {
    if (!/no longer exists.* Run `pulumi refresh`/.test(messageOf(error))) throw error;
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

/** Takes a step that has to succeed; names it if it fails. */
type Step = <Result>(what: string, work: () => Promise<Result>) => Promise<Result>;

function stepsOf(subject: Subject<Managed>, { noted }: OnTheWay): Step {
  return async (what, work) => {
    try {
      const result = await work();
      noted?.(await momentOf(subject, what, "well"));
      return result;
    } catch (error) {
      noted?.(await momentOf(subject, what, "badly"));
      throw new Error(`${what} failed: ${messageOf(error)}`, { cause: error });
    }
  };
}

/**
 * What was added to the account, without the keys and credentials that warnings name: nobody knows whose they are.
 *
 * @param named those that a warning of an earlier process names. Default: none.
 */
async function grown(subject: Subject<Managed>, named: readonly string[] = []): Promise<Census> {
  const { stage, project, before } = subject;
  const keys = new Set([...named, ...namedKeys(subject)]).size;
  const added = Object.entries(growth(before, await census(stage, project))).map(
    ([sort, count]) => [sort, /(^| )(api_keys|credentials)$/.test(sort) ? count - keys : count] as const,
  );
  return Object.fromEntries(added.filter(([, count]) => count !== 0));
}

/** The keys and credentials that warnings of the present process leave to the user. */
function namedKeys({ resource }: Subject<Managed>): readonly string[] {
  const warnings = (resource.said?.("warning") ?? []).join("\n");
  return [...warnings.matchAll(/ (?:key|credential) (\S+) appeared when [^.]*\. It was not revoked/g)].map(
    ([, id = ""]) => id,
  );
}

/** The operations of the subject's project, oldest first. */
async function operationsIn({ stage, project, resource }: Subject<Managed>) {
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
