import assert from "node:assert/strict";

import type { Endpoint } from "@neondatabase/api-client";
import { describe } from "mocha";

import { CallError, unknownText, type Values } from "../support/dynamic-server";
import { CheckError, EngineResource } from "../support/engine";
import { concurrently, onStages, Stage, suiteServer, suiteStage, type Sent } from "../support/stage";
import { until } from "../support/until";

/** What a field is set to at first and then, as the program says it and as the request does. */
interface Field {
  readonly title: string;
  readonly declares: Values;
  readonly sends: Values;
  /** Missing where there is only one value. */
  readonly change?: { readonly to: Values; readonly patch: Values };
}

const pgOnly = { pg_settings: {} };
const fields: readonly Field[] = [
  {
    title: "name",
    declares: { name: "reports" },
    sends: { name: "reports" },
    change: { to: { name: "figures" }, patch: { name: "figures" } },
  },
  {
    title: "autoscalingLimitMinCu",
    declares: { autoscalingLimitMinCu: 0.5 },
    sends: { autoscaling_limit_min_cu: 0.5 },
    change: { to: { autoscalingLimitMinCu: 1 }, patch: { autoscaling_limit_min_cu: 1 } },
  },
  {
    title: "autoscalingLimitMaxCu",
    declares: { autoscalingLimitMaxCu: 4 },
    sends: { autoscaling_limit_max_cu: 4 },
    change: { to: { autoscalingLimitMaxCu: 0.25 }, patch: { autoscaling_limit_max_cu: 0.25 } },
  },
  {
    title: "suspendTimeoutSeconds",
    declares: { suspendTimeoutSeconds: 600 },
    sends: { suspend_timeout_seconds: 600 },
    change: { to: { suspendTimeoutSeconds: -1 }, patch: { suspend_timeout_seconds: -1 } },
  },
  {
    title: "provisioner",
    declares: { provisioner: "k8s-pod" },
    sends: { provisioner: "k8s-pod" },
    change: { to: { provisioner: "k8s-neonvm" }, patch: { provisioner: "k8s-neonvm" } },
  },
  {
    title: "settings that say nothing",
    declares: { settings: {} },
    sends: { settings: pgOnly },
  },
  {
    title: "settings.pgSettings",
    declares: { settings: { pgSettings: { work_mem: "8MB" } } },
    sends: { settings: { pg_settings: { work_mem: "8MB" } } },
    change: {
      to: { settings: { pgSettings: { maxConnections: "50" } } },
      patch: { settings: { pg_settings: { maxConnections: "50" } } },
    },
  },
  {
    title: "settings.pgSettings, of several settings",
    declares: { settings: { pgSettings: { work_mem: "8MB" }, preloadLibraries: { enabledLibraries: ["pg_cron"] } } },
    sends: { settings: { pg_settings: { work_mem: "8MB" }, preload_libraries: { enabled_libraries: ["pg_cron"] } } },
    change: {
      to: { settings: { pgSettings: {}, preloadLibraries: { enabledLibraries: ["pg_cron"] } } },
      patch: { settings: { pg_settings: {} } },
    },
  },
  {
    title: "settings.pgbouncerSettings",
    declares: { settings: { pgbouncerSettings: { default_pool_size: "20" } } },
    sends: { settings: { ...pgOnly, pgbouncer_settings: { default_pool_size: "20" } } },
    change: {
      to: { settings: { pgbouncerSettings: { default_pool_size: "30" } } },
      patch: { settings: { pgbouncer_settings: { default_pool_size: "30" } } },
    },
  },
  {
    title: "settings.preloadLibraries",
    declares: { settings: { preloadLibraries: { useDefaults: true, enabledLibraries: ["pg_cron"] } } },
    sends: { settings: { ...pgOnly, preload_libraries: { use_defaults: true, enabled_libraries: ["pg_cron"] } } },
    change: {
      to: { settings: { preloadLibraries: { useDefaults: false, enabledLibraries: ["pg_cron"] } } },
      patch: { settings: { preload_libraries: { use_defaults: false, enabled_libraries: ["pg_cron"] } } },
    },
  },
  {
    title: "poolerEnabled",
    declares: { poolerEnabled: true },
    sends: { pooler_enabled: true },
    change: { to: { poolerEnabled: false }, patch: { pooler_enabled: false } },
  },
  { title: "poolerMode", declares: { poolerMode: "transaction" }, sends: { pooler_mode: "transaction" } },
  {
    title: "disabled",
    declares: { disabled: false },
    sends: { disabled: false },
    change: { to: { disabled: true }, patch: { disabled: true } },
  },
  {
    title: "passwordlessAccess",
    declares: { passwordlessAccess: false },
    sends: { passwordless_access: false },
    change: { to: { passwordlessAccess: true }, patch: { passwordless_access: true } },
  },
];

