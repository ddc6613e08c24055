import assert from "node:assert/strict";

import type { ApiKeyCreateResponse, ApiKeysListResponseItem } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { currentDoor, itThrough } from "../support/door";
import { createdBranch } from "../support/created-branch";
import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { EngineLog } from "../support/engine-log";
import { assertSays, failsWith, refusesAdoption } from "../support/expected-errors";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { renamed, suiteRuns } from "../support/runs";
import { suiteServer, suiteStage } from "../support/stage";

/** Its own provider process is that of a run that ended before, on another machine. */
const stage = suiteStage();
/** The provider process of a run after all others. */
const later = suiteServer(stage);
const runs = suiteRuns(stage);
/** A plugin is not told about `retainOnDelete`. */
const onlyDynamic = itThrough("dynamic");

/** Asserts that a run after all others finds nothing to do. */
async function assertUntouched(resource: EngineResource, args: Values = {}, urn = resource.urn): Promise<void> {
  resource.server = later();
  assert.equal(await resource.up(args, { urn }), "same");
  assert.equal(await resource.refresh(), "same");
}

describe("a stack with the URNs of another one", () => {
  it("is warned of the first stack's project also if a page of newer projects contains its name", async () => {
    const name = stage().name("shop");
    const first = stage().resource("Project", name);
    await first.up({});
    const { platform } = stage();
    const { project: newer } = await platform.project({ name: `${name}-pr` });
    const { body } = await platform.call("GET", `/projects?search=${name}&limit=1`);
    assert.deepEqual(
      body.projects.map(({ id }) => id),
      [newer.id],
    );
    const projects = Array.from({ length: 400 }, () => newer);
    const path = `/projects\\?search=${name}&limit=400$`;
    await platform.fault({ method: "GET", path, times: 1, status: 200, body: { ...body, projects } });

    const second = stage().resource("Project", name);
    const place = runs().place({ backend: runs().folders.backend("crowded") });
    const refused = failsWith(`A project with this name already exists: ${first.id}, created at `);
    await runs().run([second], () => assert.rejects(second.up({}), refused), place);
    await platform.clearFaults();
  });

  it("of another developer in the same account leaves the colleague's project untouched, and says that another stack may manage it and how to create another one", async () => {
    const colleague = stage().resource("Project");
    await colleague.up({});
    const own = stage().resource("Project", colleague.name);
    const changes = await runs().changesByRun([own], async () => {
      const refused = failsWith(
        `A project with this name already exists: ${colleague.id}, created at `,
        "by a run for a resource with this URN, in this stack or in another one",
        "Otherwise declare another name, or `adopt: false` if the other one is another stack's.",
      );
      await assert.rejects(own.up({}), refused);
      assert.equal(await own.up({ adopt: false }), "create");
      assertSays(
        own.said("warning").at(-1) ?? "",
        `There is a project of the same name: ${colleague.id}, created at `,
        "If another stack manages it, declare another `name` here to tell the two apart.",
      );
    });
    assert.deepEqual(changes, [`added /projects/${own.id}`]);
  });

  it("of another developer is refused a branch that the colleague has, and told that another stack may have made it", async () => {
    const { branch: colleague, program } = await createdBranch(stage());
    const own = stage().resource("Branch", colleague.name);
    const refused = failsWith(
      `A branch with this name already exists: ${colleague.id}`,
      "by a run for a resource with this URN, in this stack or in another one",
      "Otherwise declare another name.",
    );
    const changes = await runs().changesByRun([own], () => assert.rejects(own.up(program), refused));
    assert.deepEqual(changes, []);
    assert.equal(own.state, undefined);
  });
});

describe("a resource renamed with an alias", () => {
  it("keeps its project when a new one gets the old logical name", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const live = renamed(project, stage().name("project"));
    const fresh = stage().resource("Project", project.name);
    const changes = await runs().changesByRun([live, fresh], async () => {
      assert.equal(await live.up({}), "same");
      assert.equal(await fresh.up({}), "create");
      assert.deepEqual(fresh.said("warning"), []);
    });
    assert.deepEqual(changes, [`added /projects/${fresh.id}`]);
  });
});

