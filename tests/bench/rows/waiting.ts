import { seededRandom } from "../../support/seeded-random";
import {
  createResource,
  type Creator,
  measured,
  type Step,
  thisPackage,
  timed,
  type Times,
  withProvider,
} from "../creator";
import { inLanes, numbersBelow } from "../lanes";
import { peers } from "../peers";
import type { Comparison, Figure, Row, Run } from "../row";
import { mean, percentile } from "../statistics";

const latencyMs = 20;
/** How many provider processes wait at the same time: they need little of the machine, but each has to start. */
const providers = 5;

/** The operations of the four creations. */
const actions = [
  "create_timeline",
  "start_compute",
  "create_branch",
  "timeline_update_protected_config",
  "apply_config",
];

/** Runs a program several times. All creations of a run count together. */
async function runs(run: Run, creator: Creator, lanes: number, times: (index: number) => Times) {
  return await inLanes(lanes, numbersBelow(run.size(50, 1)), async (index) => {
    const mutations = await measured(creator, times(index));
    const sum = (of: (mutation: (typeof mutations)[number]) => number): number =>
      mutations.reduce((all, one) => all + of(one), 0);
    return {
      ratio: sum(({ wall }) => wall) / sum(({ operations }) => operations),
      requests: sum(({ requests }) => requests),
      mutations,
    };
  });
}

type Total = Awaited<ReturnType<typeof runs>>[number];

function comparison(totals: ReadonlyMap<string, readonly Total[]>): Comparison {
  return {
    heads: ["program", "mean", "95th percentile", "95th percentile of single creations", "requests a creation"],
    lines: [...totals].map(([name, all]) => {
      const mutations = all.flatMap((total) => total.mutations);
      const ratios = all.map(({ ratio }) => ratio);
      return [
        name,
        `${mean(ratios).toFixed(3)} ×`,
        `${percentile(ratios, 0.95).toFixed(3)} ×`,
        `${percentile(
          mutations.map(({ wall, operations }) => wall / operations),
          0.95,
        ).toFixed(2)} ×`,
        mean(mutations.map(({ requests }) => requests)).toFixed(1),
      ];
    }),
  };
}

async function compare(run: Run, rounds: number, times: (index: number) => Times): Promise<Map<string, Total[]>> {
  const totals = new Map<string, Total[]>();
  run.say("this package");
  totals.set("this package", await runs(run, thisPackage(rounds), providers, times));
  for (const { name, creator, lanes } of await peers(run)) {
    run.say(name);
    totals.set(name, await runs(run, creator, lanes, times));
  }
  return totals;
}

export const waiting: Row = {
  name: "waiting",
  measure: async (run) => {
    const operationTime = run.quick ? "20ms-50ms" : "200ms-5s";
    const totals = await compare(run, 1, (index) => ({ operationTime, latencyMs, seed: `${run.seed}-${index}` }));
    const own = totals.get("this package") ?? [];
    const ratios = own.map(({ ratio }) => ratio);
    return {
      figures: [
        { title: "four creations ÷ their operations, mean", value: mean(ratios), unit: "×", atMost: 1.13 },
        {
          title: "four creations ÷ their operations, 95th percentile",
          value: percentile(ratios, 0.95),
          unit: "×",
          atMost: 1.2,
        },
        {
          title: "requests for the four creations, mean",
          value: mean(own.map(({ requests }) => requests)),
          unit: "",
          atMost: 48,
        },
      ],
      comparison: comparison(totals),
    };
  },
};

/** Times of each operation around a base of its own: ±20 %. */
function around(run: Run, index: number): Times {
  const draw = seededRandom(run.seed, index);
  const times = actions.map((action) => {
    const base = (run.quick ? 20 : 200) * 25 ** draw();
    return `${action}=${Math.round(base * 0.8)}ms-${Math.round(base * 1.2)}ms`;
  });
  return { operationTime: times.join(","), latencyMs, seed: `${run.seed}-${index}` };
}

export const waitingSeen: Row = {
  name: "waiting-seen",
  measure: async (run) => {
    const totals = await compare(run, 2, (index) => around(run, index));
    const own = totals.get("this package") ?? [];
    return {
      figures: [
        {
          title: "four creations ÷ their operations, each action seen before, mean",
          value: mean(own.map(({ ratio }) => ratio)),
          unit: "×",
          atMost: 1.12,
        },
        {
          title: "requests for the four creations, each action seen before, mean",
          value: mean(own.map(({ requests }) => requests)),
          unit: "",
          atMost: 24,
        },
      ],
      comparison: comparison(totals),
    };
  },
};

/** Creates so many branches with computes, one after the other in one process. */
function branches(count: number): Creator {
  return (platform) =>
    withProvider(platform, async (server) => {
      const { projectId } = (await createResource(server, "Project", { name: "home" })).outputs;
      const steps: Step[] = [];
      for (const index of numbersBelow(count)) {
        const args = { projectId, name: `pr-${index}`, compute: {} };
        await timed(steps, "branch", () => createResource(server, "Branch", args));
      }
      return steps;
    });
}

export const overhead: Row = {
  name: "overhead",
  measure: async (run) => {
    const figures: Figure[] = [];
    for (const length of [0, 50, 100, 300]) {
      const times = { operationTime: `${length}ms`, latencyMs: 0, seed: String(run.seed) };
      const mutations = await measured(branches(run.size(30, 2)), times);
      const value = mean(mutations.map(({ wall, operations }) => wall - operations));
      figures.push({ title: `a creation with operations of ${length} ms: beyond them`, value, unit: "ms", atMost: 60 });
    }
    return { figures };
  },
};
