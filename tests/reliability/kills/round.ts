import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { assertNoSecret, family, send, unattended, type CliResult } from "../../support/stack";
import { disagreements, thingsInState, thingsOf } from "../things";
import type { Lane } from "./lane";
import { extentOf, numberOf, type Plan, titleOf } from "./plan";
import { alive, isProvider, strike } from "./way";
import { changed, firstWish, programOf, restores, secretsFile, type Wish } from "./wish";

export type Outcome = Awaited<ReturnType<typeof carryOut>>;

/** `up` is run so often at most. */
const mostUps = 3;
/** A provider may live on for so long after its run has ended, in milliseconds. */
const afterlife = 10_000;

/** Kills a run, continues as people do, and compares program, state and platform. */
export async function carryOut(lane: Lane, plan: Plan) {
  await prepare(lane, plan);
  const before = lane.wish;
  if (plan.verb !== "destroy") lane.wish = changed(before, plan.changes);
  lane.stack.write(programOf(lane.wish));
  lane.gate.clear();

  const { struck, pids, endedAt } = await struckRun(lane, plan);
  if (plan.forgets) rmSync(lane.stack.journal, { recursive: true, force: true });
  /** Whether Pulumi's own backup had to replace the state, because the CLI was killed while it wrote the file. */
  const mended = lane.stack.mendState();
  const { ups, adopted, complaint } = await heal(lane, plan);
  if (complaint !== undefined) {
    const problems = [titleOf(plan), `after ${ups} ups, all is not well:\n${complaint}`];
    return { plan, struck, ups, adopted, mended, unknowable: 0, problems };
  }
  lane.isMade = true;
  const leftOver = await left(pids, endedAt);
  const { unknowable, problems: different } = await compared(lane, plan);
  const wrong = [...leftOver, ...different, ...counted(lane, plan, before)];
  const problems = wrong.length === 0 ? [] : [titleOf(plan), ...wrong];
  return { plan, struck, ups, adopted, mended, unknowable, problems };
}

async function prepare(lane: Lane, { verb }: Plan): Promise<void> {
  if (lane.isMade === (verb !== "make")) return;
  if (lane.isMade) {
    await emptied(lane);
    return;
  }
  lane.gate.clear();
  await lane.stack.up();
  lane.pace = lane.gate.span;
  lane.isMade = true;
}

/** `destroy` leaves nothing. */
export async function emptied(lane: Lane): Promise<void> {
  await lane.stack.destroy();
  const left = [
    ...(await thingsOf(lane.platform, { copies: false })),
    ...lane.stack.resources().keys(),
    ...noted(lane),
  ];
  if (left.length > 0) throw new Error(`destroy has left ${left.join(", ")}`);
  lane.isMade = false;
  lane.wish = firstWish;
  lane.stack.write(programOf(firstWish));
}

/** Runs a command that is struck; @returns also the processes there were then */
async function struckRun(lane: Lane, plan: Plan) {
  const { gate, stack } = lane;
  const run = stack.start([plan.verb === "destroy" ? "destroy" : "up", ...unattended], true);
  let ended: CliResult | undefined;
  void run.ended.then((result) => (ended = result));
  let pids: readonly number[] = [];
  const blow = async (): Promise<void> => {
    if (ended !== undefined || pids.length > 0) return;
    pids = family(run.pid);
    await strike(plan.way, run.pid, plan.pause);
  };
  let timer: NodeJS.Timeout | undefined;
  const { moment } = plan;
  if (moment.at === "request") {
    gate.intercept({ ...moment, number: numberOf(plan), act: blow });
  } else {
    const wait = (): Promise<void> => {
      timer = setTimeout(() => void blow(), moment.share * extentOf(plan) * lane.pace);
      return Promise.resolve();
    };
    gate.intercept({ number: 1, changesOnly: false, place: "before it arrives", act: wait });
  }
  const { text } = await run.ended;
  clearTimeout(timer);
  gate.intercept(undefined);
  assertNoSecret(text, "the run that was struck");
  return { struck: pids.length > 0, pids, endedAt: performance.now() };
}

/** Runs `up` again, and does only what its output advises; @returns also the output of the last one, if it failed */
async function heal(lane: Lane, { verb, forgets }: Plan) {
  const adopt = new Map<string, string>();
  // Without a refresh, `up` does not find objects whose deletion was not recorded.
  const flags = verb === "destroy" ? ["--refresh"] : [];
  for (let ups = 1; ; ups += 1) {
    lane.stack.mendState();
    if (lane.stack.isLocked) await lane.stack.command("cancel", "--yes");
    const { code, text } = await lane.run("up", ...unattended, ...flags);
    // Without the journal, messages only name the objects of the killed run, and people delete them.
    if (forgets) await deleteNamed(lane, text);
    await revokeNamed(lane, text);
    if (code === 0) {
      if (adopt.size > 0) lane.stack.write(programOf(lane.wish));
      return { ups, adopted: adopt.size, complaint: undefined };
    }
    if (ups === mostUps) return { ups, adopted: adopt.size, complaint: text };
    for (const [name, line] of adoptLines(text)) adopt.set(name, line);
    if (adopt.size > 0) lane.stack.write(programOf(lane.wish, adopt));
    if (text.includes("run `pulumi refresh`")) await lane.stack.refresh();
  }
}

