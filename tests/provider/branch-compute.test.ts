import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suiteGated } from "../support/gated";
import { itThrough } from "../support/door";
import { CallError, type Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { BranchFixture } from "../support/branch-fixture";
import { branchOf, createdBranch } from "../support/created-branch";
import { failsWith } from "../support/expected-errors";
import { assertOutputs } from "../support/outputs";
import { suiteStage } from "../support/stage";

const small = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
const large = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 };

const stage = suiteStage();
const { gate, server } = suiteGated(stage);

const notInState = /already has a read-write compute that is not in the state/;

describe("the compute of a branch that another program created in place of ours", () => {
  it("is not deleted when the program does not declare `compute` any more", async () => {
    const { branch, base, ids, createAnother, deleteOurs } = await disputed();
    await branch.up({ ...base, compute: small });
    await deleteOurs();
    const another = await createAnother();
    assert.equal(await branch.up(base), "update");
    assert.equal(branch.outputs["endpointId"], undefined);
    assert.equal(await branch.up(base), "same");
    await assert.rejects(branch.up({ ...base, compute: small }), notInState);
    assert.deepEqual(await ids(), [another]);
  });

  it("is not taken for ours when the request that creates ours never arrives", async () => {
    const { branch, base, ids, createAnother } = await disputed();
    await branch.up(base);
    const another = await createAnother();
    await stage().platform.fault({ method: "POST", path: `^/projects/${base.projectId}/endpoints$`, reset: "before" });
    await assert.rejects(branch.up({ ...base, compute: small }), notInState);
    assert.equal(branch.outputs["endpointId"], undefined);
    assert.deepEqual(await ids(), [another]);
  });

  it("is not deleted when the response to the deletion of ours is lost", async () => {
    const { branch, base, ids, createAnother } = await disputed();
    await branch.up({ ...base, compute: small });
    let another = "";
    gate().afterNextChange(async () => {
      another = await createAnother();
      throw new Error("its response is lost");
    });
    assert.equal(await branch.up(base), "update");
    assert.equal(branch.outputs["endpointId"], undefined);
    assert.equal(await branch.up(base), "same");
    assert.deepEqual(await ids(), [another]);
  });

  it("is not taken for ours when the request that resizes ours is lost", async () => {
    const { branch, base, ids, createAnother, deleteOurs } = await disputed();
    await branch.up({ ...base, compute: small });
    const ours = branch.outputs["endpointId"];
    const held = gate().holdNextChange();
    const resized = branch.up({ ...base, compute: large });
    await held.arrived;
    await deleteOurs();
    const another = await createAnother(2);
    held.drop();
    await assert.rejects(resized, /no longer exists/);
    assert.equal(branch.outputs["endpointId"], ours);
    await branch.up(base);
    assert.deepEqual(await ids(), [another]);
  });

  it("is not put into the state by an update of something else, and the next update names it", async () => {
    const { branch, base, ids, createAnother, deleteOurs } = await disputed();
    await branch.up({ ...base, compute: small });
    await deleteOurs();
    const another = await createAnother();
    await branch.up({ ...base, compute: small, protected: true });
    assert.equal(branch.outputs["endpointId"], undefined);
    await assert.rejects(branch.up({ ...base, compute: small, protected: false }), notInState);
    assert.equal(branch.outputs["endpointId"], undefined);
    await branch.refresh();
    assert.equal(branch.outputs["endpointId"], another);
    assert.deepEqual(await ids(), [another]);
  });

  it("is not started by the up that resumes the failed creation of the branch", async () => {
    const { branch, base, createAnother, deleteOurs } = await disputed();
    await stage().platform.fault({ action: "start_compute", end: "error", times: 2 });
    await assert.rejects(branch.up({ ...base, compute: small }), /a scripted fault/);
    await deleteOurs();
    const another = await createAnother();
    await stage().platform.clearFaults();
    const resumed = () => assert.rejects(branch.up({ ...base, compute: small }), notInState);
    const sent = await stage().sentBy(base.projectId, resumed);
    assert.deepEqual(
      sent.filter(({ path }) => path.includes(another)),
      [],
    );
  });

  it("is not put into the state of a branch without `compute` by an update of something else", async () => {
    const { branch, base, createAnother } = await disputed();
    await branch.up(base);
    await createAnother();
    await branch.up({ ...base, protected: true });
    assert.equal(branch.outputs["endpointId"], undefined);
    await assert.rejects(branch.up({ ...base, protected: true, compute: large }), notInState);
  });
});

