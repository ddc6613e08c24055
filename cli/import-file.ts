import { z } from "zod";

import { keyOf, type Name } from "./names";
import type { Resource } from "./program";

/** A resource in a file for `pulumi import --file`. */
interface ImportEntry {
  readonly type: string;
  /** The name of its variable in the code that Pulumi writes. */
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
}

/** The text of a file for `pulumi import --file`. */
export function importFileOf(resources: readonly Resource[]): string {
  const entries = resources.map(({ found, name }): ImportEntry => {
    return { type: `neon:index:${found.kind}`, name: name.variable, logicalName: name.logical, id: found.id };
  });
  return `${JSON.stringify({ resources: entries }, undefined, 2)}\n`;
}

const entry = z.object({ type: z.string(), id: z.string() });
const namedEntry = entry.extend({ name: z.string().min(1), logicalName: z.string().min(1) });

/** The names of objects in an import file, by type and id. Empty if the text is not an import file. */
export function namesIn(text: string): ReadonlyMap<string, Name> {
  const entries = entriesIn(text, namedEntry) ?? [];
  return new Map(entries.map((one) => [keyOfEntry(one), { logical: one.logicalName, variable: one.name }]));
}

/**
 * The resources that only one of two import files contains, as types and ids. Undefined if a text is not an import
 * file.
 */
export function differencesOf(
  before: string,
  now: string,
): { readonly added: readonly string[]; readonly gone: readonly string[] } | undefined {
  const [old, present] = [before, now].map(keysIn);
  if (old === undefined || present === undefined) return undefined;
  return {
    added: [...present].filter((key) => !old.has(key)),
    gone: [...old].filter((key) => !present.has(key)),
  };
}

function keysIn(text: string): ReadonlySet<string> | undefined {
  const entries = entriesIn(text, entry);
  return entries && new Set(entries.map(keyOfEntry));
}

function entriesIn<Entry>(text: string, schema: z.ZodType<Entry>): readonly Entry[] | undefined {
  try {
    return z.object({ resources: z.array(schema) }).parse(JSON.parse(text)).resources;
  } catch {
    return undefined;
  }
}

function keyOfEntry({ type, id }: z.infer<typeof entry>): string {
  return keyOf(type.slice(type.lastIndexOf(":") + 1), id);
}