/** The mutations that a step sent on a project, in short. */
async function sentBy(stage: Stage, projectId: string, step: () => Promise<unknown>): Promise<Partial<Sent>[]> {
  const before = (await stage.sent(projectId)).length;
  await step();
  return (await stage.sent(projectId)).slice(before).map(({ method, path, body }) => ({
    method,
    path: path.replace(/^\/projects\/[^/]+/, "").replace(/ep-[a-z0-9-]+/, ":id"),
    ...(body === undefined ? {} : { body }),
  }));
}

const patched = (body: Values): Partial<Sent>[] => [
  { method: "PATCH", path: "/endpoints/:id", body: { endpoint: body } },
];
const done = (...actions: readonly string[]): Partial<Sent>[] =>
  actions.map((action) => ({ method: "POST", path: `/endpoints/:id/${action}` }));

/** The compute of a resource, as the platform has it. */
async function computeOf(stage: Stage, { id }: EngineResource): Promise<Endpoint> {
  const [projectId = "", endpointId = ""] = id.split("/");
  return (await stage.platform.call("GET", `/projects/${projectId}/endpoints/${endpointId}`)).body.endpoint;
}

/** Does something with the compute behind the provider's back. */
async function behind(stage: Stage, { id }: EngineResource, method: string, below = "", body?: Values): Promise<void> {
  const [projectId = "", endpointId = ""] = id.split("/");
  await stage.platform.call(method, `/projects/${projectId}/endpoints/${endpointId}${below}`, body);
  await stage.settled(projectId);
}

/** Nothing is left to do: not for an unchanged program, and not after a refresh. */
async function assertAtRest(stage: Stage, resource: EngineResource, args: Values): Promise<void> {
  const [projectId = ""] = resource.id.split("/");
  const before = (await stage.requests(projectId)).length;
  assert.equal(await resource.up(args), "same");
  assert.equal(resource.plan?.changes, false);
  assert.equal((await stage.requests(projectId)).length, before, "an unchanged program asks nothing");
  const { outputs } = resource.present;
  assert.equal(await resource.refresh(), "same");
  assert.deepEqual(resource.present.outputs, outputs);
  assert.deepEqual(await sentBy(stage, projectId, () => resource.up(args)), []);
}

/** A branch of a project of its own without a compute, as every program says where its compute is. */
async function place(stage: Stage): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id: projectId } = await stage.project();
  return { projectId, branchId: (await stage.branch(projectId)).id };
}

async function assertCheckFails(run: Promise<unknown>, property: string, reason: RegExp): Promise<void> {
  await assert.rejects(run, (error) => {
    assert.ok(error instanceof CheckError, String(error));
    const [failure, ...others] = error.failures;
    assert.deepEqual(others, []);
    assert.equal(failure?.property, property);
    assert.match(failure.reason, reason);
    return true;
  });
}

const says =
  (...texts: readonly RegExp[]) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof CallError, String(error));
    for (const text of texts) assert.match(error.message, text);
    return true;
  };

