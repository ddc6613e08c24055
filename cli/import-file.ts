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

const importFile = z.object({ resources: z.array(z.object({ type: z.string(), id: z.string() })) });
const namedFile = z.object({
  resources: z.array(
    z.object({ type: z.string(), id: z.string(), name: z.string().min(1), logicalName: z.string().min(1) }),
  ),
});

/** The names of objects in an import file, by type and id. Empty if the text is not an import file. */
export function namesIn(text: string): ReadonlyMap<string, Name> {
  try {
    const { resources } = namedFile.parse(JSON.parse(text));
    return new Map(
      resources.map(({ type, id, name, logicalName }) => [
        keyOf(type.slice(type.lastIndexOf(":") + 1), id),
        { logical: logicalName, variable: name },
      ]),
    );
  } catch {
    return new Map();
  }
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
  try {
    const { resources } = importFile.parse(JSON.parse(text));
    return new Set(resources.map(({ type, id }) => keyOf(type.slice(type.lastIndexOf(":") + 1), id)));
  } catch {
    return undefined;
  }
}
