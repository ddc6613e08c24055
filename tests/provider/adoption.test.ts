import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { assertSays, failsWith, refusesAdoption } from "../support/expected-errors";
import { concurrently, suiteServer, suiteStage, type Stage } from "../support/stage";
import { assertRefreshed } from "../support/up-to-date";

/** An object that nobody manages, and what a program declares of it. */
interface Found {
  /** What it is adopted by. */
  readonly id: string;
  /** The state's id. */
  readonly stateId: string;
  readonly name: string;
  /** Arguments that every program of it has. */
  readonly base: Values;
}

/** A kind whose objects are adopted. */
interface Adoptable {
  readonly found: (stage: Stage) => Promise<Found>;
  /** Something else that is declared, and the change that it needs. */
  readonly other: { readonly args: Values; readonly body: Values };
  /** What cannot be changed, as it is and as it is not. */
  readonly fixed: { readonly from: Values; readonly to: Values };
}

const adoptables = {
  Project: {
    found: async (stage) => {
      const { id, name } = await stage.project({ region_id: "aws-eu-central-1", history_retention_seconds: 3600 });
      return { id, stateId: id, name, base: {} };
    },
    other: { args: { historyRetentionSeconds: 60 }, body: { history_retention_seconds: 60 } },
    fixed: { from: { regionId: "aws-eu-central-1" }, to: { regionId: "aws-us-west-2" } },
  },
  Branch: {
    found: async (stage) => {
      const project = await stage.project();
      const name = stage.name("found");
      const branch = await stage.branch(project.id, { branch: { name }, endpoints: [{ type: "read_write" }] });
      return { id: branch.id, stateId: `${project.id}/${branch.id}`, name, base: { projectId: project.id } };
    },
    other: { args: { protected: true }, body: { protected: true } },
    fixed: { from: { initSource: "parent-data" }, to: { initSource: "schema-only" } },
  },
} as const satisfies Record<string, Adoptable>;

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
  await assertRefreshed(resource);
}

