import { z } from "zod";
import { combination, known } from "../../kind/combination";

import { fromWire, type SnakeCased, toWire } from "../../../api/core/camel-case";
import { camelShape } from "../../../api/core/camel-shape";
import { lazy } from "../../../api/core/lazy";
import { branchEndpointCreate, type Endpoint } from "../../../api/schemas/endpoint";
import {
  autoscalingProblem,
  endpointSettings as wireEndpointSettings,
  preloadLibraryNames as wirePreloadLibraries,
} from "../../../api/schemas/project-settings";
import { omitUndefined } from "../../values";

export const preloadLibraries = lazy(() =>
  z
    .strictObject(camelShape(wirePreloadLibraries.shape))
    .meta({ title: "PreloadLibrariesArgs", description: "Libraries that Postgres loads at startup." }),
);

const endpointSettings = lazy(() => {
  const { pgSettings, ...setting } = camelShape(wireEndpointSettings.shape);
  return z
    .strictObject({
      pgSettings: pgSettings.meta({ default: {}, change: "A change replaces all of them." }),
      ...setting,
      preloadLibraries: preloadLibraries().optional().describe("Libraries that Postgres loads at startup."),
    })
    .meta({ title: "EndpointSettingsArgs", description: "Postgres settings of a compute." });
});

/** Names that other tools use for the size of a compute. */
export const otherSizes = {
  minCu: "it is `autoscalingLimitMinCu`",
  maxCu: "it is `autoscalingLimitMaxCu`",
  suspendTimeout: "it is `suspendTimeoutSeconds`",
} as const;

/** The read-write compute of a branch, as a program declares it. */
export const compute = lazy(() => {
  const wire = camelShape(branchEndpointCreate.shape);
  return z
    .strictObject({
      autoscalingLimitMinCu: wire.autoscalingLimitMinCu.meta({
        note: "1 CU has about 4 GB of memory. Sizes are 0.25, 0.5, 1 to 16 in steps of 1, and 18 to 56 in steps of 2, as in Neon's documentation.",
        change: "A change restarts the compute, which drops its connections.",
      }),
      autoscalingLimitMaxCu: wire.autoscalingLimitMaxCu.meta({
        note: "It is at most 8 CU above the minimum, and at most 16 CU unless it is equal to the minimum.",
      }),
      suspendTimeoutSeconds: wire.suspendTimeoutSeconds.meta({ note: "Other values are 60 to 604800." }),
      provisioner: wire.provisioner.meta({ default: "k8s-neonvm" }),
      settings: endpointSettings().optional().meta({
        description: "Postgres settings of the compute.",
        change: "A change of a member replaces the whole member.",
      }),
    })
    .check(
      combination(({ autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max }, report) => {
        const problem = autoscalingProblem(known(min), known(max));
        if (problem !== undefined) report(problem);
      }),
    )
    .meta({ title: "ComputeArgs", description: "Size and settings of a compute.", otherNames: otherSizes });
});
export type Compute = z.infer<ReturnType<typeof compute>>;

/**
 * The body of a request that creates a compute. Here, the platform requires `settings` to contain Postgres settings,
 * even empty ones.
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
