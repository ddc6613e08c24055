import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { uniqueInputs } from "../../provider/kind/natural-key";
import { kinds } from "../../provider/kinds";
import { failsWith } from "../support/expected-errors";
import type { EngineResource } from "../support/engine";
import type { Values } from "../support/provider-server";
import { hasInput, type Sample, titleOf } from "../support/sample";
import { samples, thereAlready } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";

const takeOver = "To take it over, run `NEON_ADOPT=true pulumi up`.";

describe("an object that is there and belongs to no resource of the run", () => {
  const stage = suiteStage();
  /** The run of another program. */
  const next = suiteServer(stage);

  /** What another program has created. */
  const left = new Map<Sample, { readonly args: Values; readonly theirs: EngineResource }>();
  before(async () => {
    for (const sample of thereAlready) {
      const args = await sample.declare(stage());
      const theirs = stage().resource(sample.kind);
      await theirs.up(args);
      left.set(sample, { args, theirs });
    }
  });

  for (const sample of thereAlready) {
    const { kind, definition } = sample;
    it(`is named by the preview and before the create, which sends nothing or creates another one: ${titleOf(sample)}`, async () => {
      const { args, theirs } = left.get(sample) ?? assert.fail();
      const ours = stage().resource(kind);
      ours.server = next();
      assert.deepEqual(await stage().sentBy("", () => ours.preview(args)), []);
      const said = ours.said("warning");
      if (kind === "Project") {
        assert.deepEqual(said, [], "any number of projects can have a name");
      } else if (uniqueInputs(kinds[kind], args).length > 0) {
        assert.equal(said.length, 1);
        const text = said[0] ?? "";
        // What its tag calls another resource's, only a declared `adopt` takes.
        const way = kind === "Branch" ? `declare \`adopt: "${theirs.id.split("/").at(-1) ?? ""}"\`.` : takeOver;
        assert.ok(text.includes(`already exists: ${theirs.id}`) && text.includes(way), text);
        const refused = failsWith(`already exists: ${theirs.id}`, way);
        assert.deepEqual(await stage().sentBy("", () => assert.rejects(ours.up(args), refused)), []);
        assert.equal(ours.state, undefined);
        return;
      } else {
        const article = /^[aeiou]/i.test(definition.noun) ? "an" : "a";
        const text = `There is already ${article} ${definition.noun} like this one: ${theirs.id}, created at `;
        assert.equal(said.length, 1);
        assert.ok(said[0]?.startsWith(text) && said[0].includes("Another one is created."), said[0]);
      }
      assert.equal(await ours.up(args), "create");
      assert.notEqual(ours.id, theirs.id);
      assert.equal(new Set(ours.said("warning")).size, said.length, "the create says nothing else");
      assert.ok(await sample.exists(stage(), theirs.outputs));
    });
  }

  for (const { kind, of, hint } of [
    { kind: "Role", of: "a name", hint: "Otherwise declare another name." },
    { kind: "JwksUrl", of: "no name", hint: "Otherwise remove this resource from the program." },
  ] as const) {
    it(`is described by its age, and the error says what else can be done where there is ${of}: ${kind}`, async () => {
      const args = await samples[kind].declare(stage());
      await stage().resource(kind).up(args);
      const ours = stage().resource(kind);
      ours.server = next();
      await assert.rejects(
        ours.up(args),
        failsWith(/created at \S+ \((less than a minute|\d+ minutes?) ago\)/, takeOver, hint),
      );
    });
  }

  it("is not named if somebody has used it, so that its secret is not lost: Credential", async () => {
    const args = await samples.Credential.declare(stage());
    await stage().resource("Credential").up(args);
    const path = `/projects/${String(args["projectId"])}/branches/${String(args["branchId"])}/credentials`;
    const { body } = await stage().platform.call("GET", path);
    const listed = body as unknown as { readonly credentials: readonly object[] };
    const used = listed.credentials.map((one) => ({ ...one, last_used_at: "2030-01-01T00:00:00Z" }));
    await stage().platform.fault({
      method: "GET",
      path: `${path}$`,
      status: 200,
      body: { credentials: used },
      times: 10,
    });
    const ours = stage().resource("Credential");
    ours.server = next();
    await ours.preview(args);
    await stage().platform.clearFaults();
    assert.deepEqual(ours.said("warning"), []);
  });

  it("is said to be another resource's, or one's of this URN, as far as its tag tells", async () => {
    const { id: projectId } = await stage().project();
    const byHand = await stage().branch(projectId, { branch: { name: "by-hand" } });
    const makers = {
      "by-hand": new RegExp(`${byHand.id}, created at \\S+ \\([^)]+\\)\\.`),
      theirs: /created at \S+ \([^)]+\) by another resource of this stack\./,
      own: /created at \S+ \([^)]+\) by an earlier run for this resource\./,
    };
    await stage().resource("Branch", "other").up({ projectId, name: "theirs" });
    await stage().resource("Branch", "ours").up({ projectId, name: "own" });
    for (const [name, maker] of Object.entries(makers)) {
      const ours = stage().resource("Branch", "ours");
      ours.server = next();
      await assert.rejects(ours.up({ projectId, name }), failsWith(maker));
    }
  });

  it("of an API key that was used is somebody's, so nothing is said of it", async () => {
    const used = stage().resource("ApiKey");
    await used.up({});
    const { key } = used.outputs;
    assert.equal(
      (await stage().platform.call("GET", "/projects?limit=1", undefined, { key: String(key) })).status,
      200,
    );
    const ours = stage().resource("ApiKey");
    ours.server = next();
    await ours.up({ name: used.name });
    assert.deepEqual(ours.said("warning"), []);
  });

  it("that appears after this run has listed what there is stops the create, too", async () => {
    const { id: projectId, branchId } = await stage().project();
    const args = { projectId, branchId, name: "late" };
    const ours = stage().resource("Role");
    ours.server = next();
    await ours.preview(args);
    assert.deepEqual(ours.said("warning"), []);
    await stage().platform.call("POST", `/projects/${projectId}/branches/${branchId}/roles`, {
      role: { name: "late" },
    });
    await stage().settled(projectId);
    await assert.rejects(ours.up(args), failsWith("already exists", "HTTP 409", takeOver));
  });

  it("is named after the platform has refused the create even if the key may not list", async () => {
    const { id: projectId, branchId } = await stage().project();
    const ours = stage().resource("Role");
    ours.server = next();
    const path = `/projects/${projectId}/branches/${branchId}/roles$`;
    await stage().platform.fault({ method: "GET", path, status: 403, times: 10 });
    const created = ours.up({ projectId, branchId, name: "neondb_owner" });
    await assert.rejects(created, failsWith("already exists", "HTTP 409", takeOver));
    await stage().platform.clearFaults();
  });

  it("is not created with a key that was revoked before the look: nothing else is sent", async () => {
    const { id: projectId, branchId } = await stage().project();
    const ours = stage().resource("Role");
    ours.server = next();
    const path = `/projects/${projectId}/branches/${branchId}/roles`;
    await stage().platform.clearRequests();
    await stage().platform.fault({ method: "GET", path: `${path}$`, status: 401, times: 10 });
    await assert.rejects(ours.up({ projectId, branchId, name: "late" }), failsWith("HTTP 401"));
    await stage().platform.clearFaults();
    assert.deepEqual(
      (await stage().requests(path)).filter(({ method }) => method === "POST"),
      [],
    );
  });

  for (const { kind, declare } of Object.values(samples).filter((one) => one.overwritable && hasInput(one, "orgId"))) {
    it(`in the organization of the settings is not overwritten: ${kind}`, async () => {
      const { orgId, ...args } = await declare(stage());
      const [theirs, ours] = [stage().resource(kind), stage().resource(kind)];
      await theirs.up({ ...args, orgId });
      ours.server = await stage().anotherServer({ config: { orgId: String(orgId) } });
      try {
        await assert.rejects(ours.up(args), failsWith(`already exists: ${theirs.id}`, takeOver));
      } finally {
        await ours.server.stop();
      }
    });
  }
});