describe("adopt", () => {
  const stage = suiteStage();
  /** Destroys and replaces what the first one has taken over, as another run would. */
  const later = suiteServer(stage);
  const test = concurrently();

  for (const kind of ["Project", "Branch"] as const) {
    const noun = kind.toLowerCase();
    const { found, other, fixed }: Adoptable = adoptables[kind];

    test(`keeps a ${noun} that moves to another logical name, although the former resource is removed`, async () => {
      const { id, name, base } = await found(stage());
      const [former, renamed] = [stage().resource(kind), stage().resource(kind)];
      former.server = later();
      await former.up({ ...base, name, adopt: id });
      // The run that takes it over is the one that deletes what is not in the program any more.
      former.server = stage().server;
      await renamed.up({ ...base, name, adopt: id });
      await former.destroy();
      assertSays(
        former.warning,
        `was removed from the Pulumi state but not deleted: ${kind} "${renamed.name}" adopted it in this run`,
      );
      assert.equal(await renamed.refresh(), "same");
    });

    test(`with false creates a ${noun}`, async () => {
      const { stateId, base } = await found(stage());
      const own = stage().resource(kind);
      await own.up({ ...base, adopt: false });
      assert.notEqual(own.id, stateId);
    });

    test(`applies the declared inputs to a ${noun} adopted by id, which keeps its name if none is declared`, async () => {
      const { id, stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const args = { ...base, ...other.args, adopt: id };
      assert.notEqual(resource.name, name);
      const sent = await sentBy(stage(), stateId, () => resource.up(args));
      assert.deepEqual(sent, [`PATCH ${JSON.stringify({ [noun]: other.body })}`]);
      assert.equal(resource.outputs["name"], name);
      await assertAtRest(stage(), resource, args);
    });

    test(`shows in the preview what adopting a ${noun} changes, and sends nothing that changes it`, async () => {
      const { id, stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const sent = await sentBy(stage(), stateId, async () => {
        const { inputs } = await resource.preview({ ...base, ...other.args, adopt: id });
        assert.equal(inputs["name"], name);
        await resource.preview({ ...base, ...other.args, name: "renamed", adopt: id });
      });
      const [input = "", ...others] = Object.keys(other.args);
      assert.deepEqual([sent, others], [[], []]);
      const changed = new RegExp(`^Adopting the ${noun} ${stateId} changes it: .*\`${input}\` \\(now `);
      const [first = "", second = "", ...more] = resource.said("warning");
      assert.deepEqual(more, []);
      assertSays(first, changed, { without: /`name`/ });
      assertSays(second, changed, `\`name\` (now "${name}")`);
    });

    test(`says nothing in the preview of adopting a ${noun} that is as declared`, async () => {
      const { id, name, base } = await found(stage());
      const resource = stage().resource(kind);
      await resource.preview({ ...base, name, adopt: id });
      await resource.up({ ...base, adopt: id });
      assert.deepEqual(resource.said("warning"), []);
    });

    test(`rejects a replacement of a ${noun} that it names by id, before anything is deleted`, async () => {
      const { id, stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const { from, to } = fixed;
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

    test(`with true lets a replacement create a new ${noun}`, async () => {
      const { stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      const { from, to } = fixed;
      await resource.up({ ...base, ...from, name, adopt: true });
      assert.equal(resource.id, stateId);
      resource.server = later();
      assert.equal(await resource.up({ ...base, ...to, name, adopt: true }), "replace");
      assert.notEqual(resource.id, stateId);
      assert.deepEqual(await stage().objects(resource, { ...base, name }), [resource.id]);
    });
  }

  test("reads passwords and connection URIs when it adopts, not in the preview", async () => {
    const project = await stage().project();
    const args = { projectId: project.id, branchId: project.branchId, adopt: true };
    const { body } = await stage().platform.call("GET", `/projects/${project.id}/branches/${project.branchId}/roles`);
    const adopted: [EngineResource, Values][] = [
      [stage().resource("Branch"), { projectId: project.id, adopt: project.branchId, compute: {} }],
      [stage().resource("Role"), { ...args, name: body.roles[0]?.name }],
    ];
    const revealed = async (): Promise<number> =>
      (await stage().requests(project.id)).filter(({ path }) => /reveal_password|connection_uri/.test(path)).length;
    for (const [resource, program] of adopted) {
      const before = await revealed();
      await resource.preview(program);
      assert.equal(await revealed(), before);
      await resource.up(program);
      assert.ok((await revealed()) > before);
    }
  });

  test("with true fails if two projects have that name, and names both", async () => {
    const one = await stage().project();
    const other = await stage().project({ name: one.name });
    const project = stage().resource("Project");
    await assert.rejects(
      project.up({ name: one.name, adopt: true }),
      refusesAdoption(one.id, other.id, "Adopt one of them by its id"),
    );
    await project.up({ name: one.name, adopt: other.id });
    assert.equal(project.id, other.id);
  });

  const branches: readonly {
    readonly title: string;
    readonly endpoint?: Values;
    readonly args: Values;
    readonly sends: (branchId: string) => string;
  }[] = [
    {
      title: "with another compute than declared resizes it",
      endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 },
      args: { compute: { autoscalingLimitMaxCu: 4 } },
      sends: () => `PATCH ${JSON.stringify({ endpoint: { autoscaling_limit_max_cu: 4 } })}`,
    },
    {
      title: "without a compute gives it the declared one",
      args: { compute: {} },
      sends: (branchId) => `POST ${JSON.stringify({ endpoint: { branch_id: branchId, type: "read_write" } })}`,
    },
  ];
  test("a branch fails if the program declares annotations that it does not have", async () => {
    const { id: projectId } = await stage().project();
    const { id } = await stage().branch(projectId, { branch: { name: "bare" } });
    const resource = stage().resource("Branch");
    const refused = /cannot be adopted: the program declares another value for `annotations`/;
    await assert.rejects(resource.up({ projectId, adopt: id, annotations: { team: "a" } }), refused);
    assert.equal(resource.state, undefined);
  });

  for (const { title, endpoint, args, sends } of branches) {
    test(`a branch ${title}`, async () => {
      const { id: projectId } = await stage().project();
      const endpoints = endpoint === undefined ? [] : [{ type: "read_write", ...endpoint }];
      const { id } = await stage().branch(projectId, { branch: { name: "found" }, endpoints });
      const resource = stage().resource("Branch");
      const program = { projectId, name: "found", adopt: id, ...args };
      assert.deepEqual(await sentBy(stage(), projectId, () => resource.up(program)), [sends(id)]);
      assert.match(String(resource.outputs["connectionUri"]), /^postgresql:/);
      await assertAtRest(stage(), resource, program);
    });
  }

  test("renames the default branch of a project, and outputs its compute", async () => {
    const project = await stage().project();
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "production", adopt: project.branchId, compute: {} };
    const sent = await sentBy(stage(), project.id, () => resource.up(args));
    assert.deepEqual(sent, [`PATCH ${JSON.stringify({ branch: { name: "production" } })}`]);
    await assertAtRest(stage(), resource, args);
  });

  test("keeps and hides the ownership tag of another stack", async () => {
    const project = await stage().project();
    const first = stage().resource("Branch", "theirs");
    first.server = later();
    await first.up({ projectId: project.id, annotations: { team: "sales" } });
    const resource = stage().resource("Branch", "ours");
    await resource.up({ projectId: project.id, name: "theirs", adopt: true });
    assert.deepEqual(resource.outputs["annotations"], { team: "sales" });
    await assertAtRest(stage(), resource, { projectId: project.id, name: "theirs", adopt: true });
  });

  test("§6.20 is suggested, with the line to add, if a branch of that name already exists", async () => {
    const project = await stage().project();
    const there = await stage().branch(project.id, { branch: { name: "pr-42" } });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "pr-42" };
    const refused = failsWith(
      `A branch with this name already exists: ${project.id}/${there.id}`,
      `adopt: "${there.id}"`,
    );
    await assert.rejects(resource.up(args), refused);
    assert.equal(resource.state, undefined);
    await resource.up({ ...args, adopt: there.id });
    assert.equal(resource.id, `${project.id}/${there.id}`);
    await assertAtRest(stage(), resource, { ...args, adopt: there.id });
  });

  test("resumes a partly failed adoption in the next up", async () => {
    const project = await stage().project();
    const branch = await stage().branch(project.id, { branch: { name: "late" } });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "late", protected: true, adopt: branch.id, compute: {} };
    const path = `^/projects/${project.id}/endpoints$`;
    await stage().platform.fault({ method: "POST", path, status: 422, body: { message: "no more computes" } });
    await assert.rejects(resource.up(args), failsWith("no more computes"));
    assert.equal(resource.id, `${project.id}/${branch.id}`);
    await resource.up(args);
    assert.equal((await stage().computes(project.id, branch.id)).length, 1);
    await assertAtRest(stage(), resource, args);
  });
});
