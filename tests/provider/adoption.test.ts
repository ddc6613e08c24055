import assert from "node:assert/strict";

import { describe } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { concurrently, suiteServer, suiteStage, type Stage } from "../support/stage";

/** What kind of object is adopted, and how one comes to be there. */
interface Adoptable {
  readonly kind: "Project" | "Branch";
  /** Makes one that nobody manages, and answers by what it is adopted and what a program has to say of it. */
  readonly found: (stage: Stage) => Promise<Found>;
}

interface Found {
  readonly id: string;
  /** The state's id. */
  readonly stateId: string;
  readonly name: string;
  /** Arguments that every program of it has. */
  readonly base: Values;
}

const adoptables: readonly Adoptable[] = [
  {
    kind: "Project",
    found: async (stage) => {
      const { id, name } = await stage.project({ region_id: "aws-eu-central-1", history_retention_seconds: 3600 });
      return { id, stateId: id, name, base: {} };
    },
  },
  {
    kind: "Branch",
    found: async (stage) => {
      const project = await stage.project();
      const name = stage.name("found");
      const branch = await stage.branch(project.id, { branch: { name }, endpoints: [{ type: "read_write" }] });
      return { id: branch.id, stateId: `${project.id}/${branch.id}`, name, base: { projectId: project.id } };
    },
  },
];

/** The mutations that a step sends on a project. */
async function sentBy(stage: Stage, stateId: string, step: () => Promise<unknown>): Promise<string[]> {
  const [project = ""] = stateId.split("/");
  const before = (await stage.sent(project)).length;
  await step();
  return (await stage.sent(project)).slice(before).map(({ method, body }) => `${method} ${JSON.stringify(body)}`);
}

/** Adopting comes to rest: nothing differs any more, with `adopt` and without. */
async function assertAtRest(stage: Stage, resource: EngineResource, args: Values): Promise<void> {
  const { adopt: _, ...without } = args;
  for (const program of [args, without, { ...without, adopt: true }, { ...without, adopt: "another" }, without]) {
    assert.deepEqual(await sentBy(stage, resource.id, () => resource.up(program)), []);
    assert.equal(resource.plan?.changes, false, `adopt: ${JSON.stringify(program["adopt"])}`);
  }
  const { inputs } = resource.present;
  assert.equal(await resource.refresh(), "same");
  assert.deepEqual(resource.present.inputs, inputs);
}

