import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { create } from "../../provider/lifecycle/create";
import { remove } from "../../provider/lifecycle/delete";
import { scriptedClient } from "../api/scripted-client";
import { failsWith } from "../support/expected-errors";
import type { Values } from "../support/provider-server";
import { callFor, servicesWith } from "../support/services";
import { onStages, type Stage } from "../support/stage";
import { until } from "../support/until";

const nouns = ["Role", "Database"] as const;

/** The platform's answer to a change of roles while their branch has no read-write compute. */
const refusal = {
  status: 412,
  body: { code: "", message: "create a read-write endpoint to manage roles on this branch" },
};

/** A branch with or without a compute, and what a program declares of an object there. */
async function fixtureFor(stage: Stage, kind: (typeof nouns)[number], endpoints: readonly object[] = []) {
  const { id: projectId } = await stage.project();
  const { id: branchId } = await stage.branch(projectId, { endpoints });
  const base = { projectId, branchId };
  const path = `/branches/${branchId}/${kind.toLowerCase()}s`;
  const args: Values = kind === "Role" ? base : { ...base, ownerName: "neondb_owner" };
  return { base, path, args, resource: stage.resource(kind) };
}

/** An object that was created on a branch with a compute. */
async function created(stage: Stage, kind: (typeof nouns)[number]) {
  const fixture = await fixtureFor(stage, kind, [{ type: "read_write" }]);
  await fixture.resource.up(fixture.args);
  const { projectId, branchId } = fixture.base;
  return {
    ...fixture,
    id: fixture.resource.id,
    deleteCompute: async () => {
      const [compute] = await stage.computes(projectId, branchId);
      await stage.platform.call("DELETE", `/projects/${projectId}/endpoints/${compute?.id ?? ""}`);
      await stage.settled(projectId);
    },
  };
}

/** Makes a change, and creates the branch's compute once the platform has refused it. */
async function withCompute(stage: Stage, base: Values, change: Promise<unknown>): Promise<void> {
  await until(async () => (await stage.requests()).some(({ status }) => status === 412));
  await stage.resource("Endpoint").up({ ...base, type: "read_write" });
  await change;
}

describe("a branch without a read-write compute", () => {
  const test = onStages(2);

  for (const kind of nouns) {
    const noun = kind.toLowerCase();

    test(`${kind} › create › waits for the compute that this run creates at the same time`, async (stage) => {
      const { base, args, resource } = await fixtureFor(stage, kind);
      await stage.platform.clearRequests();
      await withCompute(stage, base, resource.up(args));
      const sent = (await stage.sent(base.projectId)).map(({ status }) => status);
      assert.deepEqual(sent, [412, 201, 201]);
      assert.ok(resource.said("progress").includes(`waiting for a read-write compute of branch ${base.branchId}`));
      assert.equal(await resource.up(args), "same");
    });

    test(`${kind} › update › waits for the compute that this run creates at the same time`, async (stage) => {
      const { base, args, resource, deleteCompute } = await created(stage, kind);
      await deleteCompute();
      const change = kind === "Role" ? { passwordTrigger: "1" } : { name: stage.name("renamed") };
      await stage.platform.clearRequests();
      await withCompute(stage, base, resource.up({ ...args, ...change }));
      const sent = (await stage.sent(base.projectId)).map(({ status }) => status);
      assert.deepEqual(sent, [412, 201, 200]);
      assert.equal(await resource.up({ ...args, ...change }), "same");
    });

    test(`${kind} › delete › releases it with a warning in a run that creates no compute`, async (stage) => {
      const { base, resource, id, deleteCompute } = await created(stage, kind);
      await deleteCompute();
      await stage.nextRun(resource);
      await resource.destroy();
      assert.equal(resource.state, undefined);
      assert.match(
        resource.warning,
        new RegExp(
          `^Neon does not delete the ${noun} ${id} while branch ${base.branchId} has no read-write compute: it goes with the branch, and can be used again once the branch has a compute\\. Pulumi only removes it from the state\\.$`,
        ),
      );
    });

    test(`${kind} › delete › fails if the branch has a compute, whatever the platform refuses`, async (stage) => {
      const { path, resource } = await created(stage, kind);
      await stage.nextRun(resource);
      await stage.platform.fault({ method: "DELETE", path, times: 9, ...refusal });
      await assert.rejects(resource.destroy(), failsWith(/HTTP 412/));
      assert.ok(resource.state);
    });

    test(`${kind} › delete › fails for another reason, also if the branch has no compute`, async (stage) => {
      const { path, resource, deleteCompute } = await created(stage, kind);
      await deleteCompute();
      await stage.nextRun(resource);
      await stage.platform.fault({ method: "DELETE", path, status: 400, body: { message: "not today" } });
      await assert.rejects(resource.destroy(), failsWith(/HTTP 400.*not today/));
      assert.ok(resource.state);
    });
  }

  test("Role › delete › releases a role that owns a database which could not be deleted", async (stage) => {
    const { resource, base, deleteCompute } = await created(stage, "Role");
    const database = stage.resource("Database");
    await database.up({ ...base, ownerName: resource.name });
    await deleteCompute();
    await stage.nextRun(resource);
    await resource.destroy();
    assert.equal(resource.state, undefined);
    assert.match(resource.warning, /has no read-write compute/);
  });
});

