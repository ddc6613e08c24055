import { readFileSync } from "node:fs";
import { join } from "node:path";

import { assertNoSecret, family, send, unattended, type CliResult } from "../../support/stack";
import { requestPath } from "../created-objects";
import { interrupt, isProvider, runningAmong } from "./interruption";
import type { Lane } from "./lane";
import { LeftObjects, type ObjectOutcomes } from "./left-objects";
import type { Plan } from "./plan";
import { initialRevisions, restoresBranch, revised, secretsFile } from "./program";

export interface Outcome {
  readonly plan: Plan;
  /** Whether the run was still running at the moment of the plan. */
  readonly wasInterrupted: boolean;
  /** The number of commands until program, state and platform agreed. */
  readonly runs: number;
  readonly objects: ObjectOutcomes;
  /** The foreign objects that were changed. */
  readonly touched: number;
  readonly problems: readonly string[];
}

/** The limit of runs: one without consent stops at the first existing object, and two of them may each need a refresh before. */
const mostRuns = 4;
/** The time for which a provider may run after the end of its run, in milliseconds. */
const afterlife = 10_000;
const consentLine = "NEON_ADOPT=true pulumi up";

/** Interrupts a run, continues on another machine, and compares program, state and platform. */
export async function runRound(lane: Lane, plan: Plan): Promise<Outcome> {
  // If nothing distinguishes the stacks, a project of the same name would stop each create.
  await lane.foreign.rename(!plan.consents && plan.backend !== "file");
  await prepare(lane, plan);
  const before = lane.revisions;
  lane.write(revised(before, plan.changes));
  lane.gate.clear();

  const { wasInterrupted, problems } = await interruptedRun(lane, plan);
  lane.stack.mendState();
  lane.moveToAnotherMachine();
  const left = new LeftObjects(await lane.existing(), await lane.managed());
  // A deleted VPC endpoint can never be assigned again.
  if (plan.action === "destroy") lane.write({ ...lane.revisions, life: lane.revisions.life + 1 });
  const { runs, complaint } = await (plan.destroysAgain
    ? destroyedAgain(lane, left)
    : nextRuns(lane, plan, left, problems));
  const objects = left.outcomes(await lane.existing(), await lane.managed());
  const touched = lane.foreign.changes(await lane.objects());
  problems.push(...objects.problems, ...touched);
  if (complaint !== undefined) {
    problems.push(`it has failed ${runs} times:\n${complaint}`);
  } else if (plan.destroysAgain) {
    await assertEmpty(lane);
  } else {
    lane.isCreated = true;
    await removeOrphans(lane);
    problems.push(...(await differences(lane)));
    const wanted = plan.action === "change" && restoresBranch(before, lane.revisions) ? 1 : 0;
    const restored = lane.gate.passed.filter(
      ({ path, status }) => /\/branches\/[^/]+\/restore$/.test(path) && status === 200,
    ).length;
    if (restored !== wanted) problems.push(`the branch was restored ${restored} times`);
  }
  if (problems.length > 0) problems.unshift(JSON.stringify(plan));
  return { plan, wasInterrupted, runs, objects, touched: touched.length, problems };
}

async function prepare(lane: Lane, { action }: Plan): Promise<void> {
  if (lane.isCreated === (action !== "create")) return;
  if (lane.isCreated) {
    await destroyAll(lane);
    return;
  }
  lane.gate.clear();
  await lane.stack.up();
  lane.requestsMs = lane.gate.span;
  lane.isCreated = true;
}

/** Destroys everything, and asserts that nothing is left. */
export async function destroyAll(lane: Lane): Promise<void> {
  await lane.stack.destroy();
  lane.moved();
  await assertEmpty(lane);
}

/** Asserts that nothing is left, so that the stack can begin again. */
async function assertEmpty(lane: Lane): Promise<void> {
  const remaining = [...(await lane.existing()), ...lane.stack.resources().keys()];
  if (remaining.length > 0) throw new Error(`destroy has left ${remaining.join(", ")}`);
  lane.isCreated = false;
  lane.write(initialRevisions(lane.revisions.life + 1));
}