describe("adopting", () => {
  const stage = suiteStage();
  /** Destroys and replaces what the first one has taken over, as another run would. */
  const later = suiteServer(stage);
  const test = concurrently();

  for (const { kind, found } of adoptables) {
    const noun = kind.toLowerCase();

    test(`§6.20 takes over a ${noun} by its id, and makes none`, async () => {
      const { id, stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const args = { ...base, name, adopt: id };
      assert.deepEqual(await sentBy(stage(), stateId, () => resource.up(args)), []);
      assert.equal(resource.id, stateId);
      assert.match(String(resource.outputs["host"]), /^ep-/);
      assert.match(String(resource.outputs["connectionUri"]), /^postgresql:/);
      await assertAtRest(stage(), resource, args);
      resource.server = later();
      await resource.destroy();
    });

    test(`of a ${noun} under another logical name keeps it, although the former resource goes`, async () => {
      const { id, name, base } = await found(stage());
      const [former, renamed] = [stage().resource(kind), stage().resource(kind)];
      former.server = later();
      await former.up({ ...base, name, adopt: id });
      // The run that takes it over is the one that deletes what is not in the program any more.
      former.server = stage().server;
      await renamed.up({ ...base, name, adopt: id });
      await former.destroy();
      assert.match(
        await former.warning(),
        /was removed from the Pulumi state but not deleted: (Project|Branch) "\S+" adopted it in this run/,
      );
      assert.equal(await renamed.refresh(), "same");
    });

    test(`takes over the only ${noun} of the same name with true, and makes one if there is none`, async () => {
      const { stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      await resource.up({ ...base, name, adopt: true });
      assert.equal(resource.id, stateId);
      await assertAtRest(stage(), resource, { ...base, name, adopt: true });

      const other = stage().resource(kind);
      await other.up({ ...base, adopt: true });
      assert.notEqual(other.id, stateId);
      assert.equal(other.outputs["name"], other.name);
      await assertAtRest(stage(), other, { ...base, adopt: true });
    });

    test(`with false makes a ${noun}`, async () => {
      const { stateId, base } = await found(stage());
      const resource = stage().resource(kind);
      await resource.up({ ...base, adopt: false });
      assert.notEqual(resource.id, stateId);
    });

    test(`fails when there is no ${noun} of that id`, async () => {
      const { base } = await found(stage());
      const resource = stage().resource(kind);
      const adopt = kind === "Project" ? "no-such-project-1" : "br-no-such-1";
      await assert.rejects(
        resource.up({ ...base, adopt }),
        (error) => error instanceof CallError && error.message.includes(`There is no ${noun} "${adopt}" to adopt`),
      );
      assert.equal(resource.state, undefined);
    });

    test(`a ${noun} applies what is declared`, async () => {
      const { id, stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const [args, body] =
        kind === "Project"
          ? [{ historyRetentionSeconds: 60 }, { project: { name: resource.name, history_retention_seconds: 60 } }]
          : [{ protected: true }, { branch: { name: resource.name, protected: true } }];
      assert.notEqual(resource.name, name);
      const sent = await sentBy(stage(), stateId, () => resource.up({ ...base, ...args, adopt: id }));
      assert.deepEqual(sent, [`PATCH ${JSON.stringify(body)}`]);
      assert.equal(resource.outputs["name"], resource.name);
      await assertAtRest(stage(), resource, { ...base, ...args, adopt: id });
    });

    test(`a ${noun} that differs in what cannot be changed is refused, and nothing is changed`, async () => {
      const { id, stateId, base } = await found(stage());
      const resource = stage().resource(kind);
      const args = kind === "Project" ? { regionId: "aws-us-west-2" } : { initSource: "schema-only" };
      const [path = ""] = Object.keys(args);
      const sent = await sentBy(stage(), stateId, () =>
        assert.rejects(resource.up({ ...base, ...args, adopt: id }), (error) => {
          assert.ok(error instanceof CallError);
          assert.ok(
            error.message.startsWith(`Error: The ${noun} ${stateId} cannot be adopted`) ||
              error.message.includes(`The ${noun} ${stateId} cannot be adopted`),
          );
          assert.ok(error.message.includes(path));
          return true;
        }),
      );
      assert.deepEqual(sent, []);
      assert.equal(resource.state, undefined);
    });

    test(`a ${noun} by its id, then changing what cannot be changed, fails before anything is deleted`, async () => {
      const { id, stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const [from, to] =
        kind === "Project"
          ? [{ regionId: "aws-eu-central-1" }, { regionId: "aws-us-west-2" }]
          : [{ initSource: "parent-data" }, { initSource: "schema-only" }];
      await resource.up({ ...base, ...from, name, adopt: id });
      resource.server = later();
      const sent = await sentBy(stage(), stateId, () =>
        assert.rejects(
          resource.up({ ...base, ...to, name, adopt: id }),
          /would adopt the object that is deleted afterwards/,
        ),
      );
      assert.deepEqual(sent, []);
      assert.equal(resource.id, stateId);
      // As the message says: without `adopt` a new one is made.
      assert.equal(await resource.up({ ...base, ...to, name }), "replace");
      assert.notEqual(resource.id, stateId);
    });

    test(`a ${noun} with true, then changing what cannot be changed, makes a new one`, async () => {
      const { stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const [from, to] =
        kind === "Project"
          ? [{ regionId: "aws-eu-central-1" }, { regionId: "aws-us-west-2" }]
          : [{ initSource: "parent-data" }, { initSource: "schema-only" }];
      await resource.up({ ...base, ...from, name, adopt: true });
      assert.equal(resource.id, stateId);
      resource.server = later();
      assert.equal(await resource.up({ ...base, ...to, name, adopt: true }), "replace");
      assert.notEqual(resource.id, stateId);
      const left =
        kind === "Project"
          ? (await stage().projects(name)).map((project) => project.id)
          : (await stage().branches(String(base["projectId"])))
              .filter((branch) => branch.name === name)
              .map((branch) => `${branch.project_id}/${branch.id}`);
      assert.deepEqual(left, [resource.id]);
    });
  }

  test("with true fails when two projects have that name, and names both", async () => {
    const [one, other] = [await stage().project(), await stage().project()];
    await stage().platform.call("PATCH", `/projects/${other.id}`, { project: { name: one.name } });
    const project = stage().resource("Project");
    await assert.rejects(project.up({ name: one.name, adopt: true }), (error) => {
      assert.ok(error instanceof CallError);
      for (const text of [one.id, other.id, "Adopt one of them by its id"]) assert.ok(error.message.includes(text));
      return true;
    });
    await project.up({ name: one.name, adopt: other.id });
    assert.equal(project.id, other.id);
  });

  test("a branch with another compute than declared resizes it", async () => {
    const project = await stage().project();
    const branch = await stage().branch(project.id, {
      branch: { name: "sized" },
      endpoints: [{ type: "read_write", autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 }],
    });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "sized", adopt: branch.id, compute: { autoscalingLimitMaxCu: 4 } };
    const sent = await sentBy(stage(), project.id, () => resource.up(args));
    assert.deepEqual(sent, [`PATCH ${JSON.stringify({ endpoint: { autoscaling_limit_max_cu: 4 } })}`]);
    await assertAtRest(stage(), resource, args);
  });

  test("a branch without a compute gives it the declared one", async () => {
    const project = await stage().project();
    const branch = await stage().branch(project.id, { branch: { name: "bare" } });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "bare", adopt: true, compute: {} };
    const sent = await sentBy(stage(), project.id, () => resource.up(args));
    assert.deepEqual(sent, [`POST ${JSON.stringify({ endpoint: { branch_id: branch.id, type: "read_write" } })}`]);
    assert.match(String(resource.outputs["connectionUri"]), /^postgresql:/);
    await assertAtRest(stage(), resource, args);
  });

  test("the branch that a project was born with renames it, and names its compute", async () => {
    const project = await stage().project();
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "production", adopt: project.branchId, compute: {} };
    const sent = await sentBy(stage(), project.id, () => resource.up(args));
    assert.deepEqual(sent, [`PATCH ${JSON.stringify({ branch: { name: "production" } })}`]);
    await assertAtRest(stage(), resource, args);
  });

  test("what another stack has made leaves its mark alone and hides it", async () => {
    const project = await stage().project();
    const first = stage().resource("Branch", "theirs");
    first.server = later();
    await first.up({ projectId: project.id, annotations: { team: "sales" } });
    const resource = stage().resource("Branch", "ours");
    await resource.up({ projectId: project.id, name: "theirs", adopt: true });
    assert.deepEqual(resource.outputs["annotations"], { team: "sales" });
    await assertAtRest(stage(), resource, { projectId: project.id, name: "theirs", adopt: true });
  });

  test("§6.20 is offered when a branch of that name is there already, with the line that heals it", async () => {
    const project = await stage().project();
    const there = await stage().branch(project.id, { branch: { name: "pr-42" } });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "pr-42" };
    await assert.rejects(resource.up(args), (error) => {
      assert.ok(error instanceof CallError);
      assert.equal(error.partial, undefined);
      assert.ok(error.message.includes(`A branch with this name already exists: ${project.id}/${there.id}`));
      assert.ok(error.message.includes(`adopt: "${there.id}"`));
      return true;
    });
    assert.equal(resource.state, undefined);
    await resource.up({ ...args, adopt: there.id });
    assert.equal(resource.id, `${project.id}/${there.id}`);
    await assertAtRest(stage(), resource, { ...args, adopt: there.id });
  });

  test("a half-failed adoption is gone on with by the next up", async () => {
    const project = await stage().project();
    const branch = await stage().branch(project.id, { branch: { name: "late" } });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "late", protected: true, adopt: branch.id, compute: {} };
    const path = `^/projects/${project.id}/endpoints$`;
    await stage().platform.fault({
      method: "POST",
      path,
      status: 422,
      body: { code: "", message: "no more computes" },
    });
    await assert.rejects(resource.up(args), (error) => {
      assert.ok(error instanceof CallError);
      assert.equal(error.partial?.id, `${project.id}/${branch.id}`);
      return true;
    });
    await resource.up(args);
    assert.equal((await stage().computes(project.id, branch.id)).length, 1);
    await assertAtRest(stage(), resource, args);
  });
});
