import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { LeftObjects } from "./left-objects";

const project = "/projects/calm-sea-1";
const branch = `${project}/branches/br-1`;
const compute = `${branch}/endpoints/ep-1`;
const role = `${branch}/roles/app`;
const key = "/api_keys/12";

/** What became of objects: those that exist and are in the state after the interruption, what a run says, and those after it. */
function outcomesOf(
  left: readonly [existing: readonly string[], inState: readonly string[]],
  output: string,
  after: readonly [existing: readonly string[], inState: readonly string[]],
  isJournalIncomplete = false,
) {
  const objects = new LeftObjects(new Set(left[0]), new Set(left[1]));
  const named = objects.read(output, new Set(after[0]), new Set(after[1]));
  const {
    inState,
    recovered,
    named: count,
    unknown,
    problems,
  } = objects.outcomes(new Set(after[0]), new Set(after[1]), isJournalIncomplete);
  return { named, counts: [inState, recovered, count], unknown, problems };
}

const fine = { named: [], unknown: [], problems: [] };

describe("LeftObjects", () => {
  it("counts what the state holds and what a run recovers", () => {
    const outcomes = outcomesOf(
      [[project, branch], [project]],
      "An interrupted run created the branch calm-sea-1/br-1. It was recovered.",
      [
        [project, branch],
        [project, branch],
      ],
    );
    assert.deepEqual(outcomes, { ...fine, counts: [1, 1, 0] });
  });

  it("counts a named object once, with what it contains", () => {
    const outcomes = outcomesOf([[project, branch, compute], []], "The project calm-sea-1 has the same name.", [
      [project, branch, compute],
      [],
    ]);
    assert.deepEqual(outcomes, { ...fine, named: [project], counts: [0, 0, 1] });
  });

  it("counts a key that was revoked, and said to be", () => {
    const outcomes = outcomesOf([[key], []], "the API key 12. Its secret is lost, so it was revoked", [[], []]);
    assert.deepEqual(outcomes, { ...fine, counts: [0, 0, 1] });
  });

  it("reports an orphan that no run names", () => {
    for (const output of ["", "The project calm-sea-11 has the same name.", "app of calm-sea-1", "after 12 s"]) {
      const outcomes = outcomesOf([[project, role, key], [project]], output, [[project, role, key], [project]]);
      assert.deepEqual(outcomes.problems, [
        `no state holds ${role}, and no run names it`,
        `no state holds ${key}, and no run names it`,
      ]);
    }
  });

  it("reports an orphan that is deleted in silence, unless its project is deleted", () => {
    const alone = outcomesOf([[project, branch], [project]], "", [[project], [project]]);
    assert.deepEqual(alone.problems, [`${branch} was deleted, and no run says so`]);
    assert.deepEqual(outcomesOf([[project, branch], [project]], "", [[], []]).problems, []);
  });

  it("expects nothing of an untagged object without a unique name if the journal is lost", () => {
    const outcomes = outcomesOf([[key, role], []], "", [[key, role], []], true);
    assert.deepEqual([outcomes.unknown, outcomes.problems], [[key], [`no state holds ${role}, and no run names it`]]);
  });
});
