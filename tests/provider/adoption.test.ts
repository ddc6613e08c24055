import assert from "node:assert/strict";

import { describe } from "mocha";

import { unknownText, type Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { failsWith, refusesAdoption } from "../support/expected-errors";
import { samples } from "../support/samples";
import { concurrently, suiteServer, suiteStage, type Stage } from "../support/stage";
import { assertRefreshed } from "../support/up-to-date";

const adoptables: Readonly<Record<"Project" | "Branch", Adoptable>> = {
  Project: {
    found: async (stage) => {
      const { id, name } = await stage.project({ region_id: "aws-eu-central-1", history_retention_seconds: 3600 });
      return { id, stateId: id, name, base: {} };
    },
    fixed: ["regionId", "aws-eu-central-1", "aws-us-west-2"],
  },
  Branch: {
    found: async (stage) => {
      const project = await stage.project();
      const name = stage.name("found");
      const branch = await stage.branch(project.id, { branch: { name }, endpoints: [{ type: "read_write" }] });
      return { id: branch.id, stateId: `${project.id}/${branch.id}`, name, base: { projectId: project.id } };
    },
    fixed: ["initSource", "parent-data", "schema-only"],
  },
};

describe("adopt", () => {
  const stage = suiteStage();
  /** Destroys and replaces what the first one has taken over, as another run would. */
  const later = suiteServer(stage);
  const test = concurrently();

  test("an id of another project, or a name, is no branch to adopt, and no request is sent for it", async () => {
    const [project, other] = [await stage().project(), await stage().project()];
    for (const adopt of [`${other.id}/${other.branchId}`, "Main branch"]) {
      const branch = stage().resource("Branch");
      await assert.rejects(
        branch.up({ projectId: project.id, adopt }),
        refusesAdoption(`There is no branch "${adopt}" to adopt`),
      );
      assert.deepEqual(await stage().requests(encodeURIComponent(adopt)), []);
    }
  });

  test("a deleted project is refused with the command that recovers it, and adopted after that", async () => {
    const { id } = await stage().project();
    await stage().platform.call("DELETE", `/projects/${id}`);
    const project = stage().resource("Project");
    const [found] = (await stage().platform.call("GET", `/projects?recoverable=true&search=${id}`)).body.projects;
    const refused = refusesAdoption(
      `The project "${id}" cannot be adopted, because it was deleted`,
      `\`neon projects recover ${id}\``,
      `until ${found?.recoverable_until}`,
    );
    await assert.rejects(project.preview({ adopt: id }), refused);
    await assert.rejects(project.up({ adopt: id }), refused);
    await stage().platform.call("POST", `/projects/${id}/recover`);
    await project.up({ adopt: id });
    assert.equal(project.id, id);
    const never = stage().resource("Project");
    await assert.rejects(
      never.up({ adopt: "none-such-1" }),
      refusesAdoption('There is no project "none-such-1" to adopt'),
    );
  });

  test("a branch has as many annotations as Neon allows with this package's own", async () => {
    const { id: projectId } = await stage().project();
    const annotations = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`a${index}`, "b"]));
    const branch = stage().resource("Branch");
    assert.equal(await branch.up({ projectId, annotations }), "create");
    assert.deepEqual(branch.outputs["annotations"], annotations);
  });

  for (const kind of ["Project", "Branch"] as const) {
    const noun = kind.toLowerCase();
    const {
      found,
      fixed: [fixed, from, to],
    } = adoptables[kind];

    test(`says nothing in the preview of adopting a ${noun} that is as declared`, async () => {
      const { id, name, base } = await found(stage());
      const resource = stage().resource(kind);
      await resource.preview({ ...base, name, adopt: id });
      await resource.up({ ...base, adopt: id });
      assert.deepEqual(resource.said("warning"), []);
    });

    test(`with true lets a replacement create a new ${noun}`, async () => {
      const { stateId, name, base } = await found(stage());
      const resource = stage().resource(kind);
      await resource.up({ ...base, [fixed]: from, name, adopt: true });
      assert.equal(resource.id, stateId);
      resource.server = later();
      assert.equal(await resource.up({ ...base, [fixed]: to, name, adopt: true }), "replace");
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

  const branches: readonly {
    readonly title: string;
    readonly endpoint?: Values;
    readonly args: Values;
    readonly sends: (branchId: string) => readonly [method: string, body: Values];
  }[] = [
    {
      title: "with another compute than declared resizes it",
      endpoint: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 },
      args: { compute: { autoscalingLimitMaxCu: 4 } },
      sends: () => ["PATCH", { endpoint: { autoscaling_limit_max_cu: 4 } }],
    },
    {
      title: "without a compute gives it the declared one",
      args: { compute: {} },
      sends: (branchId) => ["POST", { endpoint: { branch_id: branchId, type: "read_write" } }],
    },
    {
      title: "with another name renames it, and outputs its compute",
      endpoint: {},
      args: { name: "production", compute: {} },
      sends: () => ["PATCH", { branch: { name: "production" } }],
    },
  ];
  for (const { title, endpoint, args, sends } of branches) {
    test(`a branch ${title}`, async () => {
      const { id: projectId } = await stage().project();
      const endpoints = endpoint === undefined ? [] : [{ type: "read_write", ...endpoint }];
      const { id } = await stage().branch(projectId, { branch: { name: "found" }, endpoints });
      const resource = stage().resource("Branch");
      const program = { projectId, name: "found", adopt: id, ...args };
      const sent = await stage().sentBy(projectId, () => resource.up(program));
      assert.deepEqual(
        sent.map(({ method, body }) => [method, body]),
        [sends(id)],
      );
      assert.match(String(resource.outputs["connectionUri"]), /^postgresql:/);
      await assertAtRest(stage(), resource, program);
    });
  }

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

  test("§6.20 is suggested, with the line to run, if a branch of that name already exists", async () => {
    const project = await stage().project();
    const there = await stage().branch(project.id, { branch: { name: "pr-42" } });
    const resource = stage().resource("Branch");
    const args = { projectId: project.id, name: "pr-42" };
    const refused = failsWith(
      `A branch with this name already exists: ${project.id}/${there.id}`,
      "To take it over, run `NEON_ADOPT=true pulumi up`. Otherwise declare another name.",
    );
    await assert.rejects(resource.up(args), refused);
    assert.equal(resource.state, undefined);
    await resource.up({ ...args, adopt: there.id });
    assert.equal(resource.id, `${project.id}/${there.id}`);
    await assertAtRest(stage(), resource, { ...args, adopt: there.id });
  });

  test("has no secrets of a credential that Neon cannot reveal, and reads them once it can, also if an answer is lost", async () => {
    const declared = await samples.Credential.declare(stage());
    const resource = stage().resource("Credential");
    await resource.up(declared);
    const adopting = stage().resource("Credential");
    adopting.server = later();
    const path = `/projects/${String(declared["projectId"])}/.*/reveal$`;
    await stage().platform.fault({ method: "POST", path, status: 409, body: { message: "no recoverable secret" } });
    await adopting.up({ ...declared, adopt: resource.id });
    for (const name of ["apiToken", "s3SecretAccessKey"]) assert.equal(adopting.outputs[name], undefined);
    await stage().platform.fault({ method: "POST", path, reset: "after" });
    await adopting.refresh();
    for (const name of ["apiToken", "s3SecretAccessKey"]) assert.equal(adopting.outputs[name], resource.outputs[name]);
  });

  test("takes a text that is Pulumi's marker of unknown values as a text", async () => {
    const { id: projectId } = await stage().project();
    const name = stage().name("pr");
    const body = { branch: { name }, annotation_value: { note: unknownText } };
    await stage().platform.call("POST", `/projects/${projectId}/branches`, body);
    const branch = stage().resource("Branch", name);
    const args = { projectId, adopt: true };
    await branch.up(args);
    assert.match(JSON.stringify(branch.outputs["annotations"]), new RegExp(`${unknownText}"`));
    assert.equal(await branch.refresh(), "same");
    assert.equal(await branch.up(args), "same");
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
  /** An input that cannot be changed, as it is and as it is not. */
  readonly fixed: readonly [input: string, from: unknown, to: unknown];
}

/** Adopting comes to rest: nothing differs any more, with `adopt` and without. */
async function assertAtRest(stage: Stage, resource: EngineResource, args: Values): Promise<void> {
  const { adopt: _, ...without } = args;
  for (const program of [args, without, { ...without, adopt: true }, { ...without, adopt: "another" }, without]) {
    assert.deepEqual(await stage.sentBy(resource.id.split("/")[0] ?? "", () => resource.up(program)), []);
    assert.equal(resource.plan?.changes, false, `adopt: ${JSON.stringify(program["adopt"])}`);
  }
  await assertRefreshed(resource);
}
