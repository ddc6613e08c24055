import { messageOf } from "../../api/core/errors";
import type { ProviderServer, Values } from "../support/provider-server";
import { type Sample, titleOf } from "../support/sample";
import type { Stage } from "../support/stage";
import { leakText, SecretSearch } from "../support/secret-search";
import { census, growth, movedBetween, type Growth } from "./census";
import { kindAt } from "./created-objects";
import { type Fault, planted } from "./fault";
import { operationPoints, requestPoints, type Point } from "./point";
import { faultsOfError } from "./shown";
import { cleanUp, perform, subjectOf, type Subject, type Verb } from "./subject";

/** The effects of a verb without faults. */
export interface Clean {
  readonly sample: Sample;
  readonly verb: Verb;
  readonly points: readonly Point[];
  /** The growth of the account after the verb, and after `destroy`. */
  readonly made: Growth;
  readonly left: Growth;
}

/** The next command after a fault: the same one, also with consent to adopt or after a refresh, or `destroy`. */
export type Recovery = "up" | "up with consent" | "refresh and up" | "destroy";

/**
 * The possible recoveries after a verb. Only an object that is being created can exist already. After a delete, `up` and
 * `destroy` are the same.
 */
export function recoveriesOf({ is }: Verb): readonly Recovery[] {
  return [
    ...(is === "delete" ? [] : ["up" as const]),
    ...(is === "create" ? ["up with consent" as const] : []),
    "refresh and up",
    "destroy",
  ];
}

/** One fault at one moment of a verb, and the recovery from it. */
export interface Case {
  readonly clean: Clean;
  readonly point: Point;
  readonly fault: Fault;
  readonly recovery: Recovery;
}

/** The result of a case. It has passed if nothing is unclear or disagrees. */
type Verdict = Awaited<ReturnType<typeof strike>>;

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
  const { growth: made } = await grown(subject);
  if (resource.state !== undefined) await resource.destroy();
  const { growth: left } = await grown(subject);
  await cleanUp(subject);
  return {
    sample,
    verb,
    points: [...requestPoints(requests), ...operationPoints(started.map(({ action }) => action))],
    made,
    left,
  };
}

/** Starts the next run in a new process, with or without consent to adopt existing objects. */
type NextRun = (consents: boolean) => Promise<void>;

/** Runs a verb with its fault in the first process, and recovers in others. Also checks that no process has shown a secret. */
export async function run(stage: Stage, first: ProviderServer, one: Case): Promise<Verdict> {
  const subject = await subjectOf(stage, one.clean.sample, one.clean.verb, first);
  const { resource } = subject;
  const heard = first.lines.length;
  const later: ProviderServer[] = [];
  const next: NextRun = async (consents) => {
    resource.server = await stage.anotherServer({ config: consents ? { adopt: "true" } : {} });
    later.push(resource.server);
  };
  const search = new SecretSearch();
  search.add("the account's key", stage.platform.apiKey);
  search.add("the password of an unreadable response", planted.password);
  const note = (): void => {
    for (const name of subject.sample.secrets ?? []) {
      const value = resource.state?.outputs[name];
      if (typeof value === "string") search.add(`${name} of ${resource.name}`, value);
    }
  };
  try {
    const verdict = await strike(subject, one, next, note);
    const lines = [...first.lines.slice(heard), ...later.flatMap((server) => server.lines)].map(({ text }) => text);
    const leaks = search.search("what the provider says", [...lines, verdict.shown ?? ""].join("\n")).map(leakText);
    return { ...verdict, unclear: [...verdict.unclear, ...leaks], problems: [...verdict.problems, ...leaks] };
  } finally {
    await Promise.all(later.map((server) => server.stop()));
  }
}

/**
 * Runs the verb of a subject with a fault, and recovers. Before each later run, `next` starts another process. Then program,
 * state and platform have to agree.
 */
