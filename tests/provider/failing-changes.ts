import assert from "node:assert/strict";

import type { Operation } from "@neondatabase/api-client";

import type { KindName } from "../../provider/frozen-entry";
import { CallError, type Values } from "../support/provider-server";
import type { EngineResource, ResourceOptions } from "../support/engine";
import { inDays } from "../support/in-days";
import type { Stage } from "../support/stage";
import { assertRefreshed, assertUnchanged } from "../support/up-to-date";

/** A change that can fail, and the programs around it. */
export interface Mutation {
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
export const small = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } };
const soon = inDays(1);
const elsewhere = { regionId: "aws-eu-central-1" };
export const annotated = { annotations: { run: "2" } };
const oneCompute = { program: 1, other: 1 };

export const makingProject: Mutation = {
  title: "making a project",
  kind: "Project",
  program: {},
  other: { historyRetentionSeconds: 3600, settings: { blockVpcConnections: true } },
  replacing: elsewhere,
  operations: ["create_timeline", "start_compute"],
  method: "POST",
  path: "^/projects$",
  computes: oneCompute,
};
export const makingBranch: Mutation = {
  title: "making a branch with a compute",
  kind: "Branch",
  program: small,
  other: { ...big, expiresAt: soon },
  replacing: { ...small, ...annotated },
  operations: ["create_branch", "timeline_update_protected_config", "start_compute"],
  method: "POST",
  path: "^/projects/:project/branches$",
  computes: oneCompute,
};
export const addingCompute: Mutation = {
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
};
export const mutations: readonly Mutation[] = [
  makingProject,
  makingBranch,
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
  addingCompute,
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

/**
 * Gives up as soon as it may. On a busy machine the request alone can take longer: then the provider does not poll at all,
 * and reports the operations as the answer listed them.
 */
export const impatient: ResourceOptions = { timeouts: { create: "400ms", update: "400ms" } };
/** Gives up, but not before it has polled: many times what the request takes on a busy machine. */
export const patient: ResourceOptions = { timeouts: { create: "20s" } };

/** A resource that is about to go through a mutation. */
interface Subject {
  readonly resource: EngineResource;
  readonly mutation: Mutation;
  /** Arguments that every program of it has. */
  readonly base: Values;
}

export async function prepared(stage: Stage, mutation: Mutation): Promise<Subject> {
  const resource = stage.resource(mutation.kind);
  const base = mutation.kind === "Branch" ? { projectId: (await stage.project()).id } : {};
  if (mutation.before !== undefined) await resource.up({ ...base, ...mutation.before });
  return { resource, mutation, base };
}

/** The project that a subject is or is in. */
export async function projectId(stage: Stage, { resource, base }: Subject): Promise<string | undefined> {
  if (typeof base["projectId"] === "string") return base["projectId"];
  return resource.state?.id ?? (await stage.projects(resource.name))[0]?.id;
}

/** Everything that there is of this subject on the platform: one of it, or after its end none. */
export async function assertNumber(stage: Stage, { resource, base }: Subject, expected: 0 | 1): Promise<void> {
  assert.deepEqual(await stage.objects(resource, base), expected === 0 ? [] : [resource.id]);
}

/** State, program and platform say the same, nothing is left over, and nobody has anything to do any more. */
export async function assertHealed(stage: Stage, subject: Subject, program: Values, computes: number): Promise<void> {
  const { resource } = subject;
  assert.deepEqual(resource.present.failed, []);
  assert.equal((resource.outputs["__neon"] as Values)["pending"], undefined);
  await assertNumber(stage, subject, 1);
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

  await assertUnchanged(stage, resource, { ...subject.base, ...program });
  await assertRefreshed(resource);
}

/** Brings the subject to a program, and asserts that everything agrees with it then. */
export async function heal(
  stage: Stage,
  subject: Subject,
  program = subject.mutation.program,
  computes = subject.mutation.computes.program,
): Promise<void> {
  await subject.resource.up({ ...subject.base, ...program });
  await assertHealed(stage, subject, program, computes);
}

/** A way to go on after a failure. */
interface Recovery {
  readonly title: string;
  readonly goOn: (stage: Stage, subject: Subject) => Promise<void>;
}

export const recoveries: readonly Recovery[] = [
  {
    title: "up",
    goOn: (stage, subject) => heal(stage, subject),
  },
  {
    title: "refresh, then up",
    goOn: async (stage, subject) => {
      const { program, computes } = subject.mutation;
      assert.notEqual(await subject.resource.refresh(), "gone");
      assert.deepEqual(subject.resource.present.failed, [], "the engine's own mark is gone");
      assert.notEqual(await subject.resource.up({ ...subject.base, ...program }), "same");
      await assertHealed(stage, subject, program, computes.program);
    },
  },
  {
    title: "up of another program",
    goOn: async (stage, subject) => {
      const { other, computes } = subject.mutation;
      await heal(stage, subject, other, computes.other);
    },
  },
  {
    title: "replacement",
    goOn: async (stage, subject) => {
      const { replacing, computes } = subject.mutation;
      const { id } = subject.resource;
      assert.equal(await subject.resource.up({ ...subject.base, ...replacing }), "replace");
      assert.notEqual(subject.resource.id, id);
      await assertHealed(stage, subject, replacing, computes.program);
    },
  },
  {
    title: "destroy",
    goOn: async (stage, subject) => {
      await subject.resource.destroy();
      await assertNumber(stage, subject, 0);
    },
  },
];

/** The latest operation of this action. */
export async function operationOf(stage: Stage, subject: Subject, action: string): Promise<Operation> {
  const { body } = await stage.platform.call("GET", `/projects/${(await projectId(stage, subject)) ?? ""}/operations`);
  const found = body.operations.find((operation) => (operation.action as string) === action);
  assert.ok(found);
  return found;
}

/** Runs the program that fails; what it leaves in the state has been judged by the engine already. */
export async function failPartly(stage: Stage, subject: Subject, options?: ResourceOptions): Promise<string> {
  const { state } = subject.resource;
  await assert.rejects(subject.resource.up({ ...subject.base, ...subject.mutation.program }, options), CallError);
  assert.notEqual(subject.resource.state, state, "the failure is not in the state");
  const [reason = ""] = subject.resource.present.failed;
  await assertNumber(stage, subject, 1);
  return reason;
}
