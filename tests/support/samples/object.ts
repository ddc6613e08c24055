import { literally } from "../pattern";
import type { Values } from "../provider-server";
import type { ExpectedRequest, KindSample, Ways } from "../sample";
import type { Stage } from "../stage";

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

/** A new project and its first branch, as the inputs of an object on that branch. */
export async function newBranch(stage: Stage): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id: projectId, branchId } = await stage.project();
  return { projectId, branchId };
}

/** Creates another project, and another branch of this project: a change of either input replaces an object on a branch. */
export async function elsewhere(
  stage: Stage,
  projectId: unknown,
  body: Values = {},
): Promise<{ readonly projectId: string; readonly branchId: string }> {
  const { id } = await stage.project();
  const branch = await stage.branch(String(projectId), body);
  return { projectId: id, branchId: branch.id };
}

/** The request for a branch without a parent. */
export const root = { branch: { init_source: "schema-only" } };

/** The request for a branch with a compute. */
export const withCompute = { endpoints: [{ type: "read_write" }] };

/** The declaration for another branch without a parent, where a branch has one object. */
export async function onAnotherRoot(declared: Values, stage: Stage): Promise<Values> {
  const { id } = await stage.branch(String(declared["projectId"]), root);
  return { ...declared, branchId: id };
}

/** The annotation that names the resource, as tests of every kind replace it. */
export const tag = { "neon-pulumi": "[tag]" } as const;

/** A path with the values of its variables. */
export function filled(path: string, values: Values): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/** The ways that follow from the path of an object. Its last variable is the output by which `adopt` finds the object. */
export function waysOf({ facts: { path }, list }: KindSample): Ways {
  const end = path.lastIndexOf("/");
  const [, name = ""] = /.*:(\w+)/.exec(path) ?? [];
  return {
    ...(list === undefined
      ? addressed((outputs) => filled(path, outputs))
      : listed((outputs) => filled(path.slice(0, end), outputs), name, list)),
    adopt: (outputs) => String(outputs[name]),
  };
}

/** The ways of an object with a path of its own. */
export function addressed(pathOf: (outputs: Values) => string): Omit<Ways, "adopt"> {
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
): Omit<Ways, "adopt"> {
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