/** Moves a compute to another branch, as a finalized restore of a snapshot does. Returns that branch's id. */
async function moveElsewhere(projectId: string, endpointId: unknown): Promise<string> {
  const { id } = await stage().branch(projectId);
  const path = `/projects/${projectId}/endpoints/${String(endpointId)}`;
  await stage().platform.call("PATCH", path, { endpoint: { branch_id: id } });
  await stage().settled(projectId);
  return id;
}

/** The project is locked when the next change of a compute arrives, and meanwhile somebody does this. */
async function whileLocked(projectId: string, method: string, act: () => Promise<void>): Promise<void> {
  await stage().platform.fault({ method, path: `^/projects/${projectId}/endpoints/`, status: 423 });
  gate().afterNextChange(act);
}

describe("the compute of a branch that was moved to another branch", () => {
  async function created() {
    const all = await disputed();
    await all.branch.up({ ...all.base, compute: small });
    return { ...all, ours: String(all.branch.outputs["endpointId"]) };
  }

  async function moved() {
    const all = await created();
    return { ...all, movedTo: await moveElsewhere(all.base.projectId, all.ours) };
  }

  it("is not deleted when the program does not declare `compute` any more, and a warning says so", async () => {
    const { branch, base, ours } = await moved();
    const changes = await stage().sentBy(base.projectId, () => branch.up(base));
    assert.deepEqual(changes, []);
    assert.match(
      branch.warning,
      new RegExp(`^The compute ${ours} of branch .* was not deleted: it belongs to branch`, "m"),
    );
    assert.equal(branch.outputs["endpointId"], undefined);
  });

  it("is not resized, and after a refresh the branch gets another one", async () => {
    const { branch, base, ids, ours } = await moved();
    const refused = new RegExp(
      `The compute ${ours} of branch .* was not changed: it belongs to branch .*Run \`pulumi refresh\`, and then \`pulumi up\`, which creates another one\\.`,
    );
    const changes = await stage().sentBy(base.projectId, () =>
      assert.rejects(branch.up({ ...base, compute: large }), refused),
    );
    assert.deepEqual(changes, []);
    await branch.refresh();
    await branch.up({ ...base, compute: large });
    const [another] = await ids();
    assert.equal(branch.outputs["endpointId"], another);
    assert.notEqual(another, ours);
  });

  it("is not resized, and the error names the compute that the branch has instead", async () => {
    const { branch, base, createAnother } = await moved();
    const another = await createAnother();
    const names = new RegExp(
      `already has another one, ${another}: if no other stack manages it, run \`pulumi refresh\`, and then \`pulumi up\`, to manage it here\\.`,
    );
    await assert.rejects(branch.up({ ...base, compute: large }), names);
    await branch.refresh();
    assert.equal(branch.outputs["endpointId"], another);
  });

  for (const { title, method, declared, reason } of [
    { title: "deletes", method: "DELETE", declared: {}, reason: /was not deleted: .* Run the same command again\./ },
    {
      title: "resizes",
      method: "PATCH",
      declared: { compute: large },
      reason: /was not changed: it belongs to branch/,
    },
  ]) {
    it(`is left alone if that happens while the request that ${title} it waits for the project`, async () => {
      const { branch, base, ours } = await created();
      let before: unknown;
      const computes = async () => (await stage().platform.call("GET", `/projects/${base.projectId}/endpoints`)).body;
      await whileLocked(base.projectId, method, async () => {
        await moveElsewhere(base.projectId, ours);
        before = await computes();
      });
      await assert.rejects(branch.up({ ...base, ...declared }), reason);
      assert.deepEqual(await computes(), before);
      const changes = await stage().sentBy(base.projectId, () => branch.up(base));
      assert.deepEqual(changes, []);
      assert.equal(branch.outputs["endpointId"], undefined);
    });
  }

  it("is not deleted with the branch, and a warning says so", async () => {
    const { branch, base, ours, movedTo } = await moved();
    await branch.destroy();
    assert.match(
      branch.warning,
      new RegExp(`^The compute ${ours} of branch .* was not deleted: it belongs to branch ${movedTo} now`),
    );
    assert.deepEqual(
      (await stage().computes(base.projectId, movedTo)).map(({ id }) => id),
      [ours],
    );
  });
});

