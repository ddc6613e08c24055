import { rmSync } from "node:fs";

import { messageOf } from "../../../api/core/errors";
import { TestPlatform } from "../../support/platform";
import { killAtStart, spawnPlatform } from "../../support/platform-process";
import { makeFastFolder } from "../../support/postgres-files";
import { seededRandom } from "../../support/seeded-random";
import type { Campaign, Findings, Run } from "../campaign";
import { Client, type Ledger } from "./client";

/** Kills of the local platform under load. */
export const durability: Campaign = {
  name: "durability",
  title: "Durability of a killed local platform",
  share: 0.7,
  carryOut: (run) => runRounds({ ...run, kills: Infinity, clients: 12, longestMs: 2_000 }),
};

/** How often a platform is killed, and under what load. */
interface Order extends Pick<Run, "seed" | "deadline" | "say"> {
  /** More, if nothing was acknowledged before the last kill. */
  readonly kills: number;
  readonly clients: number;
  /** After how many milliseconds of load a kill comes at the latest. */
  readonly longestMs: number;
}

const startMs = 400;

/**
 * Clients change objects on a platform that is killed at moments that a seed determines, and started again with the same
 * folder. Then its objects are compared with the changes that it had acknowledged. Which requests are in flight when it is
 * killed depends on the machine.
 */
export async function runRounds({ seed, kills, clients: count, longestMs, deadline, say }: Order): Promise<Findings> {
  const draw = seededRandom(seed);
  const data = makeFastFolder("neon-platform-kill-");
  const args = ["--data", data, "--operation-time", "1ms-20ms"];
  const ledger: Ledger = { apiKey: "", ids: new Set(), latencies: [], unanswered: { there: 0, absent: 0 } };
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
  let done = 0;
  let atStart = 0;
  try {
    for (; ; done += 1) {
      if (done > 0 && draw() < 0.2) {
        await killAtStart(args, draw() * startMs);
        atStart += 1;
      }
      const { child, platform: started } = await spawnPlatform(args);
      const platform = new TestPlatform(started);
      const ended = new Promise((resolve) => child.once("exit", resolve));
      // The key of the first start stays valid.
      ledger.apiKey ||= platform.apiKey;
      // On a busy machine, all kills can come before any acknowledgement. That proves nothing.
      const isEnough = done >= kills && ledger.latencies.length > 0;
      const isLast = isEnough || performance.now() > deadline || failures.length > 0;
      try {
        await each(clients, async (client) => {
          for await (const problem of client.inspect(platform)) fail(done, problem);
        });
        if (isLast) break;
        const killed = after(longestMs * draw()).then(() => child.kill("SIGKILL"));
        await each(clients, (client) => client.work(platform));
        await killed;
      } catch (error) {
        fail(done, messageOf(error));
      } finally {
        child.kill("SIGKILL");
        await ended;
      }
    }
  } finally {
    // A Postgres stops after the platform that was killed.
    rmSync(data, { recursive: true, force: true, maxRetries: 20 });
  }
  const latencies = ledger.latencies.sort((one, other) => one - other);
  const [medianMs = 0, worstMs = 0] = [latencies[latencies.length >> 1], latencies.at(-1)];
  return {
    counts: {
      kills: done + atStart,
      "kills while it was starting": atStart,
      "acknowledged changes": latencies.length,
      "changes without an answer that were there as a whole": ledger.unanswered.there,
      "changes without an answer that had not happened": ledger.unanswered.absent,
      "lost, half done or doubled": failures.length,
    },
    failures,
    details:
      `${count} clients; the median of an acknowledged change was ${medianMs.toFixed(1)} ms, the maximum ` +
      `${worstMs.toFixed(0)} ms. A kill of the process leaves the system's buffers intact; that a change also survives a ` +
      "loss of power depends on the database's `synchronous = FULL`.",
  };
}

/** Makes all clients work, and waits for all of them even if one fails. */
async function each(clients: readonly Client[], work: (client: Client) => Promise<void>): Promise<void> {
  const outcomes = await Promise.allSettled(clients.map(work));
  const [failed] = outcomes.filter((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
