import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { Carried } from "./campaign";
import { campaigns } from "./campaigns";
import { pageOf } from "./page";

function carried(name: string, count: number, failures: readonly string[] = []): Carried {
  const campaign = campaigns.find((one) => one.name === name);
  assert.ok(campaign);
  return { campaign, findings: { counts: { cases: count }, failures }, seconds: 12.3 };
}

describe("the page of the long run", () => {
  it("shows each campaign's counts, its failures, and what makes it again", () => {
    const page = pageOf("", [carried("matrix", 7, ["`one` fails"])], "--minutes 5 --seed 3");
    assert.match(page, /^## Every fault at every request and operation$/m);
    assert.match(page, /^`npm run test:long -- --minutes 5 --seed 3 --only matrix` took 12 s on \d+ cores/m);
    assert.match(page, /^\| cases \| 7 \|\n\| failed \| 1 \|\n\n- `one` fails$/m);
  });

  it("keeps the sections of campaigns that were not run, and puts all in one order", () => {
    const first = pageOf("", [carried("matrix", 7), carried("kills", 8)], "--seed 1");
    const second = pageOf(first, [carried("matrix", 9), carried("secrets", 10)], "--seed 2");
    const told = [...second.matchAll(/--seed (\d) --only (\w+)[^]*?\| cases \| (\d+)/g)].map(([, ...parts]) => parts);
    assert.deepEqual(told, [
      ["2", "secrets", "10"],
      ["1", "kills", "8"],
      ["2", "matrix", "9"],
    ]);
    assert.equal(pageOf(second, [], ""), second);
  });

  it("has a section for what ran through one door only, next to that of the campaign", () => {
    let page = pageOf("", [carried("refactoring", 1), carried("matrix", 2)], "--seed 1");
    page = pageOf(page, [carried("refactoring", 3)], "--seed 2 --door plugin", "plugin");
    page = pageOf(page, [carried("refactoring", 4)], "--seed 3 --door dynamic", "dynamic");
    page = pageOf(page, [carried("refactoring", 5)], "--seed 4 --door plugin", "plugin");
    const told = [...page.matchAll(/^## (.+)$[^]*?\| cases \| (\d+)/gm)].map(([, ...parts]) => parts);
    const title = "Refactorings of programs and stacks";
    assert.deepEqual(told, [
      [title, "1"],
      [`${title} (dynamic provider)`, "4"],
      [`${title} (provider plugin)`, "5"],
      ["Every fault at every request and operation", "2"],
    ]);
  });
});