describe("the compute of an Endpoint that is moved to another branch while a request waits for the project", () => {
  for (const { title, method, act } of [
    { title: "deleted", method: "DELETE", act: (endpoint: EngineResource) => endpoint.destroy() },
    {
      title: "resized",
      method: "PATCH",
      act: (endpoint: EngineResource, args: Values) => endpoint.up({ ...args, ...large }),
    },
  ]) {
    it(`is not ${title}`, async () => {
      const { branch, base } = await disputed();
      await branch.up(base);
      const endpoint = stage().resource("Endpoint");
      endpoint.server = branch.server;
      const args = { ...base, branchId: branch.outputs["branchId"], type: "read_write" };
      await endpoint.up({ ...args, ...small });
      const { endpointId } = endpoint.outputs;
      let movedTo = "";
      await whileLocked(base.projectId, method, async () => {
        movedTo = await moveElsewhere(base.projectId, endpointId);
      });
      await assert.rejects(act(endpoint, args), /was not changed: it belongs to branch/);
      const [now] = await stage().computes(base.projectId, movedTo);
      assert.deepEqual([now?.id, now?.autoscaling_limit_max_cu], [endpointId, small.autoscalingLimitMaxCu]);
    });
  }
});

describe("the compute of a branch that an Endpoint of the same stack manages", () => {
  it("is said to be managed by another resource when the branch declares it, too", async () => {
    const { branch, base } = await disputed();
    await branch.up(base);
    const endpoint = stage().resource("Endpoint");
    endpoint.server = branch.server;
    await endpoint.up({ ...base, branchId: branch.outputs["branchId"], type: "read_write" });
    await assert.rejects(branch.up({ ...base, compute: small }), /a read-write compute that another resource manages/);
  });
});

describe("the compute of a branch that moves to an Endpoint which adopts it", () => {
  /** A branch with a compute, and an Endpoint that is declared in its place. */
  async function moving() {
    const { branch, base, ids } = await disputed();
    await branch.up({ ...base, compute: small });
    const { endpointId, branchId } = branch.outputs;
    const endpoint = stage().resource("Endpoint");
    endpoint.server = (await stage().nextRun(branch)).server;
    const args = { ...base, branchId, type: "read_write", ...small };
    return { branch, base, ids, endpoint, args, endpointId: String(endpointId) };
  }

  it("is not promised in a preview: the branch deletes it", async () => {
    const { branch, base, endpoint, args, endpointId } = await moving();
    await branch.preview(base);
    for (const adopt of [true, endpointId]) {
      await assert.rejects(
        endpoint.preview({ ...args, adopt }),
        /is a part of Branch ".*", which no longer declares it and deletes it in this run\. To keep it, set .* `retainOnDelete: true` on Branch/,
      );
    }
  });

  // A plugin is not told about this option.
  itThrough("dynamic")("is kept if the branch has retainOnDelete", async () => {
    const { branch, base, ids, endpoint, args, endpointId } = await moving();
    await branch.preview(base, { retainOnDelete: true });
    await endpoint.preview({ ...args, adopt: true });
    assert.equal(await branch.up(base, { retainOnDelete: true }), "update");
    assert.match(branch.warning, /was not deleted: the branch has `retainOnDelete`/);
    assert.equal(await endpoint.up({ ...args, adopt: true }), "create");
    assert.deepEqual(await ids(), [endpointId]);
    assert.equal(endpoint.outputs["endpointId"], endpointId);
    assert.equal(await branch.up(base), "same");
    assert.equal(await branch.refresh(), "same");
    assert.equal(await endpoint.up(args), "same");
  });

  it("is said to be deleted by the branch if `up` did not begin with a preview", async () => {
    const { branch, base, endpoint, args, endpointId } = await moving();
    assert.equal(await branch.up(base), "update");
    await assert.rejects(
      endpoint.up({ ...args, adopt: endpointId }),
      /is a part of Branch ".*", which no longer declares it/,
    );
  });
});

