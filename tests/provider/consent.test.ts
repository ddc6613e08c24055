import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { uniqueInputs } from "../../provider/kind/natural-key";
import { kinds } from "../../provider/kinds";
import { doors } from "../support/door";
import type { EngineResource } from "../support/engine";
import { assertSays, failsWith, refusesAdoption } from "../support/expected-errors";
import type { Values } from "../support/provider-server";
import { type Sample, titleOf } from "../support/sample";
import { thereAlready } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";

const consent = { config: { adopt: "true" } };

/** Of these, nothing tells which one a program means. */
function isVague({ kind }: Sample, args: Values): boolean {
  return kind !== "Project" && uniqueInputs(kinds[kind], args).length === 0;
}

/** Asserts that nothing is left to do. */
async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
  assert.equal(await resource.up(args), "same");
  assert.equal(await resource.refresh(), "same");
  assert.equal(await resource.up(args), "same");
}

describe("an object whose creation was sent by a run that was killed, with `neon:adopt`", () => {
  const stage = suiteStage();
  const consenting = suiteServer(stage, consent);
  /** What the killed run has declared and created. */
  const left = new Map<Sample, { readonly args: Values; readonly lost: EngineResource }>();
  before(async () => {
    for (const sample of thereAlready) {
      const args = await sample.declare(stage());
      const lost = stage().resource(sample.kind);
      await lost.up(args);
      left.set(sample, { args, lost });
    }
  });

  for (const sample of thereAlready) {
    it(`is adopted as the preview says, or another one is created of which there can be many: ${titleOf(sample)}`, async () => {
      const { args, lost } = left.get(sample) ?? assert.fail();
      const resource = stage().resource(sample.kind, lost.name);
      resource.server = consenting();
      assert.deepEqual(await stage().sentBy("", () => resource.preview(args)), []);
      const [said = "", ...more] = resource.said("warning");
      assert.deepEqual(more, []);
      if (isVague(sample, args)) {
        assert.ok(said.startsWith("There is already ") && said.includes(lost.id), said);
        await resource.up(args);
        assert.notEqual(resource.id, lost.id);
        return;
      }
      const { noun } = sample.definition;
      const sends = sample.sentOnAdoption ?? [];
      const adopted = `The ${noun} ${lost.id} is adopted.`;
      assert.ok(said.startsWith(sends.length === 0 ? adopted : `Adopting the ${noun} ${lost.id} changes it: `), said);
      const sent = await stage().sentBy("", async () => assert.equal(await resource.up(args), "create"));
      assert.equal(sent.length, sends.length, JSON.stringify(sent));
      assert.equal(resource.id, lost.id);
      await assertSettled(resource, args);
    });
  }
});

for (const door of doors) {
  describe(`a replacement that deletes first, interrupted by a kill, through the ${door} provider`, () => {
    const stage = suiteStage({ door });
    const next = suiteServer(stage);
    const consenting = suiteServer(stage, consent);
    /** A run that deletes and is killed. */
    const deleting = suiteServer(stage);
    const replaceable = thereAlready.filter(({ replacement }) => replacement === undefined);
    /** Resources whose replacement was interrupted when the new object had been created. */
    const left = new Map<
      Sample,
      { readonly args: Values; readonly resource: EngineResource; readonly created: EngineResource }
    >();

    /** Deletes the object of a resource, which stays in the state. */
    async function deleteUnrecorded(resource: EngineResource, server = deleting()): Promise<void> {
      const running = stage().resource(resource.kind, resource.name);
      running.server = server;
      running.state = resource.state;
      await running.destroy();
    }

    before(async () => {
      for (const sample of replaceable) {
        const args = await sample.declare(stage());
        const resource = stage().resource(sample.kind);
        await resource.up(args);
        await deleteUnrecorded(resource, stage().server);
        resource.isPendingReplacement = true;
        const created = stage().resource(sample.kind, resource.name);
        await created.up(args);
        left.set(sample, { args, resource, created });
      }
    });

    for (const sample of replaceable) {
      it(`is finished by the next run after each of its steps, with consent where the new object is there: ${titleOf(sample)}`, async () => {
        const { args, resource, created } = left.get(sample) ?? assert.fail();
        resource.server = next();
        if (isVague(sample, args)) {
          assert.equal(await resource.up(args), "replace", "its creation was not recorded");
          assert.ok(resource.said("warning").some((text) => text.includes(created.id)));
        } else {
          const refused = failsWith(`already exists: ${created.id}`, "`NEON_ADOPT=true pulumi up`");
          const sent = await stage().sentBy("", () => assert.rejects(resource.up(args), refused));
          assert.deepEqual(sent, []);
          resource.server = consenting();
          assert.equal(await resource.up(args), "replace", "its creation was not recorded");
          assert.equal(resource.id, created.id);
        }
        await assertSettled(resource, args);

        await deleteUnrecorded(resource);
        resource.server = next();
        // The user has asked for the replacement.
        const asked = { replace: true, deleteBeforeReplace: true };
        assert.equal(await resource.up(args, asked), "replace", "its deletion was not recorded");
        await assertSettled(resource, args);

        await deleteUnrecorded(resource);
        resource.isPendingReplacement = true;
        assert.equal(await resource.up(args), "replace", "its deletion was recorded");
        await assertSettled(resource, args);
      });
    }
  });
}

