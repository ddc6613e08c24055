import { z } from "zod";

import { camelShape, fromWire } from "../../api/case";
import { branchEndpointCreate, endpoints, type Endpoint } from "../../api/schemas/endpoint";
import { autoscalingProblem } from "../../api/schemas/settings";
import type { Context } from "../context";

const { type: _, ...members } = branchEndpointCreate.shape;

/** The read-write compute of a branch, as a program declares it. */
export const compute = z.strictObject(camelShape(members)).superRefine((value, context) => {
  const problem = autoscalingProblem(value.autoscalingLimitMinCu, value.autoscalingLimitMaxCu);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});
/** The settings of a compute. */
export type Compute = z.infer<typeof compute>;

/** What a compute is set to, as a program would declare it. */
export function computeOutputs(endpoint: Endpoint): Compute {
  const { autoscaling_limit_min_cu, autoscaling_limit_max_cu, suspend_timeout_seconds, provisioner, settings } =
    endpoint;
  const said = {
    ...(autoscaling_limit_min_cu === undefined ? {} : { autoscaling_limit_min_cu }),
    ...(autoscaling_limit_max_cu === undefined ? {} : { autoscaling_limit_max_cu }),
    ...(suspend_timeout_seconds === undefined ? {} : { suspend_timeout_seconds }),
    ...(provisioner === undefined ? {} : { provisioner }),
    ...(settings === undefined || Object.keys(settings).length === 0 ? {} : { settings }),
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

/** Where the pooler of a compute answers: the host with `-pooler` behind the compute's id. */
export function poolerHostOf(endpoint: Endpoint): string | undefined {
  return endpoint.host.startsWith(endpoint.id)
    ? `${endpoint.id}-pooler${endpoint.host.slice(endpoint.id.length)}`
    : undefined;
}

/** Starts a compute whose first start ended badly. */
export async function startUnstarted(context: Context, projectId: string, branchId: string): Promise<void> {
  const endpoint = await readWriteEndpoint(context, projectId, branchId);
  if (endpoint?.current_state !== "init") return;
  await context.change({
    what: "start compute",
    project: projectId,
    request: endpoints.act(projectId, endpoint.id, "start"),
    done: async () => (await context.read(endpoints.get(projectId, endpoint.id))).endpoint.current_state === "active",
  });
}
