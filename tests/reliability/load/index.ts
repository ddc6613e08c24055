import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import type { Campaign } from "../campaign";
import { crowd } from "./crowd";

const clients = 500;
const mostMs = 10_000;
/** How many mebibytes a platform may grow under load, including the created objects. */
const mostGrowth = 400;
/** A response that takes so many times the median is starved. */
const mostOfMedian = 100;
/** How long one request may delay others, in milliseconds. */
const mostBesideMs = 5_000;
/** The limit of one list. */
const mostBranches = 10_000;

/** Many clients of the local platform at the same time. */
export const load: Campaign = {
  name: "load",
  title: "500 concurrent clients of the local platform",
  share: 0.2,
  carryOut: ({ seed, deadline, say }) =>
    withPlatformProcess(["--operation-time", "1ms"], async (running) => {
      const milliseconds = Math.max(1_000, Math.min(mostMs, deadline - performance.now()));
      const { failures, medianMs, worstMs, memory, ...counted } = await crowd({
        ...running,
        seed,
        clients,
        milliseconds,
      });
      const [before, after] = memory;
      const long = await longList(running.platform, deadline);
      const problems = [
        ...failures,
        ...(counted.fewest === 0 ? ["a client was never answered"] : []),
        ...(after - before > mostGrowth ? [`the platform has grown from ${before} to ${after} MiB`] : []),
        ...(worstMs > mostOfMedian * medianMs ? [`the slowest answer took ${worstMs} ms, most ${medianMs} ms`] : []),
      ];
      if (long.besideMs > mostBesideMs) problems.push(`a long list has kept others waiting for ${long.besideMs} ms`);
      for (const problem of problems) say(`${problem} (seed ${seed})`);
      return {
        counts: {
          clients,
          "requests answered": counted.requests,
          "changes performed": counted.changes,
          "changes turned away with 423": counted.locked,
          "wrong answers": failures.length,
        },
        failures: problems,
        details:
          `In ${(milliseconds / 1000).toFixed(0)} s: the median response took ${medianMs.toFixed(0)} ms, the slowest ` +
          `${worstMs.toFixed(0)} ms. Every client got at least ${counted.fewest} responses. The platform's ` +
          `process grew from ${before.toFixed(0)} to ${after.toFixed(0)} MiB. Half of the clients open a connection for every request. ` +
          `A list of ${long.branches} branches took ${long.listMs.toFixed(0)} ms, and a small request at the same time at most ` +
          `${long.besideMs.toFixed(0)} ms.`,
      };
    }),
};

/**
 * Creates as many branches as the time allows, and lists all of them at once while another client sends small requests.
 *
 * @returns the milliseconds of the response with all branches, and of the slowest small request during it
 */
async function longList(platform: TestPlatform, deadline: number) {
  const { project } = await platform.project();
  const path = `/projects/${project.id}/branches`;
  for (let made = 1; made < mostBranches && performance.now() < deadline;) {
    const { status } = await platform.call("POST", path, {});
    if (status === 201) made += 1;
    else if (status !== 423) throw new Error(`POST ${path} answers ${status}`);
  }
  const headers = { authorization: `Bearer ${platform.apiKey}` };
  const progress = { isOver: false };
  const began = performance.now();
  // Read as text: the time to parse it is not measured.
  const listed = fetch(`${platform.apiUrl}${path}?limit=${mostBranches}`, { headers })
    .then(async (answer) => ({ text: await answer.text(), listMs: performance.now() - began }))
    .finally(() => (progress.isOver = true));
  let besideMs = 0;
  while (!progress.isOver) {
    const asked = performance.now();
    await platform.call("GET", "/users/me");
    besideMs = Math.max(besideMs, performance.now() - asked);
  }
  const { text, listMs } = await listed;
  const { branches } = JSON.parse(text) as { readonly branches: readonly unknown[] };
  return { branches: branches.length, listMs, besideMs };
}