describe("what a branch without a read-write compute refuses, in a run that does not create one", () => {
  const urn = "urn:pulumi:dev::shop::neon:index:Role::app";
  const inputs = { projectId: "late-frost-302709", branchId: "br-1", name: "app" };
  const outputs = { ...inputs, createdAt: "2030-01-01T00:00:00Z" };

  const role = { branch_id: "br-1", name: "app", created_at: outputs.createdAt, updated_at: outputs.createdAt };

  /** A process of a run that declares the role, on a platform that refuses its changes. */
  function refusing() {
    const { client, clock } = scriptedClient(({ method, path }) => {
      if (method !== "GET") return refusal;
      if (path.endsWith("/endpoints")) return { body: { endpoints: [] } };
      if (path.endsWith("/app")) return { body: { role } };
      return { body: { roles: [] } };
    });
    const warnings: string[] = [];
    const services = servicesWith({ client, warn: (text) => warnings.push(text) });
    services.registry.declare(urn);
    return { clock, services, warnings, served: { kind: kinds.Role, services } };
  }

  it("fails after a while, with the reason and the two ways to have a compute", async () => {
    const { clock, served } = refusing();
    await assert.rejects(
      clock.run(create(served, callFor(urn), inputs)),
      /Neon does not create, change or delete a role while branch br-1 has no read-write compute \(POST .* failed with HTTP 412: create a read-write endpoint .*\)\. Declare `compute` of the Branch\. If an Endpoint is the compute, make this resource depend on it \(`dependsOn`\)\.$/,
    );
    assert.ok(clock.now() >= 10_000 && clock.now() < 20_000);
  });

  it("fails only after other changes of the project, one of which may create a compute", async () => {
    const { clock, served, services } = refusing();
    const failed = assert.rejects(create(served, callFor(urn), inputs), /has no read-write compute/);
    const release = await services.locks.acquire(inputs.projectId, "create branch", () => undefined);
    await clock.advance(60_000);
    release();
    const releasedAt = clock.now();
    await clock.run(failed);
    assert.ok(clock.now() >= releasedAt + 4_000);
  });

  it("releases at once what the program no longer declares", async () => {
    const { clock, services, warnings } = refusing();
    const served = { kind: kinds.Role, services };
    const state = { outputs, hidden: { creationId: "one" } };
    await clock.run(remove(served, callFor(`${urn}-before`), "late-frost-302709/br-1/app", state));
    assert.match(warnings.join(), /has no read-write compute: .* Pulumi only removes it from the state\.$/);
    assert.equal(clock.now(), 0);
  });

  it("fails a deletion for a replacement, which would be refused, too", async () => {
    const { clock, served } = refusing();
    const deleted = remove(served, callFor(urn), "late-frost-302709/br-1/app", {
      outputs,
      hidden: { creationId: "one" },
    });
    await assert.rejects(clock.run(deleted), /has no read-write compute/);
  });
});
