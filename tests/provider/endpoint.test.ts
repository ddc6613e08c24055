import assert from "node:assert/strict";

import type { Endpoint } from "@neondatabase/api-client";
import { describe } from "mocha";

import { unknownText, type Values } from "../support/dynamic-server";
import { EngineResource } from "../support/engine";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { concurrently, onStages, type SentBy, type Stage, suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";
import { assertUnchanged, assertUpToDate } from "../support/up-to-date";

/** The first and the second value of a field, in the program and in the request. */
interface Field {
  readonly title: string;
  readonly declares: Values;
  readonly sends: Values;
  /** Undefined if there is only one value. */
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
    title: "empty settings",
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
    title: "one of several settings",
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

/** The mutations of a project that a step sends, with short paths. */
async function sentBy(stage: Stage, projectId: string, step: () => Promise<unknown>): Promise<SentBy[]> {
  return (await stage.sentBy(projectId, step)).map((sent) => ({
    ...sent,
    path: sent.path.replace(/^\/projects\/[^/]+/, "").replace(/ep-[a-z0-9-]+/, ":id"),
  }));
}

const patched = (body: Values): SentBy[] => [{ method: "PATCH", path: "/endpoints/:id", body: { endpoint: body } }];
const done = (...actions: readonly string[]): SentBy[] =>
  actions.map((action) => ({ method: "POST", path: `/endpoints/:id/${action}` }));

/** The compute of a resource, as the platform reports it. */
async function computeOf(stage: Stage, { id }: EngineResource): Promise<Endpoint> {
  const [projectId = "", endpointId = ""] = id.split("/");
  return (await stage.platform.call("GET", `/projects/${projectId}/endpoints/${endpointId}`)).body.endpoint;
}

/** Sends a request for the compute without the provider. */
async function callFor(stage: Stage, { id }: EngineResource, method: string, below = "", body?: Values): Promise<void> {
  const [projectId = "", endpointId = ""] = id.split("/");
  await stage.platform.call(method, `/projects/${projectId}/endpoints/${endpointId}${below}`, body);
  await stage.settled(projectId);
}

/** A branch without a compute, in a project of its own. */
async function branchWithoutCompute(stage: Stage): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id: projectId } = await stage.project();
  return { projectId, branchId: (await stage.branch(projectId)).id };
}

