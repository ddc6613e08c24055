import assert from "node:assert/strict";

import { describe } from "mocha";

import { CallError, type Values } from "../support/dynamic-server";
import { CheckError, type EngineResource, urnOf } from "../support/engine";
import { failsWith } from "../support/ground";
import { concurrently, suiteStage, type Sent, type Stage } from "../support/stage";

/** What a change of a declared field comes to. */
type Change =
  /** One PATCH that says exactly this. */
  | { readonly to: Values; readonly patch: Values }
  /** A new branch, whose preview names this input. */
  | { readonly to: Values; readonly replaces: string };

/** What becomes of a field that is no longer declared. */
type Removal = "left alone" | { readonly method: string; readonly body?: Values };

interface Field {
  readonly title: string;
  /** Made for a project, because some values are ids in it. */
  readonly declares: Values;
  /** How a create request says it, beside the name and the mark. */
  readonly sends: { readonly branch?: Values; readonly compute?: Values; readonly annotations?: Values };
  readonly change: Change;
  readonly removal?: Removal;
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z/, "Z");
const tomorrow = inDays(1);
const nextWeek = inDays(7);
const pgOnly = { pg_settings: {} };

const branchFields: readonly Field[] = [
  {
    title: "name",
    declares: { name: "preview" },
    sends: { branch: { name: "preview" } },
    change: { to: { name: "staging" }, patch: { name: "staging" } },
  },
  {
    title: "protected",
    declares: { protected: false },
    sends: { branch: { protected: false } },
    change: { to: { protected: true }, patch: { protected: true } },
  },
  {
    title: "expiresAt",
    declares: { expiresAt: tomorrow },
    sends: { branch: { expires_at: tomorrow } },
    change: { to: { expiresAt: nextWeek }, patch: { expires_at: nextWeek } },
    removal: { method: "PATCH", body: { branch: { expires_at: null } } },
  },
  {
    title: "parentLsn",
    declares: { parentLsn: "0/1DE2850" },
    sends: { branch: { parent_lsn: "0/1DE2850" } },
    change: { to: { parentLsn: "0/1DE2851" }, replaces: "parentLsn" },
  },
  {
    title: "initSource",
    declares: { initSource: "schema-only" },
    sends: { branch: { init_source: "schema-only" } },
    change: { to: { initSource: "parent-data" }, replaces: "initSource" },
  },
  {
    title: "archived",
    declares: { archived: true },
    sends: { branch: { archived: true } },
    change: { to: { archived: false }, replaces: "archived" },
  },
  {
    title: "annotations",
    declares: { annotations: { team_name: "sales", "cost-center": "7" } },
    sends: { annotations: { team_name: "sales", "cost-center": "7" } },
    change: { to: { annotations: { team_name: "support" } }, replaces: "annotations" },
  },
];

