import { z } from "zod";

import { fromWire, type SnakeCased, toWire } from "../../../api/camel-case";
import { camelShape } from "../../../api/camel-shape";
import { ignoreNotFound } from "../../../api/errors";
import type { Branch } from "../../../api/schemas/branch";
import { branchEndpointCreate, type Endpoint, endpoints } from "../../../api/schemas/endpoint";
import { autoscalingProblem } from "../../../api/schemas/project-settings";
import { type Answer, type Collection, onePage } from "../../call/collection";
import type { Context } from "../../call/context";
import type { Change } from "../../call/change";
import { omitUndefined } from "../../values";

const { type: _, ...members } = branchEndpointCreate.shape;

/** The read-write compute of a branch, as a program declares it. */
export const compute = z.strictObject(camelShape(members)).superRefine((value, context) => {
  const problem = autoscalingProblem(value.autoscalingLimitMinCu, value.autoscalingLimitMaxCu);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});
export type Compute = z.infer<typeof compute>;

/**
 * The body of a request that creates a compute. The platform refuses settings without Postgres settings here, even if
 * those are empty.
 */
export function computeBody<Declared extends Compute>({ settings, ...others }: Declared): SnakeCased<Declared> {
  const complete = { ...others, ...(settings === undefined ? {} : { settings: { pgSettings: {}, ...settings } }) };
  return toWire(complete) as unknown as SnakeCased<Declared>;
}

/** The settings of a compute, as a program declares them. The platform reports empty Postgres settings as `{}` or not at all. */
export function computeOutputs(endpoint: Endpoint): Compute {
  const { autoscaling_limit_min_cu, autoscaling_limit_max_cu, suspend_timeout_seconds, provisioner } = endpoint;
  return fromWire(
    omitUndefined({
      autoscaling_limit_min_cu,
      autoscaling_limit_max_cu,
      suspend_timeout_seconds,
      provisioner,
      settings: { pg_settings: {}, ...endpoint.settings },
    }),
  ) as Compute;
}

/** The read-write compute of a branch, or `undefined` if it has none. */
export async function readWriteEndpoint(
  context: Context,
  projectId: string,
  branchId: string,
): Promise<Endpoint | undefined> {
  return context.readOne(readWriteEndpointsOf(projectId), branchId);
}

/** What the response to the creation of a branch says of its compute. */
export function answeredCompute({ project_id, id }: Branch, created: readonly Endpoint[]): readonly Answer[] {
  const item = created.find(({ type }) => type === "read_write");
  return [{ collection: readWriteEndpointsOf(project_id).name, key: id, item }];
}

/** The read-write computes of a project, each by its branch. A branch need not have one. */
function readWriteEndpointsOf(projectId: string): Collection<Endpoint> {
  const isReadWrite = ({ type }: Endpoint): boolean => type === "read_write";
  return {
    name: `read-write-computes/${projectId}`,
    projectId,
    pages: (reader) =>
      onePage(() => reader.read(endpoints.list(projectId)).then((answer) => answer.endpoints.filter(isReadWrite))),
    keyOf: ({ branch_id }) => branch_id,
    get: async (reader, branchId) =>
      (await reader.read(endpoints.listOfBranch(projectId, branchId))).endpoints.find(isReadWrite),
    optional: true,
  };
}

/** The compute with this id, or `undefined` if it does not exist. */
export async function readEndpoint(
  context: Context,
  projectId: string,
  endpointId: string,
): Promise<Endpoint | undefined> {
  return context.readOne(endpointsOf(projectId), endpointId);
}

function endpointsOf(projectId: string): Collection<Endpoint> {
  return {
    name: `computes/${projectId}`,
    projectId,
    pages: (reader) => onePage(() => reader.read(endpoints.list(projectId)).then((answer) => answer.endpoints)),
    keyOf: ({ id }) => id,
    get: async (reader, endpointId) =>
      (await ignoreNotFound(reader.read(endpoints.get(projectId, endpointId))))?.endpoint,
  };
}

/** Starts a compute if its first start failed. */
export async function retryFirstStart(context: Context, endpoint: Endpoint | undefined): Promise<void> {
  if (endpoint?.current_state === "init") await setComputeState(context, endpoint, "active");
}

/** Starts or suspends a compute, whatever its current state. */
export async function setComputeState(
  context: Context,
  { id, project_id: projectId }: Endpoint,
  state: "active" | "idle",
  options: Pick<Change<object>, "applies" | "assertSame"> = {},
): Promise<void> {
  const action = state === "active" ? "start" : "suspend";
  await context.change({
    what: `${action} compute`,
    project: projectId,
    request: endpoints.act(projectId, id, action),
    ...options,
    done: async () => {
      const now = await readEndpoint(context, projectId, id);
      return now === undefined || (now.pending_state ?? now.current_state) === state;
    },
  });
}