describe("a compute", () => {
  const stage = suiteStage();
  const test = concurrently();
  /** Another run, which has taken nothing over. */
  const later = suiteServer(stage);

  describe("with one field declared: sent alone, then unchanged, then changed alone, then left out", () => {
    const test = concurrently();
    for (const { title, declares, sends, change } of fields) {
      test(title, async () => {
        const at = await place(stage());
        const compute = stage().resource("Endpoint");
        const base = { ...at, type: "read_only", name: compute.name };
        const args = { ...base, ...declares };
        const sent = await sentBy(stage(), at.projectId, async () => assert.equal(await compute.up(args), "create"));
        const asked = { branch_id: at.branchId, type: "read_only", name: compute.name, ...sends };
        assert.deepEqual(sent, [{ method: "POST", path: "/endpoints", body: { endpoint: asked } }]);
        await assertAtRest(stage(), compute, args);
        if (change !== undefined) {
          const to = { ...base, ...change.to };
          const changed = await sentBy(stage(), at.projectId, async () => assert.equal(await compute.up(to), "update"));
          assert.deepEqual(changed, patched(change.patch));
          await assertAtRest(stage(), compute, to);
        }
        // The name is declared in any case.
        if (title === "name") return;
        assert.deepEqual(
          await sentBy(stage(), at.projectId, () => compute.up(base)),
          [],
          "what is left out is left alone",
        );
        assert.equal(await compute.refresh(), "same");
      });
    }
  });

  test("is active when it is made, tells where it is, and not what moves by itself", async () => {
    const at = await place(stage());
    const compute = stage().resource("Endpoint");
    const args = { ...at, type: "read_write" };
    await compute.up(args);
    const made = await computeOf(stage(), compute);
    assert.equal(made.current_state, "active");
    const { endpointId, host, poolerHost, createdAt, name, ...others } = compute.outputs;
    assert.equal(compute.id, `${at.projectId}/${made.id}`);
    assert.equal(endpointId, made.id);
    assert.equal(host, made.host);
    assert.equal(poolerHost, made.host.replace(made.id, `${made.id}-pooler`));
    assert.equal(createdAt, made.created_at);
    assert.equal(name, compute.name, "its name is the logical one unless declared");
    for (const moving of ["currentState", "pendingState", "updatedAt", "lastActive"]) assert.ok(!(moving in others));
    await assertAtRest(stage(), compute, args);
    await compute.destroy();
    assert.deepEqual(await stage().computes(at.projectId, at.branchId), []);
  });

  test("of another size and name at once is changed by one request, with what has changed and nothing else", async () => {
    const at = await place(stage());
    const compute = stage().resource("Endpoint");
    const sizes = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 300 };
    await compute.up({ ...at, type: "read_write", ...sizes });
    const args = { ...at, type: "read_write", ...sizes, name: "writer", autoscalingLimitMaxCu: 2 };
    const sent = await sentBy(stage(), at.projectId, () => compute.up(args));
    assert.deepEqual(sent, patched({ name: "writer", autoscaling_limit_max_cu: 2 }));
  });

  test("that was changed by someone else is changed back", async () => {
    const at = await place(stage());
    const compute = stage().resource("Endpoint");
    const args = { ...at, type: "read_write", autoscalingLimitMaxCu: 1 };
    await compute.up(args);
    await behind(stage(), compute, "PATCH", "", { endpoint: { autoscaling_limit_max_cu: 4, pooler_enabled: true } });
    assert.equal(await compute.refresh(), "changed");
    assert.deepEqual(
      await sentBy(stage(), at.projectId, () => compute.up(args)),
      patched({ autoscaling_limit_max_cu: 1 }),
    );
    await assertAtRest(stage(), compute, args);
  });

  test("§6.18 that was deleted by someone else is gone after a refresh, and made again by the next up", async () => {
    const at = await place(stage());
    const compute = stage().resource("Endpoint");
    const args = { ...at, type: "read_write" };
    await compute.up(args);
    const { id } = compute;
    await behind(stage(), compute, "DELETE");
    for (const change of [{ name: "other" }, { state: "active" }, { restartTrigger: "1" }]) {
      await assert.rejects(compute.up({ ...args, ...change }), says(/is gone: run `pulumi refresh`/));
    }
    assert.equal(await compute.refresh(), "gone");
    assert.equal(await compute.up(args), "create");
    assert.notEqual(compute.id, id);
    await behind(stage(), compute, "DELETE");
    // One that is gone already is no failure.
    await compute.destroy();
  });

  test("of a branch or project that is gone is gone, too", async () => {
    const at = await place(stage());
    const [one, other] = [stage().resource("Endpoint"), stage().resource("Endpoint")];
    await one.up({ ...at, type: "read_only" });
    await other.up({ ...at, type: "read_only" });
    await stage().platform.call("DELETE", `/projects/${at.projectId}`);
    assert.equal(await one.refresh(), "gone");
    await other.destroy();
  });

  describe("that is replaced", () => {
    const test = concurrently();

    test("shows it in the preview, and is deleted first only where the new one would be a second read-write one", async () => {
      const at = await place(stage());
      const [writer, reader] = [stage().resource("Endpoint"), stage().resource("Endpoint")];
      const region = { regionId: "aws-us-east-2" };
      await writer.up({ ...at, ...region, type: "read_write" });
      await reader.up({ ...at, ...region, type: "read_only" });
      for (const [of, type, change, deletesFirst] of [
        [writer, "read_write", { regionId: "aws-eu-central-1" }, true],
        [writer, "read_write", { branchId: "br-some-other-000001" }, false],
        [writer, "read_write", { branchId: unknownText }, false],
        [writer, "read_write", { projectId: "some-other-000001" }, false],
        [writer, "read_write", { type: "read_only" }, false],
        [reader, "read_only", { regionId: "aws-eu-central-1" }, false],
        [reader, "read_only", { branchId: "br-some-other-000001" }, false],
        [reader, "read_only", { type: "read_write" }, false],
      ] as const) {
        const plan = await of.preview({ ...at, ...region, type, ...change });
        assert.deepEqual(plan.replaces, Object.keys(change));
        assert.equal(plan.deleteBeforeReplace, deletesFirst, `${type} ${JSON.stringify(change)}`);
      }
      assert.match(
        await writer.warning(),
        /^This compute is replaced, because a change of regionId .* another host\.$/,
      );
    });

    test("by one on another branch is made there before the old one is deleted", async () => {
      const at = await place(stage());
      const other = await stage().branch(at.projectId);
      const compute = stage().resource("Endpoint");
      await compute.up({ ...at, type: "read_write" });
      const args = { ...at, branchId: other.id, type: "read_write" };
      const sent = await sentBy(stage(), at.projectId, async () => assert.equal(await compute.up(args), "replace"));
      assert.deepEqual(
        sent.map(({ method }) => method),
        ["POST", "DELETE"],
      );
      assert.deepEqual(await stage().computes(at.projectId, at.branchId), []);
      assert.equal((await stage().computes(at.projectId, other.id)).length, 1);
      await assertAtRest(stage(), compute, args);
    });

    test("by a second read-write one never meets its own 409: the old one goes first", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", regionId: "aws-us-east-2" };
      await compute.up(args);
      const sent = await sentBy(stage(), at.projectId, () =>
        assert.rejects(
          compute.up({ ...args, regionId: "aws-eu-central-1" }),
          says(/region_id must be the project's own/),
        ),
      );
      assert.deepEqual(
        sent.map(({ method }) => method),
        ["DELETE", "POST"],
      );
      assert.equal(await compute.up(args), "replace");
      assert.equal((await stage().computes(at.projectId, at.branchId)).length, 1);
      await assertAtRest(stage(), compute, args);
    });
  });

  describe("that the program wants otherwise than it is", () => {
    const test = concurrently();

    test("is started and suspended by a change of the program, and by nothing else", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write" };
      const idle = { ...base, state: "idle" };
      const sentFor = (args: Values): Promise<Partial<Sent>[]> => sentBy(stage(), at.projectId, () => compute.up(args));
      const [creation, ...others] = await sentFor(idle);
      assert.equal(creation?.path, "/endpoints");
      assert.deepEqual(others, done("suspend"));
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");
      await assertAtRest(stage(), compute, idle);

      // A connection wakes it, and inactivity puts it to rest: no difference either.
      await behind(stage(), compute, "POST", "/start");
      await assertAtRest(stage(), compute, idle);

      const active = { ...base, state: "active" };
      assert.deepEqual(await sentFor(active), [], "it is active already");
      await assertAtRest(stage(), compute, active);
      await behind(stage(), compute, "POST", "/suspend");
      await assertAtRest(stage(), compute, active);
      assert.deepEqual(await sentFor({ ...active, name: "awake" }), patched({ name: "awake" }));
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");

      // What was left out and is declared again is a change of the program.
      assert.deepEqual(await sentFor({ ...base, name: "awake" }), []);
      assert.deepEqual(await sentFor({ ...active, name: "awake" }), done("start"));
      assert.equal((await computeOf(stage(), compute)).current_state, "active");
      await assertAtRest(stage(), compute, { ...active, name: "awake" });
    });

    test("is restarted in place when its trigger changes, and not when that is declared at first or left out", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write" };
      const sentFor = (args: Values): Promise<Partial<Sent>[]> => sentBy(stage(), at.projectId, () => compute.up(args));
      assert.equal((await sentFor({ ...base, restartTrigger: "1" })).length, 1);
      const { started_at } = await computeOf(stage(), compute);
      await assertAtRest(stage(), compute, { ...base, restartTrigger: "1" });
      const { id } = compute;
      assert.deepEqual(await sentFor({ ...base, restartTrigger: "2" }), done("restart"));
      assert.equal(compute.id, id);
      assert.notEqual((await computeOf(stage(), compute)).started_at, started_at);
      await assertAtRest(stage(), compute, { ...base, restartTrigger: "2" });
      assert.deepEqual(await sentFor(base), []);
      await assertAtRest(stage(), compute, base);
    });

    test("is changed, restarted and put to rest in this order, without a request that leads nowhere", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write", name: "one" };
      await compute.up(base);
      const sentFor = (args: Values): Promise<Partial<Sent>[]> =>
        sentBy(stage(), at.projectId, () => compute.up({ ...base, ...args }));
      const grown = { autoscalingLimitMaxCu: 1 };
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "1", state: "active" }), [
        ...patched({ autoscaling_limit_max_cu: 1 }),
        ...done("restart"),
      ]);
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "2", state: "idle" }), done("suspend"));
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "3", state: "idle" }), [], "it rests, as it is to");
      await behind(stage(), compute, "POST", "/start");
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "4", state: "idle" }), done("restart"));
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "5", state: "active" }), done("restart"));
      assert.equal((await computeOf(stage(), compute)).current_state, "active");
    });

    test("is suspended when it is disabled, and starts only after that is taken back", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write", state: "active" };
      await compute.up(base);
      const sentFor = (args: Values): Promise<Partial<Sent>[]> => sentBy(stage(), at.projectId, () => compute.up(args));
      const off = { ...base, disabled: true, state: "idle", restartTrigger: "1" };
      assert.deepEqual(await sentFor(off), patched({ disabled: true }), "the platform suspends it");
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");
      await assertAtRest(stage(), compute, off);
      // What is left out is left alone: it is still disabled.
      await assert.rejects(
        compute.up({ ...base, restartTrigger: "1" }),
        says(/is disabled and was not started\. Declare `disabled: false`/),
      );
      const on = { ...base, disabled: false, restartTrigger: "1" };
      assert.deepEqual(await sentFor(on), [...patched({ disabled: false }), ...done("start")]);
      await assertAtRest(stage(), compute, on);
    });

    test("is made disabled without ever being started", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_only", disabled: true, state: "idle" };
      const sent = await sentBy(stage(), at.projectId, () => compute.up(args));
      assert.equal(sent.length, 1);
      assert.equal((await computeOf(stage(), compute)).started_at, undefined);
      await assertAtRest(stage(), compute, args);
    });
  });

  describe("that is declared wrongly is refused before anything is sent", () => {
    const test = concurrently();
    const somewhere = { projectId: "spring-example-302709", branchId: "br-wispy-meadow-118737", type: "read_write" };
    for (const [title, args, property, reason] of [
      ["an odd size", { autoscalingLimitMaxCu: 0.3 }, "autoscalingLimitMaxCu", /must be a compute size in CU/],
      [
        "a minimum above the maximum",
        { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 },
        "autoscalingLimitMaxCu",
        /^the minimum of 4 CU is above the maximum of 2 CU$/,
      ],
      [
        "too wide a range",
        { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 10 },
        "autoscalingLimitMaxCu",
        /at most 8 CU above the minimum, here it is 9/,
      ],
      [
        "autoscaling up to too large a size",
        { autoscalingLimitMinCu: 16, autoscalingLimitMaxCu: 18 },
        "autoscalingLimitMaxCu",
        /autoscaling goes up to 16 CU/,
      ],
      ["too short a suspend time-out", { suspendTimeoutSeconds: 59 }, "suspendTimeoutSeconds", /60 to 604800 seconds/],
      ["too long a name", { name: "x".repeat(65) }, "name", /at most 64 characters/],
      ["an empty name", { name: "" }, "name", /at least 1 character/],
      ["an unknown type", { type: "write_only" }, "type", /"read_write" or "read_only"/],
      ["an unknown state", { state: "asleep" }, "state", /"active" or "idle"/],
      ["an active one that is disabled", { state: "active", disabled: true }, "state", /while disabled is true/],
      [
        "a read replica to adopt without its id",
        { type: "read_only", adopt: true },
        "adopt",
        /needs the id of the compute here/,
      ],
      ["an unknown setting", { settings: { pgSetting: {} } }, "settings.pgSetting", /did you mean pgSettings\?/],
    ] as const) {
      test(title, async () => {
        await assertCheckFails(
          stage()
            .resource("Endpoint")
            .up({ ...somewhere, ...args }),
          property,
          reason,
        );
      });
    }

    test("even while its branch is still to be made", async () => {
      const args = { ...somewhere, branchId: unknownText, autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 };
      const compute = stage().resource("Endpoint");
      await assertCheckFails(compute.preview(args), "autoscalingLimitMaxCu", /minimum of 4 CU is above/);
      const { inputs } = await compute.preview({ ...args, autoscalingLimitMaxCu: unknownText });
      assert.equal(inputs["branchId"], unknownText);
    });
  });

  describe("that is taken over", () => {
    const test = concurrently();
    /** A read-write and a read-only compute that nobody manages. */
    const found = async (): Promise<{ at: Values; writer: Endpoint; reader: Endpoint }> => {
      const { id: projectId } = await stage().project();
      const endpoints = [{ type: "read_write" }, { type: "read_only" }];
      const { id: branchId } = await stage().branch(projectId, { endpoints });
      const [writer, reader] = await stage().computes(projectId, branchId);
      assert.ok(writer && reader);
      return { at: { projectId, branchId }, writer, reader };
    };

    test("§6.20 by true: the branch's read-write one, with what is declared applied to it", async () => {
      const { at, writer } = await found();
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", name: "writer", suspendTimeoutSeconds: 600, adopt: true };
      const sent = await sentBy(stage(), String(at["projectId"]), () => compute.up(args));
      assert.deepEqual(sent, patched({ name: "writer", suspend_timeout_seconds: 600 }));
      assert.equal(compute.id, `${String(at["projectId"])}/${writer.id}`);
      await assertAtRest(stage(), compute, args);
      await assertAtRest(stage(), compute, { ...args, adopt: "another" });
      compute.server = later();
      await compute.destroy();
    });

    test("§6.20 by its id, or by its whole id: a read replica, in the state that is declared", async () => {
      for (const whole of [false, true]) {
        const { at, reader } = await found();
        const projectId = String(at["projectId"]);
        const compute = stage().resource("Endpoint");
        const adopt = whole ? `${projectId}/${reader.id}` : reader.id;
        const args = { ...at, type: "read_only", name: "reader", state: "idle", restartTrigger: "1", adopt };
        const sent = await sentBy(stage(), projectId, () => compute.up(args));
        assert.deepEqual(sent, [...patched({ name: "reader" }), ...done("suspend")], "and not restarted");
        assert.equal(compute.id, `${projectId}/${reader.id}`);
        await assertAtRest(stage(), compute, args);
      }
    });

    test("by true is made where there is none", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      await compute.up({ ...at, type: "read_write", adopt: true });
      assert.equal((await stage().computes(at.projectId, at.branchId)).length, 1);
    });

    test("is refused if it is not there, or is on another branch or of another type", async () => {
      const { at, reader } = await found();
      const compute = stage().resource("Endpoint");
      await assert.rejects(
        compute.up({ ...at, type: "read_only", adopt: "ep-no-such-1" }),
        says(/There is no compute "ep-no-such-1" to adopt/),
      );
      const other = await stage().branch(String(at["projectId"]));
      await assert.rejects(
        compute.up({ ...at, branchId: other.id, type: "read_write", adopt: reader.id }),
        says(/cannot be taken over, .* branchId \(it is "br-.*" there\), type \(it is "read_only" there\)/),
      );
      assert.equal(compute.state, undefined);
    });

    test("§6.20 is offered when the branch has a read-write one already, with the line that heals it", async () => {
      const { at, writer } = await found();
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", name: "writer" };
      await assert.rejects(
        compute.up(args),
        says(new RegExp(`Such a compute exists already: .*/${writer.id} .* declare .adopt: "${writer.id}"`)),
      );
      await compute.up({ ...args, adopt: writer.id });
      await assertAtRest(stage(), compute, args);
    });

    test("and was born with its project is released from the state, with a warning, and is still there", async () => {
      const { id: projectId, branchId } = await stage().project();
      const compute = stage().resource("Endpoint");
      await compute.up({ projectId, branchId, type: "read_write", adopt: true });
      const { id } = compute;
      compute.server = later();
      await compute.destroy();
      assert.match(await compute.warning(), /came with its project and goes only with it\. It was released/);
      assert.deepEqual(
        (await stage().computes(projectId, branchId)).map((one) => `${projectId}/${one.id}`),
        [id],
      );
    });

    test("and came to the first branch later is deleted, as is a read replica there", async () => {
      const { id: projectId, branchId } = await stage().project();
      const replica = stage().resource("Endpoint");
      const { body } = await stage().platform.call("POST", `/projects/${projectId}/endpoints`, {
        endpoint: { branch_id: branchId, type: "read_only" },
      });
      await stage().settled(projectId);
      await replica.up({ projectId, branchId, type: "read_only", adopt: body.endpoint.id });
      replica.server = later();
      await replica.destroy();
      const [born, ...others] = await stage().computes(projectId, branchId);
      assert.deepEqual(others, []);

      const compute = stage().resource("Endpoint");
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${born?.id ?? ""}`);
      await stage().settled(projectId);
      const args = { projectId, branchId, type: "read_write" };
      // What a resource has made itself it deletes.
      await compute.up(args);
      await compute.destroy();
      assert.deepEqual(await stage().computes(projectId, branchId), []);
    });
  });

  describe("that is a part of a branch", () => {
    const test = concurrently();

    test("can neither be made nor taken over beside it, and is said to be that branch's", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId, compute: {} });
      const branchId = String(branch.outputs["branchId"]);
      const compute = stage().resource("Endpoint");
      const args = { projectId, branchId, type: "read_write" };
      const refusal = says(
        new RegExp(
          `${String(branch.outputs["endpointId"])} is declared as a part of Branch "${branch.name}": change it there`,
        ),
      );
      await assert.rejects(compute.up(args), refusal);
      for (const adopt of [true, String(branch.outputs["endpointId"])]) {
        await assert.rejects(compute.up({ ...args, adopt }), refusal);
      }
      assert.equal(compute.state, undefined);
      // A read replica is no part of it.
      await compute.up({ ...args, type: "read_only" });
      assert.equal((await stage().computes(projectId, branchId)).length, 2);
    });

    test("is the branch's from when it is added, and free when it was never declared", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      const branchId = String(branch.outputs["branchId"]);
      const compute = stage().resource("Endpoint");
      const args = { projectId, branchId, type: "read_write" };
      await compute.up(args);
      await compute.destroy();
      await branch.up({ projectId, compute: {} });
      await assert.rejects(compute.up(args), says(/is declared as a part of Branch/));
      await branch.up({ projectId });
      await compute.up(args);
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("cannot be declared by the branch while a resource of its own manages it", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      const compute = stage().resource("Endpoint");
      const args = { projectId, branchId: branch.outputs["branchId"], type: "read_write" };
      await compute.up(args);
      await branch.refresh();
      await assert.rejects(
        branch.up({ projectId, compute: { autoscalingLimitMaxCu: 4 } }),
        says(/^This branch declares as its part what Endpoint "[\w-]+" manages already/),
      );
      assert.equal(await compute.refresh(), "same");
    });
  });

  describe("whose requests are refused, put off or lost", () => {
    const test = concurrently();

    test("does not forget a start or restart that was refused after a change was accepted", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write", restartTrigger: "1", state: "active" };
      await compute.up(base);
      await behind(stage(), compute, "POST", "/suspend");
      const refusing = (action: string): Promise<void> =>
        stage().platform.fault({
          method: "POST",
          path: `^/projects/${at.projectId}/.*/${action}$`,
          times: 1,
          status: 422,
          body: { message: "no" },
        });

      const first = { ...base, name: "one", restartTrigger: "2" };
      await refusing("restart");
      await assert.rejects(compute.up(first), says(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(first)), done("restart"));

      const second = { ...first, name: "two", state: "idle" };
      await refusing("suspend");
      await assert.rejects(compute.up(second), says(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(second)), done("suspend"));

      const third = { ...second, restartTrigger: "3", state: "active" };
      await refusing("restart");
      await assert.rejects(compute.up(third), says(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(third)), done("restart"));
      await assertAtRest(stage(), compute, third);
    });

    test("is put to rest by the next up if it was made and suspending it was refused", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_only", state: "idle" };
      await stage().platform.fault({
        method: "POST",
        path: `^/projects/${at.projectId}/.*/suspend$`,
        times: 1,
        status: 422,
        body: { message: "no" },
      });
      await assert.rejects(compute.up(args), says(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(args)), done("suspend"));
      assert.equal((await stage().computes(at.projectId, at.branchId)).length, 1);
      await assertAtRest(stage(), compute, args);
    });

    test("waits while it is on its way somewhere, and never fails for that", async () => {
      const at = await place(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write" };
      await compute.up({ ...base, state: "active" });
      await stage().platform.fault({
        method: "POST",
        path: `^/projects/${at.projectId}/.*/suspend$`,
        times: 1,
        status: 423,
        body: { message: "endpoint is in some transitive state, could not suspend" },
      });
      await compute.up({ ...base, state: "idle" });
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");
      // The engine may receive the text after the call has returned.
      await until(() => compute.said("progress").includes("waiting for other operations on the project"));
    });

    for (const type of ["read_write", "read_only"]) {
      test(`§6.6 that is ${type} is made once, changed once and deleted once, although every answer is lost`, async () => {
        const at = await place(stage());
        const compute = stage().resource("Endpoint");
        const base = { ...at, type, settings: { pgSettings: { a: "1", b: "2" } }, restartTrigger: "1" };
        const lose = (method: string, path: string): Promise<void> =>
          stage().platform.fault({ method, path: `^/projects/${at.projectId}${path}`, times: 1, reset: "after" });
        const methods = async (step: () => Promise<unknown>): Promise<unknown[]> =>
          (await sentBy(stage(), at.projectId, step)).map(({ method, path }) => `${method ?? ""} ${path ?? ""}`);

        await lose("POST", "/endpoints$");
        assert.deepEqual(await methods(() => compute.up(base)), ["POST /endpoints"]);
        assert.equal((await computeOf(stage(), compute)).current_state, "active");
        const smaller = { ...base, settings: { pgSettings: { a: "1" } } };
        await lose("PATCH", "/endpoints/");
        assert.deepEqual(await methods(() => compute.up(smaller)), ["PATCH /endpoints/:id"]);
        assert.deepEqual((await computeOf(stage(), compute)).settings.pg_settings, { a: "1" });
        for (const [action, change] of [
          ["suspend", { state: "idle" }],
          ["start", { state: "active" }],
          ["restart", { state: "active", restartTrigger: "2" }],
        ] as const) {
          await lose("POST", `/endpoints/[^/]+/${action}$`);
          assert.deepEqual(await methods(() => compute.up({ ...smaller, ...change })), [
            `POST /endpoints/:id/${action}`,
          ]);
        }
        await assertAtRest(stage(), compute, { ...smaller, state: "active", restartTrigger: "2" });
        await lose("DELETE", "/endpoints/");
        assert.deepEqual(await methods(() => compute.destroy()), ["DELETE /endpoints/:id"]);
        assert.deepEqual(await stage().computes(at.projectId, at.branchId), []);
      });
    }
  });

  test("of a protected branch is not deleted, and the refusal names what to change", async () => {
    const at = await place(stage());
    const compute = stage().resource("Endpoint");
    await compute.up({ ...at, type: "read_only" });
    const protect = (value: boolean): Promise<unknown> =>
      stage().platform.call("PATCH", `/projects/${at.projectId}/branches/${at.branchId}`, {
        branch: { protected: value },
      });
    await protect(true);
    await assert.rejects(
      compute.destroy(),
      says(
        new RegExp(
          `is on the protected branch .* \\(${at.branchId}\\) and was not deleted\\. Set \`protected: false\``,
        ),
      ),
    );
    await protect(false);
    await compute.destroy();
  });
});

