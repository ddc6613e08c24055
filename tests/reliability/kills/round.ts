import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { assertNoSecret, family, send, unattended, type CliResult } from "../../support/stack";
import { idOf } from "../../support/account";
import { interrupt, isProvider, runningAmong } from "./interruption";
import type { Lane } from "./lane";
import { LeftObjects, type ObjectOutcomes } from "./left-objects";
import { requestPath } from "../created-objects";
import { extentOf, numberOf, type Plan, titleOf } from "./plan";
import { initialRevisions, programText, restoresBranch, revised, type Revisions, secretsFile } from "./program";

export interface Outcome {
  readonly plan: Plan;
  /** Whether the run was still running at the moment of the plan. */
  readonly wasInterrupted: boolean;
  /** How often `pulumi up` was run until all was well. */
  readonly ups: number;
  /** How many objects were adopted because an error suggested it. */
  readonly adopted: number;
  /** Whether Pulumi's own backup had to replace the state, because the CLI was killed while it wrote the file. */
  readonly restoredBackup: boolean;
  readonly objects: ObjectOutcomes;
  readonly problems: readonly string[];
}

/** `up` is run so often at most: each can name an object on which others depend. */
const mostUps = 4;
/** A provider may live on for so long after its run has ended, in milliseconds. */
const afterlife = 10_000;

/** Interrupts a run, continues as people do, and compares program, state and platform. */
export async function runRound(lane: Lane, plan: Plan): Promise<Outcome> {
  await prepare(lane, plan);
  const before = lane.revisions;
  if (plan.action !== "destroy") lane.revisions = revised(before, plan.changes);
  lane.stack.write(programText(lane.revisions));
  lane.gate.clear();

  const { wasInterrupted, hasWorked, pids, endedAt } = await interruptedRun(lane, plan);
  if (plan.onAnotherMachine) rmSync(lane.stack.journal, { recursive: true, force: true });
  const restoredBackup = lane.stack.mendState();
  const left = new LeftObjects(await lane.existing(), lane.managed());
  const { ups, adopted, complaint } = await nextRuns(lane, plan, left);
  const survivors = await survivingProviders(pids, endedAt, hasWorked);
  const objects = left.outcomes(await lane.existing(), lane.managed(), plan.onAnotherMachine || endsLikeOthers(plan));
  const problems = [...survivors, ...objects.problems, ...lane.otherStack.changes(await lane.objects())];
  if (complaint === undefined) {
    lane.isCreated = true;
    await removeOrphans(lane);
    problems.push(...(await differences(lane)), ...repeated(lane, plan, before, left.namedProjects));
  } else {
    problems.push(`\`pulumi up\` has failed ${ups} times:\n${complaint}`);
  }
  if (problems.length > 0) problems.unshift(titleOf(plan));
  return { plan, wasInterrupted, ups, adopted, restoredBackup, objects, problems };
}

/** A dynamic provider cannot tell a second Ctrl-C from the end of a run, and settles what a bucket then does not save. */
function endsLikeOthers({ door, interruption, moment }: Plan): boolean {
  return door === "dynamic" && interruption.startsWith("Ctrl-C twice") && moment.at === "save";
}

async function prepare(lane: Lane, { action }: Plan): Promise<void> {
  if (lane.isCreated === (action !== "create")) return;
  if (lane.isCreated) {
    await destroyAll(lane);
    return;
  }
  lane.gate.clear();
  lane.bucket?.clear();
  await lane.stack.up();
  lane.whole = { requestsMs: lane.gate.span, saves: { ...(lane.bucket?.saves ?? lane.whole.saves) } };
  lane.isCreated = true;
}

/** `destroy` leaves nothing. */
export async function destroyAll(lane: Lane): Promise<void> {
  await lane.stack.destroy();
  const remaining = [...(await lane.existing()), ...lane.stack.resources().keys(), ...journalEntries(lane)];
  if (remaining.length > 0) throw new Error(`destroy has left ${remaining.join(", ")}`);
  lane.isCreated = false;
  lane.revisions = initialRevisions;
  lane.stack.write(programText(initialRevisions));
}

