import assert from "node:assert/strict";

import type { Operation } from "@neondatabase/api-client";
import { describe } from "mocha";

import type { KindName } from "../../provider/v1";
import { CallError, type Values } from "../support/dynamic-server";
import type { EngineResource, ResourceOptions } from "../support/engine";
import { onStages, type Stage } from "../support/stage";

/** A change that can fail, and the programs around it. */
interface Mutation {
  readonly title: string;
  readonly kind: KindName;
  /** The program before the change; none if the change makes the object. */
  readonly before?: Values;
  /** The program whose `up` fails. */
  readonly program: Values;
  /** The program to go back to, or for a new object another one that can be reached in place. */
  readonly other: Values;
  /** A program that needs a new object. */
  readonly replacing: Values;
  /** The operations of the change, in order. */
  readonly operations: readonly string[];
  /** The request of the change; `:project` stands for the project's id. */
  readonly method: string;
  readonly path: string;
  /** How many computes the branch has in the end. */
  readonly computes: { readonly program: number; readonly other: number };
}

const big = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 } };
const small = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } };
const soon = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, "Z");
const elsewhere = { regionId: "aws-eu-central-1" };
const annotated = { annotations: { run: "2" } };
const oneCompute = { program: 1, other: 1 };

const mutations: readonly Mutation[] = [
  {
    title: "making a project",
    kind: "Project",
    program: {},
    other: { historyRetentionSeconds: 3600, settings: { blockVpcConnections: true } },
    replacing: elsewhere,
    operations: ["create_timeline", "start_compute"],
    method: "POST",
    path: "^/projects$",
    computes: oneCompute,
  },
  {
    title: "making a branch with a compute",
    kind: "Branch",
    program: small,
    other: { ...big, expiresAt: soon },
    replacing: { ...small, ...annotated },
    operations: ["create_branch", "start_compute"],
    method: "POST",
    path: "^/projects/:project/branches$",
    computes: oneCompute,
  },
  {
    title: "renaming a branch, limiting its life and resizing its compute",
    kind: "Branch",
    before: small,
    program: { name: "release", expiresAt: soon, ...big },
    other: small,
    replacing: { name: "release", ...big, ...annotated },
    operations: ["apply_config"],
    method: "PATCH",
    path: "^/projects/:project/branches/",
    computes: oneCompute,
  },
  {
    title: "resizing a compute",
    kind: "Branch",
    before: small,
    program: big,
    other: small,
    replacing: { ...big, ...annotated },
    operations: [],
    method: "PATCH",
    path: "^/projects/:project/endpoints/",
    computes: oneCompute,
  },
  {
    title: "adding a compute",
    kind: "Branch",
    before: {},
    program: small,
    other: {},
    replacing: { ...small, ...annotated },
    operations: ["start_compute"],
    method: "POST",
    path: "^/projects/:project/endpoints$",
    computes: { program: 1, other: 0 },
  },
  {
    title: "removing a compute",
    kind: "Branch",
    before: small,
    program: {},
    other: small,
    replacing: annotated,
    operations: ["suspend_compute"],
    method: "DELETE",
    path: "^/projects/:project/endpoints/",
    computes: { program: 0, other: 1 },
  },
  {
    title: "changing a project's settings",
    kind: "Project",
    before: { historyRetentionSeconds: 3600 },
    program: { historyRetentionSeconds: 60, settings: { preloadLibraries: { enabledLibraries: ["pg_cron"] } } },
    other: { historyRetentionSeconds: 3600 },
    replacing: { historyRetentionSeconds: 60, ...elsewhere },
    operations: ["apply_storage_config", "apply_config"],
    method: "PATCH",
    path: "^/projects/:project$",
    computes: oneCompute,
  },
];

/** A resource that is about to go through a mutation. */
interface Subject {
  readonly resource: EngineResource;
  readonly mutation: Mutation;
  /** Arguments that every program of it has. */
  readonly base: Values;
}

async function subject(stage: Stage, mutation: Mutation): Promise<Subject> {
  const resource = stage.resource(mutation.kind);
  const base = mutation.kind === "Branch" ? { projectId: (await stage.project()).id } : {};
  if (mutation.before !== undefined) await resource.up({ ...base, ...mutation.before });
  return { resource, mutation, base };
}

/** The project that a subject is or is in. */
async function projectId(stage: Stage, { resource, base }: Subject): Promise<string | undefined> {
  if (typeof base["projectId"] === "string") return base["projectId"];
  return resource.state?.id ?? (await stage.projects(resource.name))[0]?.id;
}

/** Everything that there is of this subject on the platform: one of it, or after its end none. */
async function assertNumber(stage: Stage, { resource, base }: Subject, expected: 0 | 1): Promise<void> {
  if (resource.kind === "Project") {
    const found = await stage.projects(resource.name);
    assert.deepEqual(
      found.map(({ id }) => id),
      expected === 0 ? [] : [resource.id],
    );
  } else {
    const found = (await stage.branches(String(base["projectId"]))).filter((branch) => !branch.default);
    assert.deepEqual(
      found.map(({ project_id, id }) => `${project_id}/${id}`),
      expected === 0 ? [] : [resource.id],
    );
  }
}