/** Interrupts a command at the moment of the plan, and waits until none of its processes is running. */
async function interruptedRun(lane: Lane, plan: Plan) {
  const { gate, stack } = lane;
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
  if (moment.at === "request") {
    gate.intercept({ ...moment, act });
  } else {
    const wait = (): Promise<void> => {
      timer = setTimeout(() => void act(), moment.share * lane.requestsMs);
      return Promise.resolve();
    };
    gate.intercept({ number: 1, changesOnly: false, place: "before it arrives", act: wait });
  }
  const { text } = await run.ended;
  clearTimeout(timer);
  gate.intercept(undefined);
  assertNoSecret(text, "the interrupted run");
  const problems = await survivingProviders(pids, gate.passed.length > 0);
  await gate.idle();
  lane.moved();
  return { wasInterrupted: pids.length > 0, problems };
}

/** Runs `up` until it succeeds, following only the advice in its output; @returns also the output of the last run, if it failed */
async function nextRuns(lane: Lane, plan: Plan, left: LeftObjects, problems: string[]) {
  // Without a refresh, `up` does not find objects whose deletion was not recorded.
  const flags = plan.action === "destroy" ? ["--refresh"] : [];
  let { consents } = plan;
  for (let runs = 1; ; runs += 1) {
    lane.stack.mendState();
    lane.stack.unlock();
    const { code, text } = await lane.attempt("up", consents, ...flags);
    left.read(text, await lane.existing(), await lane.managed(), consents);
    if (code === 0) return { runs, complaint: undefined };
    if (runs === mostRuns) return { runs, complaint: text };
    if (text.includes("run `pulumi refresh`")) {
      await lane.stack.refresh();
    } else if (!consents) {
      if (!text.includes(consentLine)) problems.push(`without consent, \`up\` does not say how to go on:\n${text}`);
      if (!left.hasNamed) problems.push(`without consent, \`up\` names nothing that is there:\n${text}`);
      consents = true;
      await lane.foreign.rename(false);
    }
  }
}

/** Runs `destroy` again. */
async function destroyedAgain(lane: Lane, left: LeftObjects) {
  lane.stack.unlock();
  const { code, text } = await lane.attempt("destroy", false);
  left.read(text, await lane.existing(), await lane.managed(), false);
  return { runs: 1, complaint: code === 0 ? undefined : text };
}

/** Removes the objects that no state has, as messages advise. */
async function removeOrphans(lane: Lane): Promise<void> {
  const managed = await lane.managed();
  for (const path of await lane.existing()) {
    if (managed.has(path)) continue;
    lane.moved();
    const { status } = await lane.platform.call("DELETE", requestPath(path));
    // The object was removed with its project.
    if (status === 404) continue;
    if (status >= 300) throw new Error(`DELETE ${path} answers ${status}`);
    const project = /^\/projects\/([^/]+)\//.exec(path)?.[1];
    if (project !== undefined) await lane.platform.settled(project);
  }
}

/** The differences between program, state and platform. */
async function differences(lane: Lane): Promise<string[]> {
  const problems: string[] = [];
  const second = await lane.attempt("up", false, "--refresh", "--expect-no-changes");
  if (second.code !== 0) problems.push(`the second run finds something to change:\n${second.text}`);
  const existing = await lane.existing();
  const managed = await lane.managed();
  for (const path of managed) if (!existing.has(path)) problems.push(`the state holds ${path}, which does not exist`);
  for (const path of existing) if (!managed.has(path)) problems.push(`the second run has created ${path}`);
  for (const [name, { outputs, initErrors }] of lane.stack.resources()) {
    const { pending } = outputs["__neon"] as { readonly pending?: unknown };
    if (pending !== undefined || initErrors !== undefined) problems.push(`${name} is unfinished`);
  }
  problems.push(...(await invalidSecrets(lane)));
  return problems;
}

/** The secrets in the state that are not valid. */
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

/**
 * The providers of the run that are still running. Kills other processes of the run, and providers that have sent nothing:
 * Pulumi's own process does not end with its engine, and loads this package for the first resource.
 */
async function survivingProviders(pids: readonly number[], hasWorked: boolean): Promise<string[]> {
  const endedAt = performance.now();
  for (;;) {
    const running = runningAmong(pids);
    const providers = hasWorked ? running.filter(isProvider) : [];
    if (providers.length > 0 && performance.now() - endedAt < afterlife) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      continue;
    }
    for (const pid of running) send(pid, "SIGKILL");
    return providers.map((pid) => `a provider has outlived its run by ${afterlife / 1000} s (process ${pid})`);
  }
}
