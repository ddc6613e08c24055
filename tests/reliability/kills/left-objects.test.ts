import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { samples } from "../../support/samples";
import { LeftObjects } from "./left-objects";
import { initialRevisions, programText } from "./program";

const project = "/projects/calm-sea-1";
const branch = `${project}/branches/br-1`;
const compute = `${branch}/endpoints/ep-1`;
const role = `${branch}/roles/app`;
const key = "/api_keys/12";

type Found = readonly [existing: readonly string[], inState: readonly string[]];

/**
 * The outcomes for objects, from the account and the state after the interruption, the output of a run, and both after that
 * run.
 */
function outcomesOf(left: Found, output: string, after: Found, consents = true) {
  const [existing, inState] = after.map((paths) => new Set(paths)) as [Set<string>, Set<string>];
  const objects = new LeftObjects(new Set(left[0]), new Set(left[1]));
  objects.read(output, existing, inState, consents);
  const { inState: kept, adopted, named, silent, problems } = objects.outcomes(existing, inState);
  return { counts: [kept, adopted, named], silent, problems };
}

const fine = { silent: [], problems: [] };

describe("LeftObjects", () => {
  it("counts what the state holds and what a run adopts and says so", () => {
    const all = [project, branch];
    const outcomes = outcomesOf([all, [project]], "The branch calm-sea-1/br-1 is adopted.", [all, all]);
    assert.deepEqual(outcomes, { ...fine, counts: [1, 1, 0] });
  });

  it("reports what was taken without consent, but not the compute of a branch in the state", () => {
    const all = [project, branch, role];
    const said = "A role with this name already exists: calm-sea-1/br-1/app. The branch calm-sea-1/br-1 …";
    const taken = outcomesOf([all, [project]], said, [all, all], false);
    assert.deepEqual(taken.problems, [`${branch} was taken without consent`, `${role} was taken without consent`]);
    const own = [project, branch, compute];
    const part = outcomesOf([own, [project, branch]], "", [own, own], false);
    assert.deepEqual(part.problems, []);
  });

  it("reports a project beside which another one was created, although it was named", () => {
    const left = [project, branch, compute];
    const outcomes = outcomesOf([left, []], "There is a project of the same name: calm-sea-1.", [left, []], false);
    assert.deepEqual(outcomes.counts, [0, 0, 1]);
    assert.deepEqual(outcomes.problems, [`${project} is there, in no state, although consent could take it`]);
  });

  it("counts a named key", () => {
    const outcomes = outcomesOf([[key], []], "like this one: 12, created at", [[key], []]);
    assert.deepEqual(outcomes, { ...fine, counts: [0, 0, 1] });
  });

  it("reports what no run names", () => {
    for (const output of ["", "There is calm-sea-1/br-11.", "role calm-sea-1/br-1/app-2", "after 12 s"]) {
      const { silent } = outcomesOf([[project, role, key], [project]], output, [[project, role, key], [project]]);
      assert.deepEqual(silent, [role, key]);
    }
  });

  it("reports what is deleted in silence, unless its project is deleted", () => {
    assert.deepEqual(outcomesOf([[project, branch], [project]], "", [[project], [project]]).silent, [branch]);
    assert.deepEqual(outcomesOf([[project, branch], [project]], "", [[], []]), { ...fine, counts: [1, 0, 0] });
  });

  it("reports what stays in no state although consent could take it", () => {
    const said = "A role with this name already exists: calm-sea-1/br-1/app.";
    const { problems } = outcomesOf([[project, role], [project]], said, [[project, role], [project]]);
    assert.deepEqual(problems, [`${role} is there, in no state, although consent could take it`]);
  });
});

describe("the program whose runs are killed", () => {
  for (const kind of Object.keys(samples)) {
    it(`declares a resource of the kind ${kind} (tests/reliability/kills/program.ts)`, () => {
      assert.ok(programText(initialRevisions(0)).includes(`new neon.${kind}(`));
    });
  }
});