/** Revokes keys that a killed run may have created, as the messages about them say. */
async function revokeNamed({ platform }: Lane, text: string): Promise<void> {
  for (const [, id] of text.matchAll(/(?:The|the) API key (\d+)(?: appeared when [^.]*)?\. It was not revoked/g)) {
    await platform.call("DELETE", `/api_keys/${id ?? ""}`);
  }
}

/** Deletes objects of another run, as messages advise. */
async function deleteNamed({ platform }: Lane, text: string): Promise<void> {
  const project = /The project ([\w-]+) has the same name\. Another run created it/.exec(text)?.[1];
  if (project !== undefined) await platform.call("DELETE", `/projects/${project}`);
  const [, inProject, branch] =
    /A branch with this name already exists: ([\w-]+)\/([\w-]+) .*Another (?:run|Pulumi resource) created it/.exec(
      text,
    ) ?? [];
  if (inProject === undefined || branch === undefined) return;
  await platform.call("DELETE", `/projects/${inProject}/branches/${branch}`);
  await platform.settled(inProject);
}

/** The lines that errors advise to add to the program, by the logical name of the resource. */
function* adoptLines(text: string): Generator<readonly [name: string, line: string]> {
  let name = "";
  for (const line of text.split("\n")) {
    name = /^ +pulumi-nodejs:dynamic\/neon:\w+ \((.+)\):$/.exec(line)?.[1] ?? name;
    const adopt = /\bdeclare `(adopt: "[^"]+")`/.exec(line)?.[1];
    if (adopt !== undefined) yield [name, adopt];
  }
}

async function compared(lane: Lane, { forgets }: Plan): Promise<{ unknowable: number; problems: string[] }> {
  const problems: string[] = [];
  const preview = await lane.run("preview", "--expect-no-changes");
  if (preview.code !== 0) problems.push(`the program is not what there is:\n${preview.text}`);
  const { orphans, lost } = disagreements(await thingsOf(lane.platform, { copies: false }), [
    thingsInState(lane.stack.everyResource()),
  ]);
  // Without a tag and a unique name, only the journal tells whose an object is. People delete it then.
  const unknown = forgets ? orphans.filter((thing) => /^\/api_keys\/|\/(snapshots|endpoints)\//.test(thing)) : [];
  for (const thing of unknown) await remove(lane, thing);
  for (const thing of orphans) if (!unknown.includes(thing)) problems.push(`no state contains ${thing}`);
  for (const thing of lost) problems.push(`the state contains ${thing}, which does not exist`);
  for (const [name, { outputs, initErrors }] of lane.stack.resources()) {
    const { pending } = outputs["__neon"] as { readonly pending?: unknown };
    if (pending !== undefined || initErrors !== undefined) problems.push(`${name} is unfinished`);
  }
  for (const entry of noted(lane)) problems.push(`the journal still has ${entry}`);
  problems.push(...(await usable(lane)));
  return { unknowable: unknown.length, problems };
}

async function remove({ platform }: Lane, thing: string): Promise<void> {
  // A compute is deleted by its path in the project.
  await platform.call("DELETE", thing.replace(/\/branches\/[^/]+(?=\/endpoints\/)/, ""));
  const project = /^\/projects\/([^/]+)/.exec(thing)?.[1];
  if (project !== undefined) await platform.settled(project);
}

/** Whether the secrets in the state are valid. */
async function usable(lane: Lane): Promise<string[]> {
  const told = readFileSync(join(lane.stack.folder, secretsFile), "utf8");
  const { password, key } = JSON.parse(told) as { readonly password?: string; readonly key?: string };
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
function* counted({ gate, wish }: Lane, { verb, forgets }: Plan, before: Wish): Generator<string> {
  const done = (method: string, path: RegExp): number =>
    gate.passed.filter((one) => one.method === method && path.test(one.path) && (one.status ?? 500) < 300).length;
  const projects = done("POST", /\/projects$/);
  // Without the journal, the first project cannot be identified.
  if (projects > (forgets ? 2 : 1)) yield `${projects} projects were made`;
  const wanted = verb === "change" && restores(before, wish) ? 1 : 0;
  const restored = done("POST", /\/restore$/);
  // Without the journal, a restore that was not recorded is repeated.
  if (restored < wanted || restored > wanted * (forgets ? 2 : 1)) yield `the branch was restored ${restored} times`;
}

/** Providers of the run that are still running. Other processes of the run are killed here. */
async function left(pids: readonly number[], endedAt: number): Promise<string[]> {
  for (;;) {
    const those = alive(pids);
    const providers = those.filter(isProvider);
    const isLate = performance.now() - endedAt > afterlife;
    if (providers.length > 0 && !isLate) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    for (const pid of those) send(pid, "SIGKILL");
    return providers.map((pid) => `a provider has outlived its run by ${afterlife / 1000} s (process ${pid})`);
  }
}

/** The entries of the journal. A file that a killed process has not finished is none. */
function noted({ stack }: Lane): string[] {
  return existsSync(stack.journal) ? readdirSync(stack.journal).filter((name) => name.endsWith(".json")) : [];
}
