import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import { measured, thisPackage } from "./creator";
import { measure } from "./measure";
import { page, pageOf, shown, verdict } from "./page";
import { storedResults } from "./results";
import type { Row } from "./row";
import { rows } from "./rows";
import { percentile } from "./statistics";

const quiet = { seed: 7, quick: true, say: (): void => undefined };

function row(name: string, measureRow: Row["measure"]): Row {
  return { name, title: name, compares: "", measuresTime: false, measure: measureRow };
}

function named(...names: readonly string[]): Row[] {
  return rows.filter(({ name }) => names.includes(name));
}

describe("benchmark", function () {
  this.timeout(900_000);

  it("measures rows with the CLI and without it, in small samples", async () => {
    const outcomes = await measure(named("long-operation", "state", "functions"), quiet);
    const figures = outcomes.flatMap((outcome) => {
      assert.ok("result" in outcome, JSON.stringify(outcome));
      return outcome.result.figures;
    });
    assert.ok(figures.length >= 6, JSON.stringify(figures));
    const text = figures.find(({ title }) => title === "`__provider`");
    assert.ok(text !== undefined && text.value > 80, JSON.stringify(text));
  });

  it("measures the other rows if one fails, ends what rows share, and says why one failed", async () => {
    const ended: string[] = [];
    const user = (name: string): Row =>
      row(name, async ({ shared }) => {
        const value = await shared("number", () =>
          Promise.resolve({ made: 3 + ended.length, end: () => Promise.resolve(void ended.push(name)) }),
        );
        return { figures: [{ title: name, value, unit: "" }] };
      });
    const failing = row("failing", () => Promise.reject(new Error("no platform")));
    const outcomes = await measure([user("first"), failing, user("second")], quiet);
    assert.deepEqual(
      outcomes.map((outcome) =>
        "result" in outcome ? outcome.result.figures[0]?.value : /^.*/.exec(outcome.failure)?.[0],
      ),
      [3, "Error: no platform", 3],
    );
    assert.deepEqual(ended, ["first"]);
  });

  it("compares creations with how long their operations ran, by the platform's clock, not by whole seconds", async () => {
    const times = { operationTime: "120ms", latencyMs: 0, seed: "7" };
    const mutations = await measured(thisPackage(), times);
    assert.deepEqual(
      mutations.map(({ noun, operations }) => [noun, operations]),
      [
        ["project", 240],
        ["branch", 360],
        ["role", 120],
        ["database", 120],
      ],
    );
    for (const { noun, wall, operations } of mutations) assert.ok(wall > operations, noun);
  });

  for (const [what, measuredRow] of [
    ["is no number", { figures: [{ title: "lag", value: NaN, unit: "×" }] }],
    ["has no end", { figures: [{ title: "lag", value: Infinity, unit: "×" }] }],
    ["is a ratio of nothing", { figures: [{ title: "lag", value: 0, unit: "×" }] }],
    ["is a negative time", { figures: [{ title: "lag", value: -1, unit: "ms" }] }],
    ["is a negative count", { figures: [{ title: "polls", value: -1, unit: "" }] }],
    ["is missing", { figures: [] }],
    [
      "of a peer is impossible",
      {
        figures: [{ title: "lag", value: 1.1, unit: "×" }],
        comparison: { heads: ["program", "mean"], lines: [["peer", "Infinity ×"]] },
      },
    ],
  ] as const) {
    it(`fails a row of which a figure ${what}`, async () => {
      const [outcome] = await measure([row("impossible", () => Promise.resolve(measuredRow))], quiet);
      assert.ok(outcome !== undefined && "failure" in outcome, JSON.stringify(outcome));
    });
  }

  it("has each row of the document, and the document each row", () => {
    const documented = [...readFileSync(page, "utf8").matchAll(/`npm run bench -- --only ([\w-]+) /g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      documented,
      rows.map(({ name }) => name),
    );
  });

  it("has written the document from its latest results", async () => {
    assert.equal(readFileSync(page, "utf8"), await pageOf(storedResults()));
  });

  it("says whether a figure keeps its target", () => {
    const figure = { title: "lag", unit: "×" } as const;
    assert.deepEqual(
      [1.12, 1.121].map((value) => verdict({ ...figure, value, atMost: 1.12 })),
      ["yes", "no"],
    );
    assert.equal(verdict({ ...figure, value: 1 }), "");
  });

  it("shows values with their units and without digits that say nothing", () => {
    assert.deepEqual(
      [shown(1.1, "×"), shown(1.0864, "×"), shown(2300, "bytes"), shown(0, ""), shown(21.26, ""), shown(100, "ms")],
      ["1.1 ×", "1.086 ×", "2300 bytes", "0", "21.3", "100 ms"],
    );
  });

  it("takes the value that a share of the values does not exceed as percentile", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.deepEqual([percentile(values, 0.95), percentile(values, 0.5), percentile([4], 0.99)], [95, 50, 4]);
  });
});
