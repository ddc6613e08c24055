import type { Campaign } from "../campaign";
import { rounds } from "./rounds";

const clients = 12;
const longestMs = 2_000;

/** Kills of the local platform under load. */
export const durability: Campaign = {
  name: "durability",
  title: "A killed platform has lost nothing that it has acknowledged",
  share: 0.7,
  carryOut: async ({ seed, deadline, say }) => {
    const { failures, medianMs, worstMs, ...counted } = await rounds({
      seed,
      kills: Infinity,
      clients,
      longestMs,
      deadline,
      say,
    });
    const { kills, killsAtStart, acknowledged, there, absent } = counted;
    return {
      counts: {
        kills,
        "kills while it was starting": killsAtStart,
        "acknowledged changes": acknowledged,
        "changes without an answer that were there as a whole": there,
        "changes without an answer that had not happened": absent,
        "lost, half done or doubled": failures.length,
      },
      failures,
      details:
        `${clients} clients; an acknowledged change took ${medianMs.toFixed(1)} ms in the middle and ` +
        `${worstMs.toFixed(0)} ms at worst. A kill of the process leaves the system's buffers as they are; that a change ` +
        "also outlives a loss of power is up to the database's `synchronous = FULL`.",
    };
  },
};
