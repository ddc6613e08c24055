import { readFileSync } from "node:fs";

import { z } from "zod";

import { snakeKey } from "../api/core/camel-case";
import { invalid, messageOf, NeonError } from "../api/core/errors";
import type { KindName } from "../provider/frozen-entry";
import { kinds } from "../provider/kinds";
import { terraformKind, terraformResources, terraformTypesByHand } from "../provider/pulumi/terraform";
import type { Values } from "../provider/values";
import type { Target } from "./scan";

/** A resource of another tool. */
interface ForeignResource {
  readonly type: string;
  readonly name: string;
}

/** A resource that names no object, with the reason. */
interface UnknownResource extends ForeignResource {
  readonly reason: string;
}

/** The contents of another tool's state: the objects that it names, and resources without an object. */
interface NamedObjects {
  readonly targets: readonly Target[];
  readonly unknown: readonly UnknownResource[];
}

const values = z.record(z.string(), z.unknown());

/** A state of Terraform, since version 0.12. */
const terraformState = z.object({
  version: z.literal(4),
  resources: z.array(
    z.object({
      mode: z.string(),
      type: z.string(),
      name: z.string(),
      instances: z.array(z.object({ attributes: values.nullable().optional(), deposed: z.string().optional() })),
    }),
  ),
});

/** The output of `pulumi stack export`. */
const stackExport = z.object({
  deployment: z.object({
    resources: z.array(
      z.object({
        urn: z.string(),
        type: z.string(),
        id: z.string().optional(),
        outputs: values.optional(),
        delete: z.boolean().optional(),
        external: z.boolean().optional(),
      }),
    ),
  }),
});

/**
 * The Neon objects in a Terraform state or in the output of `pulumi stack export`. Their resources may come from a
 * Terraform provider for Neon, from its Pulumi bridge, or from this package.
 *
 * @throws NeonError `invalid` if the file is neither
 */
export function objectsIn(file: string): NamedObjects {
  const targets = new Map<string, Target>();
  const unknown: UnknownResource[] = [];
  for (const { type, name, target, reason = reasonOf(type) } of resourcesIn(file)) {
    if (target === undefined) unknown.push({ type, name, reason });
    else targets.set(`${target.kind} ${kinds[target.kind].id(target.known)}`, target);
  }
  return { targets: [...targets.values()], unknown };
}

function reasonOf(type: string): string {
  const byHand = terraformTypesByHand[type];
  if (byHand !== undefined) return byHand;
  return type in terraformResources ? "its attributes do not name an object" : "this package has no such type";
}

/** The reason for leaving out an object that the other tool has replaced. */
const stillToDelete = "the other tool has replaced them and still has to delete them there; nothing manages them here";

interface FoundResource extends ForeignResource {
  readonly target: Target | undefined;
  readonly reason?: string;
}

function resourcesIn(file: string): readonly FoundResource[] {
  const content = contentOf(file);
  const state = terraformState.safeParse(content).data;
  if (state !== undefined) {
    const managed = state.resources.filter(({ mode, type }) => mode === "managed" && type.startsWith("neon_"));
    return managed.flatMap(({ type, name, instances }) =>
      instances.flatMap(({ attributes, deposed }): readonly FoundResource[] =>
        deposed === undefined
          ? withParts(type, name, attributes ?? {})
          : [{ type, name, target: undefined, reason: stillToDelete }],
      ),
    );
  }
  const stack = stackExport.safeParse(content).data;
  if (stack === undefined) {
    throw invalid(`${file} is neither a Terraform state of version 4 nor the output of \`pulumi stack export\``, {
      fix: "Name terraform.tfstate, the output of `terraform state pull`, or that of `pulumi stack export`.",
    });
  }
  const own = stack.deployment.resources.filter(
    (one) => one.id !== undefined && one.external !== true && ofNeon.test(one.type),
  );
  return own.flatMap(({ urn, type, id = "", outputs, delete: isReplaced }): readonly FoundResource[] => {
    const name = urn.slice(urn.lastIndexOf("::") + 2);
    if (isReplaced === true) return [{ type, name, target: undefined, reason: stillToDelete }];
    const kind = type.slice(type.lastIndexOf(":") + 1);
    const isOurs = ofThisPackage.test(type) && Object.hasOwn(kinds, kind);
    if (isOurs) return [{ type, name, target: targetAt(kind as KindName, kinds[kind as KindName].address(id)) }];
    const attributes = { ...(snakeCased(outputs ?? {}) as Values), id };
    return withParts(`neon_${snakeKey(kind).slice(1)}`, name, attributes).map((one) => ({ ...one, type }));
  });
}

