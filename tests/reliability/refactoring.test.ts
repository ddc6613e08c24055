import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { doors, useDoor } from "../support/door";
import { casesOf, nameIn, refactorings, runRefactorings } from "./refactoring";
import { changesBetween, type Objects } from "../support/account";
import { type Facts, falsehoods } from "./refactoring/message-facts";
import { quickSeed } from "../support/seeded-random";

describe("refactorings", function () {
  this.timeout(120_000);

  it("names each case once, and has some for every refactoring", () => {
    const names = casesOf("model", {}).map(nameIn("model"));
    assert.deepEqual(names, [...new Set(names)]);
    const leave = useDoor("plugin");
    const all = (["model", "CLI"] as const).flatMap((engine) => casesOf(engine, {}));
    leave();
    const without = refactorings.filter((one) => !all.some(({ refactoring }) => refactoring === one));
    assert.deepEqual(without, []);
  });

  it("sees what has come, gone and changed in an account", () => {
    const before: Objects = new Map([
      ["/projects/a", { name: "a" }],
      ["/projects/b", { name: "b", role: { noLogin: true } }],
      ["/projects/c", { name: "c" }],
    ]);
    const after: Objects = new Map([
      ["/projects/b", { name: "b", role: { noLogin: false } }],
      ["/projects/c", { name: "c" }],
      ["/projects/d", { name: "d" }],
    ]);
    assert.deepEqual(changesBetween(before, after), [
      { path: "/projects/a", is: "removed", members: [] },
      { path: "/projects/b", is: "changed", members: ["role"] },
      { path: "/projects/d", is: "added", members: [] },
    ]);
  });

  it("tells false messages from true ones", () => {
    const path = "/projects/quiet-river-1";
    const objects: Objects = new Map([[path, {}]]);
    const facts: Facts = {
      before: objects,
      after: objects,
      heldBefore: new Set(),
      heldAfter: new Set(),
      foreign: new Set([path]),
      ran: { ended: "badly", did: {}, messages: [] },
    };
    const judged = (text: string, other: Partial<Facts> = {}): number =>
      [...falsehoods({ is: "error", urn: "", text }, { ...facts, ...other })].length;
    assert.equal(judged('Declare adopt: "quiet-river-1".'), 1);
    assert.equal(judged('If no other stack manages it, declare adopt: "quiet-river-1".'), 0);
    assert.equal(judged('Declare adopt: "loud-river-2".'), 1);
    const ifKept = 'If this run does not delete it, declare adopt: "quiet-river-1".';
    assert.equal(judged(ifKept, { after: new Map() }), 0);
    assert.equal(judged(ifKept.replace("quiet", "loud"), { after: new Map() }), 1);
    assert.equal(judged('Declare adopt: "quiet-river-1".', { after: new Map() }), 1);
    assert.equal(judged("The project quiet-river-1 is gone."), 1);
    assert.equal(judged("The project loud-river-2 is gone."), 0);
    assert.equal(judged("The project quiet-river-1 is still there. Nothing was deleted."), 0);
  });

  for (const door of doors)
    it(`leave alone what the stack does not manage, and say nothing false, in a drawn part of the cases (${door})`, async () => {
      const leave = useDoor(door);
      const seed = quickSeed();
      const said: string[] = [`seed ${seed}`];
      const say = (line: string): void => void said.push(line);
      const choice = { workers: 1, seed, sample: 1, deadline: Infinity, say };
      const { ran, failures } = await runRefactorings("model", choice).finally(leave);
      assert.equal(ran.length, 1);
      assert.equal(failures.length, 0, said.join("\n"));
    });
});
