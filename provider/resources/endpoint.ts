import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { poolerHostOf } from "../../api/endpoint-host";
import { branches } from "../../api/schemas/branch";
import {
  type Endpoint,
  endpoint as wireEndpoint,
  endpointCreate,
  endpoints,
  type EndpointUpdate,
  endpointUpdate,
  poolerHost,
} from "../../api/schemas/endpoint";
import { autoscalingProblem } from "../../api/schemas/project-settings";
import type { Context } from "../call/context";
import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { changedInputs } from "../kind/differences";
import { adopt, ofBranch, ofProject, trigger } from "../kind/inputs";
import { defineKind } from "../kind/kind";
import { only, type OutputsOf } from "../kind/outputs";
import { contains, omitUndefined, outputsIn, type Values } from "../values";
import type { Changes } from "../kind/field-rules";
import { namesakes } from "../kind/options";
import { branchTitle } from "./branch/obstacles";
import { deleteCompute, setComputeState } from "./compute/change";
import { compute, otherSizes, computeBody, computeOutputs } from "./compute/inputs";
import { branchItMovedTo, managedThere, movedAway, warnOfMoved } from "./compute/moved";
import { endpointsOn, readEndpoint } from "./compute/read";
import { undeletableWithProject } from "./project-defaults";

const members = lazy(() => {
  const wire = camelShape(endpointCreate.shape);
  return z.strictObject({
    ...ofProject,
    branchId: ofBranch.branchId.meta({ change: "The new compute has another host." }),
    type: wire.type.describe(
      "Type of the compute: `read_write` or `read_only` (a read replica). A branch has at most one read-write compute: if a {@link Branch} declares it as `compute`, you cannot declare it here. The roles and databases of the branch need it: let them depend on this resource with `dependsOn`.",
    ),
    regionId: wire.regionId.meta({ note: "It must be the project's region, which is the default." }),
    name: wire.name,
    disabled: wire.disabled.meta({
      note: 'After you set `false`, it starts with the next connection, or immediately with `state: "active"`.',
      default: false,
    }),
    state: z
      .enum(["active", "idle"])
      .optional()
      .describe(
        "`active` starts the compute and `idle` suspends it, when the resource is created or adopted and when this value changes. Afterwards Neon suspends and starts the compute as usual, which is not drift. To keep a compute active, set `suspendTimeoutSeconds` to -1. Default: Neon decides.",
      ),
    restartTrigger: trigger(
      "restarts the compute in place, which drops its connections. A compute that is disabled, or declared as `idle`, is not restarted",
    ),
    ...only(wire, "passwordlessAccess", "poolerEnabled", "poolerMode"),
    adopt: adopt.describe(
      "Adopts an existing compute instead of creating one, and applies the declared arguments and the name to it. An id adopts that compute and fails if it does not exist. `true` adopts the branch's read-write compute, or creates it if there is none.",
    ),
    ...compute().shape,
  });
});
export type EndpointInputs = z.infer<ReturnType<typeof members>>;

const inputs = lazy(() =>
  members()
    .check(
      combination((declared, report) => {
        const { type, state, disabled, adopt: adopted } = declared;
        const problem = autoscalingProblem(
          known(declared.autoscalingLimitMinCu),
          known(declared.autoscalingLimitMaxCu),
        );
        if (problem !== undefined) report(problem, "autoscalingLimitMaxCu");
        if (state === "active" && disabled === true) {
          report('cannot be "active" while disabled is true: a disabled compute cannot be started', "state");
        }
        if (type === "read_only" && adopted === true) {
          report(
            'must be the id of the compute, such as "ep-cool-darkness-123456": a branch can have several read-only computes, and true means its read-write one',
            "adopt",
          );
        }
      }),
    )
    .meta({ otherNames: otherSizes })
    .describe("Neon chooses the values that you omit. They never cause a diff."),
);

/** The outputs of a compute. They exclude its current state, which changes by itself. */
const outputs = () => {
  const declared = inputs().shape;
  const wire = camelShape(wireEndpoint.shape);
  return z.object({
    ...ofBranch,
    type: declared.type.describe("Type of the compute: `read_write` or `read_only`."),
    ...only(wire, "regionId", "name"),
    ...only(compute().shape, "autoscalingLimitMinCu", "autoscalingLimitMaxCu", "suspendTimeoutSeconds", "provisioner"),
    ...only(declared, "settings"),
    ...only(wire, "disabled"),
    state: declared.state.describe("The declared value. To read the current state, use {@link getEndpoint}."),
    ...only(declared, "restartTrigger", "passwordlessAccess", "poolerEnabled", "poolerMode"),
    endpointId: wire.id,
    ...only(wire, "host"),
    poolerHost: poolerHost.optional(),
    ...only(wire, "createdAt"),
  });
};
export type EndpointOutputs = OutputsOf<typeof outputs>;

