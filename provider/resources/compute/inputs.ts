import { z } from "zod";

import { fromWire, type SnakeCased, toWire } from "../../../api/camel-case";
import { camelShape } from "../../../api/camel-shape";
import { branchEndpointCreate, type Endpoint } from "../../../api/schemas/endpoint";
import { autoscalingProblem } from "../../../api/schemas/project-settings";
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
