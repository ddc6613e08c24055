import type { z } from "zod";

import type { defaultEndpointSettings } from "../../../api/schemas/project-settings";
import { badRequest, HttpError } from "../../http-error";
import { autoscalingProblem } from "../../published/rules";
import type { PlanLimits } from "../accounts/limits";
import type { Complete } from "../complete";

/** The size of a compute in a request, with any member omitted. */
export type SizingInput = Pick<
  z.infer<typeof defaultEndpointSettings>,
  "autoscaling_limit_min_cu" | "autoscaling_limit_max_cu" | "suspend_timeout_seconds"
>;

export type Sizing = Complete<SizingInput>;

/**
 * Applies the sizing of a request to the current one.
 *
 * @throws HttpError 400 if the autoscaling range is invalid, 412 if the plan does not allow the time after which computes are
 *   suspended.
 */
export function withSizing(limits: PlanLimits, current: Sizing, input: SizingInput): Sizing {
  const size = {
    autoscaling_limit_min_cu: input.autoscaling_limit_min_cu ?? current.autoscaling_limit_min_cu,
    autoscaling_limit_max_cu: input.autoscaling_limit_max_cu ?? current.autoscaling_limit_max_cu,
    suspend_timeout_seconds: input.suspend_timeout_seconds ?? current.suspend_timeout_seconds,
  };
  const problem = autoscalingProblem(size.autoscaling_limit_min_cu, size.autoscaling_limit_max_cu);
  if (problem !== undefined) throw badRequest(`autoscaling limits: ${problem}`);
  if (size.suspend_timeout_seconds !== current.suspend_timeout_seconds) checkSuspension(limits, size);
  return size;
}

/**
 * Checks the time after which a compute is suspended: 0 means the default, and -1 never.
 *
 * @throws HttpError 412
 */
function checkSuspension({ shortestSuspendSeconds }: PlanLimits, { suspend_timeout_seconds: seconds }: Sizing): void {
  if (shortestSuspendSeconds === undefined) {
    throw new HttpError(412, "suspend interval changing is not allowed for your account");
  }
  if (seconds > 0 && seconds < shortestSuspendSeconds) {
    throw new HttpError(412, "suspend interval is too short for your plan");
  }
}

const provisioners: readonly string[] = ["k8s-neonvm", "k8s-pod", "serverless-platform", "docker"];
export const defaultProvisioner = "k8s-neonvm";

/** @throws HttpError 400 if the provisioner is unknown. */
export function checkProvisioner(provisioner: string | undefined): void {
  if (provisioner !== undefined && !provisioners.includes(provisioner)) {
    throw badRequest(`provisioner "${provisioner}" is unknown; known are ${provisioners.join(", ")}`);
  }
}