/** A compute: the read-write one of a branch, or a read replica. */
export const endpoint = defineKind<EndpointInputs, EndpointOutputs>({
  name: "Endpoint",
  noun: "compute",
  inputs,
  outputs,
  identifiedBy: ["projectId", "endpointId"],
  rules: {
    branchId: { onChange: "replace", onDrift: "ignore" },
    type: { onChange: "replace" },
    regionId: { onChange: "replace" },
    "settings.preloadLibraries.enabledLibraries": { equality: "set" },
    // Declaring `state` again after it was removed is a change, which starts or suspends the compute.
    state: { platform: "moves", onRemove: "clear" },
    restartTrigger: { platform: "unaware" },
  },
  defaultName: "name",
  // A branch has one read-write compute and any number of read-only ones.
  uniqueBy: ["projectId", "branchId", "type"],
  alternative:
    "remove this resource from the program: a branch has one read-write compute, which `compute` of a `Branch` can declare, too",
  uniqueWhere: { type: "read_write" },
  replacement: { loss: "The new compute has another host." },

  create: ({ projectId, state: _state, restartTrigger: _trigger, adopt: _adopt, ...compute }) =>
    creation({
      what: "create compute",
      request: endpoints.create(projectId, computeBody(compute)),
      repeatable: compute.type === "read_write",
      outputs: (answer) => endpointOutputs(answer.endpoint),
      leaves: ["state"],
    }),

  read: async (context, { projectId = "", endpointId = "", branchId }) => {
    const found = await readEndpoint(context, projectId, endpointId);
    const movedTo = found?.branch_id ?? branchId;
    // The Pulumi state keeps the declared branch, so only a warning can name the actual one.
    if (context.isRefresh && branchId !== undefined && movedTo !== undefined && movedTo !== branchId) {
      context.warn(
        `The compute ${endpointId} of branch ${branchId} belongs to branch ${movedTo} now. It is neither changed nor deleted here. ${managedThere({ projectId, branchId, endpointId }, movedTo)}`,
      );
    }
    return found && endpointOutputs(found);
  },

  update: async (context, state, declared, changes) => {
    await patchCompute(context, state, declared, changes);
    if (changes.has("restartTrigger")) await restart(context, state, declared, changes);
    if (changes.has("state")) await enterDeclaredState(context, state, declared);
  },

  remove: async (context, state) => {
    const { projectId, endpointId } = state;
    const movedTo = await branchItMovedTo(context, state);
    if (movedTo !== undefined) {
      warnOfMoved(context, state, movedTo);
      return;
    }
    await deleteCompute(context, state, {
      beforeResend: () => readOwn(context, state),
      explain: (error) => explainedByProtection(context, projectId, endpointId, error),
    });
  },

  namesakes: (_, { projectId, branchId, type, name }) =>
    namesakes({
      collection: endpointsOn(projectId, branchId),
      // A branch has one read-write compute. Read-only computes differ by name, if the platform reports names.
      matches: (one) => one.type === type && (type === "read_write" || (one.name ?? name) === name),
      outputs: endpointOutputs,
    }),

  undeletable: async (context, state) => {
    const { projectId, branchId, endpointId, type } = state;
    if (type !== "read_write") return undefined;
    return undeletableWithProject(
      context,
      `compute ${endpointId}`,
      state,
      endpointsOn(projectId, branchId),
      ({ id }) => id === endpointId,
    );
  },

  finishing: {
    readsState: true,
    repair: async (context, state) => {
      const { projectId, branchId, endpointId } = state;
      const found = await readEndpoint(context, projectId, endpointId);
      if (found?.branch_id !== branchId || found.pending_state !== undefined) return;
      const { disabled, current_state: current } = found;
      const beforeResend = (): Promise<unknown> => readOwn(context, state);
      if (disabled === true && current === "active") await setComputeState(context, found, "idle", { beforeResend });
      if (disabled !== true && current === "init") await setComputeState(context, found, "active", { beforeResend });
    },
  },

  listing: {
    of: "project",
    list: async ({ read }, { projectId }) =>
      (await read(endpoints.list(projectId))).endpoints.map(({ id, branch_id, host, type }) => ({
        address: { endpointId: id },
        ...(type === "read_write" && { compute: { branchId: branch_id, endpointId: id, host } }),
      })),
  },
});

