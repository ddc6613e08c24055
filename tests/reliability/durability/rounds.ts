import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { killAtStart, spawnPlatform } from "../../support/platform-process";
import { seededRandom } from "../seeded-random";
import { Client, type Ledger } from "./client";
import { requestsTo } from "./requests";

/** How often a platform is killed, and under what load. */
export interface Order {
  readonly seed: number;
  /** More, if nothing was acknowledged before the last of them. */
  readonly kills: number;
  readonly clients: number;
  /** Milliseconds of load after which a kill comes at the latest. */
  readonly longestMs: number;
  /** When to kill no more, as `performance.now()` tells time. */
  readonly deadline: number;
  readonly say: (line: string) => void;
}

export interface Outcome {
  readonly kills: number;
  /** Of the kills, those while it was starting. */
  readonly killsAtStart: number;
  readonly acknowledged: number;
  readonly there: number;
  readonly absent: number;
  /** Milliseconds that an acknowledged change has taken, in the middle and at worst. */
  readonly medianMs: number;
  readonly worstMs: number;
  readonly failures: readonly string[];
}

const startMs = 400;

/**
 * Has clients change things on a platform that is killed at moments that a seed determines, and started again on the same
 * folder; what it then has is compared with what it had acknowledged. What exactly was under way when it was killed is up
 * to the machine.
 */
export async function rounds({ seed, kills, clients: count, longestMs, deadline, say }: Order): Promise<Outcome> {
  const draw = seededRandom(seed);
  const data = mkdtempSync(join(tmpdir(), "neon-platform-kill-"));
  const args = ["--data", data, "--operation-time", "1ms-20ms"];
  const ledger: Ledger = { ids: new Set(), latencies: [], unanswered: { there: 0, absent: 0 } };
  const clients = Array.from(
    { length: count },
    (_, index) => new Client(ledger, seededRandom(seed + index + 1), `c${index}`),
  );
  const failures: string[] = [];
  const fail = (kill: number, problem: string): void => {
    const line = `after kill ${kill} of seed ${seed}: ${problem}`;
    failures.push(line);
    say(line);
  };
  let key: string | undefined;
  let done = 0;
  let atStart = 0;
  try {
    for (; ; done += 1) {
      if (done > 0 && draw() < 0.2) {
        await killAtStart(args, draw() * startMs);
        atStart += 1;
      }
      const { child, platform } = await spawnPlatform(args);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // The key of the first start has to stay valid.
      const requests = requestsTo(platform.apiUrl, (key ??= platform.apiKey));
      // On a busy machine all kills can come before anything was acknowledged, which would prove nothing.
      const isEnough = done >= kills && ledger.latencies.length > 0;
      const isLast = isEnough || performance.now() > deadline || failures.length > 0;
      try {
        await each(clients, async (client) => {
          for await (const problem of client.inspect(requests)) fail(done, problem);
        });
        if (isLast) break;
        const killed = after(longestMs * draw()).then(() => child.kill("SIGKILL"));
        await each(clients, (client) => client.work(requests));
        await killed;
      } catch (error) {
        fail(done, error instanceof Error ? error.message : String(error));
      } finally {
        child.kill("SIGKILL");
        await ended;
        requests.close();
      }
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
  const latencies = ledger.latencies.sort((one, other) => one - other);
  return {
    kills: done + atStart,
    killsAtStart: atStart,
    acknowledged: latencies.length,
    ...ledger.unanswered,
    medianMs: latencies[latencies.length >> 1] ?? 0,
    worstMs: latencies.at(-1) ?? 0,
    failures,
  };
}

/** Has all clients do something, and waits for all of them even if one fails. */
async function each(clients: readonly Client[], work: (client: Client) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(clients.map(work));
  const [failed] = outcomes.filter((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
