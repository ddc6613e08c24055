import { isDeepStrictEqual } from "node:util";

import type { KindName } from "../provider/frozen-entry";
import { isDefault } from "../provider/kind/defaults";
import { changesAt, differences } from "../provider/kind/differences";
import { segmentsOf } from "../provider/kind/id";
import { kinds } from "../provider/kinds";
import { declarable } from "../provider/lifecycle/import";
import { atPath, leafPaths, pick, type Values } from "../provider/values";
import { keyOf, type Name } from "./names";
import { type Expression, type Program, Reference } from "./print/program";
import { ruleOf } from "./rules";
import type { Found } from "./scan";

/** A resource of the program. */
export interface Resource {
  readonly found: Found;
  readonly name: Name;
  /** The declared inputs. References are not resolved. */
  readonly declared: Values;
  /** The resources that the inputs refer to, by input, with the output that holds the value. */
  readonly references: ReadonlyMap<string, { readonly to: Found; readonly output: string }>;
}

/** The inputs that are declared first, in this order. */
const leading = ["orgId", "projectId", "branchId", "parentId", "name", "adopt", "type", "regionId", "pgVersion"];

/**
 * The resources of a program. A branch is followed by the objects on it, and every object comes after those that it
 * refers to. Inputs that equal their defaults are omitted.
 */
export function resourcesOf(found: readonly Found[], names: ReadonlyMap<Found, Name>): readonly Resource[] {
  const byKey = new Map(found.map((one) => [keyOf(one.kind, one.id), one]));
  const resources = new Map<Found, Resource>();
  const visit = (one: Found, path: readonly Found[]): void => {
    if (resources.has(one) || path.includes(one)) return;
    const references = referencesOf(one, byKey);
    for (const { to } of references.values()) visit(to, [...path, one]);
    // Break a circle of references by declaring an id.
    const back = [...references].filter(([, { to }]) => !resources.has(to)).map(([input]) => input);
    for (const input of back) references.delete(input);
    const name = names.get(one) ?? { logical: one.id, variable: "" };
    const project = byKey.get(keyOf("Project", kinds.Project.id(one.outputs)))?.outputs;
    resources.set(one, { found: one, name, declared: declaredOf(one, name, project, references), references });
  };
  for (const one of inGroups(found)) visit(one, []);
  return [...resources.values()];
}

/** The paths at which `pulumi up` would change an object when it adopts the object. */
export function changesOf({ found: { kind, outputs }, declared }: Resource): readonly string[] {
  return differences(kinds[kind], outputs, [], declared);
}

/** The program that declares resources. Ids that occur several times become constants. */
export function programOf(resources: readonly Resource[]): Program {
  const used = new Set(resources.flatMap(({ references }) => [...references.values()].map(({ to }) => to)));
  const names = new Map(resources.map(({ found, name }) => [found, name]));
  const constants = constantsOf(resources);
  const onBranches = new Map<string, number>();
  for (const { found } of resources) onBranches.set(branchOf(found), (onBranches.get(branchOf(found)) ?? 0) + 1);
  // A group is a branch with the objects on it, or the other objects of a project.
  const groupOf = ({ found }: Resource): string => {
    const isAlone = found.kind === "Branch" && onBranches.get(branchOf(found)) === 1;
    return isAlone ? `${String(found.outputs["projectId"])} branches` : branchOf(found);
  };
  const groups: Program["groups"][number][number][][] = [];
  let last: string | undefined;
  for (const resource of resources) {
    const { found, name, declared, references } = resource;
    const args = Object.entries(declared).map(([input, value]): [string, Expression] => {
      const reference = references.get(input);
      if (reference !== undefined) {
        return [input, new Reference(names.get(reference.to)?.variable ?? "", reference.output)];
      }
      const constant = isParent(input) ? constants.get(String(value)) : undefined;
      return [input, constant === undefined ? (value as Expression) : new Reference(constant)];
    });
    if (groupOf(resource) !== last) groups.push([]);
    last = groupOf(resource);
    groups.at(-1)?.push({
      variable: name.variable,
      isReferenced: used.has(found),
      kind: found.kind,
      name: name.logical,
      args: Object.fromEntries(args),
    });
  }
  return { constants: [...constants].map(([id, name]) => [name, id]), groups };
}

