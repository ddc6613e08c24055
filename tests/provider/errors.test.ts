import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { instead } from "../../provider/lifecycle/errors";
import { assertSays, failsWith } from "../support/expected-errors";
import { HurriedClock } from "../support/hurried-clock";
import { changed, hasInput, titleOf } from "../support/sample";
import { samples, thereAlready } from "../support/samples";
import { Stage, suiteServer, suiteStage } from "../support/stage";

const vague = { without: /Check the id|Try again|Resolve that first|Correct the inputs/ };

describe("errors › an object that another one needs", () => {
  const stage = suiteStage();

  for (const { kind, definition, needs } of Object.values(samples)) {
    if (needs === undefined) continue;
    it(`is named if it is missing: ${kind}`, async () => {
      const [declared, advice] = needs;
      const { id: projectId, branchId } = await stage().project();
      const args = { projectId, ...(hasInput({ definition }, "branchId") ? { branchId } : {}), ...declared };
      await assert.rejects(stage().resource(kind).up(args), failsWith(advice, vague));
    });
  }

  it("is named by an update, too: the owner of a database", async () => {
    const { id: projectId, branchId } = await stage().project();
    const database = stage().resource("Database");
    const args = { projectId, branchId, ownerName: "neondb_owner" };
    await database.up(args);
    const change = database.up({ ...args, ownerName: "nobody" });
    await assert.rejects(change, failsWith("Nothing was changed.", "use its output `name` as `ownerName`", vague));
  });

  for (const [kind, declared] of [
    ["Snapshot", {}],
    ["BackupSchedule", { schedule: [{ frequency: "daily", hour: 1 }] }],
  ] as const) {
    it(`is a root branch, and the parent of the declared one is named: ${kind}`, async () => {
      const { id: projectId, branchId: parentId } = await stage().project();
      const { id: branchId } = await stage().branch(projectId);
      const created = stage()
        .resource(kind)
        .up({ projectId, branchId, ...declared });
      await assert.rejects(created, failsWith(`the branch has a parent, ${parentId}`, "declare a root branch", vague));
    });
  }
});

describe("errors › the advice about an object that exists already", () => {
  const stage = suiteStage();

  it("suggests no other name for a read-write compute, whether it has a name or not", async () => {
    const { id: projectId, branchId } = await stage().project();
    for (const name of [undefined, "primary"]) {
      const created = stage().resource("Endpoint").up({ projectId, branchId, type: "read_write", name });
      await assert.rejects(
        created,
        failsWith("This compute already exists", "`compute` of a `Branch`", { without: /another name/ }),
      );
    }
  });

  const anotherRun = suiteServer(stage);
  for (const sample of thereAlready) {
    it(`suggests another name where that helps: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      await stage().resource(sample.kind).up(declared);
      const another = stage().resource(sample.kind);
      another.server = anotherRun();
      const message = await another.up(declared).then(
        () => "",
        (error: unknown) => String(error),
      );
      const { defaultName = "name" } = kinds[sample.kind];
      const isNamed = instead(kinds[sample.kind]) === `declare another ${defaultName}`;
      assert.equal(message.includes(`declare another ${defaultName}`), isNamed, message);
      if (!isNamed) return;
      assert.equal(await another.up(await sample.facts.another(declared, stage())), "create");
    });
  }

  const copied = thereAlready.filter(({ kind }) => kinds[kind].listing?.isCopied !== undefined);
  for (const sample of copied.filter(({ facts }) => facts.isAdoptedByName)) {
    it(`suggests \`adopt: true\` for what a branch has from its parent: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      await stage().resource(sample.kind).up(declared);
      const [projectId, parent] = [String(declared["projectId"]), String(declared["branchId"])];
      const { id: branchId } = await stage().branch(projectId, { branch: { parent_id: parent } });
      const inherited = stage().resource(sample.kind);
      const args = { ...declared, branchId };
      const says = `inherited by this branch from its parent ${parent}`;
      await inherited.preview(args);
      assertSays(inherited.warning, says, "declare `adopt: true`");
      await assert.rejects(inherited.up(args), failsWith(says, "declare `adopt: true`", { without: /NEON_ADOPT/ }));
      assert.equal(await inherited.up({ ...args, adopt: true }), "create");
    });
  }

  for (const sample of thereAlready) {
    it(`suggests to omit only properties that can be omitted: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const theirs = stage().resource(sample.kind);
      await theirs.up(declared);
      const adopting = { ...declared, adopt: sample.adopt(theirs.outputs) };
      const ours = stage().resourceOf(anotherRun(), sample.kind);
      const { createsFirst, deletesFirst } = await sample.replaces(declared, stage());
      const inputs = sample.definition.inputs();
      for (const [input, to] of Object.entries({ ...createsFirst, ...deletesFirst })) {
        const refused = await ours.preview(changed(adopting, input, to)).then(String, String);
        if (!refused.includes("cannot be adopted")) continue;
        const { error } = inputs.safeParse(changed(adopting, input, undefined));
        const isRequired = error?.issues.some(({ path: [name] }) => name === input) ?? false;
        assert.equal(refused.includes("omit the property"), !isRequired, refused);
      }
    });
  }

  it("does not call a role inherited that a branch and its parent have got separately", async () => {
    const clock = new HurriedClock();
    const later = await Stage.start({ clock });
    try {
      const { id: projectId, branchId } = await later.project();
      const child = await later.branch(projectId, { endpoints: [{ type: "read_write" }] });
      clock.putForward(60_000);
      for (const id of [branchId, child.id]) await later.resource("Role").up({ projectId, branchId: id, name: "app" });
      const another = await later.nextRun(later.resource("Role"));
      const created = another.up({ projectId, branchId: child.id, name: "app" });
      await assert.rejects(created, failsWith("already exists", { without: /inherited/ }));
    } finally {
      await later.stop();
    }
  });

  it("suggests another name only if the name is a part of what is unique", () => {
    for (const kind of Object.values(kinds)) {
      const { uniqueBy, defaultName = "" } = kind;
      const advice = instead(kind);
      assert.equal(advice === `declare another ${defaultName}`, uniqueBy.includes(defaultName), kind.name);
    }
  });
});
