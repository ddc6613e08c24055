import { badRequest } from "../../http-error";
import { autoscalingProblem } from "../../published/rules";
import type { Sizing, SizingInput } from "../rows";

/**
 * Applies the sizing of a request to the current one.
 *
 * @throws HttpError 400 if the autoscaling range is invalid.
 */
export function withSizing(current: Sizing, input: SizingInput): Sizing {
  const size = {
    autoscaling_limit_min_cu: input.autoscaling_limit_min_cu ?? current.autoscaling_limit_min_cu,
    autoscaling_limit_max_cu: input.autoscaling_limit_max_cu ?? current.autoscaling_limit_max_cu,
    suspend_timeout_seconds: input.suspend_timeout_seconds ?? current.suspend_timeout_seconds,
  };
  const problem = autoscalingProblem(size.autoscaling_limit_min_cu, size.autoscaling_limit_max_cu);
  if (problem !== undefined) throw badRequest(`autoscaling limits: ${problem}`);
  return size;
}

const provisioners: readonly string[] = ["k8s-neonvm", "k8s-pod", "serverless-platform", "docker"];
export const defaultProvisioner = "k8s-neonvm";

/** @throws HttpError 400 if the provisioner is unknown. */
export function checkProvisioner(provisioner: string | undefined): void {
  if (provisioner !== undefined && !provisioners.includes(provisioner)) {
    throw badRequest(`provisioner "${provisioner}" is unknown; known are ${provisioners.join(", ")}`);
  }
}