/** The ids of parents that several resources use and no resource outputs, with the names of their constants. */
function constantsOf(resources: readonly Resource[]): ReadonlyMap<string, string> {
  const counts = new Map<string, { readonly input: string; count: number }>();
  for (const { declared, references } of resources) {
    for (const [input, value] of Object.entries(declared)) {
      if (!isParent(input) || references.has(input) || typeof value !== "string") continue;
      const known = counts.get(value) ?? { input, count: 0 };
      known.count += 1;
      counts.set(value, known);
    }
  }
  const numbers = new Map<string, number>();
  return new Map(
    [...counts].flatMap(([id, { input, count }]) => {
      if (count === 1) return [];
      const number = (numbers.get(input) ?? 0) + 1;
      numbers.set(input, number);
      return [[id, number === 1 ? input : `${input}${number}`] as const];
    }),
  );
}

function isParent(input: string): boolean {
  return ["orgId", "projectId", "branchId", "parentId"].includes(input);
}

/** The inputs that a program declares for an object. */
function declaredOf(
  { kind, id, outputs }: Found,
  { logical }: Name,
  project: Values | undefined,
  references: Resource["references"],
): Values {
  const { omits = [], usual } = ruleOf(kind);
  const inputs = declarable(kinds[kind], outputs);
  const chosen = { ...usual?.(outputs), ...computeSizes(kind, project) };
  const omitted = changesAt(omits);
  const paths = leafPaths(inputs).filter((path) => {
    const value = atPath(inputs, path);
    const isUndeclared =
      isDefault(kinds[kind], path, value) || (path in chosen && isDeepStrictEqual(value, chosen[path]));
    return !omitted.has(path) && !isUndeclared;
  });
  const { defaultName = "" } = kinds[kind];
  const declared = pick(inputs, inputs[defaultName] === logical ? paths.filter((path) => path !== defaultName) : paths);
  const isFirst = outputs["branchId"] === project?.["defaultBranchId"];
  const all: Values = {
    // A branch without a declared compute has none, except the first branch of a project.
    ...(outputs["compute"] !== undefined && !isFirst && { compute: {} }),
    ...declared,
    // If the program also adopts the parent, the first preview does not know the parent's id. Then only the whole id
    // identifies the object.
    adopt: kinds[kind].addressNames.slice(0, -1).some((parent) => references.has(parent)) ? id : segmentsOf(id).at(-1),
  };
  const order = [...leading, ...Object.keys(all)];
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}

/** The default compute sizes of a project, which a program need not declare. */
function computeSizes(kind: KindName, project: Values | undefined): Values {
  const prefix = { Branch: "compute.", Endpoint: "" }[kind as string];
  if (prefix === undefined || project === undefined) return {};
  const settings = (project["defaultEndpointSettings"] ?? {}) as Values;
  const sizes = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu", "suspendTimeoutSeconds"];
  return Object.fromEntries(sizes.map((name) => [`${prefix}${name}`, settings[name]]));
}

function referencesOf(
  { kind, inputs }: Found,
  byKey: ReadonlyMap<string, Found>,
): Map<string, { readonly to: Found; readonly output: string }> {
  const found = new Map<string, { readonly to: Found; readonly output: string }>();
  for (const [input, targets] of Object.entries(ruleOf(kind).references)) {
    for (const { kind: of, output, id } of targets) {
      const to = byKey.get(keyOf(of, id(inputs)));
      const value = output === "id" ? to?.id : to?.outputs[output];
      if (to === undefined || value !== inputs[input] || found.has(input)) continue;
      found.set(input, { to, output });
    }
  }
  return found;
}

/**
 * Orders objects: first those outside of projects, then project by project. In a project, objects of the whole project
 * come first, then each branch with the objects on it.
 */
function inGroups(found: readonly Found[]): readonly Found[] {
  const projects = new Map<string, Map<string, Found[]>>();
  for (const one of found) {
    const { projectId = "", branchId = "" } = one.outputs as Readonly<Record<string, string | undefined>>;
    const branches = projects.get(projectId) ?? new Map<string, Found[]>();
    projects.set(projectId, branches);
    const group = branches.get(branchId) ?? [];
    branches.set(branchId, one.kind === "Branch" || one.kind === "Project" ? [one, ...group] : [...group, one]);
  }
  const first = (groups: Map<string, unknown>): readonly string[] =>
    [...groups.keys()].sort((one, other) => Number(one !== "") - Number(other !== ""));
  return first(projects).flatMap((project) => {
    const branches = projects.get(project) ?? new Map<string, Found[]>();
    return first(branches).flatMap((branch) => branches.get(branch) ?? []);
  });
}

function branchOf({ outputs: { projectId = "", branchId = "" } }: Found): string {
  return `${String(projectId)}/${String(branchId)}`;
}