/** Interrupts a command at the moment of the plan; @returns also the processes that it had then */
async function interruptedRun(lane: Lane, plan: Plan) {
  const { gate, bucket, stack } = lane;
  const run = stack.start([plan.action === "destroy" ? "destroy" : "up", ...unattended], true);
  let ended: CliResult | undefined;
  void run.ended.then((result) => (ended = result));
  let pids: readonly number[] = [];
  const act = async (): Promise<void> => {
    if (ended !== undefined || pids.length > 0) return;
    pids = family(run.pid);
    await interrupt(plan.interruption, run.pid, plan.pause);
  };
  let timer: NodeJS.Timeout | undefined;
  const { moment } = plan;
  const number = numberOf(plan, lane.whole.saves);
  if (moment.at === "request") {
    gate.intercept({ ...moment, number, act });
  } else if (moment.at === "save") {
    bucket?.intercept({ ...moment, number, act });
  } else {
    const wait = (): Promise<void> => {
      timer = setTimeout(() => void act(), moment.share * extentOf(plan) * lane.whole.requestsMs);
      return Promise.resolve();
    };
    gate.intercept({ number: 1, changesOnly: false, place: "before it arrives", act: wait });
  }
  const { text } = await run.ended;
  clearTimeout(timer);
  gate.intercept(undefined);
  bucket?.intercept(undefined);
  assertNoSecret(text, "the interrupted run");
  return { wasInterrupted: pids.length > 0, hasWorked: gate.passed.length > 0, pids, endedAt: performance.now() };
}

/** Runs `up` until it succeeds, and does only what its output advises; @returns also the output of the last one, if it failed */
async function nextRuns(lane: Lane, { action, adopts }: Plan, left: LeftObjects) {
  const adopt = new Map<string, string>();
  // Without a refresh, `up` does not find objects whose deletion was not recorded.
  const flags = action === "destroy" ? ["--refresh"] : [];
  for (let ups = 1; ; ups += 1) {
    lane.stack.mendState();
    if (lane.stack.isLocked) await lane.stack.command("cancel", "--yes");
    const { code, text } = await lane.run("up", ...unattended, ...flags);
    const named = left.read(text, await lane.existing(), lane.managed());
    if (code === 0) {
      if (adopt.size > 0) lane.stack.write(programText(lane.revisions));
      return { ups, adopted: adopt.size, complaint: undefined };
    }
    if (ups === mostUps) return { ups, adopted: adopt.size, complaint: text };
    if (adopts) for (const [name, line] of adoptLines(text)) adopt.set(name, line);
    // What a branch has one of is adopted by the id of the branch. An address is encoded in an id.
    const isAdopted = (path: string): boolean => {
      const id = idOf(path.replace(/\/auth$/, ""));
      return [...adopt.values()].some((line) => line.includes(id) || line.includes(encodeURIComponent(id)));
    };
    for (const path of named) if (!isAdopted(path)) await remove(lane, path);
    if (adopt.size > 0) lane.stack.write(programText(lane.revisions, adopt));
    if (text.includes("run `pulumi refresh`")) await lane.stack.refresh();
  }
}

/** The lines that errors advise to add to the program, by the logical name of the resource. */
function* adoptLines(text: string): Generator<readonly [name: string, line: string]> {
  let name = "";
  for (const line of text.split("\n")) {
    name = /^ +(?:pulumi-nodejs:dynamic\/neon|neon:index):\w+ \((.+)\):$/.exec(line)?.[1] ?? name;
    const adopt = /\bdeclare `(adopt: (?:true|"[^"]+"))`/.exec(line)?.[1];
    if (adopt !== undefined) yield [name, adopt];
  }
}

/** Removes what no state holds, as messages advise. */
async function removeOrphans(lane: Lane): Promise<void> {
  const managed = lane.managed();
  for (const path of await lane.existing()) if (!managed.has(path)) await remove(lane, path);
}