async function strike(subject: Subject, one: Case, next: NextRun, noteSecrets: () => void) {
  const { stage } = subject;
  const { clean, point, fault, recovery } = one;
  const text = JSON.stringify({ ...fault.order, ...point.order }).replaceAll(planted.key, stage.platform.apiKey);
  const order = JSON.parse(text) as Values;
  await stage.platform.clearRequests();
  await stage.platform.fault(order);
  /** The problems of the error. */
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
    noteSecrets();
    struck = await hasStruck(stage, order);
    await stage.platform.clearFaults();
    const recovered = new Recovered(subject, next, noteSecrets);
    for await (const found of recovered.disagreements(clean, recovery)) disagreements.push(found);
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

/** The message that stops an `up` without consent. */
const stop = /\bTo take it over, run `NEON_ADOPT=true pulumi up`\./;

/** A subject after its fault. */
class Recovered {
  readonly #subject: Subject;
  readonly #next: NextRun;
  /** The objects that warnings of earlier processes leave to the user. */
  readonly #named = new Set<string>();

  readonly #noteSecrets: () => void;

  constructor(subject: Subject, next: NextRun, noteSecrets: () => void) {
    this.#subject = subject;
    this.#next = next;
    this.#noteSecrets = noteSecrets;
  }

  /** Recovers, and compares program, state and platform. */
  async *disagreements({ points, made, left }: Clean, recovery: Recovery): AsyncGenerator<string> {
    const { stage, sample, resource, program, verb } = this.#subject;
    await this.#startNext(recovery === "up with consent");
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
      yield* this.#upAgain(recovery);
      // An object that never became usable is replaced.
      if (resource.did === "replace") most *= 2;
      if (!(await sample.exists(stage, resource.outputs))) yield "it is in the state and not on the platform";
      yield* difference("after the second up", made, await this.#grown());
      const third = await step("the third up", () => resource.up(program));
      if (third !== "same") yield `the third up is ${third}`;
      const seen = await step("a refresh", () => resource.refresh());
      if (seen !== "same") yield `a refresh finds it ${seen}`;
      if (seen === "gone") return;
      const fourth = await step("an up after the refresh", () => resource.up(program));
      if (fourth !== "same") yield `an up after the refresh is ${fourth}`;
    }
    this.#noteSecrets();
    const outputs = resource.state?.outputs ?? last;
    if (resource.state !== undefined) await step("destroy", () => resource.destroy());
    if (outputs !== undefined && (await sample.exists(stage, outputs))) yield "it is still there after destroy";
    yield* difference("after destroy", left, await this.#grown());
    const projects = (await stage.requests()).filter(
      ({ method, path, status }) => method === "POST" && path === "/api/v2/projects" && status === 201,
    );
    // A project whose owner is uncertain is named, and another one is created.
    if (projects.length > most + this.#named.size) yield `${projects.length} projects were made`;
  }

  /** Repeats the command: after a refresh if the error asks for it, and with consent if the command stops without. */
  async *#upAgain(recovery: Recovery): AsyncGenerator<string> {
    const { resource, program } = this.#subject;
    const { growth: before } = await this.#grown();
    const failed = await step("the second up", () =>
      resource.up(program).then(
        () => undefined,
        (error: unknown) => {
          const text = messageOf(error);
          if (/no longer exists.* Run `pulumi refresh`/.test(text)) return "gone" as const;
          if (recovery !== "up with consent" && stop.test(text)) return "exists" as const;
          throw error;
        },
      ),
    );
    if (failed === undefined) return;
    if (failed === "gone") await resource.refresh();
    else {
      yield* difference("after the up that stops", before, await this.#grown());
      await this.#startNext(true);
    }
    await step("the up after that", () => resource.up(program));
  }

  async #startNext(consents: boolean): Promise<void> {
    this.#note();
    await this.#next(consents);
  }

  /** The objects that were added to the account, without those that warnings name. */
  async #grown(): Promise<Grown> {
    this.#note();
    return grown(this.#subject, this.#named.size);
  }

  /** Reads what the warnings of the present process say about objects that no resource has. */
  #note(): void {
    const warnings = this.#subject.resource.said("warning").join("\n");
    for (const pattern of namings) for (const [, id = ""] of warnings.matchAll(pattern)) this.#named.add(id);
  }
}

/** How warnings name an object that stays although another one is created. */
const namings = [
  / (?:key|credential) (\S+) appeared when [^.]*\. It was not revoked/g,
  /^There is already .* like this one: ([^\s,]+)[^]*? Another one is created/gm,
  /^There is a project of the same name: ([^\s,]+)[^]*? Another one is created/gm,
];

/** The objects that are missing or surplus, compared with the verb without a fault. */
function* difference(when: string, expected: Growth, { growth: actual, moved }: Grown): Generator<string> {
  for (const kind of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const extra = (actual[kind] ?? 0) - (expected[kind] ?? 0);
    if (extra === 0) continue;
    const own = moved.filter((path) => kindAt(path) === kind);
    yield `${when}, the account has ${extra > 0 ? "+" : ""}${extra} ${kind}; added or removed: ${own.join(", ") || "none"}`;
  }
}

/** Takes a step that has to succeed; names it if it fails. */
async function step<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** The objects that were added to the account and removed from it. */
interface Grown {
  readonly growth: Growth;
  readonly moved: readonly string[];
}

/** @param named how many objects of the kind are named: nobody knows whose they are, so they do not count */
async function grown({ stage, sample, project, before }: Subject, named = 0): Promise<Grown> {
  const after = await census(stage, project);
  const own = kindAt(sample.facts.path);
  const all = growth(before, after);
  return { growth: { ...all, [own]: (all[own] ?? 0) - named }, moved: movedBetween(before, after) };
}

/** The operations of the subject's project, oldest first. */
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