describe("Endpoint", () => {
  const stage = suiteStage();
  /** Another run, which has adopted nothing. */
  const later = suiteServer(stage);
  const test = concurrently();

  describe("every input", () => {
    const test = concurrently();
    for (const { title, declares, sends, change } of fields) {
      test(`sends ${title}${change === undefined ? "" : ", and updates it in place"}`, async () => {
        const at = await branchWithoutCompute(stage());
        const compute = stage().resource("Endpoint");
        const base = { ...at, type: "read_only", name: compute.name };
        const args = { ...base, ...declares };
        const sent = await sentBy(stage(), at.projectId, async () => assert.equal(await compute.up(args), "create"));
        const asked = { branch_id: at.branchId, type: "read_only", name: compute.name, ...sends };
        assert.deepEqual(sent, [{ method: "POST", path: "/endpoints", body: { endpoint: asked } }]);
        await assertUpToDate(stage(), compute, args);
        if (change !== undefined) {
          const to = { ...base, ...change.to };
          const changed = await sentBy(stage(), at.projectId, async () => assert.equal(await compute.up(to), "update"));
          assert.deepEqual(changed, patched(change.patch));
          await assertUpToDate(stage(), compute, to);
        }
        // The name is declared in any case.
        if (title === "name") return;
        assert.deepEqual(
          await sentBy(stage(), at.projectId, () => compute.up(base)),
          [],
          "an omitted input is ignored",
        );
        assert.equal(await compute.refresh(), "same");
      });
    }
  });

  describe("check", () => {
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
        /at most 8 CU above the minimum, but it is 9 CU above it/,
      ],
      [
        "autoscaling up to too large a size",
        { autoscalingLimitMinCu: 16, autoscalingLimitMaxCu: 18 },
        "autoscalingLimitMaxCu",
        /autoscaling is limited to 16 CU/,
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
        /must be the id of the compute/,
      ],
      ["an unknown setting", { settings: { pgSetting: {} } }, "settings.pgSetting", /did you mean pgSettings\?/],
    ] as const) {
      test(`refuses ${title}`, async () => {
        await assert.rejects(
          stage()
            .resource("Endpoint")
            .up({ ...somewhere, ...args }),
          refusesInputs({ [property]: reason }),
        );
      });
    }

    test("refuses an invalid range even if the branch is unknown", async () => {
      const args = { ...somewhere, branchId: unknownText, autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 };
      const compute = stage().resource("Endpoint");
      await assert.rejects(compute.preview(args), refusesInputs({ autoscalingLimitMaxCu: /minimum of 4 CU is above/ }));
      const { inputs } = await compute.preview({ ...args, autoscalingLimitMaxCu: unknownText });
      assert.equal(inputs["branchId"], unknownText);
    });
  });

  describe("create", () => {
    test("waits until the compute is active, and outputs its host and not its state", async () => {
      const at = await branchWithoutCompute(stage());
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
      await assertUpToDate(stage(), compute, args);
      await compute.destroy();
      assert.deepEqual(await stage().computes(at.projectId, at.branchId), []);
    });

    test("creates a disabled compute without starting it", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_only", disabled: true, state: "idle" };
      const sent = await sentBy(stage(), at.projectId, () => compute.up(args));
      assert.equal(sent.length, 1);
      assert.equal((await computeOf(stage(), compute)).started_at, undefined);
      await assertUpToDate(stage(), compute, args);
    });
  });

  describe("refresh", () => {
    test("finds a declared input that somebody else has changed, and up reverts it", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", autoscalingLimitMaxCu: 1 };
      await compute.up(args);
      await callFor(stage(), compute, "PATCH", "", { endpoint: { autoscaling_limit_max_cu: 4, pooler_enabled: true } });
      assert.equal(await compute.refresh(), "changed");
      assert.deepEqual(
        await sentBy(stage(), at.projectId, () => compute.up(args)),
        patched({ autoscaling_limit_max_cu: 1 }),
      );
      await assertUpToDate(stage(), compute, args);
    });
  });

  describe("update", () => {
    const test = concurrently();
    test("sends the changed inputs in one request", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const sizes = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 300 };
      await compute.up({ ...at, type: "read_write", ...sizes });
      const args = { ...at, type: "read_write", ...sizes, name: "writer", autoscalingLimitMaxCu: 2 };
      const sent = await sentBy(stage(), at.projectId, () => compute.up(args));
      assert.deepEqual(sent, patched({ name: "writer", autoscaling_limit_max_cu: 2 }));
    });

    test("fails and advises `pulumi refresh` if somebody else has deleted the compute, and delete succeeds", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write" };
      await compute.up(args);
      await callFor(stage(), compute, "DELETE");
      for (const change of [{ name: "other" }, { state: "active" }, { restartTrigger: "1" }]) {
        await assert.rejects(compute.up({ ...args, ...change }), failsWith(/no longer exists.* Run `pulumi refresh`/));
      }
      await compute.destroy();
    });

    test("starts and suspends the compute when the program changes, and only then", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write" };
      const idle = { ...base, state: "idle" };
      const sentFor = (args: Values): Promise<SentBy[]> => sentBy(stage(), at.projectId, () => compute.up(args));
      const [creation, ...others] = await sentFor(idle);
      assert.equal(creation?.path, "/endpoints");
      assert.deepEqual(others, done("suspend"));
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");
      await assertUpToDate(stage(), compute, idle);

      // A connection starts the compute, and inactivity suspends it: neither is drift.
      await callFor(stage(), compute, "POST", "/start");
      await assertUpToDate(stage(), compute, idle);

      const active = { ...base, state: "active" };
      assert.deepEqual(await sentFor(active), [], "the compute is active already");
      await assertUpToDate(stage(), compute, active);
      await callFor(stage(), compute, "POST", "/suspend");
      await assertUpToDate(stage(), compute, active);
      assert.deepEqual(await sentFor({ ...active, name: "awake" }), patched({ name: "awake" }));
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");

      // Declaring an omitted input again is a change.
      assert.deepEqual(await sentFor({ ...base, name: "awake" }), []);
      assert.deepEqual(await sentFor({ ...active, name: "awake" }), done("start"));
      assert.equal((await computeOf(stage(), compute)).current_state, "active");
      await assertUpToDate(stage(), compute, { ...active, name: "awake" });
    });

    test("restarts the compute when the trigger changes, and not when it is declared first or omitted", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write" };
      const sentFor = (args: Values): Promise<SentBy[]> => sentBy(stage(), at.projectId, () => compute.up(args));
      assert.equal((await sentFor({ ...base, restartTrigger: "1" })).length, 1);
      const { started_at } = await computeOf(stage(), compute);
      await assertUpToDate(stage(), compute, { ...base, restartTrigger: "1" });
      const { id } = compute;
      assert.deepEqual(await sentFor({ ...base, restartTrigger: "2" }), done("restart"));
      assert.equal(compute.id, id);
      assert.notEqual((await computeOf(stage(), compute)).started_at, started_at);
      await assertUpToDate(stage(), compute, { ...base, restartTrigger: "2" });
      assert.deepEqual(await sentFor(base), []);
      await assertUnchanged(stage(), compute, base);
      assert.equal(await compute.refresh(), "same");
      await assertUnchanged(stage(), compute, base);
    });

    test("changes, restarts and suspends in this order, without needless requests", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write", name: "one" };
      await compute.up(base);
      const sentFor = (args: Values): Promise<SentBy[]> =>
        sentBy(stage(), at.projectId, () => compute.up({ ...base, ...args }));
      const grown = { autoscalingLimitMaxCu: 1 };
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "1", state: "active" }), [
        ...patched({ autoscaling_limit_max_cu: 1 }),
        ...done("restart"),
      ]);
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "2", state: "idle" }), done("suspend"));
      assert.deepEqual(
        await sentFor({ ...grown, restartTrigger: "3", state: "idle" }),
        [],
        "the compute is idle already",
      );
      await callFor(stage(), compute, "POST", "/start");
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "4", state: "idle" }), done("restart"));
      assert.deepEqual(await sentFor({ ...grown, restartTrigger: "5", state: "active" }), done("restart"));
      assert.equal((await computeOf(stage(), compute)).current_state, "active");
    });

    test("suspends a disabled compute, and starts it only when it is enabled again", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write", state: "active" };
      await compute.up(base);
      const sentFor = (args: Values): Promise<SentBy[]> => sentBy(stage(), at.projectId, () => compute.up(args));
      const off = { ...base, disabled: true, state: "idle", restartTrigger: "1" };
      assert.deepEqual(await sentFor(off), patched({ disabled: true }), "the platform suspends it");
      assert.equal((await computeOf(stage(), compute)).current_state, "idle");
      await assertUpToDate(stage(), compute, off);
      // An omitted input is ignored: the compute is still disabled.
      await assert.rejects(
        compute.up({ ...base, restartTrigger: "1" }),
        failsWith(/was not started: it is disabled \(POST .*\)\. Declare `disabled: false`/),
      );
      const on = { ...base, disabled: false, restartTrigger: "1" };
      assert.deepEqual(await sentFor(on), [...patched({ disabled: false }), ...done("start")]);
      await assertUpToDate(stage(), compute, on);
    });
  });

  describe("replace", () => {
    const test = concurrently();
    test("deletes the old compute first only if the new one is a second read-write one", async () => {
      const at = await branchWithoutCompute(stage());
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
      assert.match(await writer.warning(), /^Changing `regionId` replaces this compute\. .* another host\.$/);
    });

    test("creates the compute on the new branch before it deletes the old one", async () => {
      const at = await branchWithoutCompute(stage());
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
      await assertUpToDate(stage(), compute, args);
    });

    test("deletes a read-write compute before it creates another one on the branch", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", regionId: "aws-us-east-2" };
      await compute.up(args);
      const sent = await sentBy(stage(), at.projectId, () =>
        assert.rejects(
          compute.up({ ...args, regionId: "aws-eu-central-1" }),
          failsWith(/region_id must be the project's own/),
        ),
      );
      assert.deepEqual(
        sent.map(({ method }) => method),
        ["DELETE", "POST"],
      );
      assert.equal(await compute.up(args), "replace");
      assert.equal((await stage().computes(at.projectId, at.branchId)).length, 1);
      await assertUpToDate(stage(), compute, args);
    });
  });

  describe("adopt", () => {
    const test = concurrently();
    /** A branch with a read-write and a read-only compute. */
    const createBoth = async (): Promise<{ at: Values; writer: Endpoint; reader: Endpoint }> => {
      const { id: projectId } = await stage().project();
      const endpoints = [{ type: "read_write" }, { type: "read_only" }];
      const { id: branchId } = await stage().branch(projectId, { endpoints });
      const [writer, reader] = await stage().computes(projectId, branchId);
      assert.ok(writer && reader);
      return { at: { projectId, branchId }, writer, reader };
    };

    test("adopts the read-write compute for true, and applies the declared inputs", async () => {
      const { at, writer } = await createBoth();
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", name: "writer", suspendTimeoutSeconds: 600, adopt: true };
      const sent = await sentBy(stage(), String(at["projectId"]), () => compute.up(args));
      assert.deepEqual(sent, patched({ name: "writer", suspend_timeout_seconds: 600 }));
      assert.equal(compute.id, `${String(at["projectId"])}/${writer.id}`);
      await assertUpToDate(stage(), compute, args);
      await assertUpToDate(stage(), compute, { ...args, adopt: "another" });
      compute.server = later();
      await compute.destroy();
    });

    test("adopts a read replica by its id, and suspends it as declared", async () => {
      for (const whole of [false, true]) {
        const { at, reader } = await createBoth();
        const projectId = String(at["projectId"]);
        const compute = stage().resource("Endpoint");
        const adopt = whole ? `${projectId}/${reader.id}` : reader.id;
        const args = { ...at, type: "read_only", name: "reader", state: "idle", restartTrigger: "1", adopt };
        const sent = await sentBy(stage(), projectId, () => compute.up(args));
        assert.deepEqual(sent, [...patched({ name: "reader" }), ...done("suspend")], "and not restarted");
        assert.equal(compute.id, `${projectId}/${reader.id}`);
        await assertUpToDate(stage(), compute, args);
      }
    });

    test("creates a compute for true if there is none", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      await compute.up({ ...at, type: "read_write", adopt: true });
      assert.equal((await stage().computes(at.projectId, at.branchId)).length, 1);
    });

    test("fails if the compute does not exist, or has another branch or type", async () => {
      const { at, reader } = await createBoth();
      const compute = stage().resource("Endpoint");
      await assert.rejects(
        compute.up({ ...at, type: "read_only", adopt: "ep-no-such-1" }),
        failsWith(/There is no compute "ep-no-such-1" to adopt/),
      );
      const other = await stage().branch(String(at["projectId"]));
      await assert.rejects(
        compute.up({ ...at, branchId: other.id, type: "read_write", adopt: reader.id }),
        failsWith(/cannot be adopted: .* `branchId` \(now "br-.*"\), `type` \(now "read_only"\)/),
      );
      assert.equal(compute.state, undefined);
    });

    test("is named in the error if the branch has a read-write compute", async () => {
      const { at, writer } = await createBoth();
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_write", name: "writer" };
      await assert.rejects(
        compute.up(args),
        failsWith(new RegExp(`This compute already exists: .*/${writer.id} .* declare .adopt: "${writer.id}"`)),
      );
      await compute.up({ ...args, adopt: writer.id });
      await assertUpToDate(stage(), compute, args);
    });
  });

  describe("the compute of a branch", () => {
    const test = concurrently();
    test("can be neither created nor adopted", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId, compute: {} });
      const branchId = String(branch.outputs["branchId"]);
      const compute = stage().resource("Endpoint");
      const args = { projectId, branchId, type: "read_write" };
      const refusal = failsWith(
        new RegExp(
          `${String(branch.outputs["endpointId"])} is declared as a part of Branch "${branch.name}". Change it there`,
        ),
      );
      await assert.rejects(compute.up(args), refusal);
      for (const adopt of [true, String(branch.outputs["endpointId"])]) {
        await assert.rejects(compute.up({ ...args, adopt }), refusal);
      }
      assert.equal(compute.state, undefined);
      // A read replica is not a part of the branch.
      await compute.up({ ...args, type: "read_only" });
      assert.equal((await stage().computes(projectId, branchId)).length, 2);
    });

    test("belongs to the branch from its declaration to its removal", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      const branchId = String(branch.outputs["branchId"]);
      const compute = stage().resource("Endpoint");
      const args = { projectId, branchId, type: "read_write" };
      await compute.up(args);
      await compute.destroy();
      await branch.up({ projectId, compute: {} });
      await assert.rejects(compute.up(args), failsWith(/is declared as a part of Branch/));
      await branch.up({ projectId });
      await compute.up(args);
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("cannot be declared by the branch while an Endpoint manages it", async () => {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId });
      const compute = stage().resource("Endpoint");
      const args = { projectId, branchId: branch.outputs["branchId"], type: "read_write" };
      await compute.up(args);
      await branch.refresh();
      await assert.rejects(
        branch.up({ projectId, compute: { autoscalingLimitMaxCu: 4 } }),
        failsWith(/^This branch declares a part that Endpoint "[\w-]+" already manages/),
      );
      assert.equal(await compute.refresh(), "same");
    });
  });

  describe("lost and refused requests", () => {
    const test = concurrently();
    test("repeats a start or restart that was refused after a change was accepted", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const base = { ...at, type: "read_write", restartTrigger: "1", state: "active" };
      await compute.up(base);
      await callFor(stage(), compute, "POST", "/suspend");
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
      await assert.rejects(compute.up(first), failsWith(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(first)), done("restart"));

      const second = { ...first, name: "two", state: "idle" };
      await refusing("suspend");
      await assert.rejects(compute.up(second), failsWith(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(second)), done("suspend"));

      const third = { ...second, restartTrigger: "3", state: "active" };
      await refusing("restart");
      await assert.rejects(compute.up(third), failsWith(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(third)), done("restart"));
      await assertUpToDate(stage(), compute, third);
    });

    test("suspends a created compute in the next up if that was refused", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      const args = { ...at, type: "read_only", state: "idle" };
      await stage().platform.fault({
        method: "POST",
        path: `^/projects/${at.projectId}/.*/suspend$`,
        times: 1,
        status: 422,
        body: { message: "no" },
      });
      await assert.rejects(compute.up(args), failsWith(/no/));
      assert.deepEqual(await sentBy(stage(), at.projectId, () => compute.up(args)), done("suspend"));
      assert.equal((await stage().computes(at.projectId, at.branchId)).length, 1);
      await assertUpToDate(stage(), compute, args);
    });

    test("waits while another transition of the compute is running", async () => {
      const at = await branchWithoutCompute(stage());
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
      test(`creates, changes and deletes a ${type} compute with one request each when every answer is lost`, async () => {
        const at = await branchWithoutCompute(stage());
        const compute = stage().resource("Endpoint");
        const base = { ...at, type, settings: { pgSettings: { a: "1", b: "2" } }, restartTrigger: "1" };
        const lose = (method: string, path: string): Promise<void> =>
          stage().platform.fault({ method, path: `^/projects/${at.projectId}${path}`, times: 1, reset: "after" });
        const methods = async (step: () => Promise<unknown>): Promise<unknown[]> =>
          (await sentBy(stage(), at.projectId, step)).map(({ method, path }) => `${method} ${path}`);

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
        await assertUpToDate(stage(), compute, { ...smaller, state: "active", restartTrigger: "2" });
        await lose("DELETE", "/endpoints/");
        assert.deepEqual(await methods(() => compute.destroy()), ["DELETE /endpoints/:id"]);
        assert.deepEqual(await stage().computes(at.projectId, at.branchId), []);
      });
    }
  });

  describe("delete", () => {
    test("succeeds, and a refresh finds nothing, if the project was deleted", async () => {
      const at = await branchWithoutCompute(stage());
      const [one, other] = [stage().resource("Endpoint"), stage().resource("Endpoint")];
      await one.up({ ...at, type: "read_only" });
      await other.up({ ...at, type: "read_only" });
      await stage().platform.call("DELETE", `/projects/${at.projectId}`);
      assert.equal(await one.refresh(), "gone");
      await other.destroy();
    });

    test("releases the compute that was created with the project, with a warning", async () => {
      const { id: projectId, branchId } = await stage().project();
      const compute = stage().resource("Endpoint");
      await compute.up({ projectId, branchId, type: "read_write", adopt: true });
      const { id } = compute;
      compute.server = later();
      await compute.destroy();
      assert.match(
        await compute.warning(),
        /was created with its project and is deleted only with it\. It was removed from the Pulumi state but not deleted/,
      );
      assert.deepEqual(
        (await stage().computes(projectId, branchId)).map((one) => `${projectId}/${one.id}`),
        [id],
      );
    });

    test("deletes a later compute of the first branch, and a read replica there", async () => {
      const { id: projectId, branchId } = await stage().project();
      const replica = stage().resource("Endpoint");
      const { body } = await stage().platform.call("POST", `/projects/${projectId}/endpoints`, {
        endpoint: { branch_id: branchId, type: "read_only" },
      });
      await stage().settled(projectId);
      await replica.up({ projectId, branchId, type: "read_only", adopt: body.endpoint.id });
      replica.server = later();
      await replica.destroy();
      const [original, ...others] = await stage().computes(projectId, branchId);
      assert.deepEqual(others, []);

      const compute = stage().resource("Endpoint");
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${original?.id ?? ""}`);
      await stage().settled(projectId);
      const args = { projectId, branchId, type: "read_write" };
      // A resource deletes what it has created.
      await compute.up(args);
      await compute.destroy();
      assert.deepEqual(await stage().computes(projectId, branchId), []);
    });

    test("fails on a protected branch, and names what to change", async () => {
      const at = await branchWithoutCompute(stage());
      const compute = stage().resource("Endpoint");
      await compute.up({ ...at, type: "read_only" });
      const protect = (value: boolean): Promise<unknown> =>
        stage().platform.call("PATCH", `/projects/${at.projectId}/branches/${at.branchId}`, {
          branch: { protected: value },
        });
      await protect(true);
      await assert.rejects(
        compute.destroy(),
        failsWith(
          new RegExp(
            `was not deleted: its branch \\S+ \\(${at.branchId}\\) is protected \\(DELETE .*\\)\\. Set \`protected: false\` on the branch`,
          ),
        ),
      );
      await protect(false);
      await compute.destroy();
    });
  });
});