/** State, program and platform say the same, nothing is left over, and nobody has anything to do any more. */
async function assertHealed(stage: Stage, it: Subject, program: Values, computes: number): Promise<void> {
  const { resource } = it;
  assert.deepEqual(resource.present.failed, []);
  assert.equal((resource.outputs["__neon"] as Values)["pending"], undefined);
  await assertNumber(stage, it, 1);
  const [project = "", branch = String(resource.outputs["defaultBranchId"])] = resource.id.split("/");
  const branches = await stage.branches(project);
  assert.deepEqual(
    branches.map(({ current_state }) => current_state),
    branches.map(() => "ready"),
  );
  const found = await stage.computes(project, branch);
  assert.equal(found.length, computes);
  assert.equal(resource.outputs["endpointId"], found[0]?.id);
  if (found[0] !== undefined) assert.equal(found[0].current_state, "active");

  const before = (await stage.requests(project)).length;
  assert.equal(await resource.up({ ...it.base, ...program }), "same");
  assert.equal(resource.plan?.changes, false);
  assert.equal((await stage.requests(project)).length, before);
  const { inputs } = resource.present;
  assert.equal(await resource.refresh(), "same");
  assert.deepEqual(resource.present.inputs, inputs);
}

/** A way to go on after a failure. */
interface Recovery {
  readonly title: string;
  readonly goOn: (stage: Stage, it: Subject) => Promise<void>;
}

const recoveries: readonly Recovery[] = [
  {
    title: "up",
    goOn: async (stage, it) => {
      const { program, computes } = it.mutation;
      await it.resource.up({ ...it.base, ...program });
      await assertHealed(stage, it, program, computes.program);
    },
  },
  {
    title: "refresh, then up",
    goOn: async (stage, it) => {
      const { program, computes } = it.mutation;
      assert.notEqual(await it.resource.refresh(), "gone");
      assert.deepEqual(it.resource.present.failed, [], "the engine's own mark is gone");
      assert.notEqual(await it.resource.up({ ...it.base, ...program }), "same");
      await assertHealed(stage, it, program, computes.program);
    },
  },
  {
    title: "up of another program",
    goOn: async (stage, it) => {
      const { other, computes } = it.mutation;
      await it.resource.up({ ...it.base, ...other });
      await assertHealed(stage, it, other, computes.other);
    },
  },
  {
    title: "refresh, then up of another program",
    goOn: async (stage, it) => {
      const { other, computes } = it.mutation;
      await it.resource.refresh();
      await it.resource.up({ ...it.base, ...other });
      await assertHealed(stage, it, other, computes.other);
    },
  },
  {
    title: "replacement",
    goOn: async (stage, it) => {
      const { replacing, computes } = it.mutation;
      const { id } = it.resource;
      assert.equal(await it.resource.up({ ...it.base, ...replacing }), "replace");
      assert.notEqual(it.resource.id, id);
      await assertHealed(stage, it, replacing, computes.program);
    },
  },
  {
    title: "destroy",
    goOn: async (stage, it) => {
      await it.resource.destroy();
      await assertNumber(stage, it, 0);
    },
  },
];

async function operations(stage: Stage, it: Subject): Promise<Operation[]> {
  const { body } = await stage.platform.call("GET", `/projects/${(await projectId(stage, it)) ?? ""}/operations`);
  return body.operations;
}

/** Runs the program that fails; what it leaves in the state has been judged by the engine already. */
async function failPartly(stage: Stage, it: Subject, options?: ResourceOptions): Promise<string> {
  await assert.rejects(it.resource.up({ ...it.base, ...it.mutation.program }, options), (error) => {
    assert.ok(error instanceof CallError);
    assert.ok(error.partial, error.message);
    return true;
  });
  const [reason = ""] = it.resource.present.failed;
  await assertNumber(stage, it, 1);
  return reason;
}

describe("an operation that does not end well", () => {
  const ends = ["error", "cancelled", "stuck", "failed"] as const;
  const cases = mutations.flatMap((mutation) =>
    mutation.operations.flatMap((action) =>
      ends.flatMap((end) =>
        // A failed operation is waited for like a stuck one while the deadline is near.
        (end === "failed" ? recoveries.slice(0, 1) : recoveries).map((recovery) => ({
          title: `${mutation.title}, ${action} ends ${end}: ${recovery.title}`,
          mutation,
          action,
          end,
          recovery,
        })),
      ),
    ),
  );

  onStages(8, {}, cases, async (stage, { mutation, action, end, recovery }) => {
    const it = await subject(stage, mutation);
    await stage.platform.fault({ action, end });
    const isHeld = end === "stuck" || end === "failed";
    const reason = await failPartly(stage, it, isHeld ? { timeouts: { create: "400ms", update: "400ms" } } : {});

    const [culprit] = (await operations(stage, it)).filter((operation) => operation.action === action);
    assert.ok(culprit);
    assert.ok(reason.includes(`${culprit.id} (${action})`), reason);
    assert.match(reason, isHeld ? /^Not done within 0\.\d s: / : new RegExp(` ended as ${end} \\(failures: \\d\\)`));
    assert.match(
      reason,
      /The next `pulumi up` goes on from here\.$|The next `pulumi up` makes it anew\.$|never became usable: the next `pulumi up` makes it anew\.$/,
    );
    await stage.platform.clearFaults();

    await recovery.goOn(stage, it);
  });
});
