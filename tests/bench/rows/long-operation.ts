import { seededRandom } from "../../support/seeded-random";
import { SlowPlatform } from "../../support/slow-platform";
import { numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { mean } from "../statistics";

const minute = 60_000;

/** How late the end of an operation was noticed, as a share of its length, and after how many polls. */
interface Wait {
  readonly lag: number;
  readonly polls: number;
}

/** A program that polls at a fixed interval, for an operation that ends at any time in it. */
function polling(interval: number): Wait {
  return { lag: interval / 2 / minute, polls: Math.ceil(minute / interval) };
}

/** The last of several waits in one process, many times: its mean. */
async function waits(run: Run, lengths: (draw: () => number) => readonly number[]): Promise<Wait & { most: number }> {
  const all: Wait[] = [];
  for (const index of numbersBelow(run.size(200, 5))) {
    const platform = new SlowPlatform();
    let last: Wait | undefined;
    for (const length of lengths(seededRandom(run.seed, index))) {
      const { lag, polls } = await platform.waitFor({ create_branch: length });
      last = { lag: lag / length, polls };
    }
    if (last !== undefined) all.push(last);
  }
  return {
    lag: mean(all.map(({ lag }) => lag)),
    polls: mean(all.map(({ polls }) => polls)),
    most: Math.max(...all.map(({ polls }) => polls)),
  };
}

export const longOperation: Row = {
  name: "long-operation",
  title: "One operation of a minute",
  compares: `The client waits for a \`create_branch\` of exactly 60 seconds, on a simulated clock and without latency: in processes
that have seen none, in those that have seen one of 60 seconds, and, for operations which vary by ±20 %, in those that have
seen eight. The lag is the time from the end of the operation until the wait returns, divided by the operation's length. The
polls have jitter: the lag is the mean of 200 waits, the number of polls the largest of them.`,
  measuresTime: false,
  measure: async (run) => {
    const unseen = await waits(run, () => [minute]);
    const seen = await waits(run, () => [minute, minute]);
    const varied = await waits(run, (draw) => numbersBelow(9).map(() => minute * (0.8 + 0.4 * draw())));
    const lineOf = (name: string, { lag, polls }: Wait): string[] => [
      name,
      `${(lag * 100).toFixed(2)} %`,
      String(Number(polls.toFixed(1))),
    ];
    return {
      figures: [
        { title: "60 s, never seen: lag", value: unseen.lag * 100, unit: "%", atMost: 5 },
        { title: "60 s, never seen: polls", value: unseen.most, unit: "", atMost: 45 },
        { title: "60 s, seen: lag", value: seen.lag * 100, unit: "%", atMost: 4 },
        { title: "60 s, seen: polls", value: seen.most, unit: "", atMost: 15 },
      ],
      comparison: {
        heads: ["program", "mean lag", "mean of the polls"],
        lines: [
          lineOf("this package, never seen", unseen),
          lineOf("this package, seen", seen),
          lineOf("this package, eight seen, ±20 %", varied),
          lineOf("a poll each 5 s (calculated)", polling(5_000)),
          lineOf("a poll each 100 ms (calculated)", polling(100)),
        ],
      },
    };
  },
};