describe("what creating many objects asks to know what is there", () => {
  const stage = suiteStage();
  const count = 50;

  for (const kind of ["Branch", "Role", "Database"] as const) {
    it(`is a list for all ${count}, and an unchanged program asks nothing: ${kind}`, async () => {
      const { id: projectId, branchId } = await stage().project();
      const args = {
        projectId,
        ...(kind === "Branch" ? {} : { branchId }),
        ...(kind === "Database" ? { ownerName: "neondb_owner" } : {}),
      };
      const resources = Array.from({ length: count }, () => stage().resource(kind));
      const list = { Branch: /\/branches$/, Role: /\/roles$/, Database: /\/databases$/ }[kind];
      const lists = async (): Promise<number> =>
        (await stage().requests(projectId)).filter(
          ({ method, path }) => method === "GET" && list.test(path.split("?", 1)[0] ?? ""),
        ).length;
      // One by one, so that no list is shared only because it is asked for at the same moment.
      for (const resource of resources) await resource.preview(args);
      assert.equal(await lists(), 1, "the previews");
      await Promise.all(resources.map((resource) => resource.up(args)));
      assert.equal(await lists(), 1, "the creates");
      await stage().platform.clearRequests();
      for (const resource of resources) assert.equal(await resource.up(args), "same");
      assert.deepEqual(await stage().requests(), []);
    });
  }
});