describe("a compute that something goes wrong with", () => {
  const test = onStages(2);
  const pendingOf = ({ outputs }: EngineResource): unknown => (outputs["__neon"] as Values)["pending"];

  for (const end of ["error", "cancelled"]) {
    test(`is started by the next up if its first start ends as ${end}`, async (stage) => {
      const at = await place(stage);
      const compute = stage.resource("Endpoint");
      await stage.platform.fault({ action: "start_compute", end });
      await assert.rejects(
        compute.up({ ...at, type: "read_write" }),
        says(/start_compute.*The next `pulumi up` goes on/),
      );
      assert.equal((await computeOf(stage, compute)).current_state, "init");
      const sent = await sentBy(stage, at.projectId, () => compute.up({ ...at, type: "read_write" }));
      assert.deepEqual(sent, done("start"));
      assert.equal((await computeOf(stage, compute)).current_state, "active");
      await assertAtRest(stage, compute, { ...at, type: "read_write" });
    });
  }

  const going: readonly {
    readonly title: string;
    readonly from: Values;
    readonly to: Values;
    readonly action: string;
    readonly again: string;
    readonly refreshes?: true;
  }[] = [
    { title: "start", from: { state: "idle" }, to: { state: "active" }, action: "start_compute", again: "start" },
    { title: "suspend", from: {}, to: { state: "idle" }, action: "suspend_compute", again: "suspend", refreshes: true },
    {
      title: "restart, at its first step",
      from: { restartTrigger: "1" },
      to: { restartTrigger: "2" },
      action: "suspend_compute",
      again: "restart",
    },
    {
      title: "restart, at its second step",
      from: { restartTrigger: "1" },
      to: { restartTrigger: "2" },
      action: "start_compute",
      again: "restart",
      refreshes: true,
    },
    {
      title: "restart before a change of state",
      from: { restartTrigger: "1", state: "idle" },
      to: { restartTrigger: "2", state: "active" },
      action: "start_compute",
      again: "restart",
    },
  ];
  for (const { title, from, to, action, again, refreshes = false } of going) {
    test(`goes on in the next up with a ${title} that ended badly${refreshes ? ", after a refresh too" : ""}`, async (stage) => {
      const at = await place(stage);
      const compute = stage.resource("Endpoint");
      const base = { ...at, type: "read_write" };
      await compute.up({ ...base, ...from });
      await stage.platform.fault({ action, end: "error" });
      const args = { ...base, ...to };
      await assert.rejects(compute.up(args), says(new RegExp(action)));
      assert.ok(pendingOf(compute));
      if (refreshes) await compute.refresh();
      assert.deepEqual(await sentBy(stage, at.projectId, () => compute.up(args)), done(again));
      assert.equal((await computeOf(stage, compute)).current_state, to["state"] ?? "active");
      assert.equal(pendingOf(compute), undefined);
      await assertAtRest(stage, compute, args);
    });
  }

  test("is suspended by the next up if that failed when it was disabled", async (stage) => {
    const at = await place(stage);
    const compute = stage.resource("Endpoint");
    await compute.up({ ...at, type: "read_write" });
    await stage.platform.fault({ action: "suspend_compute", end: "error" });
    const args = { ...at, type: "read_write", disabled: true };
    await assert.rejects(compute.up(args), says(/suspend_compute/));
    assert.equal((await computeOf(stage, compute)).current_state, "active");
    await compute.up(args);
    assert.equal((await computeOf(stage, compute)).current_state, "idle");
    await assertAtRest(stage, compute, args);
  });

  test("is there again if deleting it ends badly, and is deleted by the next run", async (stage) => {
    const at = await place(stage);
    const compute = stage.resource("Endpoint");
    await compute.up({ ...at, type: "read_write" });
    await stage.platform.fault({ action: "suspend_compute", end: "error" });
    await assert.rejects(compute.destroy(), says(/suspend_compute/));
    assert.equal((await stage.computes(at.projectId, at.branchId)).length, 1);
    await compute.destroy();
    assert.deepEqual(await stage.computes(at.projectId, at.branchId), []);
  });

  test("§6.8 that a killed process has made is taken over, and not one that somebody else has made since", async (stage) => {
    const at = await place(stage);
    const first = await stage.anotherServer();
    const { home } = first;
    const args = { ...at, type: "read_only", autoscalingLimitMaxCu: 1, name: "replica" };
    const killed = new EngineResource(first, "Endpoint", "replica");
    await stage.platform.fault({ action: "start_compute", end: "stuck" });
    killed.up(args).catch(() => undefined);
    await until(async () => (await stage.computes(at.projectId, at.branchId)).length > 0);
    const [made] = await stage.computes(at.projectId, at.branchId);
    await first.stop("SIGKILL");
    await stage.platform.clearFaults();
    await stage.settled(at.projectId);
    await stage.platform.call("POST", `/projects/${at.projectId}/endpoints`, {
      endpoint: { branch_id: at.branchId, type: "read_only" },
    });
    await stage.settled(at.projectId);

    const server = await stage.anotherServer({ home });
    const again = new EngineResource(server, "Endpoint", "replica");
    assert.deepEqual(await sentBy(stage, at.projectId, () => again.up(args)), []);
    assert.equal(again.id, `${at.projectId}/${made?.id ?? ""}`);
    assert.match(await again.warning(), /An earlier run, which was interrupted, has made the compute/);
    await server.stop();
    // What a run has taken over it does not delete.
    again.server = stage.server;
    await again.destroy();
    assert.equal((await stage.computes(at.projectId, at.branchId)).length, 1);
  });
});
