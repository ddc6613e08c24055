import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, it } from "mocha";

import type { Values } from "../support/dynamic-server";
import type { EngineResource } from "../support/engine";
import { assertSays, failsWith } from "../support/expected-errors";
import { firstDesignEntry, firstDesignStates, firstDesignTag, type FirstDesignState } from "../support/first-design";
import { suiteHome } from "../support/home";
import { entriesIn, journalIn } from "../support/journal";
import { suiteServer, suiteStage, type Stage } from "../support/stage";
import { suite } from "../support/suite";

const kinds = ["Project", "Branch", "Role", "Database", "ApiKey"] as const;

/** A resource with a state that an earlier version wrote. */
function resourceOf(stage: Stage, { kind, name, stored }: FirstDesignState): EngineResource {
  const resource = stage.resource(kind, name);
  resource.state = stored;
  return resource;
}

function hiddenOf({ outputs }: { readonly outputs: Values }): Values {
  return outputs["__neon"] as Values;
}

/** The branch in a state that says what of its creation is still to be done. */
function unfinished(branch: FirstDesignState, pending: Values & { readonly reason: string }): FirstDesignState {
  const { stored } = branch;
  const outputs = { ...stored.outputs, __neon: { ...hiddenOf(stored), pending } };
  return { ...branch, stored: { ...stored, outputs, failed: [pending.reason] } };
}

describe("state of the first version", () => {
  const stage = suiteStage();
  const later = suiteServer(stage);
  const states = suite(
    () => firstDesignStates(stage()),
    () => undefined,
  );

  for (const kind of kinds) {
    it(`of ${kind} shows no change, sends nothing, and refreshes without a difference`, async () => {
      const { args } = states()[kind];
      const resource = resourceOf(stage(), states()[kind]);
      const plan = await resource.preview(args);
      assert.deepEqual([plan.step, plan.changes, plan.replaces], ["same", false, []]);
      await stage().platform.clearRequests();
      assert.equal(await resource.up(args), "same");
      assert.deepEqual(await stage().requests(), []);
      const { outputs } = resource;
      assert.equal(await resource.refresh(), "same");
      assert.deepEqual(await stage().sent(), []);
      // A refresh learns whose the project is, and changes nothing else.
      const { owner, ...hidden } = hiddenOf(resource);
      assert.deepEqual({ ...resource.outputs, __neon: hidden }, outputs);
      assert.equal(owner !== undefined, kind !== "ApiKey");
      assert.equal((await resource.preview(args)).changes, false);
    });
  }

  it("is deleted, and nothing else", async () => {
    const present = await firstDesignStates(stage());
    // A project is deleted with everything in it.
    for (const kind of kinds.toReversed()) {
      const resource = resourceOf(stage(), present[kind]);
      await stage().platform.clearRequests();
      await resource.destroy();
      const sent = (await stage().sent()).map(({ method }) => method);
      assert.deepEqual(sent, ["DELETE"], kind);
      assert.deepEqual(resource.said("warning"), [], kind);
    }
  });

  it("with timeouts in its inputs shows no change while the program declares the same", async () => {
    const timeouts = { create: "5m", delete: "7m" };
    const withTimeouts = await firstDesignStates(stage(), timeouts);
    for (const kind of kinds) {
      const resource = resourceOf(stage(), withTimeouts[kind]);
      assert.equal((await resource.preview(withTimeouts[kind].args, { timeouts })).changes, false, kind);
      assert.equal(await resource.refresh(), "same", kind);
    }
  });

  const changes: readonly {
    readonly kind: (typeof kinds)[number];
    readonly to: Values;
    readonly step: "update" | "replace";
  }[] = [
    { kind: "Project", to: { name: "renamed", historyRetentionSeconds: 7200 }, step: "update" },
    { kind: "Branch", to: { protected: true, compute: { autoscalingLimitMaxCu: 2 } }, step: "update" },
    { kind: "Role", to: { noLogin: true }, step: "replace" },
    { kind: "Database", to: { name: "invoices" }, step: "update" },
    { kind: "ApiKey", to: { rotateTrigger: "1" }, step: "replace" },
  ];
  for (const { kind, to, step } of changes) {
    it(`of ${kind} ${step === "update" ? "is updated in place" : "is replaced"}, and then unchanged`, async () => {
      const { args, stored } = states()[kind];
      const resource = resourceOf(stage(), states()[kind]);
      const program = { ...args, ...to };
      assert.equal(await resource.up(program), step);
      if (step === "update") assert.equal(resource.id, stored.id);
      for (const [name, value] of Object.entries(to)) {
        if (typeof value !== "object") assert.equal(resource.outputs[name], value);
      }
      assert.equal(await resource.up(program), "same");
      assert.equal(await resource.refresh(), "same");
      assert.equal((await resource.preview(program)).changes, false);
    });
  }

  it("with a partly failed create is resumed by the next up, which creates nothing", async () => {
    const { Branch } = await firstDesignStates(stage());
    const { args, stored } = Branch;
    const { projectId } = args as { readonly projectId: string };
    const { body } = await stage().platform.call("GET", `/projects/${projectId}/operations`);
    const operation = body.operations.find(({ branch_id: branch }) => stored.id.endsWith(`/${String(branch)}`));
    assert.ok(operation);
    const { id: operationId, action, created_at: createdAt } = operation;
    const pending = {
      step: "create",
      operations: [{ projectId, operationId, action, createdAt }],
      applies: [],
      reason: "GET /operations failed with HTTP 409",
    };
    const resource = resourceOf(stage(), unfinished(Branch, pending));
    await stage().platform.clearRequests();
    const plan = await resource.preview(args);
    assert.deepEqual([plan.step, plan.changes], ["update", true]);
    assert.equal(await resource.up(args), "update");
    assert.deepEqual(
      (await stage().sent()).filter(({ path }) => !path.endsWith("/start")),
      [],
    );
    assert.equal(hiddenOf(resource)["pending"], undefined);
    assert.equal(resource.id, stored.id);
    assert.equal(await resource.up(args), "same");
    assert.equal(await resource.refresh(), "same");
  });

  it("with a partly failed create keeps the failure in a refresh, and is deleted", async () => {
    const { Branch } = await firstDesignStates(stage());
    const pending = { step: "create", operations: [], applies: [], reason: "the platform did not answer" };
    const resource = resourceOf(stage(), unfinished(Branch, pending));
    await resource.refresh();
    assert.deepEqual(hiddenOf(resource)["pending"], pending);
    assert.equal((await resource.preview(Branch.args)).changes, true);
    await resource.destroy();
    assert.ok((await stage().branches(String(Branch.args["projectId"]))).every(({ name }) => name !== "pr-42"));
  });

  it("of a lookup (get) claims nothing: a resource can change, adopt and delete the object", async () => {
    const { args, stored } = (await firstDesignStates(stage())).Branch;
    const view = { ...stored.outputs, __neon: { urn: stage().resource("Branch").urn, version: 1, declared: [] } };
    const { server } = stage();
    assert.equal((await server.read("Branch", stored.id, view)).id, stored.id);
    const adopting = stage().resource("Branch");
    const adopt = stored.id.split("/")[1];
    const program = { ...args, name: "pr-42", compute: { autoscalingLimitMaxCu: 2 } };
    assert.equal(await adopting.up({ ...program, adopt }), "create");
    assert.equal((await server.read("Branch", stored.id, view)).id, stored.id);
    assert.equal(await adopting.up({ ...program, name: "renamed" }), "update");
    adopting.server = later();
    assert.equal((await later().read("Branch", stored.id, view)).id, stored.id);
    await adopting.destroy();
    assert.equal((await later().read("Branch", stored.id, view)).id, "");
  });
});

