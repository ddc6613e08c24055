import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { describe, it } from "mocha";

import type { Maker } from "../../../provider/lifecycle/existing/maker";
import { type Candidate, rows, type Situation, verdictOn } from "../../../provider/lifecycle/existing/verdict";
import type { Claim } from "../../../provider/ownership/claim";
import { tableRows } from "../../support/markdown";

const urn = "this";
const claimOf = (holder: string): Claim => ({
  kind: "Branch",
  id: "shop-1/br-1",
  service: "neon",
  urn: holder,
  origin: undefined,
  as: "managed",
});

const hour = 3_600_000;

/** A candidate of which everything is known: an object of an unknown maker that can become what is declared. */
function candidate(more: Partial<Candidate> = {}): Candidate {
  return { outputs: {}, age: hour, exists: true, complete: true, fixed: [], maker: { by: "unknown" }, ...more };
}

const by = (maker: Maker["by"], more: Partial<Candidate> = {}): Candidate =>
  candidate({ maker: { by: maker }, ...more });
const one = candidate();
const others = candidate({ holder: claimOf("other") });
const own = candidate({ holder: claimOf(urn) });
const gone = candidate({ exists: false });
const unfit = candidate({ fixed: ["regionId"] });
const ofThis = by("this-resource");
const ofUrn = by("this-urn");
const foreign = by("another-resource");
const ofStack = by("another-stack");
const recent = by("this-urn", { age: 23.9 * hour });
const old = by("this-urn", { age: 24 * hour });
const oldOfThis = by("this-resource", { age: 99 * hour });
const moved = candidate({ former: "old" });
const keptUnfit = candidate({ fixed: ["regionId"], holder: claimOf(urn) });

/** A situation, and the verdict with the numbers of the candidates that it is about. */
type Case = readonly [
  title: string,
  asks: Situation["asks"],
  like: Situation["like"],
  candidates: readonly Candidate[],
  verdict: string,
  more?: Partial<Situation>,
];

const retained = { isRetained: true };
const named = { naming: [claimOf("other")] };
const [unique, tagged, many] = ["unique", "tagged", "many"] as const;

