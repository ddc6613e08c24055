import type { Values } from "./provider-server";

/** A value that no message may repeat, because it could be a secret. */
export const secret = "hunter2";
export const inProject = { projectId: "spring-example-302709" };

export const onBranch = { ...inProject, branchId: "br-wispy-meadow-118737" };
export const tooLong = "must be at most 63 bytes long in UTF-8";
export const keysUrl = "https://auth.example.com/.well-known/jwks.json";
export const timestamp = "2030-01-31T12:00:00Z";
export const max = "autoscalingLimitMaxCu";
export const sized = (autoscalingLimitMinCu: number, autoscalingLimitMaxCu: number): Values => ({
  autoscalingLimitMinCu,
  autoscalingLimitMaxCu,
});
export const nightly = { frequency: "daily", hour: 3 };
export const nothingHere = /^there is no such property here/;
export const instant = 'must be an ISO 8601 timestamp with a time zone, such as "2030-01-31T12:00:00Z"';
export const noText = "must be a string, not a number";

/** An addition to valid inputs, the property at which it is rejected, and the reason. */
export type InvalidInput = readonly [declared: Values, property: string, reason: string | RegExp];

/** Invalid inputs of keys: their names are limited, and only an id identifies one. */
export const badKeys: readonly InvalidInput[] = [
  ...[true, 165434, "deployment"].map((adopt) => [{ adopt }, "adopt", /^must be the id of a key/] as const),
  [{ name: "" }, "name", "must be at least 1 character long"],
  [{ name: "x".repeat(65) }, "name", "must be at most 64 characters long"],
];
