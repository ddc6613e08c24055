import { literally } from "../pattern";
import type { Values } from "../provider-server";
import type { ExpectedRequest, Sample } from "../sample";
import type { Stage } from "../stage";

/** The ways in which a sample removes an object and finds it. */
type Ways = Pick<Sample, "remove" | "exists">;

/** Removes an object behind the provider's back, and waits for the operations. */
async function removeAt(stage: Stage, path: string): Promise<void> {
  const { body } = await stage.platform.call("DELETE", path);
  const project = (body as { operations?: typeof body.operations } | undefined)?.operations?.[0]?.project_id;
  if (project !== undefined) await stage.settled(project);
}

/** The path of the branch that an object is on. */
export function branchPath({ projectId, branchId }: Values): string {
  return `/projects/${String(projectId)}/branches/${String(branchId)}`;
}

/** The pattern of exactly this path. */
export function exactly(path: string): RegExp {
  return new RegExp(`^${literally(path)}$`);
}

/** The request that creates an object. */
export function posting(path: string, body?: unknown): ExpectedRequest {
  return { method: "POST", path: exactly(path), body };
}

/** The annotation that names the resource, as tests of every kind replace it. */
export const tag = { "neon-pulumi": "[tag]" } as const;

/** The ways of an object with a path of its own. */
export function addressed(pathOf: (outputs: Values) => string): Ways {
  return {
    remove: (stage, outputs) => removeAt(stage, pathOf(outputs)),
    exists: async (stage, outputs) => (await stage.platform.call("GET", pathOf(outputs))).status === 200,
  };
}

/**
 * The ways of an object that can only be found in a list.
 *
 * @param output the output that holds its id
 * @param member the member of the response that holds the list; none if the response is the list
 */
export function listed(
  pathOf: (outputs: Values) => string,
  output: string,
  { member, id = "id" }: { readonly member?: string; readonly id?: string } = {},
): Ways {
  return {
    remove: (stage, outputs) => removeAt(stage, `${pathOf(outputs)}/${encodeURIComponent(String(outputs[output]))}`),
    exists: async (stage, outputs) => {
      const answer: unknown = (await stage.platform.call("GET", pathOf(outputs))).body;
      const all = (member === undefined ? answer : (answer as Values)[member]) as readonly Values[];
      // A revoked permission stays in its list.
      return all.some((one) => one[id] === outputs[output] && one["revoked_at"] === undefined);
    },
  };
}
