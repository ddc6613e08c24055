import type { KindName } from "../../../provider/frozen-entry";
import { pick } from "../../support/seeded-random";

/** An output of another resource of the same program. */
export interface Reference {
  readonly resource: string;
  readonly output: string;
}

/** A resource as a program declares it. */
export interface Declared {
  readonly kind: KindName;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The inputs of a later version of the program, which are changed in place. */
  readonly later: Readonly<Record<string, unknown>>;
}

/** Resources in an order in which they can be created. */
export type Program = readonly Declared[];

/** The parameters of a random program. */
export interface Mix {
  /** The prefix of every name, which makes it unique. */
  readonly prefix: string;
  /** The ids of existing projects. */
  readonly homes: readonly string[];
  readonly projects: number;
  readonly resources: number;
  readonly draw: () => number;
}

export const small = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
export const larger = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 };

/** A random program: projects with branches, of which some have computes, read replicas, roles and databases. */
export function randomProgram({ prefix, homes, projects, resources, draw }: Mix): Program {
  const program: Declared[] = [];
  const own: Reference[] = [];
  for (let number = 0; number < projects; number += 1) {
    const name = `${prefix}-p${number}`;
    program.push({ kind: "Project", name, args: {}, later: { historyRetentionSeconds: 3_600 } });
    own.push({ resource: name, output: "projectId" });
  }
  const places = [...homes, ...own];
  const branches: { name: string; projectId: unknown; compute: boolean }[] = [];
  const roles: { name: string; place: Record<string, unknown> }[] = [];
  while (program.length < resources) {
    const name = `${prefix}-r${program.length}`;
    const kind = draw();
    const branch = pick(branches, draw);
    const role = pick(roles, draw);
    if (branch === undefined || kind < 0.4) {
      const compute = draw() < 0.5;
      const projectId = pick(places, draw);
      const args = { projectId, ...(compute ? { compute: small } : {}) };
      program.push({ kind: "Branch", name, args, later: compute ? { compute: larger } : { name: `${name}-renamed` } });
      branches.push({ name, projectId, compute });
      continue;
    }
    const place = { projectId: branch.projectId, branchId: { resource: branch.name, output: "branchId" } };
    if (role === undefined || kind < 0.65) {
      program.push({ kind: "Role", name, args: place, later: {} });
      roles.push({ name, place });
    } else if (kind < 0.85) {
      const args = { ...role.place, ownerName: { resource: role.name, output: "name" } };
      program.push({ kind: "Database", name, args, later: { name: `${name}-renamed` } });
    } else {
      program.push({ kind: "Endpoint", name, args: { ...place, type: "read_only", ...small }, later: larger });
    }
  }
  return program;
}

export function referenceOf(value: unknown): Reference | undefined {
  const isReference = typeof value === "object" && value !== null && "resource" in value && "output" in value;
  return isReference ? (value as Reference) : undefined;
}

/** The program as JavaScript, as users write it. */
export function programText(program: Program, options = "{}"): string {
  const variables = new Map(program.map(({ name }, index) => [name, `r${index}`]));
  const text = (value: unknown): string => {
    const reference = referenceOf(value);
    return reference === undefined
      ? JSON.stringify(value)
      : `${variables.get(reference.resource) ?? ""}.${reference.output}`;
  };
  const lines = program.map(({ kind, name, args }) => {
    const members = Object.entries(args).map(([key, value]) => `${key}: ${text(value)}`);
    return `const ${variables.get(name) ?? ""} = new neon.${kind}("${name}", { ${members.join(", ")} }, ${options});`;
  });
  return lines.join("\n");
}