describe("two provider processes of one run that talk to two services", () => {
  const another = suitePlatform();

  /** Has both services give the same id to the next key. */
  async function alignKeys(): Promise<void> {
    const [one, other] = [stage().platform, another()];
    const create = async (platform: TestPlatform): Promise<number> => {
      const { body } = await platform.call("POST", "/api_keys", { key_name: "earlier" });
      return (body as unknown as ApiKeyCreateResponse).id;
    };
    let [first, second] = [await create(one), await create(other)];
    while (first !== second) {
      if (first < second) first = await create(one);
      else second = await create(other);
    }
  }

  it("manage an API key of the same id on each of them, and delete only the one that is removed", async () => {
    const [key, namesake] = [stage().resource("ApiKey"), stage().resource("ApiKey")];
    const keysOf = async (platform: TestPlatform): Promise<readonly number[]> => {
      const { body } = await platform.call("GET", "/api_keys");
      return (body as unknown as ApiKeysListResponseItem[]).map(({ id }) => id);
    };
    const run = async (work: () => Promise<unknown>): Promise<void> => {
      const engine = new EngineLog();
      const { apiKey, apiUrl } = another();
      runs().apiUrl = undefined;
      key.server = await runs().start(runs().place(), engine);
      runs().apiUrl = apiUrl;
      namesake.server = await runs().start(runs().place({ apiKey }), engine);
      await work();
      for (const { server } of [key, namesake]) await runs().end(server);
      engine.stop();
    };
    await alignKeys();
    for (const step of ["create", "same"]) {
      await run(async () => {
        for (const resource of [key, namesake]) assert.equal(await resource.up({}), step);
      });
    }
    assert.equal(key.id, namesake.id);
    const id = Number(key.id);
    await run(async () => {
      assert.equal(await key.up({}), "same");
      await namesake.destroy();
    });
    assert.deepEqual(namesake.said("warning"), []);
    assert.ok((await keysOf(stage().platform)).includes(id));
    assert.ok(!(await keysOf(another())).includes(id));
  });
});

describe("an object that moves from one resource to another in one update", () => {
  const released = "was removed from the Pulumi state but not deleted: ";

  it("is kept when the default provider's process is to delete what an explicit provider's process has adopted", async () => {
    const former = stage().resource("Project");
    await former.up({});
    const { id } = former;
    const adopting = stage().resource("Project");
    const program = { name: former.name, adopt: id };
    const changes = await runs().changesBy(() =>
      runs().runApart([former, adopting], async () => {
        await adopting.up(program);
        await former.destroy();
        assertSays(
          former.warning,
          new RegExp(`^The project ${id} ${released}Project "${adopting.name}" adopted it in this run`),
        );
      }),
    );
    assert.deepEqual(changes, []);
    await assertUntouched(adopting, program);
  });

  for (const processes of ["one provider process", "two provider processes"] as const) {
    it(`is kept when an Endpoint becomes Branch.compute, in ${processes}`, async () => {
      const { branch, program: args } = await createdBranch(stage());
      const { projectId, branchId } = branch.outputs;
      const endpoint = stage().resource("Endpoint");
      await endpoint.up({ projectId, branchId, type: "read_write" });
      await branch.refresh();
      const { host } = endpoint.outputs;

      const program = { ...args, compute: {} };
      const move = async (): Promise<void> => {
        assert.equal(await branch.up(program), "update");
        await endpoint.destroy();
        assertSays(endpoint.warning, `${released}Branch "${branch.name}" declares it as a part`);
      };
      const resources = [branch, endpoint];
      const changes = await runs().changesBy(() =>
        processes === "one provider process" ? runs().run(resources, move) : runs().runApart(resources, move),
      );
      assert.deepEqual(changes, []);
      assert.equal(branch.outputs["host"], host);
      await assertUntouched(branch, program);
    });
  }

  it("is adopted by one of two resources only, and removing the other one deletes nothing", async () => {
    const { id, name } = await stage().project();
    const [one, other] = [stage().resource("Project"), stage().resource("Project")];
    const program = { name, adopt: id };
    const isManaged = `The project ${id} is already managed by Project "${one.name}"`;
    const changes = await runs().changesBy(async () => {
      await runs().run([one, other], async () => {
        assert.equal(await one.up(program), "create");
        await assert.rejects(other.up(program), refusesAdoption(isManaged, "remove one of the two"));
      });
      assert.equal(other.state, undefined);
      // The same with two provider processes, of which the second one adopts.
      await runs().runApart([one, other], async () => {
        assert.equal(await one.up(program), "same");
        await assert.rejects(other.up(program), refusesAdoption(isManaged));
      });
    });
    assert.deepEqual(changes, []);
    one.server = later();
    await one.destroy();
    assert.deepEqual(await stage().projects(name), []);
  });
});