describe("`neon:adopt`", () => {
  const stage = suiteStage();
  const consenting = suiteServer(stage, consent);
  const another = suiteServer(stage, consent);
  const third = suiteServer(stage, consent);
  const fourth = suiteServer(stage, consent);
  const fifth = suiteServer(stage, consent);
  const ofBoth = suiteServer(stage, consent);
  const sixth = suiteServer(stage, consent);
  const ofFirstBranch = suiteServer(stage, consent);
  const ofOtherBucket = suiteServer(stage, { ...consent, environment: { PULUMI_BACKEND_URL: "s3://other" } });
  const byEnvironment = suiteServer(stage, { environment: { NEON_ADOPT: "1" } });

  it("does not hold for a resource that declares `adopt: false`", async () => {
    const { id: projectId, branchId } = await stage().project();
    const { id } = await stage().branch(projectId, { branch: { name: "there" } });
    const branch = stage().resource("Branch");
    branch.server = consenting();
    const args = { projectId, name: "there", adopt: false };
    const sent = await stage().sentBy("", () =>
      assert.rejects(branch.up(args), failsWith(`already exists: ${projectId}/${id}`)),
    );
    assert.deepEqual(sent, []);
    // It does for the others of the same run.
    const role = stage().resource("Role");
    role.server = consenting();
    assert.equal(await role.up({ projectId, branchId, name: "neondb_owner" }), "create");
  });

  it("holds with NEON_ADOPT, and creates what is not there", async () => {
    const { id, name } = await stage().project();
    const [adopted, created] = [stage().resource("Project"), stage().resource("Project")];
    for (const resource of [adopted, created]) resource.server = byEnvironment();
    await adopted.up({ name });
    await created.up({});
    assert.equal(adopted.id, id);
    const [said = "", ...more] = adopted.said("warning");
    // A person has created it.
    assert.match(
      said,
      new RegExp(`^The project ${id} is adopted\\. It was created at \\S+ \\(less than a minute ago\\)\\.$`),
    );
    assert.deepEqual(more, []);
    assert.deepEqual(created.said("warning"), []);
  });

  it("keeps the error of an object that cannot become what is declared, and says in the preview what it changes", async () => {
    const { id: projectId } = await stage().project();
    await stage().branch(projectId, { branch: { name: "there", protected: true } });
    const branch = stage().resource("Branch");
    branch.server = consenting();
    await assert.rejects(
      branch.preview({ projectId, name: "there", initSource: "schema-only" }),
      refusesAdoption("cannot be adopted", "`initSource`"),
    );
    await branch.preview({ projectId, name: "there", protected: false });
    assert.match(
      branch.said("warning").at(-1) ?? "",
      /^Adopting the branch \S+ changes it: `protected` \(now true\)\. It was created at /,
    );
  });

  for (const [where, environment] of [
    ["a bucket", {}],
    // Several stacks can have the name of this one there.
    ["a folder", { PULUMI_BACKEND_URL: "file:///states" }],
  ] as const) {
    const inPlace = suiteServer(stage, { ...consent, environment });

    it(`means the project with the tag of this resource, of several of one name, with the state in ${where}`, async () => {
      const name = stage().name("store");
      await stage().project({ name });
      await stage().resource("Project").up({ name });
      const lost = stage().resource("Project");
      await lost.up({ name });
      const resource = stage().resource("Project", lost.name);
      resource.server = inPlace();
      await resource.up({ name });
      assert.equal(resource.id, lost.id);
      await assertSettled(resource, { name });
    });
  }

  it("does not take the project that a stack of the same name in another bucket has created", async () => {
    const theirs = stage().resource("Project");
    await theirs.up({});
    const resource = stage().resource("Project", theirs.name);
    resource.server = ofOtherBucket();
    await resource.up({});
    assert.notEqual(resource.id, theirs.id);
    assertSays(resource.warning, `There is a project of the same name: ${theirs.id}, `, "in another stack");
  });

  it("stops at the branch of another stack and at what is on it, which only `adopt` with their ids takes", async () => {
    const { id: projectId } = await stage().project();
    const theirs = stage().resource("Branch");
    await theirs.up({ projectId, compute: {} });
    const { branchId, id } = theirs.outputs as { readonly branchId: string; readonly id: string };
    const theirRole = stage().resource("Role");
    await theirRole.up({ projectId, branchId, name: "app" });
    const [role, branch] = [stage().resource("Role"), stage().resource("Branch")];
    for (const resource of [role, branch]) resource.server = ofOtherBucket();
    const ofUndeclared = "on a branch or in a project of a Pulumi resource that this program has not declared so far";
    const cases = [
      [role, { projectId, branchId, name: "app" }, theirRole.id, "app", ofUndeclared],
      [branch, { projectId, name: theirs.name }, `${projectId}/${branchId}`, branchId, "by another Pulumi resource"],
    ] as const;
    for (const [resource, args, theirId, adopt, maker] of cases) {
      await resource.preview(args);
      assertSays(resource.said("warning").at(-1) ?? "", `already exists: ${theirId}`, `declare \`adopt: "${adopt}"\``);
      const sent = await stage().sentBy("", () =>
        assert.rejects(
          resource.up(args),
          failsWith(`already exists: ${theirId}`, maker, `declare \`adopt: "${adopt}"\``),
        ),
      );
      assert.deepEqual(sent, [], id);
      assert.equal(await resource.up({ ...args, adopt }), "create");
      assert.equal(resource.id, theirId);
    }
  });

  it("takes the first branch of a project that a resource of the run has, and what is on it", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const { projectId, defaultBranchId: branchId } = project.outputs as Readonly<Record<string, string>>;
    const refusing = await stage().anotherServer();
    const branch = stage().resource("Branch");
    const main = { projectId, name: "main" };
    try {
      for (const resource of [project, branch]) resource.server = refusing;
      await project.up({});
      const said = [`together with the project of Project "${project.name}"`, "declare `adopt: true`."];
      await branch.preview(main);
      assertSays(branch.said("warning").at(-1) ?? "", ...said);
      await assert.rejects(branch.up(main), failsWith(...said));
    } finally {
      await refusing.stop();
    }
    const role = stage().resource("Role");
    for (const resource of [project, branch, role]) resource.server = ofFirstBranch();
    await project.up({});
    await role.up({ projectId, branchId, name: "neondb_owner" });
    await branch.up(main);
    assert.equal(branch.id, `${projectId ?? ""}/${branchId ?? ""}`);
  });

  it("means the project that no resource of the run has, of two of one name", async () => {
    const { id, name } = await stage().project();
    const [ours, resource] = [stage().resource("Project"), stage().resource("Project")];
    await ours.up({ name });
    for (const one of [ours, resource]) one.server = ofBoth();
    await ours.up({ name });
    await resource.up({ name, adopt: true });
    assert.equal(resource.id, id);
  });

  it("does not take the only project of a name if another resource has created it, unless the program declares `adopt`", async () => {
    const [one, other] = [stage().resource("Project"), stage().resource("Project")];
    for (const resource of [one, other]) await resource.up({});
    const [created, adopted] = [stage().resource("Project"), stage().resource("Project")];
    for (const resource of [created, adopted]) resource.server = third();
    const name = one.outputs["name"];
    await created.up({ name });
    assert.notEqual(created.id, one.id);
    await assertSettled(created, { name });
    await adopted.up({ name: other.outputs["name"], adopt: true });
    assert.equal(adopted.id, other.id);
  });

  it("says of what it takes how old it is and what has created it, also if it changes that", async () => {
    const { id: projectId } = await stage().project();
    const lost = stage().resource("Branch");
    await lost.up({ projectId });
    for (const [args, text] of [
      [{}, "is adopted\\."],
      [{ protected: true }, "changes it: `protected` \\(now false\\)\\."],
    ] as const) {
      const branch = stage().resource("Branch", lost.name);
      branch.server = consenting();
      await branch.preview({ projectId, ...args });
      const by = "It was created at \\S+ \\(less than a minute ago\\) by an earlier run for this resource\\.";
      assert.match(branch.said("warning").at(-1) ?? "", new RegExp(`${text} ${by}$`));
    }
  });

  it("takes none of several projects of one name that are all others', and names them", async () => {
    const name = stage().name("store");
    const ids = [(await stage().project({ name })).id, (await stage().project({ name })).id];
    const resource = stage().resource("Project");
    // A run lists the projects once.
    resource.server = another();
    const sent = await stage().sentBy("", () =>
      assert.rejects(
        resource.up({ name }),
        refusesAdoption(
          "There are 2 projects of this name: ",
          ...ids,
          "Adopt one of them by its id, or declare `adopt: false` to create another one",
        ),
      ),
    );
    assert.deepEqual(sent, []);
  });

  it("lets a replacement create another project beside its own one, which `retainOnDelete` keeps", async () => {
    const project = stage().resource("Project");
    const options = { retainOnDelete: true };
    await project.up({ regionId: "aws-us-west-2" }, options);
    const { id, name } = project;
    // A run lists the projects once.
    project.server = sixth();
    assert.equal(await project.up({ regionId: "aws-eu-central-1" }, options), "replace");
    assert.deepEqual((await stage().projects(name)).map((one) => one.id).sort(), [id, project.id].sort());
  });

  it("lets a replacement take no other project of its name than one with its tag, also if the program declares `adopt`", async () => {
    for (const adopt of [undefined, true]) {
      const project = stage().resource("Project");
      const { name } = project;
      const base = { name, ...(adopt === undefined ? {} : { adopt }) };
      const [former, next] = [
        { ...base, regionId: "aws-us-west-2" },
        { ...base, regionId: "aws-eu-central-1" },
      ];
      await project.up(former);
      const theirs = await stage().project({ name, region_id: "aws-eu-central-1" });
      // A run lists the projects once.
      const [lists, listsAgain] = [await stage().anotherServer(consent), await stage().anotherServer(consent)];
      try {
        project.server = lists;
        assert.equal(await project.up(next), "replace");
        const ids = (await stage().projects(name)).map(({ id }) => id);
        assert.deepEqual(ids.sort(), [theirs.id, project.id].sort());
        // A killed run has created its replacement.
        const lost = stage().resource("Project", project.name);
        await lost.up(former);
        project.server = listsAgain;
        assert.equal(await project.up(former), "replace");
        assert.equal(project.id, lost.id);
      } finally {
        await Promise.all([lists, listsAgain].map((server) => server.stop()));
      }
    }
  });

  it("says how to create another project beside one that cannot become what is declared", async () => {
    const { name } = await stage().project();
    const project = stage().resource("Project");
    // A run lists the projects once.
    project.server = fourth();
    const declared = { name, regionId: "aws-us-west-2" };
    await assert.rejects(
      project.up(declared),
      refusesAdoption("`regionId` (now ", "or declare `adopt: false` to create another one"),
    );
    assert.equal(await project.up({ ...declared, adopt: false }), "create");
  });

  it("takes an object with declared values that Neon does not report, and says that they count as declared", async () => {
    const { branchId, id: projectId } = await stage().project();
    const address = { projectId, branchId, databaseName: "neondb" };
    const dataApi = { ...address, addDefaultGrants: true };
    const project = { name: stage().name("sized"), autoscalingLimitMinCu: 1, branch: { databaseName: "shop" } };
    for (const [kind, args, unreported] of [
      ["DataApi", dataApi, "`addDefaultGrants`"],
      ["Project", project, "`autoscalingLimitMinCu`, `branch.databaseName`"],
    ] as const) {
      const lost = stage().resource(kind);
      await lost.up(args);
      const resource = stage().resource(kind, lost.name);
      resource.server = fifth();
      const sent = await stage().sentBy("", async () => assert.equal(await resource.up(args), "create"));
      assert.deepEqual([resource.id, sent], [lost.id, []]);
      const said = resource.said("warning").at(-1) ?? "";
      assert.ok(
        said.startsWith(`The ${resource.kind === "Project" ? "project" : "Data API"} ${lost.id} is adopted.`),
        said,
      );
      assert.ok(said.endsWith(` Neon does not report ${unreported}, which counts as declared.`), said);
      await assertSettled(resource, args);
    }
  });

  it("takes nothing that another resource of the run has", async () => {
    const { id: projectId } = await stage().project();
    const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
    for (const resource of [one, other]) resource.server = consenting();
    await one.up({ projectId, name: "shared" });
    await assert.rejects(other.up({ projectId, name: "shared" }), failsWith("is already managed by"));
  });
});
