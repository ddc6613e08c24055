import { z } from "zod";

import { camelShape, fromWire, toWire } from "../../api/camel-case";
import { HttpError, PlatformError } from "../../api/errors";
import { branches } from "../../api/schemas/branch";
import {
  type Endpoint,
  endpointCreate,
  type EndpointCreate,
  endpoints,
  type EndpointUpdate,
  poolerHostOf,
} from "../../api/schemas/endpoint";
import { autoscalingProblem } from "../../api/schemas/project-settings";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy, idOf } from "../kind/id";
import type { Changes, Kind } from "../kind/kind";
import { contains } from "../kind/values";
import { adopt } from "./shared/adopt";
import { computeBody, computeOutputs, enterState, readEndpoint, readWriteEndpoint } from "./shared/compute";
import { deleteObject } from "./shared/delete";
import { isCreatedWithProject } from "./shared/project-defaults";

const members = z.strictObject({
  projectId: objectId,
  ...camelShape(endpointCreate.shape),
  branchId: objectId,
  state: z.enum(["active", "idle"]).optional(),
  restartTrigger: z.string().optional(),
  adopt: adopt.optional(),
});
/** What a program declares of a compute. */
export type EndpointInputs = z.infer<typeof members>;

/** These hold for what is known, even while the branch is still to be made and its id is not. */
const when = (): boolean => true;
const inputs = members
  .refine((value) => rangeProblem(value) === undefined, {
    path: ["autoscalingLimitMaxCu"],
    error: ({ input }) => rangeProblem(input as EndpointInputs),
    when,
  })
  .refine(({ state, disabled }) => !(state === "active" && disabled === true), {
    path: ["state"],
    error: 'cannot be "active" while disabled is true: a disabled compute cannot be started',
    when,
  })
  .refine(({ type, adopt: wanted }) => !(type === "read_only" && wanted === true), {
    path: ["adopt"],
    error:
      'needs the id of the compute here, such as "ep-cool-darkness-123456": a branch can have many read-only ones, and true is for its read-write one',
    when,
  });

/** What there is to know of a compute. Not whether it runs: that moves by itself. */
export interface EndpointOutputs extends Omit<EndpointInputs, "adopt"> {
  readonly endpointId: string;
  readonly host: string;
  readonly poolerHost?: string;
  readonly createdAt: string;
}

/** A compute: the read-write one of a branch, or one of its read-only ones. */
export const endpoint: Kind<EndpointInputs, EndpointOutputs> = {
  name: "Endpoint",
  noun: "compute",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    type: { onChange: "replace" },
    regionId: { onChange: "replace" },
    "settings.preloadLibraries.enabledLibraries": { equality: "set" },
    // Declaring again what was left out is a change of the program, and acts.
    state: { platform: "moves", onRemove: "clear" },
    restartTrigger: { platform: "unaware" },
  },
  controls: ["adopt"],
  defaultName: "name",
  secrets: [],
  // A branch has one read-write compute, and any number of read-only ones.
  uniqueBy: ({ type }) => (type === "read_write" ? ["projectId", "branchId", "type"] : []),
  lossOnReplace: "The new one has another host.",
  ...identifiedBy("projectId", "endpointId"),

  create: async (context, declared) => {
    const made = await context.create({
      what: `create compute ${declared.name ?? ""}`,
      request: () => endpoints.create(declared.projectId, createBody(declared)),
      repeatable: declared.type === "read_write",
      record: (answer) => ({
        id: idOf(declared.projectId, answer.endpoint.id),
        outputs: endpointOutputs(answer.endpoint),
      }),
    });
    await enterDeclaredState(context, made.outputs, declared);
    return made;
  },

  read: async (context, { projectId = "", endpointId = "" }) => {
    const found = await readEndpoint(context, projectId, endpointId);
    return found && endpointOutputs(found);
  },

  update: async (context, state, declared, changes) => {
    await configure(context, state, declared, changes);
    if (changes.has("restartTrigger")) await restart(context, state, declared, changes);
    if (changes.has("state")) await enterDeclaredState(context, state, declared);
  },

  remove: async (context, { projectId, endpointId }) => {
    await deleteObject(context, {
      object: `compute ${endpointId}`,
      project: projectId,
      request: endpoints.delete(projectId, endpointId),
      tells: (answer) => answer.endpoint !== undefined,
      isThere: async () => (await readEndpoint(context, projectId, endpointId)) !== undefined,
      explained: (error) => protectedExplained(context, projectId, endpointId, error),
    });
  },

  find: async (context, { projectId, branchId, type }, id) => {
    if (id !== undefined) return { projectId, endpointId: adoptedSegment(id, projectId) };
    // Read-only ones have no natural key: nothing tells which of them is meant.
    if (type === "read_only") return undefined;
    const found = await readWriteEndpoint(context, projectId, branchId);
    return found && { projectId, endpointId: found.id };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, branchId, type, name }, since) => {
      const answer = await context.read(endpoints.listOfBranch(projectId, branchId));
      return (
        answer.endpoints
          .filter((found) => found.type === type && Date.parse(found.created_at) >= since.getTime())
          // A branch has one read-write compute; read replicas are told apart by their names.
          .filter((found) => type === "read_write" || found.name === name)
          .map(({ id }) => ({ projectId, endpointId: id }))
      );
    },
  },

  undeletable: async (context, state) => {
    const { projectId, branchId, endpointId, type } = state;
    if (type !== "read_write") return undefined;
    const all = async (): Promise<readonly Endpoint[]> =>
      (await context.read(endpoints.listOfBranch(projectId, branchId))).endpoints;
    return (await isCreatedWithProject(context, state, all))
      ? `The compute ${endpointId} came with its project and goes only with it.`
      : undefined;
  },

  repair: async (context, { projectId, endpointId }) => {
    const found = await readEndpoint(context, projectId, endpointId);
    if (found === undefined || found.pending_state !== undefined) return;
    if (found.disabled === true && found.current_state === "active") await enterState(context, found, "idle");
    if (found.disabled !== true && found.current_state === "init") await enterState(context, found, "active");
  },
};

