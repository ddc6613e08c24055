import { z } from "zod";

import { camelShape, fromWire, type SnakeCased, toWire } from "../../../api/camel-case";
import { branchEndpointCreate, type Endpoint, endpoints } from "../../../api/schemas/endpoint";
import { autoscalingProblem } from "../../../api/schemas/project-settings";
import type { Context } from "../../kind/context";
import { present } from "./delete";

const { type: _, ...members } = branchEndpointCreate.shape;

/** The read-write compute of a branch, as a program declares it. */
export const compute = z.strictObject(camelShape(members)).superRefine((value, context) => {
  const problem = autoscalingProblem(value.autoscalingLimitMinCu, value.autoscalingLimitMaxCu);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});
/** The settings of a compute. */
export type Compute = z.infer<typeof compute>;

/**
 * A new compute as a request asks for it. The platform refuses the settings of a new compute without Postgres settings,
 * even empty ones.
 */
export function computeBody<Asked extends Compute>({ settings, ...others }: Asked): SnakeCased<Asked> {
  const complete = { ...others, ...(settings === undefined ? {} : { settings: { pgSettings: {}, ...settings } }) };
  return toWire(complete) as unknown as SnakeCased<Asked>;
}

/**
 * What a compute is set to, as a program would declare it. No Postgres settings are told as `{}` or not at all: the same
 * to a program.
 */
export function computeOutputs(endpoint: Endpoint): Compute {
  const { autoscaling_limit_min_cu, autoscaling_limit_max_cu, suspend_timeout_seconds, provisioner, settings } =
    endpoint;
  const said = {
    ...(autoscaling_limit_min_cu === undefined ? {} : { autoscaling_limit_min_cu }),
    ...(autoscaling_limit_max_cu === undefined ? {} : { autoscaling_limit_max_cu }),
    ...(suspend_timeout_seconds === undefined ? {} : { suspend_timeout_seconds }),
    ...(provisioner === undefined ? {} : { provisioner }),
    settings: { pg_settings: {}, ...settings },
  };
  return fromWire(said) as Compute;
}

/** A branch's read-write compute, if it has one. */
export async function readWriteEndpoint(
  context: Context,
  projectId: string,
  branchId: string,
): Promise<Endpoint | undefined> {
  const answer = await context.read(endpoints.listOfBranch(projectId, branchId));
  return answer.endpoints.find((endpoint) => endpoint.type === "read_write");
}

/** Starts a compute whose first start ended badly. */
export async function startUnstarted(context: Context, projectId: string, branchId: string): Promise<void> {
  const endpoint = await readWriteEndpoint(context, projectId, branchId);
  if (endpoint?.current_state === "init") await enterState(context, endpoint, "active");
}

/** The compute of this id, if it is there. */
export async function readEndpoint(
  context: Context,
  projectId: string,
  endpointId: string,
): Promise<Endpoint | undefined> {
  return (await present(context.read(endpoints.get(projectId, endpointId))))?.endpoint;
}

/** Starts or suspends a compute, whatever it does now. */
export async function enterState(
  context: Context,
  { id, project_id: projectId }: Endpoint,
  wanted: "active" | "idle",
  applies: readonly string[] = [],
): Promise<void> {
  await context.change({
    what: wanted === "active" ? `start compute ${id}` : `suspend compute ${id}`,
    project: projectId,
    request: endpoints.act(projectId, id, wanted === "active" ? "start" : "suspend"),
    applies,
    done: async () => {
      const now = await readEndpoint(context, projectId, id);
      return now === undefined || (now.pending_state ?? now.current_state) === wanted;
    },
  });
}