/** The inputs that a PATCH of the compute changes. */
const patchable = Object.keys(camelShape(endpointUpdate.omit({ branch_id: true }).shape));

/**
 * The compute, or `undefined` if it does not exist.
 *
 * @throws NeonError if it belongs to another branch now
 */
async function readOwn(context: Context, state: EndpointOutputs): Promise<Endpoint | undefined> {
  const found = await readEndpoint(context, state.projectId, state.endpointId);
  if (found === undefined || found.branch_id === state.branchId) return found;
  const movedTo = found.branch_id;
  throw movedAway(state, movedTo, managedThere(state, movedTo));
}

async function patchCompute(
  context: Context,
  state: EndpointOutputs,
  declared: EndpointInputs,
  changes: Changes,
): Promise<void> {
  const { projectId, endpointId } = state;
  const changed = changedInputs(declared, patchable, changes);
  if (Object.keys(changed).length === 0) return;
  await readOwn(context, state);
  const { settings = {}, ...others } = changed;
  const body: EndpointUpdate = toWire(changed);
  await context.change({
    what: "change compute",
    request: endpoints.update(projectId, endpointId, body),
    applies: [...Object.keys(others), ...Object.keys(settings as Values).map((member) => `settings.${member}`)],
    configures: endpointId,
    beforeResend: () => readOwn(context, state),
    done: async () => contains(await readEndpoint(context, projectId, endpointId), body),
  });
}

/** Restarts a compute. Skips one that is declared idle and is not running: its next start has the same effect. */
async function restart(
  context: Context,
  present: EndpointOutputs,
  { state }: EndpointInputs,
  changes: Changes,
): Promise<void> {
  const { projectId, endpointId } = present;
  const before = await readOwn(context, present);
  const staysIdle = state === "idle" && (changes.has("state") || before?.current_state !== "active");
  if (before === undefined || before.disabled === true || staysIdle) return;
  await context.change({
    what: "restart compute",
    request: endpoints.act(projectId, endpointId, "restart"),
    applies: ["restartTrigger"],
    beforeResend: () => readOwn(context, present),
    done: async () => {
      const now = await readEndpoint(context, projectId, endpointId);
      return now === undefined || now.pending_state !== undefined || now.started_at !== before.started_at;
    },
  });
}

/** Starts or suspends the compute if it is not in the declared state. */
async function enterDeclaredState(
  context: Context,
  present: EndpointOutputs,
  { state }: EndpointInputs,
): Promise<void> {
  if (state === undefined) return;
  const now = await readOwn(context, present);
  if (now === undefined || (now.current_state === state && now.pending_state === undefined)) return;
  const beforeResend = (): Promise<unknown> => readOwn(context, present);
  await setComputeState(context, now, state, { applies: ["state"], beforeResend }).catch((error: unknown) => {
    if (!hasStatus(error, 422) || now.disabled !== true) throw error;
    throw explained(
      `The compute ${now.id} was not started: it is disabled`,
      error,
      "Declare `disabled: false` to start it.",
    );
  });
}

function endpointOutputs(found: Endpoint): EndpointOutputs {
  const reported = outputsIn(
    found,
    "name",
    "region_id",
    "pooler_enabled",
    "pooler_mode",
    "disabled",
    "passwordless_access",
  );
  return {
    ...computeOutputs(found),
    ...(reported as Partial<EndpointOutputs>),
    ...omitUndefined({ poolerHost: poolerHostOf(found) }),
    type: found.type as EndpointOutputs["type"],
    endpointId: found.id,
    ...outputsIn(found, "project_id", "branch_id", "host", "created_at"),
  };
}

/** Explains the 422 for a compute if its branch is protected. Returns any other error as it is. */
async function explainedByProtection(
  context: Context,
  projectId: string,
  endpointId: string,
  error: unknown,
): Promise<unknown> {
  if (!hasStatus(error, 422)) return error;
  try {
    const { branch_id: branchId = "" } = (await readEndpoint(context, projectId, endpointId)) ?? {};
    const { branch } = await context.read(branches.get(projectId, branchId));
    if (branch.protected !== true) return error;
    return explained(
      `The compute ${endpointId} was not deleted: its ${branchTitle(branch)} is protected`,
      error,
      "Set `protected: false` on the branch, run `pulumi up`, then delete the compute.",
    );
  } catch {
    return error;
  }
}
