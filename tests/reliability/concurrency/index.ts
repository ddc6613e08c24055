import { messageOf } from "../../../api/errors";
import { table } from "../../support/markdown";
import type { Campaign, Findings, Run } from "../campaign";
import { pick, seededRandom } from "../seeded-random";
import { concurrentStacks, type Result } from "./concurrent-stacks";
import { oneProgram } from "./one-program";
import { stuck } from "./stuck";

/** A scenario with random options. */
interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly run: (draw: () => number) => Promise<Result>;
}

const between = (draw: () => number, least: number, most: number): number =>
  least + Math.floor(draw() * (most - least + 1));
const times = ["10ms-100ms", "50ms-500ms", "200ms-1s"];

/** The scenarios of each round, the short ones first. */
export const scenarios: readonly Scenario[] = [
  {
    name: "neighbours",
    title: "two stacks and people with plain requests in one project",
    run: (draw) =>
      concurrentStacks({
        stacks: between(draw, 2, 3),
        resources: between(draw, 6, 16),
        projects: 0,
        colleagues: between(draw, 1, 2),
        operationTime: times[between(draw, 0, 1)] ?? "",
        draw,
      }),
  },
  {
    name: "stuck",
    title: "one operation that does not end",
    run: (draw) =>
      stuck({
        operation: pick(["create_branch", "start_compute", "apply_config", "delete_timeline"], draw),
        timeout: between(draw, 20, 30),
        followers: between(draw, 1, 2),
        others: between(draw, 8, 24),
        comesFree: draw() < 0.7,
        operationTime: times[0] ?? "",
        draw,
      }),
  },
  {
    name: "one program",
    title: "200 resources in one `pulumi up` under the rate limit",
    run: (draw) =>
      oneProgram({
        resources: 200,
        projects: between(draw, 8, 25),
        operationTime: pick(["10ms-100ms", ...times], draw),
        draw,
      }),
  },
  {
    name: "several processes",
    title: "two or three processes of one account under the rate limit, with data sources read all the time",
    run: (draw) =>
      concurrentStacks({
        stacks: between(draw, 2, 3),
        resources: between(draw, 60, 100),
        projects: between(draw, 4, 12),
        readers: 2,
        operationTime: pick(["10ms-100ms", ...times], draw),
        draw,
      }),
  },
  {
    name: "one process",
    title: "200 resources of one process under the rate limit",
    run: (draw) =>
      concurrentStacks({
        stacks: 1,
        resources: 200,
        projects: between(draw, 8, 25),
        operationTime: pick(["10ms-100ms", ...times], draw),
        draw,
      }),
  },
];

/** Clients that share a project, a process or an account. */
export const concurrency: Campaign = {
  name: "concurrency",
  title: "Concurrent clients only wait for each other",
  share: 4,
  carryOut: (run) => carryOut(run),
};

/** Repeats all scenarios, at most so many times, each with its own seed. */
export async function carryOut(run: Run, rounds = Infinity, only = scenarios): Promise<Findings> {
  const failures: string[] = [];
  const totals = new Map<string, Record<string, number>>();
  for (let round = 0; round < rounds && performance.now() < run.deadline; round += 1) {
    for (const { name, run: carryOutOne } of only) {
      if (performance.now() >= run.deadline) break;
      const seed = Math.floor(run.draw() * 2 ** 32);
      const { counts, failures: own } = await carryOutOne(seededRandom(seed)).catch((error: unknown): Result => ({
        counts: {},
        failures: [messageOf(error)],
      }));
      const command = `node dist/tests/reliability/concurrency/main.js --only '${name}' --case ${seed}`;
      run.say(`${name}: ${text(counts)}${own.length > 0 ? `; ${own.length} failures: ${command}` : ""}`);
      for (const one of own) {
        failures.push(`${one} (${command})`);
        run.say(`    ${one}`);
      }
      const total = totals.get(name) ?? {};
      for (const [what, count] of Object.entries({ runs: 1, ...counts })) total[what] = (total[what] ?? 0) + count;
      totals.set(name, total);
    }
  }
  const sums: Record<string, number> = {};
  for (const total of totals.values()) {
    for (const [what, count] of Object.entries(total)) sums[what] = (sums[what] ?? 0) + count;
  }
  const { seconds: _, ...counts } = sums;
  return { counts, failures, details: tableOf(totals) };
}

function text(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${Math.round(count)} ${what}`)
    .join(", ");
}

/** How many requests an account may send in each minute, and at once at the beginning. */
export const allowance = 700;

function tableOf(totals: ReadonlyMap<string, Readonly<Record<string, number>>>): string {
  const heads = ["what shares", "runs", "resources", "requests", "429", "423", "seconds", "of what the limit takes"];
  const rows = [...totals].map(([name, total]) => {
    const of = (what: string): number => total[what] ?? 0;
    const least = (60 * (of("requests") - of("429 answers") - of("runs") * allowance)) / allowance;
    const isLimited = !["neighbours", "stuck"].includes(name) && least > 0;
    const title = scenarios.find((scenario) => scenario.name === name)?.title ?? name;
    const figures = ["runs", "resources", "requests", "429 answers", "423 answers", "seconds"].map((what) =>
      Math.round(of(what)),
    );
    return [title, ...figures, isLimited ? (of("seconds") / least).toFixed(2) : "–"];
  });
  return table(heads, rows);
}