const cases: readonly Case[] = [
  ["adopts an object by its id", "an id", unique, [one], "adopt 0"],
  ["adopts by its id what a tag calls another resource's", "an id", unique, [foreign], "adopt 0"],
  ["adopts by its id what another resource only names", "an id", unique, [one], "adopt 0", named],
  ["adopts a key by its id", "an id", many, [one], "adopt 0"],
  ["refuses an id that another resource of the run has", "an id", unique, [others], "held 0"],
  ["refuses an id of nothing", "an id", unique, [gone], "absent 0"],
  ["refuses the id of the object that the change replaces", "an id", unique, [own], "replaced 0"],
  ["adopts the id of an object that retainOnDelete keeps", "an id", tagged, [own], "adopt 0", retained],
  ["refuses an id that differs in a fixed property", "an id", unique, [unfit], "fixed 0"],

  ["adopts the only object of the name", "true", unique, [one], "adopt 0"],
  ["adopts by its name what a tag calls another resource's", "true", tagged, [foreign], "adopt 0"],
  ["refuses a name that another resource of the run has", "true", unique, [others], "held 0"],
  ["refuses a name of an object that differs in a fixed property", "true", unique, [unfit], "fixed 0"],
  ["adopts the one of two that no resource of the run has", "true", tagged, [others, one], "adopt 1"],
  ["adopts the one of two that this resource has created", "true", tagged, [foreign, ofThis], "adopt 1"],
  ["adopts the one of two that a run for this URN has created", "true", tagged, [one, ofUrn], "adopt 1"],
  ["prefers this resource to its URN", "true", tagged, [ofUrn, ofThis], "adopt 1"],
  ["refuses two of this resource, and names all", "true", tagged, [ofThis, { ...ofThis }, one], "several 0 1 2"],
  ["refuses two that no tag tells apart", "true", tagged, [one, foreign], "several 0 1"],
  ["creates an object if the name finds none", "true", unique, [], "create"],
  ["creates an object if the only one was deleted", "true", unique, [gone], "create"],
  ["creates an object beside two that others have", "true", tagged, [others, { ...others }], "create"],
  ["creates a replacement beside its own old object", "true", tagged, [own], "create"],
  ["creates a replacement beside its own and a stranger's object", "true", tagged, [own, one], "create"],
  ["adopts what a killed run created for a replacement", "true", tagged, [own, ofThis], "adopt 1"],
  ["adopts its own object that retainOnDelete keeps", "true", tagged, [own], "adopt 0", retained],
  ["creates another one if the kept one is unfit", "true", tagged, [keptUnfit], "create", retained],

  ["adopts an untagged object with the consent of a run", "the run", unique, [one], "adopt 0"],
  ["adopts with the consent of a run what came with a project", "the run", unique, [by("this-project")], "adopt 0"],
  ["refuses a name that another resource has, also with consent", "the run", unique, [others], "held 0"],
  ["refuses a branch that another resource's tag names", "the run", unique, [foreign], "exists 0"],
  ["refuses a branch that another stack's tag names", "the run", unique, [ofStack], "exists 0"],
  ["refuses a branch of an undeclared resource of this stack", "the run", unique, [by("this-stack")], "exists 0"],
  ["refuses a branch of an undeclared resource", "the run", unique, [by("unknown-stack")], "exists 0"],
  ["creates a project beside another resource's", "the run", tagged, [foreign], "create"],
  ["names the project of this URN in another stack", "the run", tagged, [ofStack], "create 0"],
  ["refuses two projects that are both strangers'", "the run", tagged, [one, { ...one }], "several 0 1"],
  ["adopts the one of two that no tag calls another's", "the run", tagged, [foreign, one], "adopt 1"],

  ["stops at an object of the same key", "nothing", unique, [one], "exists 0"],
  ["stops at an object of the same key, also with adopt: false", "false", unique, [one], "exists 0"],
  ["stops at an object that another resource has", "nothing", unique, [others], "taken 0"],
  ["stops at an object whose name another resource declares", "nothing", unique, [one], "taken 0", named],
  ["creates an object whose name another resource declares", "nothing", unique, [], "create", named],
  ["creates an object in place of a deleted one", "nothing", unique, [gone], "create"],
  ["creates an object in place of its own one", "nothing", unique, [own], "create"],

  ["stops at a project of this resource", "nothing", tagged, [one, ofThis], "exists 1"],
  ["stops at an old project of this resource", "nothing", tagged, [oldOfThis], "exists 0"],
  ["stops at a project of this URN of the last day", "nothing", tagged, [recent], "exists 0"],
  ["names a project of this URN that is a day old", "nothing", tagged, [old], "create 0"],
  ["names a project of this resource with adopt: false", "false", tagged, [ofThis], "create 0"],
  ["names projects of this URN that retainOnDelete keeps", "nothing", tagged, [ofThis, ofUrn], "create 0 1", retained],
  ["names a project that a moved resource can have", "nothing", tagged, [moved], "create 0"],
  ["names a project that came with this one's", "nothing", tagged, [by("this-project")], "create 0"],
  ["says nothing of a project of the same name", "nothing", tagged, [one, foreign, others], "create"],

  ["names a key of the same name", "nothing", many, [one], "create 0"],
  ["adopts no key by its name", "true", many, [one], "create 0"],
  ["adopts no key with the consent of a run", "the run", many, [ofThis], "create 0"],
  ["says nothing of a key that a resource of the run has", "nothing", many, [others, own], "create"],
  ["says nothing of as many keys as other resources declare", "nothing", many, [one], "create", named],
  ["names keys if there are more than others declare", "nothing", many, [one, ofThis], "create 0 1", named],
];

function situationOf([, asks, like, candidates, , more]: Case): Situation {
  return { asks, like, urn, isRetained: false, naming: [], candidates, ...more };
}

function textOf(verdict: ReturnType<typeof verdictOn>, candidates: readonly Candidate[]): string {
  return [verdict.is, ...verdict.candidates.map((one) => candidates.indexOf(one))].join(" ");
}

