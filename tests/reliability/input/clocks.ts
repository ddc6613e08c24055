import assert from "node:assert/strict";

import { NeonClient } from "../../../api/client";
import { type Clock, reasonOf, systemClock } from "../../../api/core/clock";
import { fetchTransport, type WireRequest, type WireResponse } from "../../../api/http/transport";
import { progressOf } from "../../../api/operations/status";
import type { KindName } from "../../../provider/frozen-entry";
import { kinds } from "../../../provider/kinds";
import { check } from "../../../provider/lifecycle/check";
import { create } from "../../../provider/lifecycle/create";
import { remove } from "../../../provider/lifecycle/delete";
import { read } from "../../../provider/lifecycle/read";
import type { Stored } from "../../../provider/lifecycle/state";
import type { ServedKind } from "../../../provider/lifecycle/work";
import type { Values } from "../../../provider/values";
import { urnOf } from "../../support/door";
import { samples } from "../../support/samples";
import { callFor, servicesWith } from "../../support/services";
import type { Stage } from "../../support/stage";
import { census, type Census, growth } from "../census";

const hour = 3_600_000;
const day = 24 * hour;

/** How far a machine's calendar jumps, in milliseconds. */
export const jumps: Readonly<Record<string, number>> = {
  "back by 40 days": -40 * day,
  "back by 3 hours": -3 * hour,
  "forward by 3 hours": 3 * hour,
  "forward by 40 days": 40 * day,
};

/** When it jumps. */
export const moments = [
  /** The lost response is the first one of its process, so that the process does not know the platform's time. */
  "between sending and looking for a lost answer",
  "during each wait",
  "between a run that was killed and the next one",
  "never, but it is as far off from the beginning",
] as const;
export type Moment = (typeof moments)[number];

/** The machine's clock, whose calendar can be set to anything. */
class JumpingClock implements Clock {
  /** How far the calendar is off, in milliseconds. */
  off = 0;
  /** How far each sleep moves it. */
  jump = 0;
  isDead = false;

  now(): number {
    return systemClock.now();
  }

  date(): Date {
    return new Date(Date.now() + this.off);
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (milliseconds >= attemptTimeout) {
      await new Promise((_, reject) =>
        signal?.addEventListener("abort", () => reject(reasonOf(signal)), { once: true }),
      );
    }
    this.off = this.off === 0 ? this.jump : 0;
    await systemClock.sleep(milliseconds, signal);
    if (this.isDead) await forever();
  }
}

/** No attempt takes so long: the platform responds at once, or the machine is dead. */
const attemptTimeout = 30_000;

function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/** A run of a program: its own process, which knows nothing of earlier ones. */
class MachineRun {
  readonly clock = new JumpingClock();
  readonly served: ServedKind;
  readonly warnings: string[] = [];
  /** Called after each change, before its response arrives. `lose` loses the response, `die` kills the process. */
  onChange: () => "answer" | "lose" | "die" = () => "answer";
  readonly #died: Promise<never>;
  #die: (error: Error) => void = () => undefined;

  /** @param adopt whether it has consent to take what exists */
  constructor(stage: Stage, kind: KindName, adopt = false) {
    const send = fetchTransport();
    this.#died = new Promise((_, reject) => (this.#die = reject));
    this.#died.catch(() => undefined);
    const transport = async (request: WireRequest): Promise<WireResponse> => {
      if (this.clock.isDead) return forever();
      const answer = await send(request);
      if (request.method === "GET") return answer;
      const what = this.onChange();
      if (what === "answer") return answer;
      if (what === "lose") throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" });
      this.clock.isDead = true;
      this.#die(new Error("killed"));
      return forever();
    };
    const { apiKey, apiUrl } = stage.platform;
    const client = new NeonClient({ apiKey, apiUrl, clock: this.clock, transport, attemptTimeout });
    const warn = (text: string): void => void this.warnings.push(text);
    this.served = { kind: kinds[kind], services: servicesWith({ client, warn, adopt }) };
  }

  /** Loses the response to the first change; the calendar is off by so many milliseconds from then on. */
  loseFirstAnswer(off: number): void {
    this.onChange = () => {
      this.clock.off = off;
      this.onChange = () => "answer";
      return "lose";
    };
  }

  /** Creates what the program declares, unless the machine dies. */
  async create(declared: Values, urn: string): Promise<Stored & { readonly id: string }> {
    const { inputs, problems } = await check(this.served, callFor(urn), undefined, declared);
    assert.deepEqual(problems, []);
    const created = create(this.served, callFor(urn), inputs);
    created.catch(() => undefined);
    return Promise.race([created, this.#died]);
  }
}

/** Creates one object while the calendar jumps: it is created once and completely, and can be deleted. */
export async function makeOne(stage: Stage, kind: KindName, moment: Moment, jump: number): Promise<void> {
  const sample = samples[kind];
  const declared = await sample.declare(stage);
  const project = typeof declared["projectId"] === "string" ? declared["projectId"] : undefined;
  const urn = urnOf(kind, stage.name("clock"));
  const before = await census(stage, project);
  let run = new MachineRun(stage, kind);
  switch (moment) {
    case "between sending and looking for a lost answer":
      run.loseFirstAnswer(jump);
      break;
    case "during each wait":
      run.clock.jump = jump;
      break;
    case "between a run that was killed and the next one":
      run.onChange = () => "die";
      await assert.rejects(run.create(declared, urn), /killed/);
      if (project !== undefined) await stage.settled(project);
      run = new MachineRun(stage, kind, true);
      run.clock.off = jump;
      break;
    case "never, but it is as far off from the beginning":
      run.clock.off = jump;
      run.loseFirstAnswer(jump);
      break;
    default:
      moment satisfies never;
  }
  const { id, ...state } = await run.create(declared, urn);
  const { outputs } = state;
  const call = callFor(urn, { declaredBefore: state.hidden.declared });
  assert.ok(await sample.exists(stage, outputs), "it is not there");
  const place = project ?? (typeof outputs["projectId"] === "string" ? outputs["projectId"] : undefined);
  if (place !== undefined) assert.deepEqual(await underWay(stage, place), [], "it is not ready");
  const made = grown(kind, before, await census(stage, project));
  // A key whose response was lost may be somebody else's: it stays, and a warning names it.
  const lost = run.warnings.filter((text) => text.includes("Revoke it if nothing uses it")).length;
  assert.ok(
    Object.values(made).every((count) => count >= 0 && count <= 1 + lost),
    `there is more than one: ${JSON.stringify(made)}`,
  );
  await read(run.served, call, state);
  const other = new MachineRun(stage, kind);
  await remove(other.served, call, id, state);
  const left = Object.values(grown(kind, before, await census(stage, project)));
  assert.deepEqual(left, lost === 0 ? [] : [lost], "something was left behind");
}

/** What was added and removed. The first key URL or Data API creates roles for tokens, which stay. */
function grown(kind: KindName, before: Census, after: Census): Census {
  const { roles, ...others } = growth(before, after);
  return kind === "JwksUrl" || kind === "DataApi" || roles === undefined ? others : { ...others, roles };
}

async function underWay(stage: Stage, project: string): Promise<string[]> {
  const { body } = await stage.platform.call("GET", `/projects/${project}/operations?limit=100`);
  return body.operations.flatMap(({ action, status }) =>
    progressOf(status) === "success" ? [] : [`${action} ${status}`],
  );
}
