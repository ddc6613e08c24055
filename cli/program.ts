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
  /** What it declares, without references. */
  readonly declared: Values;
  /** The resources that its inputs name, by input, with the output that holds the value. */
  readonly references: ReadonlyMap<string, { readonly to: Found; readonly output: string }>;
}

/** What a program declares first. */
const leading = ["orgId", "projectId", "branchId", "parentId", "name", "adopt", "type", "regionId", "pgVersion"];

/**
 * What a program declares of each object: each branch is followed by what is on it, and an object follows those that it
 * refers to. What equals the default is left out.
 */
export function resourcesOf(found: readonly Found[], names: ReadonlyMap<Found, Name>): readonly Resource[] {
  const byKey = new Map(found.map((one) => [keyOf(one.kind, one.id), one]));
  const resources = new Map<Found, Resource>();
  const visit = (one: Found, path: readonly Found[]): void => {
    if (resources.has(one) || path.includes(one)) return;
    const references = referencesOf(one, byKey);
    for (const { to } of references.values()) visit(to, [...path, one]);
    // A circle of references begins with an id.
    const back = [...references].filter(([, { to }]) => !resources.has(to)).map(([input]) => input);
    for (const input of back) references.delete(input);
    const name = names.get(one) ?? { logical: one.id, variable: "" };
    const project = byKey.get(keyOf("Project", kinds.Project.id(one.outputs)))?.outputs;
    resources.set(one, { found: one, name, declared: declaredOf(one, name, project, references), references });
  };
  for (const one of inGroups(found)) visit(one, []);
  return [...resources.values()];
}

/** What `pulumi up` would change by taking an object over: the paths at which the program declares something else. */
export function changesOf({ found: { kind, outputs }, declared }: Resource): readonly string[] {
  return differences(kinds[kind], outputs, [], declared);
}

/** The program that declares resources. Each id is in it once. */
export function programOf(resources: readonly Resource[]): Program {
  const used = new Set(resources.flatMap(({ references }) => [...references.values()].map(({ to }) => to)));
  const names = new Map(resources.map(({ found, name }) => [found, name]));
  const constants = constantsOf(resources);
  const onBranches = new Map<string, number>();
  for (const { found } of resources) onBranches.set(branchOf(found), (onBranches.get(branchOf(found)) ?? 0) + 1);
  // What stands together: a branch with what is on it, or else what belongs to all of a project.
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

/** The ids of parents that several resources name and no resource has, with the names of their constants. */
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

/** What an object declares. */
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
    // A new branch has no compute if none is declared; the first one of a project has.
    ...(outputs["compute"] !== undefined && !isFirst && { compute: {} }),
    ...declared,
    // The first preview does not know a parent that the program takes over as well: only the whole id names the object.
    adopt: kinds[kind].addressNames.slice(0, -1).some((parent) => references.has(parent)) ? id : segmentsOf(id).at(-1),
  };
  const order = [...leading, ...Object.keys(all)];
  return Object.fromEntries(Object.entries(all).sort(([one], [other]) => order.indexOf(one) - order.indexOf(other)));
}

/** The size of computes for which a program declares none. */
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

/** What belongs to no project, then each project: what belongs to all of it, then each branch with what is on it. */
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