/** The candidate as a list has it: nothing is read yet. */
function listed({ outputs, holder, former, age }: Candidate): Candidate {
  return { outputs, holder, former, age };
}

/** The verdict that is reached by reading only what it asks for, and which facts that were. */
function judged(situation: Situation): { readonly text: string; readonly facts: readonly string[] } {
  const facts: string[] = [];
  let candidates = situation.candidates.map(listed);
  for (;;) {
    const verdict = verdictOn({ ...situation, candidates });
    if (verdict.is !== "unread") return { text: textOf(verdict, candidates), facts };
    facts.push(verdict.fact);
    candidates = candidates.map((one, index) => {
      if (!verdict.candidates.includes(one)) return one;
      const {
        exists = true,
        complete = true,
        fixed = [],
        maker = { by: "unknown" },
      } = situation.candidates[index] ?? one;
      return {
        ...one,
        ...{ exists: { exists }, complete: { exists, complete, fixed }, maker: { maker } }[verdict.fact],
      };
    });
  }
}

describe("existing › verdict", () => {
  for (const one of cases) {
    const [title, , , candidates, expected] = one;
    it(title, () => {
      const situation = situationOf(one);
      assert.equal(textOf(verdictOn(situation), candidates), expected);
      assert.equal(judged(situation).text, expected, "with the facts that it asks for");
    });
  }

  it("has a case for each of its rows", () => {
    const reached = cases.flatMap((one) => {
      const situation = situationOf(one);
      const { is, candidates } = verdictOn(situation);
      return candidates.length === 0 ? [] : [`${situation.asks} ${situation.like} ${is}`];
    });
    for (const { asks, like, is, what } of rows) {
      const texts = asks.flatMap((way) => like.map((of) => `${way} ${of} ${is}`));
      assert.ok(
        texts.some((text) => reached.includes(text)),
        what,
      );
    }
  });

  for (const [asks, like, candidates, facts] of [
    ["an id", unique, [one], ["complete"]],
    ["an id", unique, [others], []],
    ["true", unique, [one], ["complete"]],
    ["true", unique, [others], []],
    ["true", tagged, [one, ofThis], ["maker", "complete"]],
    ["the run", unique, [one], ["maker", "complete"]],
    ["the run", unique, [foreign], ["maker", "exists"]],
    ["nothing", unique, [one], ["exists"]],
    ["nothing", unique, [others], []],
    ["nothing", tagged, [one, foreign], ["exists", "maker"]],
    ["nothing", many, [one], ["exists"]],
    ["nothing", many, [], []],
  ] as const) {
    it(`reads ${facts.join(" and ") || "nothing"} of ${candidates.length} ${like} for ${asks}`, () => {
      assert.deepEqual(judged(situationOf(["", asks, like, candidates, ""])).facts, facts);
    });
  }

  it("asks what has made at most 20 projects of the same name", () => {
    const candidates = Array.from({ length: 30 }, () => ({ ...listed(one), exists: true }));
    assert.equal(verdictOn(situationOf(["", "nothing", tagged, candidates, ""])).candidates.length, 20);
  });

  it("is the table of docs/adopt.md", () => {
    assert.deepEqual(tableRows(readFileSync("docs/adopt.md", "utf8"), "What exists"), printed);
  });
});

const asked: Readonly<Record<Situation["asks"], string>> = {
  nothing: "–",
  false: "`false`",
  true: "`true`",
  "the run": "`NEON_ADOPT`",
  "an id": "an id",
};

const alike = { unique: "unique objects", tagged: "projects", many: "keys and read replicas" };

const stops = "fails; the preview warns";
const fails = "fails, also in the preview";
const outcomes: Readonly<Record<string, string>> = {
  adopt: "adopts it",
  taken: stops,
  exists: stops,
  create: "creates another one, and warns",
};

/** The table as a user reads it. */
const printed = [
  ...rows.map(({ asks, like, what, is }) => [
    asks.map((one) => asked[one]).join(", "),
    like.length === 3 ? "all" : like.map((one) => alike[one]).join(", "),
    what,
    outcomes[is] ?? fails,
  ]),
  ["all but an id", "all", "none of these", "creates one"],
];