async function remove(lane: Lane, path: string): Promise<void> {
  const { platform } = lane;
  const { status } = await platform.call("DELETE", requestPath(path, await lane.objects()));
  // It was removed with its project.
  if (status === 404) return;
  if (status >= 300) throw new Error(`DELETE ${path} answers ${status}`);
  const project = /^\/projects\/([^/]+)\//.exec(path)?.[1];
  if (project !== undefined) await platform.settled(project);
}

/** What differs between program, state and platform. */
async function differences(lane: Lane): Promise<string[]> {
  const problems: string[] = [];
  const preview = await lane.run("preview", "--expect-no-changes");
  if (preview.code !== 0) problems.push(`the platform differs from the program:\n${preview.text}`);
  const existing = await lane.existing();
  for (const path of lane.managed())
    if (!existing.has(path)) problems.push(`the state holds ${path}, which does not exist`);
  for (const [name, { outputs, initErrors }] of lane.stack.resources()) {
    const { pending } = outputs["__neon"] as { readonly pending?: unknown };
    if (pending !== undefined || initErrors !== undefined) problems.push(`${name} is unfinished`);
  }
  for (const entry of journalEntries(lane)) problems.push(`the journal still has ${entry}`);
  problems.push(...(await invalidSecrets(lane)));
  return problems;
}

/** Which of the secrets in the state are not valid. */
async function invalidSecrets(lane: Lane): Promise<string[]> {
  const written = readFileSync(join(lane.stack.folder, secretsFile), "utf8");
  const { password, key } = JSON.parse(written) as { readonly password?: string; readonly key?: string };
  const { outputs } = lane.stack.resource("app");
  const role = `/projects/${String(outputs["projectId"])}/branches/${String(outputs["branchId"])}/roles/app`;
  const revealed = await lane.platform.call("GET", `${role}/reveal_password`);
  const known = await lane.platform.call("GET", "/users/me", undefined, { key: key ?? "none" });
  return [
    ...(revealed.body.password === password ? [] : ["the password in the state is not the one in force"]),
    ...(known.status === 200 ? [] : [`the key in the state is refused with ${known.status}`]),
  ];
}

/** What was done too often. */
function* repeated(
  { gate, revisions }: Lane,
  { action, onAnotherMachine }: Plan,
  before: Revisions,
  namedProjects: number,
): Generator<string> {
  const done = (method: string, path: RegExp): number =>
    gate.passed.filter((one) => one.method === method && path.test(one.path) && (one.status ?? 500) < 300).length;
  const projects = done("POST", /\/projects$/);
  if (projects > 1 + namedProjects) yield `${projects} projects were created, and ${namedProjects} were named`;
  const wanted = action === "change" && restoresBranch(before, revisions) ? 1 : 0;
  const restored = done("POST", /\/branches\/[^/]+\/restore$/);
  // Without the journal, a restore that was not recorded is repeated.
  if (restored < wanted || restored > wanted * (onAnotherMachine ? 2 : 1)) {
    yield `the branch was restored ${restored} times`;
  }
}

/**
 * Providers of the run that are still running. Other processes of the run are killed here. So is a provider that has sent nothing:
 * Pulumi's own process does not end with its engine, and loads this package for the first resource.
 */
async function survivingProviders(pids: readonly number[], endedAt: number, hasWorked: boolean): Promise<string[]> {
  for (;;) {
    const running = runningAmong(pids);
    const providers = hasWorked ? running.filter(isProvider) : [];
    const isLate = performance.now() - endedAt > afterlife;
    if (providers.length > 0 && !isLate) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    for (const pid of running) send(pid, "SIGKILL");
    return providers.map((pid) => `a provider has outlived its run by ${afterlife / 1000} s (process ${pid})`);
  }
}

/** The entries of the journal. A file that a killed process has not finished is none. */
function journalEntries({ stack }: Lane): string[] {
  return existsSync(stack.journal) ? readdirSync(stack.journal).filter((name) => name.endsWith(".json")) : [];
}