/** The objects of a Terraform resource. A project's resource also manages its first branch, role and database. */
function withParts(type: string, name: string, attributes: Values): readonly FoundResource[] {
  const own = { type, name, target: ofTerraform(type, attributes) };
  if (type !== "neon_project") return [own];
  const { id: projectId, default_branch_id: defaultBranchId, branch, database_user: user, database_name } = attributes;
  const [block = {}] = [branch].flat() as readonly (Values | undefined)[];
  const branchId = defaultBranchId ?? block["id"];
  const on = { projectId, branchId };
  const parts = [
    targetAt("Branch", on),
    targetAt("Role", { ...on, name: block["role_name"] ?? user }),
    targetAt("Database", { ...on, name: block["database_name"] ?? database_name }),
  ];
  return [own, ...parts.flatMap((target) => (target === undefined ? [] : [{ type, name, target }]))];
}

/** Types of Neon's resources, whichever package they come from. */
const ofNeon = /^(neon:|pulumi-nodejs:dynamic\/neon:)/;
const ofThisPackage = /^(neon:index|pulumi-nodejs:dynamic\/neon):/;

function contentOf(file: string): unknown {
  const wrong = (reason: string, fix: string, cause?: unknown): Error => invalid(`${file} ${reason}`, { cause, fix });
  let content: unknown;
  try {
    const bytes = readFileSync(file);
    // JSON in UTF-8 contains no zero byte.
    if (bytes.includes(0)) {
      throw wrong("is in UTF-16", "Save it in UTF-8: PowerShell does with `| Out-File -Encoding utf8`.");
    }
    // Remove a byte order mark, which `JSON.parse` rejects.
    content = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    if (NeonError.isInstance(error)) throw error;
    throw wrong(`cannot be read: ${messageOf(error)}`, "Name a file of JSON with --from.", error);
  }
  if (typeof content === "object" && content !== null && "encrypted_data" in content) {
    throw wrong("is encrypted", "Name the output of `tofu state pull` with --from: it is decrypted.");
  }
  return content;
}

/**
 * The object of a Terraform resource. Undefined if the type is unknown or the attributes do not identify the object.
 */
function ofTerraform(type: string, attributes: Values): Target | undefined {
  const resource = terraformResources[type];
  if (resource === undefined) return undefined;
  const { kind, address: others = {} } = resource;
  const outputs = new Set([...kinds[kind].addressNames, ...Object.keys(others)]);
  const address = [...outputs].map((output) => {
    const attribute = others[output] ?? snakeKey(output);
    const value = attributes[attribute] ?? "";
    // Some ids begin with the ids of the parents.
    const own = typeof value === "string" && attribute === "id" ? value.split("/").at(-1) : value;
    return [output, output === "keyId" ? Number(own) : own] as const;
  });
  return targetAt(terraformKind(resource, attributes), Object.fromEntries(address.filter(([, value]) => value !== "")));
}

/** The object at an address; undefined if a part of the address is missing. */
function targetAt(kind: KindName, known: Values): Target | undefined {
  return kinds[kind].addressNames.every((part) => Boolean(known[part])) ? { kind, known } : undefined;
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snakeKey(name), snakeCased(member)]));
}