function rangeProblem({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max }: EndpointInputs): string | undefined {
  return typeof min === "number" && typeof max === "number" ? autoscalingProblem(min, max) : undefined;
}

function createBody({
  projectId: _,
  state: __,
  restartTrigger: ___,
  adopt: ____,
  ...asked
}: EndpointInputs): EndpointCreate {
  return computeBody(asked);
}

/** What is changed by one request, beside the settings. */
const changeable = [
  "name",
  "autoscalingLimitMinCu",
  "autoscalingLimitMaxCu",
  "suspendTimeoutSeconds",
  "provisioner",
  "poolerEnabled",
  "poolerMode",
  "disabled",
  "passwordlessAccess",
] as const;
const changeableSettings = ["pgSettings", "pgbouncerSettings", "preloadLibraries"] as const;

/** Sends the members that have changed, of the settings each one whole: how deeper parts are merged is not specified. */
async function configure(
  context: Context,
  { projectId, endpointId }: EndpointOutputs,
  declared: EndpointInputs,
  changes: Changes,
): Promise<void> {
  const own = changeable.filter((name) => declared[name] !== undefined && changes.has(name));
  const settings = changeableSettings.filter(
    (name) => declared.settings?.[name] !== undefined && changes.has(`settings.${name}`),
  );
  if (own.length + settings.length === 0) return;
  const body: EndpointUpdate = toWire({
    ...Object.fromEntries(own.map((name) => [name, declared[name]])),
    ...(settings.length === 0
      ? {}
      : { settings: Object.fromEntries(settings.map((name) => [name, declared.settings?.[name]])) }),
  });
  await context.change({
    what: `change compute ${endpointId}`,
    project: projectId,
    request: endpoints.update(projectId, endpointId, body),
    applies: [...own, ...settings.map((name) => `settings.${name}`)],
    done: async () => contains(await readEndpoint(context, projectId, endpointId), body),
  });
}

/** Restarts a compute, unless it rests and is meant to: it then starts with whatever it is to start with. */
async function restart(
  context: Context,
  { projectId, endpointId }: EndpointOutputs,
  { state }: EndpointInputs,
  changes: Changes,
): Promise<void> {
  const before = await readEndpoint(context, projectId, endpointId);
  const isToRest = state === "idle" && (changes.has("state") || before?.current_state !== "active");
  if (before === undefined || before.disabled === true || isToRest) return;
  await context.change({
    what: `restart compute ${endpointId}`,
    project: projectId,
    request: endpoints.act(projectId, endpointId, "restart"),
    applies: ["restartTrigger"],
    done: async () => {
      const now = await readEndpoint(context, projectId, endpointId);
      return now === undefined || now.pending_state !== undefined || now.started_at !== before.started_at;
    },
  });
}

/** Starts or suspends the compute if the program wants it otherwise than it is. */
async function enterDeclaredState(
  context: Context,
  { projectId, endpointId }: EndpointOutputs,
  { state }: EndpointInputs,
): Promise<void> {
  if (state === undefined) return;
  const now = await readEndpoint(context, projectId, endpointId);
  if (now === undefined || (now.current_state === state && now.pending_state === undefined)) return;
  await enterState(context, now, state, ["state"]).catch((error: unknown) => {
    const isDisabled = HttpError.isInstance(error) && error.status === 422 && now.disabled === true;
    if (!isDisabled) throw error;
    throw new PlatformError(
      "invalid",
      `The compute ${endpointId} is disabled and was not started. Declare \`disabled: false\` to let it start. (${error.summary})`,
      error,
    );
  });
}

function endpointOutputs(found: Endpoint): EndpointOutputs {
  const poolerHost = poolerHostOf(found);
  const said = fromWire({
    ...(found.name === undefined ? {} : { name: found.name }),
    ...(found.region_id === undefined ? {} : { region_id: found.region_id }),
    ...(found.pooler_enabled === undefined ? {} : { pooler_enabled: found.pooler_enabled }),
    ...(found.pooler_mode === undefined ? {} : { pooler_mode: found.pooler_mode }),
    ...(found.disabled === undefined ? {} : { disabled: found.disabled }),
    ...(found.passwordless_access === undefined ? {} : { passwordless_access: found.passwordless_access }),
  });
  return {
    ...computeOutputs(found),
    ...(said as Partial<EndpointOutputs>),
    projectId: found.project_id,
    branchId: found.branch_id,
    type: found.type as EndpointOutputs["type"],
    endpointId: found.id,
    host: found.host,
    ...(poolerHost === undefined ? {} : { poolerHost }),
    createdAt: found.created_at,
  };
}

/** Why a compute was not deleted: its branch is never unprotected without being told to. */
async function protectedExplained(
  context: Context,
  projectId: string,
  endpointId: string,
  error: unknown,
): Promise<unknown> {
  if (!HttpError.isInstance(error) || error.status !== 422) return error;
  try {
    const { branch_id: branchId = "" } = (await readEndpoint(context, projectId, endpointId)) ?? {};
    const { branch } = await context.read(branches.get(projectId, branchId));
    if (branch.protected !== true) return error;
    return new PlatformError(
      "invalid",
      `The compute ${endpointId} is on the protected branch ${branch.name} (${branchId}) and was not deleted. Set \`protected: false\` there, run \`pulumi up\`, then delete it. (${error.summary})`,
      error,
    );
  } catch {
    return error;
  }
}
