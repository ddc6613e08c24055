import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import { measured, stepAt, thisPackage } from "./creator";
import { measure } from "./measure";
import { page, sectionOf, withSection } from "./page";
import { rows } from "./rows";
import { percentile } from "./statistics";

const quiet = { seed: 7, quick: true, say: (): void => undefined };

describe("benchmark", function () {
  this.timeout(900_000);

  it("measures rows with the CLI and without it, in small samples", async () => {
    for (const name of ["many-projects", "functions"]) {
      const row = rows.find((one) => one.name === name) ?? assert.fail(name);
      const section = await sectionOf(row, await measure(row, quiet));
      assert.match(section, new RegExp(`^\`npm run bench -- --only ${name} --seed 7\` took`, "m"));
    }
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

  it("counts a request for one creation, if it is sent in the millisecond in which another one ends", () => {
    const at = Date.parse("2026-01-01T00:00:00.007Z");
    const steps = [
      { noun: "role", began: at - 100, ended: at + 0.7 },
      { noun: "database", began: at + 0.8, ended: at + 100 },
    ] as const;
    const nouns = ["00.006", "00.007", "00.107", "00.108"].map(
      (time) => stepAt(`2026-01-01T00:00:${time}Z`, steps)?.noun,
    );
    assert.deepEqual(nouns, ["role", "database", "database", undefined]);
  });

  for (const [what, value] of [
    ["no number", NaN],
    ["a ratio of nothing", 0],
    ["without an end", Infinity],
  ] as const) {
    it(`fails a row of which a figure is ${what}`, async () => {
      const figures = [{ title: "lag", value, unit: "×" as const }];
      const row = { name: "impossible", measure: () => Promise.resolve({ figures }) };
      await assert.rejects(measure(row, quiet), /"lag" cannot be/);
    });
  }

  it("has a section of the page for each row, and replaces that alone", () => {
    const text = readFileSync(page, "utf8");
    const names = [...text.matchAll(/<!-- bench: ([\w-]+) -->/g)].map(([, name = ""]) => name);
    assert.deepEqual(
      names,
      rows.map(({ name }) => name),
    );
    const sections = (all: string): readonly string[] => all.split("<!-- end -->");
    const changed = sections(withSection(text, { name: "growth" }, "measured"));
    const others = sections(text).filter((one, index) => one !== changed[index]);
    assert.equal(others.length, 1);
    assert.match(others.join(), /<!-- bench: growth -->/);
  });

  it("takes the value that a share of the values does not exceed as percentile", () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    assert.deepEqual([percentile(values, 0.95), percentile(values, 0.5), percentile([4], 0.99)], [95, 50, 4]);
  });
});
