import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import { uniqueInputs } from "../../../provider/kind/natural-key";
import { kinds } from "../../../provider/kinds";
import type { EngineResource } from "../../support/engine";
import { assertSays, type Expected, failsWith, refusesAdoption } from "../../support/expected-errors";
import type { Values } from "../../support/provider-server";
import { titleOf } from "../../support/sample";
import { samples } from "../../support/samples";
import { readReplica } from "../../support/samples/endpoint";
import { suiteStage } from "../../support/stage";

const consent = { config: { adopt: "true" } };
const takeOver = "To take it over, run `NEON_ADOPT=true pulumi up`.";

/** One kind of each shape: found by its name, in a list or at its address, and several that a tag or nothing tells apart. */
const { Branch, Role, SpendingLimit, Project, ApiKey, Credential } = samples;
const shapes = [Branch, Role, SpendingLimit, Project, ApiKey, Credential, readReplica];

describe("existing", () => {
  const stage = suiteStage();
  afterEach(() => stage().platform.clearFaults());

  /** Asserts that a step sends nothing, and fails with an error that says this. */
  async function assertStops(step: () => Promise<unknown>, ...expected: readonly Expected[]): Promise<void> {
    assert.deepEqual(await stage().sentBy("", () => assert.rejects(step(), failsWith(...expected))), []);
  }

  async function assertSettled(resource: EngineResource, args: Values): Promise<void> {
    assert.deepEqual(
      [await resource.up(args), await resource.refresh(), await resource.up(args)],
      Array(3).fill("same"),
    );
  }

  for (const sample of shapes) {
    const { kind } = sample;
    const { noun } = kinds[kind];

    it(`› says what another run has created, and creates nothing or another one: ${titleOf(sample)}`, async () => {
      const args = await sample.declare(stage());
      const theirs = stage().resource(kind);
      await theirs.up(args);
      const ours = await stage().nextRun(stage().resource(kind));
      assert.deepEqual(await stage().sentBy("", () => ours.preview(args)), []);
      const said = ours.said("warning");
      assert.equal(said.length, kind === "Project" ? 0 : 1);
      if (uniqueInputs(kinds[kind], args).length > 0) {
        const way = kind === "Branch" ? `declare \`adopt: "${theirs.id.split("/").at(-1) ?? ""}"\`.` : takeOver;
        assertSays(said[0] ?? "", `already exists: ${theirs.id}`, way);
        await assertStops(() => ours.up(args), `already exists: ${theirs.id}`, way);
        assert.equal(ours.state, undefined);
        return;
      }
      assert.equal(await ours.up(args), "create");
      assert.notEqual(ours.id, theirs.id);
      assert.equal(new Set(ours.said("warning")).size, said.length, "the create says nothing else");
    });

    it(`› takes with consent what a killed run has created, or creates another one: ${titleOf(sample)}`, async () => {
      const args = await sample.declare(stage());
      const lost = stage().resource(kind);
      await lost.up(args);
      const ours = await stage().nextRun(stage().resource(kind, lost.name), consent);
      assert.deepEqual(await stage().sentBy("", () => ours.preview(args)), []);
      const isNamed = kind === "Project" || uniqueInputs(kinds[kind], args).length > 0;
      assertSays(ours.warning, isNamed ? `The ${noun} ${lost.id} is adopted.` : `like this one: ${lost.id}`);
      const sent = await stage().sentBy("", () => ours.up(args));
      assert.deepEqual([ours.id === lost.id, sent.length === 0], [isNamed, isNamed]);
      await assertSettled(ours, args);
    });
  }

  for (const sample of [Role, Project, ApiKey]) {
    it(`› finishes a replacement that a kill has interrupted after each of its steps: ${titleOf(sample)}`, async () => {
      const args = await sample.declare(stage());
      const resource = stage().resource(sample.kind);
      await resource.up(args);
      const killed = async (step: "up" | "destroy", state = resource.state): Promise<EngineResource> => {
        const running = await stage().nextRun(stage().resource(sample.kind, resource.name));
        if (step === "destroy") running.state = state;
        await running[step](args);
        return running;
      };
      await killed("destroy");
      resource.isPendingReplacement = true;
      const created = await killed("up");
      await stage().nextRun(resource);
      if (sample !== ApiKey)
        await assertStops(() => resource.up(args), `already exists: ${created.id}`, "NEON_ADOPT=true");
      await stage().nextRun(resource, consent);
      assert.equal(await resource.up(args), "replace", "its creation was not recorded");
      assert.equal(resource.id === created.id, sample !== ApiKey);
      await assertSettled(resource, args);
      await killed("destroy");
      resource.isPendingReplacement = true;
      await stage().nextRun(resource);
      assert.equal(await resource.up(args), "replace", "its deletion was recorded");
      await assertSettled(resource, args);
    });
  }

  describe("› facts", () => {
    it("do not include a credential or a key that somebody has used", async () => {
      const args = await Credential.declare(stage());
      await stage().resource("Credential").up(args);
      const path = `/projects/${String(args["projectId"])}/branches/${String(args["branchId"])}/credentials`;
      const { credentials } = (await stage().platform.call("GET", path)).body as unknown as { credentials: object[] };
      const used = credentials.map((one) => ({ ...one, last_used_at: "2030-01-01T00:00:00Z" }));
      await stage().platform.fault({
        method: "GET",
        path: `${path}$`,
        status: 200,
        body: { credentials: used },
        times: 9,
      });
      const key = stage().resource("ApiKey");
      await key.up({});
      await stage().platform.call("GET", "/projects?limit=1", undefined, { key: String(key.outputs["key"]) });
      for (const [kind, declared] of [
        ["Credential", args],
        ["ApiKey", { name: key.name }],
      ] as const) {
        const ours = await stage().nextRun(stage().resource(kind));
        await ours.preview(declared);
        assert.deepEqual(ours.said("warning"), []);
      }
    });

    it("are looked for again after a 409", async () => {
      const { id: projectId, branchId } = await stage().project();
      const path = `/projects/${projectId}/branches/${branchId}/roles`;
      const [ours, adopting] = [stage().resource("Role"), stage().resource("Role")];
      for (const resource of [ours, adopting]) await resource.preview({ projectId, branchId });
      for (const { name } of [ours, adopting]) await stage().platform.call("POST", path, { role: { name } });
      await stage().settled(projectId);
      await assert.rejects(ours.up({ projectId, branchId }), failsWith("already exists", "HTTP 409", takeOver));
      await adopting.up({ projectId, branchId, adopt: true });
      assert.equal(adopting.id, `${projectId}/${branchId}/${adopting.name}`);
    });

    it("cannot be looked for after a 409 that reports nothing else", async () => {
      const { id: projectId, branchId } = await stage().project();
      const path = `/projects/${projectId}/branches/${branchId}/roles`;
      const ours = stage().resource("Role");
      await ours.preview({ projectId, branchId });
      await stage().platform.call("POST", path, { role: { name: ours.name } });
      await stage().settled(projectId);
      await stage().platform.fault({ method: "GET", path: `${path}$`, status: 401, times: 9 });
      await assert.rejects(ours.up({ projectId, branchId }), failsWith("POST", "HTTP 409", { without: /401/ }));
      await stage().platform.clearFaults();
    });

    it("are read at the address after a 409 if the key may not list, and with a 401 nothing is sent", async () => {
      const { id: projectId, branchId } = await stage().project();
      const fault = { method: "GET", path: `/projects/${projectId}/branches/${branchId}/roles$`, times: 9 };
      const ours = await stage().nextRun(stage().resource("Role"));
      const args = { projectId, branchId, name: "neondb_owner" };
      await stage().platform.fault({ ...fault, status: 403 });
      await assert.rejects(ours.up(args), failsWith("already exists", "HTTP 409", takeOver));
      await stage().platform.clearFaults();
      await stage().platform.fault({ ...fault, status: 401 });
      await stage().nextRun(ours);
      await assertStops(() => ours.up({ ...args, name: "late" }), "HTTP 401");
    });

    it("include what is in the organization of the settings", async () => {
      const { orgId, ...args } = await SpendingLimit.declare(stage());
      await stage()
        .resource("SpendingLimit")
        .up({ ...args, orgId });
      const ours = await stage().nextRun(stage().resource("SpendingLimit"), { config: { orgId: String(orgId) } });
      await assertStops(() => ours.up(args), `already exists: ${String(orgId)}`, takeOver);
    });

    it("are one list for 50 roles, and nothing for an unchanged program", async () => {
      const { id: projectId, branchId } = await stage().project();
      const args = { projectId, branchId };
      const resources = Array.from({ length: 50 }, () => stage().resource("Role"));
      const lists = async () => (await stage().requests(`${branchId}/roles`)).filter(({ method }) => method === "GET");
      // One by one, so that no list is shared only because it is asked for at the same moment.
      for (const resource of resources) await resource.preview(args);
      await Promise.all(resources.map((resource) => resource.up(args)));
      assert.equal((await lists()).filter(({ path }) => /\/roles(\?|$)/.test(path)).length, 1);
      await stage().platform.clearRequests();
      for (const resource of resources) assert.equal(await resource.up(args), "same");
      assert.deepEqual(await stage().requests(), []);
    });
  });

  describe("› the consent of a run", () => {
    it("stops at the branch of another stack and at what is on it, which only adopt with their ids takes", async () => {
      const { id: projectId } = await stage().project();
      const theirs = stage().resource("Branch");
      await theirs.up({ projectId, compute: {} });
      const branchId = String(theirs.outputs["branchId"]);
      await stage().resource("Role").up({ projectId, branchId, name: "app" });
      const options = { ...consent, environment: { PULUMI_BACKEND_URL: "s3://other" } };
      const branch = await stage().nextRun(stage().resource("Branch"), options);
      for (const [resource, args, adopt] of [
        [stage().resourceOf(branch.server, "Role"), { projectId, branchId, name: "app" }, "app"],
        [branch, { projectId, name: theirs.name }, branchId],
      ] as const) {
        await assertStops(() => resource.up(args), `declare \`adopt: "${adopt}"\``);
        assertSays(resource.warning, "already exists", `declare \`adopt: "${adopt}"\``);
        assert.equal(await resource.up({ ...args, adopt }), "create");
      }
    });

    it("takes of several projects of one name only that of this resource, and creates another one for adopt: false", async () => {
      const name = stage().name("store");
      const ids = [(await stage().project({ name })).id, (await stage().project({ name })).id];
      const ours = await stage().nextRun(stage().resource("Project"), consent);
      const refused = refusesAdoption("There are 2 projects of this name: ", ...ids, "or declare `adopt: false`");
      await assert.rejects(ours.up({ name }), refused);
      assert.equal(await ours.up({ name, adopt: false }), "create");
      // A run lists the projects once.
      const next = await stage().nextRun(stage().resource("Project", ours.name), consent);
      await next.up({ name });
      assert.equal(next.id, ours.id);
    });

    it("takes an object with declared values that Neon does not report, and says that they count as declared", async () => {
      const args = { name: stage().name("sized"), autoscalingLimitMinCu: 1, branch: { databaseName: "shop" } };
      const lost = stage().resource("Project");
      await lost.up(args);
      const ours = await stage().nextRun(stage().resource("Project", lost.name), consent);
      assert.deepEqual(await stage().sentBy("", () => ours.up(args)), []);
      assertSays(ours.warning, "Neon does not report `autoscalingLimitMinCu`, `branch.databaseName`, which counts as");
      await assertSettled(ours, args);
    });
  });
});
