import { autoscalingProblem } from "../../api/schemas/project-settings";
import { badRequest } from "../http-error";

/** What a request says about a compute's size; what it leaves out comes from elsewhere. */
export interface Sizing {
  readonly autoscaling_limit_min_cu?: number | undefined;
  readonly autoscaling_limit_max_cu?: number | undefined;
  readonly suspend_timeout_seconds?: number | undefined;
}

/** The sizing that a request asks for on top of what is there; refuses ranges the platform cannot scale over. */
export function sizingOver(present: Required<Sizing>, asked: Sizing): { [Key in keyof Sizing]-?: number } {
  const size = {
    autoscaling_limit_min_cu: asked.autoscaling_limit_min_cu ?? Number(present.autoscaling_limit_min_cu),
    autoscaling_limit_max_cu: asked.autoscaling_limit_max_cu ?? Number(present.autoscaling_limit_max_cu),
    suspend_timeout_seconds: asked.suspend_timeout_seconds ?? Number(present.suspend_timeout_seconds),
  };
  const problem = autoscalingProblem(size.autoscaling_limit_min_cu, size.autoscaling_limit_max_cu);
  if (problem !== undefined) throw badRequest(`autoscaling limits: ${problem}`);
  return size;
}

const provisioners: readonly string[] = ["k8s-neonvm", "k8s-pod", "serverless-platform", "docker"];
export const defaultProvisioner = "k8s-neonvm";

/** Refuses a provisioner that the platform does not have. */
export function checkProvisioner(provisioner: string | undefined): void {
  if (provisioner !== undefined && !provisioners.includes(provisioner)) {
    throw badRequest(`provisioner "${provisioner}" is unknown; known are ${provisioners.join(", ")}`);
  }
}