describe("a journal file of the first version", () => {
  const stage = suiteStage({ home: suiteHome() });
  const home = (): string => stage().server.home;

  /** Writes the file of a creation that this very URN is said to have sent. */
  function written(kind: "Project" | "Branch" | "ApiKey", name: string): { readonly assertLeft: () => void } {
    const sentAt = new Date(Date.now() - 60_000);
    const entry = firstDesignEntry(kind, name, { apiUrl: stage().platform.apiUrl, sentAt });
    const path = join(dirname(journalIn(home())), entry.name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, entry.text);
    return { assertLeft: () => assert.equal(readFileSync(path, "utf8"), entry.text) };
  }

  it("does not recover a project with its tag: another one is created, and a warning names the first", async () => {
    const name = stage().name("shop");
    const { id } = await stage().project({ name, branch: { annotations: firstDesignTag("Project", name) } });
    const before = await stage().projectOf(id);
    const file = written("Project", name);
    const project = stage().resource("Project", name);
    assert.equal(await project.up({}), "create");
    assert.notEqual(project.id, id);
    assertSays(project.warning, new RegExp(`^The project ${id} has the same name\\.`), { without: /adopt/ });
    assert.deepEqual(await stage().projectOf(id), before);
    file.assertLeft();
    await project.destroy();
    assert.deepEqual(await stage().projectOf(id), before);
  });

  it("does not recover a branch with its tag: the name is taken, and adopt is not suggested", async () => {
    const { id: projectId } = await stage().project();
    const name = stage().name("branch");
    const { id } = await stage().branch(projectId, {
      branch: { name },
      annotation_value: firstDesignTag("Branch", name),
    });
    const before = await stage().branches(projectId);
    const file = written("Branch", name);
    const branch = stage().resource("Branch", name);
    const refused = failsWith(`A branch with this name already exists: ${projectId}/${id}`, { without: /`adopt/ });
    await assert.rejects(branch.up({ projectId }), refused);
    assert.equal(branch.state, undefined);
    assert.deepEqual(await stage().branches(projectId), before);
    file.assertLeft();
  });

  it("does not revoke an API key of that name", async () => {
    const name = stage().name("ci");
    const { body } = await stage().platform.call("POST", "/api_keys", { key_name: name });
    const file = written("ApiKey", name);
    const key = stage().resource("ApiKey", name);
    assert.equal(await key.up({}), "create");
    const { id } = body as unknown as { readonly id: number };
    assert.notEqual(key.id, String(id));
    const { body: all } = await stage().platform.call("GET", "/api_keys");
    const names = (all as unknown as readonly Values[]).filter((one) => one["name"] === name).map((one) => one["id"]);
    assert.deepEqual(names.sort(), [id, Number(key.id)].sort());
    file.assertLeft();
    assert.deepEqual(key.said("warning"), []);
  });

  it("is not touched by a run that writes and settles its own entries", async () => {
    const file = written("Project", stage().name("shop"));
    const project = stage().resource("Project");
    await project.up({});
    const hasEntry = (): boolean =>
      entriesIn(journalIn(home())).some(({ content }) => content["objectId"] === project.id);
    assert.ok(hasEntry());
    await stage().server.stop("SIGINT");
    assert.ok(!hasEntry());
    file.assertLeft();
  });
});
