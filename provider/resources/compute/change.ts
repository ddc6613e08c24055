import { type Endpoint, endpoints } from "../../../api/schemas/endpoint";
import type { Change } from "../../call/change";
import type { Context } from "../../call/context";
import type { Deletion } from "../../call/delete-object";
import type { ComputeAddress } from "./moved";
import { readEndpoint } from "./read";

/** Starts a compute if its first start failed. */
export async function retryFirstStart(context: Context, endpoint: Endpoint | undefined): Promise<void> {
  if (endpoint?.current_state === "init") await setComputeState(context, endpoint, "active");
}

/** Starts or suspends a compute, regardless of its current state. */
export async function setComputeState(
  context: Context,
  { id, project_id: projectId }: Endpoint,
  state: "active" | "idle",
  options: Pick<Change<object>, "applies" | "beforeResend"> = {},
): Promise<void> {
  const action = state === "active" ? "start" : "suspend";
  await context.change({
    what: `${action} compute`,
    request: endpoints.act(projectId, id, action),
    ...options,
    done: async () => {
      const now = await readEndpoint(context, projectId, id);
      return now === undefined || (now.pending_state ?? now.current_state) === state;
    },
  });
}

/** Deletes a compute. */
export async function deleteCompute(
  context: Context,
  { projectId, endpointId }: ComputeAddress,
  options: Pick<Deletion<object>, "applies" | "beforeResend" | "explain">,
): Promise<void> {
  await context.delete({
    what: "delete compute",
    object: `compute ${endpointId}`,
    request: endpoints.delete(projectId, endpointId),
    ...options,
    confirms: (answer) => answer.endpoint !== undefined,
    exists: async () => (await readEndpoint(context, projectId, endpointId)) !== undefined,
  });
}