describe("Endpoint", () => {
  const test = onStages(2);
  const pendingOf = ({ outputs }: EngineResource): unknown => (outputs["__neon"] as Values)["pending"];

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

  describe("create", () => {
    for (const end of ["error", "cancelled"]) {
      test(`starts the compute in the next up if its first start ends as ${end}`, async (stage) => {
        const at = await branchWithoutCompute(stage);
        const compute = stage.resource("Endpoint");
        await stage.platform.fault({ action: "start_compute", end });
        await assert.rejects(
          compute.up({ ...at, type: "read_write" }),
          failsWith(/start_compute.*The next `pulumi up` resumes from here/),
        );
        assert.equal((await computeOf(stage, compute)).current_state, "init");
        const sent = await sentBy(stage, at.projectId, () => compute.up({ ...at, type: "read_write" }));
        assert.deepEqual(sent, done("start"));
        assert.equal((await computeOf(stage, compute)).current_state, "active");
        await assertUpToDate(stage, compute, { ...at, type: "read_write" });
      });
    }
  });

  describe("update", () => {
    for (const { title, from, to, action, again, refreshes = false } of going) {
      test(`repeats a failed ${title} in the next up${refreshes ? ", also after a refresh" : ""}`, async (stage) => {
        const at = await branchWithoutCompute(stage);
        const compute = stage.resource("Endpoint");
        const base = { ...at, type: "read_write" };
        await compute.up({ ...base, ...from });
        await stage.platform.fault({ action, end: "error" });
        const args = { ...base, ...to };
        await assert.rejects(compute.up(args), failsWith(new RegExp(action)));
        assert.ok(pendingOf(compute));
        if (refreshes) await compute.refresh();
        assert.deepEqual(await sentBy(stage, at.projectId, () => compute.up(args)), done(again));
        assert.equal((await computeOf(stage, compute)).current_state, to["state"] ?? "active");
        assert.equal(pendingOf(compute), undefined);
        await assertUpToDate(stage, compute, args);
      });
    }

    test("suspends a disabled compute in the next up if that failed", async (stage) => {
      const at = await branchWithoutCompute(stage);
      const compute = stage.resource("Endpoint");
      await compute.up({ ...at, type: "read_write" });
      await stage.platform.fault({ action: "suspend_compute", end: "error" });
      const args = { ...at, type: "read_write", disabled: true };
      await assert.rejects(compute.up(args), failsWith(/suspend_compute/));
      assert.equal((await computeOf(stage, compute)).current_state, "active");
      await compute.up(args);
      assert.equal((await computeOf(stage, compute)).current_state, "idle");
      await assertUpToDate(stage, compute, args);
    });
  });

  describe("delete", () => {
    test("keeps a compute whose deletion failed in the state, and the next run deletes it", async (stage) => {
      const at = await branchWithoutCompute(stage);
      const compute = stage.resource("Endpoint");
      await compute.up({ ...at, type: "read_write" });
      await stage.platform.fault({ action: "suspend_compute", end: "error" });
      await assert.rejects(compute.destroy(), failsWith(/suspend_compute/));
      assert.equal((await stage.computes(at.projectId, at.branchId)).length, 1);
      await compute.destroy();
      assert.deepEqual(await stage.computes(at.projectId, at.branchId), []);
    });
  });

  describe("recover", () => {
    test("adopts the compute of a killed run, and not one that somebody else has created since", async (stage) => {
      const at = await branchWithoutCompute(stage);
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
      assert.match(await again.warning(), /An interrupted run created the compute/);
      await server.stop();
      // A run does not delete what it has adopted.
      again.server = stage.server;
      await again.destroy();
      assert.equal((await stage.computes(at.projectId, at.branchId)).length, 1);
    });
  });
});
