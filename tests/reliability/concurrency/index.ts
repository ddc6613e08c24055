import { table } from "../../support/markdown";
import { type Campaign, runCases } from "../campaign";
import { pick, seededRandom } from "../../support/seeded-random";
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
const times = ["10ms-100ms", "50ms-500ms", "200ms-1s"] as const;

/** The scenarios of each round, the short ones first. */
const scenarios: readonly Scenario[] = [
  {
    name: "neighbours",
    title: "two stacks and people with plain requests in one project",
    run: (draw) =>
      concurrentStacks({
        stacks: between(draw, 2, 3),
        resources: between(draw, 6, 16),
        projects: 0,
        colleagues: between(draw, 1, 2),
        operationTime: pick([times[0], times[1]], draw),
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
        operationTime: times[0],
        draw,
      }),
  },
  {
    name: "one program",
    title: "200 resources in one `pulumi up` under the rate limit",
    run: (draw) =>
      oneProgram({ resources: 200, projects: between(draw, 8, 25), operationTime: pick(times, draw), draw }),
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
        operationTime: pick(times, draw),
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
        operationTime: pick(times, draw),
        draw,
      }),
  },
];

/** A scenario with the seed of its options. */
interface Case {
  readonly scenario: Scenario;
  readonly seed: number;
}

/** Clients that share a project, a process or an account. */
export const concurrency: Campaign = {
  name: "concurrency",
  title: "Concurrent clients only wait for each other",
  share: 4,
  carryOut: async (run) => {
    const { ran, failures } = await runCases(run, {
      campaign: "concurrency",
      cases: casesOf(seededRandom(run.seed), run.only),
      nameOf: ({ scenario, seed }) => `${scenario.name}/${seed}`,
      workers: 1,
      every: 1,
      open: () => Promise.resolve(),
      close: () => Promise.resolve(),
      work: (_, { scenario, seed }) => scenario.run(seededRandom(seed)),
    });
    const sumsOf = (results: typeof ran): Readonly<Record<string, number>> => {
      const sums: Record<string, number> = { runs: results.length };
      for (const [what, count] of results.flatMap(({ result }) => Object.entries(result?.counts ?? {}))) {
        sums[what] = (sums[what] ?? 0) + count;
      }
      return sums;
    };
    const { seconds: _, ...counts } = sumsOf(ran);
    const rows = scenarios.flatMap((scenario) => {
      const own = ran.filter((one) => one.case.scenario === scenario);
      return own.length === 0 ? [] : [rowOf(scenario, sumsOf(own))];
    });
    const heads = ["what shares", "runs", "resources", "requests", "429", "423", "seconds", "of what the limit takes"];
    return { counts, failures, details: table(heads, rows) };
  },
};

/** All scenarios again and again, each with its own seed, or the one whose name and seed this is. */
function* casesOf(draw: () => number, only: string | undefined): Generator<Case> {
  const [name, given] = only?.split("/") ?? [];
  const chosen = scenarios.filter((scenario) => name === undefined || scenario.name === name);
  do {
    for (const scenario of chosen) yield { scenario, seed: Number(given ?? Math.floor(draw() * 2 ** 32)) };
  } while (only === undefined);
}

/** How many requests an account may send in each minute, and at once at the beginning. */
const allowance = 700;

function rowOf({ name, title }: Scenario, sums: Readonly<Record<string, number>>): (string | number)[] {
  const of = (what: string): number => sums[what] ?? 0;
  const least = (60 * (of("requests") - of("429 answers") - of("runs") * allowance)) / allowance;
  const isLimited = !["neighbours", "stuck"].includes(name) && least > 0;
  const figures = ["runs", "resources", "requests", "429 answers", "423 answers", "seconds"].map((what) =>
    Math.round(of(what)),
  );
  return [title, ...figures, isLimited ? (of("seconds") / least).toFixed(2) : "–"];
}