const deleted: Removal = { method: "DELETE" };
const computeFields: readonly Field[] = [
  {
    title: "compute.autoscalingLimitMinCu",
    declares: { compute: { autoscalingLimitMinCu: 0.5 } },
    sends: { compute: { autoscaling_limit_min_cu: 0.5 } },
    change: { to: { compute: { autoscalingLimitMinCu: 1 } }, patch: { autoscaling_limit_min_cu: 1 } },
    removal: deleted,
  },
  {
    title: "compute.autoscalingLimitMaxCu",
    declares: { compute: { autoscalingLimitMaxCu: 4 } },
    sends: { compute: { autoscaling_limit_max_cu: 4 } },
    change: { to: { compute: { autoscalingLimitMaxCu: 0.25 } }, patch: { autoscaling_limit_max_cu: 0.25 } },
    removal: deleted,
  },
  {
    title: "compute.suspendTimeoutSeconds",
    declares: { compute: { suspendTimeoutSeconds: 600 } },
    sends: { compute: { suspend_timeout_seconds: 600 } },
    change: { to: { compute: { suspendTimeoutSeconds: -1 } }, patch: { suspend_timeout_seconds: -1 } },
    removal: deleted,
  },
  {
    title: "compute.provisioner",
    declares: { compute: { provisioner: "k8s-pod" } },
    sends: { compute: { provisioner: "k8s-pod" } },
    change: { to: { compute: { provisioner: "k8s-neonvm" } }, patch: { provisioner: "k8s-neonvm" } },
    removal: deleted,
  },
  {
    title: "compute.settings.pgSettings",
    declares: { compute: { settings: { pgSettings: { work_mem: "8MB" } } } },
    sends: { compute: { settings: { pg_settings: { work_mem: "8MB" } } } },
    change: {
      to: { compute: { settings: { pgSettings: { maxConnections: "50" } } } },
      patch: { settings: { pg_settings: { maxConnections: "50" } } },
    },
    removal: deleted,
  },
  {
    title: "compute.settings.pgbouncerSettings",
    declares: { compute: { settings: { pgbouncerSettings: { default_pool_size: "20" } } } },
    sends: { compute: { settings: { ...pgOnly, pgbouncer_settings: { default_pool_size: "20" } } } },
    change: {
      to: { compute: { settings: { pgbouncerSettings: { default_pool_size: "30" } } } },
      patch: { settings: { pgbouncer_settings: { default_pool_size: "30" } } },
    },
    removal: deleted,
  },
  {
    title: "compute.settings.preloadLibraries.useDefaults",
    declares: { compute: { settings: { preloadLibraries: { useDefaults: true } } } },
    sends: { compute: { settings: { ...pgOnly, preload_libraries: { use_defaults: true } } } },
    change: {
      to: { compute: { settings: { preloadLibraries: { useDefaults: false } } } },
      patch: { settings: { preload_libraries: { use_defaults: false } } },
    },
    removal: deleted,
  },
  {
    title: "compute.settings.preloadLibraries.enabledLibraries",
    declares: { compute: { settings: { preloadLibraries: { enabledLibraries: ["pg_cron"] } } } },
    sends: { compute: { settings: { ...pgOnly, preload_libraries: { enabled_libraries: ["pg_cron"] } } } },
    change: {
      to: { compute: { settings: { preloadLibraries: { enabledLibraries: [] } } } },
      patch: { settings: { preload_libraries: { enabled_libraries: [] } } },
    },
    removal: deleted,
  },
];

/** The body of a create request without our mark, which has to be there. */
function createdWith({ body }: Sent): Values {
  const { annotation_value, ...rest } = body as Values & { annotation_value: Record<string, string> };
  const { "neon-pulumi": mark, ...annotations } = annotation_value;
  assert.match(mark ?? "", /^[0-9a-f]{24}\.[0-9a-f]{16}$/);
  return { ...rest, ...(Object.keys(annotations).length > 0 ? { annotation_value: annotations } : {}) };
}

async function requestsOf(stage: Stage, projectId: string): Promise<number> {
  return (await stage.requests(projectId)).length;
}

/** Nothing of the program has changed: nothing is done, nothing is even asked. */
async function assertUnchanged(stage: Stage, branch: EngineResource, args: Values): Promise<void> {
  const projectId = String(branch.outputs["projectId"]);
  const before = await requestsOf(stage, projectId);
  assert.equal(await branch.up(args), "same");
  assert.equal(branch.plan?.changes, false);
  assert.equal(await requestsOf(stage, projectId), before);
}

/** What is read is what is declared: a refresh has nothing to show. */
async function assertRefreshed(branch: EngineResource): Promise<void> {
  const { inputs, outputs } = branch.present;
  assert.equal(await branch.refresh(), "same");
  assert.deepEqual(branch.present.inputs, inputs);
  assert.deepEqual(branch.present.outputs, outputs);
}

/** The mutations that a step sent on a project. */
async function sentBy(stage: Stage, projectId: string, step: () => Promise<unknown>): Promise<Partial<Sent>[]> {
  const before = (await stage.sent(projectId)).length;
  await step();
  const sent = (await stage.sent(projectId)).slice(before);
  return sent.map(({ method, path, body }) => ({ method, path, ...(body === undefined ? {} : { body }) }));
}

/** The branches of a project, without the one it was born with. */
async function ownBranches(stage: Stage, project: { readonly id: string; readonly branchId: string }) {
  return (await stage.branches(project.id)).filter(({ id }) => id !== project.branchId);
}

