// Reads the handwritten descriptions of classes, functions and types: Markdown files next to the code, with a heading
// for each name.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./root";

/** The description of a resource, a data source or a type, in Markdown. */
export interface Description {
  readonly text: string;
  /** Blocks of TypeScript. */
  readonly examples: readonly string[];
  /** The example for all other languages, in YAML. */
  readonly yaml?: string | undefined;
}

const folders = ["api/lookups", "provider/resources", "provider/settings"];
let all: ReadonlyMap<string, Description> | undefined;

export function descriptionOf(name: string): Description {
  return descriptions().get(name) ?? { text: "", examples: [] };
}

/** All descriptions by name, in the order of the alphabet. */
export function descriptions(): ReadonlyMap<string, Description> {
  return (all ??= new Map(
    folders
      .flatMap(pagesIn)
      .flatMap(sectionsOf)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ));
}

function pagesIn(folder: string): readonly string[] {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".md"));
  return files.map((file) => readFileSync(join(root, folder, file), "utf8"));
}

function sectionsOf(page: string): readonly (readonly [name: string, description: Description])[] {
  const parts = page.split(/^## (\w+)$/m).slice(1);
  return parts.flatMap((name, index) => (index % 2 === 0 ? [[name, parsed(parts[index + 1] ?? "")] as const] : []));
}

function parsed(section: string): Description {
  return {
    text: section.replaceAll(/^```\w+\n[\s\S]*?^```$/gm, "").trim(),
    examples: [...section.matchAll(/^```ts\n[\s\S]*?^```$/gm)].map(([block]) => block),
    yaml: /^```yaml\n([\s\S]*?)^```$/m.exec(section)?.[1],
  };
}
