import type { Problem } from "../kind/kind";
import type { Values } from "../kind/values";
import type { KindRuntime } from "./runtime";

/**
 * What `up` would fail at, as far as only the platform can tell: a key that it rejects, a value that does not exist there.
 * Asked for new and changed resources only, so that a run without changes sends nothing.
 *
 * @param before the inputs in the state; undefined for a new resource
 * @param inputs may hold unknown values
 */
export async function platformProblems(
  runtime: KindRuntime,
  urn: string,
  before: Values | undefined,
  inputs: Values,
): Promise<readonly Problem[]> {
  const rejection = await runtime.account().apiKeyCheck.rejection();
  if (rejection !== undefined) return [{ property: "neon:apiKey", reason: rejection }];
  return (await runtime.kind.problems?.(runtime.previewContext(urn), inputs, before)) ?? [];
}
