// The input of the generators: kinds and lookups with their JSON schemas from zod, and the descriptions.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { z } from "zod";

import type { Lookup } from "../../api/lookups/lookup";
import type { AnyKind } from "../../provider/kind/kind";
import { kinds } from "../../provider/kinds";
import { inputsWithWords, outputsWithWords, resultWithWords, withWords } from "./facts";
import type { JsonSchema } from "./json-schema";
import { root } from "./root";
import { type Description, descriptionOf } from "./words";

export interface Resource extends Pick<
  AnyKind,
  "noun" | "addressNames" | "carries" | "rules" | "uniqueBy" | "uniqueWhere"
> {
  readonly name: string;
  /** The name of the kind's file in `provider/resources` and `sdk/resources`. */
  readonly file: string;
  /** The name of the exported constant. */
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
  /** The only member of the answer, if it is a list. TypeScript programs get the list itself. */
  readonly list: string | undefined;
  readonly secrets: readonly string[];
  readonly about: Description;
}

export function resources(): readonly Resource[] {
  const isKind = (value: unknown): value is AnyKind => Object.values(kinds).includes(value as AnyKind);
  return exported("provider/resources", isKind).map(({ value: kind, ...declaration }) => {
    const [inputs, outputs] = [jsonSchema(kind.inputs()), jsonSchema(kind.outputs())];
    return {
      ...declaration,
      ...kind,
      inputs: inputsWithWords(inputs, outputs, kind),
      outputs: outputsWithWords(outputs, inputs, kind),
      about: descriptionOf(kind.name),
    };
  });
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
      args: withWords(jsonSchema(args)),
      answer: resultWithWords(jsonSchema(answer)),
      about: descriptionOf(name),
    }),
  );
}

/** The exports of the files in a folder, with the name of the file. */
function exported<Value>(folder: string, isWanted: (value: unknown) => value is Value, except: readonly string[] = []) {
  const load = createRequire(__filename) as (file: string) => Readonly<Record<string, unknown>>;
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".ts") && !except.includes(name));
  return files.sort().flatMap((name) => {
    const file = basename(name, ".ts");
    const all = Object.entries(load(join(root, "dist", folder, `${file}.js`)));
    return all.flatMap(([constant, value]) => (isWanted(value) ? [{ constant, file, value }] : []));
  });
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