describe("a branch", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("with one field declared: sent alone, then unchanged, then changed alone, then left out", () => {
    const test = concurrently();
    for (const { title, declares, sends, change, removal = "left alone" } of [...branchFields, ...computeFields]) {
      test(title, async () => {
        const project = await stage().project();
        const branch = stage().resource("Branch");
        const base = { projectId: project.id };
        const args = { ...base, ...declares };
        const [creation, ...others] = (await sentBy(stage(), project.id, async () =>
          assert.equal(await branch.up(args), "create"),
        )) as Sent[];
        assert.ok(creation);
        assert.deepEqual(others, []);
        assert.deepEqual(createdWith(creation), {
          branch: { name: branch.name, ...sends.branch },
          ...(sends.compute === undefined ? {} : { endpoints: [{ type: "read_write", ...sends.compute }] }),
          ...(sends.annotations === undefined ? {} : { annotation_value: sends.annotations }),
        });
        await assertUnchanged(stage(), branch, args);
        await assertRefreshed(branch);
        await assertUnchanged(stage(), branch, args);

        const to = { ...base, ...change.to };
        if ("replaces" in change) {
          const plan = await branch.preview(to);
          assert.deepEqual(plan.replaces, [change.replaces]);
          assert.equal(plan.deleteBeforeReplace, true);
          const warning = await branch.warning();
          assert.match(
            warning,
            new RegExp(`^Changing \`${title}\` replaces this branch\\.`),
          );
          assert.match(warning, /What was written to the old branch goes with it/);
        } else {
          const isCompute = sends.compute !== undefined;
          const sent = await sentBy(stage(), project.id, () => branch.up(to));
          assert.deepEqual(sent, [
            isCompute
              ? {
                  method: "PATCH",
                  path: `/projects/${project.id}/endpoints/${String(branch.outputs["endpointId"])}`,
                  body: { endpoint: change.patch },
                }
              : {
                  method: "PATCH",
                  path: `/projects/${branch.id.replace("/", "/branches/")}`,
                  body: { branch: change.patch },
                },
          ]);
          await assertUnchanged(stage(), branch, to);
          await assertRefreshed(branch);
        }

        // The name falls back to the logical one, which is a change.
        if (sends.branch?.["name"] !== undefined) return;
        if (removal === "left alone") {
          await assertUnchanged(stage(), branch, base);
        } else {
          const sent = await sentBy(stage(), project.id, async () => assert.equal(await branch.up(base), "update"));
          assert.deepEqual(
            sent.map(({ path: _, ...rest }) => rest),
            [removal],
          );
          await assertUnchanged(stage(), branch, base);
        }
        assert.equal(await branch.refresh(), "same");
      });
    }
  });

  test("starts from the parent it names, and §6.11 is replaced when that changes", async () => {
    const project = await stage().project();
    const [one, other] = [await stage().branch(project.id), await stage().branch(project.id)];
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, parentId: one.id };
    await branch.up(args);
    const { id } = branch;
    assert.equal(branch.outputs["parentId"], one.id);
    await assertUnchanged(stage(), branch, args);
    await assertRefreshed(branch);
    await assertUnchanged(stage(), branch, { projectId: project.id });

    const moved = { projectId: project.id, parentId: other.id };
    assert.equal(await branch.up(moved), "replace");
    assert.notEqual(branch.id, id);
    const [now, ...rest] = (await stage().branches(project.id)).filter(({ name }) => name === branch.name);
    assert.deepEqual(rest, []);
    assert.equal(now?.parent_id, other.id);
    await assertUnchanged(stage(), branch, moved);
  });

  test("starts at the time it names, however the platform words it", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    // Later than the project, to the millisecond.
    const parentTimestamp = new Date().toISOString();
    const args = { projectId: project.id, parentTimestamp };
    const [creation] = await sentBy(stage(), project.id, () => branch.up(args));
    assert.deepEqual(createdWith(creation as Sent), {
      branch: { name: branch.name, parent_timestamp: parentTimestamp },
    });
    await assertUnchanged(stage(), branch, args);
    await assertRefreshed(branch);
    const offset = new Date(Date.parse(parentTimestamp) + 7_200_000).toISOString().replace("Z", "+02:00");
    assert.equal((await branch.preview({ ...args, parentTimestamp: offset })).changes, false);
    const plan = await branch.preview({ ...args, parentTimestamp: "2030-01-31T12:00:00Z" });
    assert.deepEqual([plan.replaces, plan.deleteBeforeReplace], [["parentTimestamp"], true]);
  });

  test("of another project is made there before the old one is deleted", async () => {
    const [one, other] = [await stage().project(), await stage().project()];
    const branch = stage().resource("Branch");
    await branch.up({ projectId: one.id });
    assert.equal(await branch.up({ projectId: other.id }), "replace");
    assert.equal(branch.plan?.deleteBeforeReplace, false);
    assert.deepEqual(await ownBranches(stage(), one), []);
    assert.equal((await ownBranches(stage(), other)).length, 1);
    const sent = (await stage().sent()).filter(({ path }) => path.includes(one.id) || path.includes(other.id));
    const last = sent.slice(-2).map(({ method, path }) => `${method} ${path.split("/")[2] ?? ""}`);
    assert.deepEqual(last, [`POST ${other.id}`, `DELETE ${one.id}`]);
  });

  test("replaced under another name is made before the old one is deleted", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id, name: "old", annotations: { run: "1" } });
    const args = { projectId: project.id, name: "new", annotations: { run: "2" } };
    const sent = await sentBy(stage(), project.id, async () => assert.equal(await branch.up(args), "replace"));
    assert.equal(branch.plan?.deleteBeforeReplace, false);
    assert.deepEqual(
      sent.map(({ method }) => method),
      ["POST", "DELETE"],
    );
    assert.deepEqual(
      (await ownBranches(stage(), project)).map(({ name }) => name),
      ["new"],
    );
  });

  test("gets a compute, is resized in place and loses it, as the program says", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const base = { projectId: project.id };
    await branch.up(base);
    assert.equal(branch.outputs["endpointId"], undefined);
    assert.equal(branch.outputs["connectionUri"], undefined);
    const path = `/projects/${project.id}/endpoints`;
    const branchId = branch.id.split("/")[1];

    const added = await sentBy(stage(), project.id, () => branch.up({ ...base, compute: {} }));
    assert.deepEqual(added, [
      { method: "POST", path, body: { endpoint: { branch_id: branchId, type: "read_write" } } },
    ]);
    const endpointId = String(branch.outputs["endpointId"]);
    assert.match(String(branch.outputs["connectionUri"]), new RegExp(`@${endpointId}\\.`));
    await assertUnchanged(stage(), branch, { ...base, compute: {} });
    await assertRefreshed(branch);

    const sizes = { autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 2, settings: { preloadLibraries: {} } };
    const resized = await sentBy(stage(), project.id, () => branch.up({ ...base, compute: sizes }));
    assert.deepEqual(resized, [
      {
        method: "PATCH",
        path: `${path}/${endpointId}`,
        body: { endpoint: { autoscaling_limit_min_cu: 1, settings: { preload_libraries: {} } } },
      },
    ]);
    await assertUnchanged(stage(), branch, { ...base, compute: sizes });
    await assertUnchanged(stage(), branch, { ...base, compute: { autoscalingLimitMaxCu: 2 } });
    await assertUnchanged(stage(), branch, { ...base, compute: {} });

    const removed = await sentBy(stage(), project.id, () => branch.up(base));
    assert.deepEqual(removed, [{ method: "DELETE", path: `${path}/${endpointId}` }]);
    assert.equal(branch.outputs["endpointId"], undefined);
    assert.equal(branch.outputs["host"], undefined);
    assert.equal(branch.outputs["connectionUri"], undefined);
    assert.deepEqual(await stage().computes(project.id, branchId ?? ""), []);
    await assertRefreshed(branch);
  });

  describe("whose compute was deleted by someone else", () => {
    const test = concurrently();
    const small = { autoscalingLimitMaxCu: 0.25 };
    const large = { autoscalingLimitMaxCu: 2 };

    /** A branch with a small compute that is deleted behind the provider's back. */
    async function withoutCompute() {
      const { id: projectId } = await stage().project();
      const branch = stage().resource("Branch");
      await branch.up({ projectId, compute: small });
      const endpointId = String(branch.outputs["endpointId"]);
      const branchId = String(branch.outputs["branchId"]);
      await stage().platform.call("DELETE", `/projects/${projectId}/endpoints/${endpointId}`);
      await stage().settled(projectId);
      return { projectId, branch, branchId, endpointId };
    }

    test("fails to change it with one error that names the commands to run, which create a new one", async () => {
      const { projectId, branch, branchId, endpointId } = await withoutCompute();
      await assert.rejects(branch.up({ projectId, compute: large }), (error) => {
        assert.ok(error instanceof CallError);
        assert.equal(error.partial, undefined);
        assert.match(
          error.message,
          new RegExp(
            `^The compute ${endpointId} of branch ${branchId} no longer exists \\(PATCH /projects/${projectId}/endpoints/${endpointId} failed with HTTP 404: [^)]+\\)\\. Run \`pulumi refresh\`, and then \`pulumi up\`\\.$`,
          ),
        );
        return true;
      });
      assert.equal(await branch.refresh(), "changed");
      assert.equal(await branch.up({ projectId, compute: large }), "update");
      assert.notEqual(branch.outputs["endpointId"], endpointId);
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("and replaced by another one fails in the same way, and changes the other one after a refresh", async () => {
      const { projectId, branch, branchId, endpointId } = await withoutCompute();
      const endpoint = { branch_id: branchId, type: "read_write", autoscaling_limit_max_cu: 1 };
      await stage().platform.call("POST", `/projects/${projectId}/endpoints`, { endpoint });
      await stage().settled(projectId);
      const text = `The compute ${endpointId} of branch ${branchId} no longer exists (`;
      await assert.rejects(branch.up({ projectId, compute: large }), failsWith(text));
      await branch.refresh();
      assert.equal(await branch.up({ projectId, compute: large }), "update");
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("fails to change it after another change was made, and creates a new one with the next up", async () => {
      const { projectId, branch, branchId } = await withoutCompute();
      const args = { projectId, name: "renamed", compute: large };
      await assert.rejects(branch.up(args), (error) => {
        assert.ok(error instanceof CallError);
        assert.match(error.message, /no longer exists \(.*\)\. The next `pulumi up` resumes from here\.$/);
        return true;
      });
      assert.equal(await branch.up(args), "update");
      assert.equal((await stage().computes(projectId, branchId)).length, 1);
    });

    test("fails as before when the branch itself is gone", async () => {
      const { projectId, branch, branchId } = await withoutCompute();
      await stage().platform.call("DELETE", `/projects/${projectId}/branches/${branchId}`);
      await stage().settled(projectId);
      await assert.rejects(branch.up({ projectId, compute: large }), failsWith(`The branch ${branch.id} no longer exists`));
    });
  });

  test("leaves a compute alone that the program never declared", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const base = { projectId: project.id };
    await branch.up(base);
    const endpoint = { branch_id: branch.id.split("/")[1], type: "read_write" };
    await stage().platform.call("POST", `/projects/${project.id}/endpoints`, { endpoint });
    await stage().settled(project.id);
    assert.equal(await branch.refresh(), "same");
    await assertUnchanged(stage(), branch, base);
    assert.equal(await branch.up({ ...base, protected: true }), "update");
    assert.equal((await stage().computes(project.id, String(endpoint.branch_id))).length, 1);
  });

  test("that is renamed and protected at once sends one request", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id });
    const args = { projectId: project.id, name: "release", protected: true };
    const sent = await sentBy(stage(), project.id, () => branch.up(args));
    assert.deepEqual(
      sent.map(({ body }) => body),
      [{ branch: { name: "release", protected: true } }],
    );
    assert.equal(branch.outputs["name"], "release");
  });

  test("that was renamed by someone else is renamed back, and not to the name it has", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const base = { projectId: project.id };
    await branch.up(base);
    const path = `/projects/${branch.id.replace("/", "/branches/")}`;
    await stage().platform.call("PATCH", path, { branch: { name: "elsewhere" } });
    assert.equal(await branch.refresh(), "changed");
    assert.equal(branch.present.inputs["name"], "elsewhere");
    assert.deepEqual(await sentBy(stage(), project.id, () => branch.up({ ...base, protected: true })), [
      { method: "PATCH", path, body: { branch: { name: branch.name, protected: true } } },
    ]);
    await stage().platform.call("PATCH", path, { branch: { name: "again" } });
    assert.equal(await branch.refresh(), "changed");
    assert.deepEqual(await sentBy(stage(), project.id, () => branch.up({ ...base, name: "again" })), []);
  });

  test("keeps the name it was given when the resource is renamed in the program", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id });
    assert.equal(await branch.up({ projectId: project.id }, { urn: urnOf("Branch", "another") }), "same");
    assert.equal(branch.present.inputs["name"], branch.name);
  });

  test("§6.13 of eight made in parallel never meets a locked project", async () => {
    const project = await stage().project();
    const args = { projectId: project.id, compute: {} };
    const branches = Array.from({ length: 8 }, () => stage().resource("Branch"));
    await Promise.all(branches.map((branch) => branch.up(args)));
    const requests = await stage().requests(project.id);
    assert.deepEqual(
      requests.filter(({ status }) => status === null || status >= 400),
      [],
    );
    const made = requests.filter(({ method, path }) => method === "POST" && path.endsWith("/branches"));
    assert.equal(made.length, 8);
    assert.equal((await ownBranches(stage(), project)).length, 8);
    assert.equal(new Set(branches.map(({ outputs }) => outputs["connectionUri"])).size, 8);
    const queued = branches.flatMap((branch) => branch.said("progress")).filter((text) => /^queued behind/.test(text));
    assert.ok(queued.length >= 7, "those that wait for their turn say so");
    await Promise.all(branches.map((branch) => branch.destroy()));
    const locked = (await stage().requests(project.id)).filter(({ status }) => status === 423);
    assert.deepEqual(locked, []);
  });

  test("§6.18 that was deleted by someone else is gone after a refresh, and made again by the next up", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const args = { projectId: project.id };
    await branch.up(args);
    const old = branch.id;
    await stage().platform.call("DELETE", `/projects/${old.replace("/", "/branches/")}`);
    await stage().settled(project.id);
    await assert.rejects(branch.up({ ...args, protected: true }), /no longer exists.* Run `pulumi refresh`/);
    assert.equal(await branch.refresh(), "gone");
    assert.equal(await branch.up(args), "create");
    assert.notEqual(branch.id, old);
    assert.equal((await ownBranches(stage(), project)).length, 1);
  });

  test("§6.22 without a compute of its own has no connection, and never that of another branch", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id });
    await branch.refresh();
    for (const output of ["connectionUri", "host", "poolerHost", "endpointId", "roleName", "databaseName"]) {
      assert.equal(branch.outputs[output], undefined, output);
    }
  });

  test("§6.22 with several roles has no connection URI: anything else would be a guess", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id });
    const path = `/projects/${branch.id.replace("/", "/branches/")}/roles`;
    const { roles } = (await stage().platform.call("GET", path)).body;
    const body = { roles: [...roles, ...roles.map((role) => ({ ...role, name: "second" }))] };
    await stage().platform.fault({ method: "GET", path: `^${path}$`, status: 200, body });
    await branch.up({ projectId: project.id, compute: {} });
    assert.match(String(branch.outputs["host"]), /^ep-/);
    for (const output of ["connectionUri", "roleName"]) assert.equal(branch.outputs[output], undefined, output);
    assert.equal(branch.outputs["databaseName"], "neondb", "there is only one");
    await assertRefreshed(branch);
  });

  test("§6.22 tells the URI of its own compute when it is looked up by its id", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId: project.id, compute: {} });
    const hidden = { __neon: { urn: urnOf("Branch", "looked-up") } };
    const read = await stage().server.read("Branch", branch.id, { projectId: project.id, ...hidden });
    assert.equal(read.id, branch.id);
    assert.equal(read.outputs["connectionUri"], branch.outputs["connectionUri"]);
    assert.equal((await stage().server.read("Branch", `${project.id}/br-no-such-1`, hidden)).id, "");
    assert.equal((await stage().server.read("Branch", "no-such-project-1/br-no-such-1", hidden)).id, "");
  });

  test("§6.7 of a project that stores no passwords is made, refreshed and planned without asking for them", async () => {
    const project = stage().resource("Project");
    await project.up({ storePasswords: false });
    assert.match(String(project.outputs["connectionUri"]), /^postgresql:/);
    await assertRefreshed(project);
    const branch = stage().resource("Branch");
    const args = { projectId: project.id, compute: {} };
    await branch.up(args);
    await assertRefreshed(branch);
    await assertUnchanged(stage(), branch, args);
    // A compute that comes later has a host, though nobody can tell the password any more.
    await branch.up({ projectId: project.id });
    await branch.up(args);
    assert.match(String(branch.outputs["host"]), /^ep-/);
    assert.equal(branch.outputs["connectionUri"], undefined);
    await assertRefreshed(branch);
  });

  test("refuses a compute range that the platform cannot scale over, before anything is sent", async () => {
    const project = await stage().project();
    const branch = stage().resource("Branch");
    const before = await requestsOf(stage(), project.id);
    const compute = { autoscalingLimitMinCu: 4, autoscalingLimitMaxCu: 2 };
    await assert.rejects(branch.up({ projectId: project.id, compute }), (error) => {
      assert.ok(error instanceof CheckError);
      assert.deepEqual(error.failures, [
        { property: "compute", reason: "the minimum of 4 CU is above the maximum of 2 CU" },
      ]);
      return true;
    });
    assert.equal(await requestsOf(stage(), project.id), before);
  });
});
