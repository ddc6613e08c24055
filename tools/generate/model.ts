// What is generated from: the kinds and lookups, each schema as the JSON schema that zod writes, and the descriptions.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { z } from "zod";

import type { Lookup } from "../../api/lookups/lookup";
import type { ContentType } from "../../provider/content";
import type { Absence } from "../../provider/kind/absence";
import type { AnyKind } from "../../provider/kind/kind";
import { kinds } from "../../provider/kinds";
import { root } from "./root";
import { type Description, descriptionOf } from "./words";

/** A JSON schema, as far as the schemas in this repository need it, with the metadata of `provider/kind/outputs.ts`. */
export interface JsonSchema {
  readonly description?: string | undefined;
  readonly deprecationMessage?: string;
  readonly replacement?: string;
  readonly default?: unknown;
  readonly secret?: true;
  readonly protects?: true;
  readonly absence?: Absence;
  readonly content?: ContentType;
  /** The words of the type itself: those of a member take the place of `description`. */
  readonly own?: { readonly title?: string; readonly description?: string };
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | false;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly const?: string;
}

export interface Resource extends Pick<
  AnyKind,
  "noun" | "addressNames" | "carries" | "rules" | "uniqueBy" | "uniqueWhere"
> {
  readonly name: string;
  /** The file that declares it, in `provider/resources` and `sdk/resources`. */
  readonly file: string;
  /** What exports it. */
  readonly constant: string;
  readonly inputs: JsonSchema;
  readonly outputs: JsonSchema;
  readonly about: Description;
}

export interface DataSource {
  readonly name: string;
  readonly file: string;
  readonly args: JsonSchema;
  readonly answer: JsonSchema;
  /** The member of the answer that a program in TypeScript gets alone. */
  readonly list: string | undefined;
  readonly secrets: readonly string[];
  readonly about: Description;
}

export function resources(): readonly Resource[] {
  const isKind = (value: unknown): value is AnyKind => Object.values(kinds).includes(value as AnyKind);
  return exported("provider/resources", isKind).map(({ value: kind, ...declaration }) => ({
    ...declaration,
    ...kind,
    inputs: withFacts(withDefaults(jsonSchema(kind.inputs())), kind),
    outputs: jsonSchema(kind.outputs()),
    about: descriptionOf(kind.name),
  }));
}

export function dataSources(): readonly DataSource[] {
  const isLookup = (value: unknown): value is Lookup =>
    typeof value === "object" && value !== null && "argumentProblem" in value;
  return exported("api/lookups", isLookup, ["index.ts"]).map(
    ({ file, value: { name, args, answer, list, secrets } }) => ({
      name,
      file,
      list,
      secrets,
      args: jsonSchema(args),
      answer: jsonSchema(answer),
      about: descriptionOf(name),
    }),
  );
}

/** What the files of a folder export, with the name of the file. */
function exported<Value>(folder: string, isWanted: (value: unknown) => value is Value, except: readonly string[] = []) {
  const load = createRequire(__filename) as (file: string) => Readonly<Record<string, unknown>>;
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts") && !except.includes(name));
  return files.sort().flatMap((name) => {
    const file = basename(name, ".ts");
    const all = Object.entries(load(join(root, "dist", folder, `${file}.js`)));
    return all.flatMap(([constant, value]) => (isWanted(value) ? [{ constant, file, value }] : []));
  });
}

/** Adds to the description of each input its default and, if a change replaces the resource, that it does. */
function withFacts(inputs: JsonSchema, { rules, noun }: AnyKind): JsonSchema {
  const properties = Object.entries(inputs.properties ?? {}).map(([name, schema]) => {
    const rule = rules[name];
    if (rule?.onChange !== "replace") return [name, schema] as const;
    const it = schema.type === "array" || schema.type === "object" ? "them" : "it";
    const when = rule.platform === "unaware" ? `${it}, or adding ${it} later,` : it;
    const sentence = `Changing ${when} replaces the ${noun}.`;
    const description = [schema.description, sentence, schema.replacement].filter(Boolean).join(" ");
    return [name, { ...schema, description }] as const;
  });
  return { ...inputs, properties: Object.fromEntries(properties) };
}

function withDefaults(schema: JsonSchema): JsonSchema {
  if (schema.properties === undefined) return schema;
  const members = membersOf(schema).map(([name, { default: standard, ...member }]) => {
    const description = [member.description, defaultText(standard)].filter(Boolean).join(" ");
    return [name, { ...withDefaults(member), ...(description && { description }) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

function defaultText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `Default: ${text === "{}" || text === "[]" ? "none" : `\`${text}\``}.`;
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: written }) => {
      const { title, description } = z.globalRegistry.get(zodSchema) ?? {};
      if (title !== undefined || written.properties !== undefined) written["own"] ??= { title, description };
    },
  }) as JsonSchema;
}

/** The members of an object. */
export function membersOf({ properties = {} }: JsonSchema): readonly (readonly [name: string, schema: JsonSchema])[] {
  return Object.entries(properties);
}