describe("a resource that only reads an object", () => {
  it("does not keep the branch from changing its compute (Endpoint.get)", async () => {
    const { branch, program: args } = await createdBranch(stage(), { compute: { autoscalingLimitMaxCu: 1 } });
    const { projectId, endpointId } = branch.outputs;
    const id = `${String(projectId)}/${String(endpointId)}`;
    branch.server = later();
    const read = await later().lookUp("Endpoint", id, { urn: stage().resource("Endpoint").urn });
    assert.equal(read.id, id);
    assert.equal(await branch.up({ ...args, compute: { autoscalingLimitMaxCu: 2 } }), "update");
    // The engine refreshes what was only read as well.
    assert.equal((await later().read("Endpoint", id, read.outputs)).id, id);
    assert.equal(await branch.up({ ...args, compute: { autoscalingLimitMaxCu: 4 } }), "update");
    const [compute] = await stage().computes(String(projectId), String(branch.outputs["branchId"]));
    assert.equal(compute?.autoscaling_limit_max_cu, 4);
  });
});

describe("a project with retainOnDelete", () => {
  const options = { retainOnDelete: true };

  /** Asserts that the next step of a run creates another project beside the one that is kept, and says so. */
  async function assertCreatesBeside(kept: string, project: EngineResource, step: () => Promise<unknown>) {
    await stage().nextRun(project);
    const changes = await runs().changesBy(step);
    assert.deepEqual(changes, [`added /projects/${project.id}`]);
    assertSays(project.warning, `There is a project of the same name: ${kept}, created at `, "Another one is created");
  }

  onlyDynamic("is kept by destroy, and the next up creates another one", async () => {
    const project = stage().resource("Project");
    await project.up({}, options);
    const { id } = project;
    await project.destroy();
    await assertCreatesBeside(id, project, () => project.up({}, options));
  });

  onlyDynamic("that is tainted is kept, and another one is created", async () => {
    const project = stage().resource("Project");
    await project.up({}, options);
    await assertCreatesBeside(project.id, project, () => project.up({}, { ...options, replace: true }));
  });

  onlyDynamic("that is tainted is adopted again if the program adopts it", async () => {
    const { id, name } = await stage().project();
    const project = stage().resource("Project");
    await project.up({ name, adopt: id }, options);
    await stage().nextRun(project);
    await project.refresh();
    const again = () => project.up({ name, adopt: id }, { ...options, replace: true });
    assert.deepEqual(await runs().changesBy(again), []);
    assert.equal(project.id, id);
  });
});

describe("a replacement that the user asks for", () => {
  it("with replaceOnChanges deletes a branch before it creates the new one", async () => {
    const { branch, program: args } = await createdBranch(stage());
    branch.server = later();
    const { branchId } = branch.outputs;
    assert.equal(await branch.up({ ...args, protected: true }, { replaceOnChanges: ["protected"] }), "replace");
    assert.equal(branch.plan?.deleteBeforeReplace, true);
    assert.notEqual(branch.outputs["branchId"], branchId);
  });

  it("with --replace replaces a project once it is told to delete first, and deletes only the old one", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const old = project.id;
    project.server = later();
    const changes = await runs().changesBy(async () => {
      const refused = failsWith(
        `already exists: ${old}`,
        "by an earlier run for this resource",
        "deleteBeforeReplace: true",
      );
      await assert.rejects(project.up({}, { replace: true }), refused);
      assert.equal(await project.up({}, { replace: true, deleteBeforeReplace: true }), "replace");
    });
    assert.deepEqual(changes, [`added /projects/${project.id}`, `removed /projects/${old}`]);
  });
});

describe("customTimeouts", () => {
  it("that are added later hold for the next destroy", async () => {
    const { branch, program: args } = await createdBranch(stage());
    // The state of a dynamic provider has to record them.
    const step = currentDoor() === "dynamic" ? "update" : "same";
    assert.equal(await branch.up(args, { timeouts: { delete: "300ms" } }), step);
    assert.equal(await branch.up(args, { timeouts: { delete: "300ms" } }), "same");
    await stage().platform.fault({ action: "delete_timeline", end: "stuck" });
    branch.server = later();
    await assert.rejects(branch.destroy(), failsWith(/Timed out after \d+(\.\d)? s/, "delete_timeline"));
  });
});

describe("a project of the same name that the key may not read", () => {
  async function hide(id: string): Promise<void> {
    await stage().platform.fault({ method: "GET", path: `^/projects/${id}/branches`, times: 100, status: 403 });
  }

  it("does not keep ours from being created", async () => {
    const foreign = await stage().project();
    await hide(foreign.id);
    const own = stage().resource("Project");
    assert.equal(await own.up({ name: foreign.name }), "create");
    assert.notEqual(own.id, foreign.id);
    assert.deepEqual(own.said("warning"), []);
  });
});
