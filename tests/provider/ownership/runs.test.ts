import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { createdBranch } from "../../support/created-branch";
import { itThrough } from "../../support/door";
import type { EngineResource } from "../../support/engine";
import { assertSays, failsWith } from "../../support/expected-errors";
import { renamed, suiteRuns } from "../../support/runs";
import { suiteServer, suiteStage } from "../../support/stage";

describe("ownership › runs", () => {
  const stage = suiteStage();
  /** The provider process of a run after all others. */
  const later = suiteServer(stage);
  const runs = suiteRuns(stage);
  /** A plugin is not told about `retainOnDelete`. */
  const onlyDynamic = itThrough("dynamic");
  const released = "was removed from the Pulumi state but not deleted: ";

  /** Asserts that a run after all others finds nothing to do. */
  async function assertUntouched(resource: EngineResource, args: object): Promise<void> {
    resource.server = later();
    assert.deepEqual([await resource.up({ ...args }), await resource.refresh()], ["same", "same"]);
  }

  it("find a project also if a page of newer projects contains its name", async () => {
    const name = stage().name("shop");
    const first = stage().resource("Project", name);
    await first.up({});
    const { platform } = stage();
    const { project: newer } = await platform.project({ name: `${name}-pr` });
    const { body } = await platform.call("GET", `/projects?search=${name}&limit=1`);
    const projects = Array.from({ length: 400 }, () => newer);
    const path = `/projects\\?search=${name}&limit=400$`;
    await platform.fault({ method: "GET", path, times: 1, status: 200, body: { ...body, projects } });
    const second = await stage().nextRun(stage().resource("Project", name));
    await assert.rejects(second.up({}), failsWith(`A project with this name already exists: ${first.id}`));
    await platform.clearFaults();
  });

  it("create a project beside one of its name that the key may not read", async () => {
    const { id, name } = await stage().project();
    await stage().platform.fault({ method: "GET", path: `^/projects/${id}/branches`, times: 100, status: 403 });
    const own = stage().resource("Project");
    assert.equal(await own.up({ name }), "create");
    assert.deepEqual(own.said("warning"), []);
    await stage().platform.clearFaults();
  });

  it("keep the project of an aliased resource when a new one gets its old name", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const live = renamed(project, stage().name("project"));
    const fresh = stage().resource("Project", project.name);
    const changes = await runs().changesByRun([live, fresh], async () => {
      assert.deepEqual([await live.up({}), await fresh.up({})], ["same", "create"]);
      assert.deepEqual(fresh.said("warning"), []);
    });
    assert.deepEqual(changes, [`added /projects/${fresh.id}`]);
  });

  it("keep what another provider process of the run has adopted", async () => {
    const former = stage().resource("Project");
    await former.up({});
    const { id } = former;
    const adopting = stage().resource("Project");
    const program = { name: former.name, adopt: id };
    const changes = await runs().changesBy(() =>
      runs().runApart([former, adopting], async () => {
        await adopting.up(program);
        await former.destroy();
        assertSays(former.warning, `The project ${id} ${released}Project "${adopting.name}" adopted it in this run`);
      }),
    );
    assert.deepEqual(changes, []);
    await assertUntouched(adopting, program);
  });

  it("keep the compute of an Endpoint that becomes Branch.compute", async () => {
    const { branch, program: args } = await createdBranch(stage());
    const { projectId, branchId } = branch.outputs;
    const endpoint = stage().resource("Endpoint");
    await endpoint.up({ projectId, branchId, type: "read_write" });
    await branch.refresh();
    const program = { ...args, compute: {} };
    const changes = await runs().changesBy(() =>
      runs().runApart([branch, endpoint], async () => {
        assert.equal(await branch.up(program), "update");
        await endpoint.destroy();
        assertSays(endpoint.warning, `${released}Branch "${branch.name}" declares it as a part`);
      }),
    );
    assert.deepEqual(changes, []);
    await assertUntouched(branch, program);
  });

  it("let a branch change the compute that a resource only reads (Endpoint.get)", async () => {
    const { branch, program } = await createdBranch(stage(), { compute: { autoscalingLimitMaxCu: 1 } });
    const id = `${String(branch.outputs["projectId"])}/${String(branch.outputs["endpointId"])}`;
    branch.server = later();
    const read = await later().lookUp("Endpoint", id, { urn: stage().resource("Endpoint").urn });
    assert.equal(await branch.up({ ...program, compute: { autoscalingLimitMaxCu: 2 } }), "update");
    // The engine refreshes what was only read as well.
    assert.equal((await later().read("Endpoint", id, read.outputs)).id, id);
    assert.equal(await branch.up({ ...program, compute: { autoscalingLimitMaxCu: 4 } }), "update");
  });

  onlyDynamic("create another project beside one that retainOnDelete keeps, and adopt that one by its id", async () => {
    const options = { retainOnDelete: true };
    const project = stage().resource("Project");
    await project.up({}, options);
    const kept = project.id;
    await stage().nextRun(project);
    await project.up({}, { ...options, replace: true });
    assertSays(project.warning, `There is a project of the same name: ${kept}, created at `, "Another one is created");
    const { id, name } = await stage().project();
    const adopting = stage().resource("Project");
    await adopting.up({ name, adopt: id }, options);
    await stage().nextRun(adopting);
    const again = () => adopting.up({ name, adopt: id }, { ...options, replace: true });
    assert.deepEqual(await runs().changesBy(again), []);
    assert.equal(adopting.id, id);
  });
});