describe("the compute of a branch, after a change whose response was lost", () => {
  it("fails with the operation of that change, and the next up repairs it", async () => {
    const { branch, base } = await disputed();
    await branch.up({ ...base, compute: small });
    await stage().platform.fault({ method: "PATCH", path: `^/projects/${base.projectId}/endpoints/`, reset: "after" });
    await stage().platform.fault({ action: "apply_config", end: "error" });
    await assert.rejects(branch.up({ ...base, compute: large }), /\(apply_config\) ended with status error/);
    assert.equal(await branch.up({ ...base, compute: large }), "update");
    assert.equal(await branch.refresh(), "same");
  });
});

describe("the compute of a branch, in a change that is refused or answered wrongly", () => {
  for (const [title, from, to, also, refused, computes] of [
    ["is created", {}, { compute: small }, { protected: true }, { method: "POST", path: "/endpoints$" }, 1],
    ["is deleted", { compute: small }, {}, { name: "renamed" }, { method: "DELETE", path: "/endpoints/" }, 0],
  ] as const) {
    it(`${title} by the next up, and the rest of the change is kept`, async () => {
      const { branch, base, projectId, branchId } = await createdBranch(stage(), from);
      await stage().platform.fault({ ...refused, status: 422, body: { message: "no" } });
      const program = { ...base, ...to, ...also };
      await assert.rejects(branch.up(program), CallError);
      await branch.up(program);
      assertOutputs({ ...(await branchOf(stage(), branch)) }, also);
      assert.equal((await stage().computes(projectId, branchId)).length, computes);
      assert.equal((await branch.preview(program)).step, "same");
    });
  }

  for (const [what, answer, reason] of [
    ["not found", { status: 404 }, /still exists: .* \(DELETE \S+\/endpoints\/\S+ failed with HTTP 404/],
    [
      "something else",
      { status: 200, body: { welcome: 1 } },
      /still exists: .* \(DELETE \S+ did not confirm the deletion\)/,
    ],
  ] as const) {
    it(`is not dropped while it exists, although its deletion is answered with ${what}`, async () => {
      const { branch, base, projectId, branchId } = await createdBranch(stage(), { compute: small });
      await stage().platform.fault({ method: "DELETE", path: `^/projects/${projectId}/endpoints/`, ...answer });
      await assert.rejects(branch.up(base), reason);
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
      assert.equal(await branch.up(base), "update");
      assert.deepEqual(await stage().computes(projectId, branchId), []);
      assert.equal(await branch.up(base), "same");
    });
  }

  it("is not lost if the branch is not found right after its creation", async () => {
    const { branch, base, projectId, branchId, path } = await createdBranch(stage());
    await stage().platform.fault({ method: "GET", path: `^${path}$`, status: 404 });
    assert.equal(await branch.up({ ...base, compute: small }), "update");
    const [compute] = await stage().computes(projectId, branchId);
    assert.equal(branch.outputs["endpointId"], compute?.id);
    assert.ok((await stage().requests(projectId)).some(({ method, status }) => method === "GET" && status === 404));
  });

  for (const status of [409, 422, 400]) {
    it(`is named if somebody else has created one, and another one is refused with HTTP ${status}`, async () => {
      const { branch, base, createAnother } = await disputed();
      await branch.up(base);
      const another = await createAnother();
      const body = { code: "ENDPOINTS_LIMIT_EXCEEDED", message: "read_write endpoint already exists" };
      await stage().platform.fault({ method: "POST", path: `${base.projectId}/endpoints$`, status, body });
      await assert.rejects(
        branch.up({ ...base, compute: {} }),
        failsWith(`already has a read-write compute that is not in the state: ${another}`),
      );
    });
  }
});

/** A branch that is not created yet, and what another program does with its compute. */
async function disputed() {
  const fixture = await BranchFixture.on(stage());
  const { projectId } = fixture.base;
  const path = `/projects/${projectId}/endpoints`;
  const branch = stage().resource("Branch");
  branch.server = server();
  const branchId = (): string => String(branch.outputs["branchId"]);
  return {
    branch,
    base: { projectId },
    ids: async () => (await stage().computes(projectId, branchId())).map(({ id }) => id),
    /** Creates a compute; returns its id. */
    createAnother: async (maxCu = 1) => {
      await stage().settled(projectId);
      const sizes = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: maxCu };
      const endpoint = { branch_id: branchId(), type: "read_write", ...sizes };
      return (await fixture.call("POST", path, { endpoint })).endpoint.id;
    },
    deleteOurs: async () => {
      await fixture.call("DELETE", `${path}/${String(branch.outputs["endpointId"])}`);
    },
  };
}
