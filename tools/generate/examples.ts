// The examples of the reference in other languages. The pages keep the translations to Python and Go until the YAML
// changes. `npm run examples` creates new ones with Pulumi's generators, which need Go.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "./root";
import { descriptions } from "./words";

/** The languages in the order in which a page shows them. */
export const languages = [
  ["YAML", "yaml"],
  ["Python", "python"],
  ["Go", "go"],
] as const;

/** An example by language. Python and Go are missing until it is translated. */
export type Example = Readonly<Partial<Record<(typeof languages)[number][1], string>>>;

const folder = join(root, "docs", "reference");

/** The examples in YAML, by name. */
export function inYaml(): ReadonlyMap<string, string> {
  return new Map([...descriptions()].flatMap(([name, { yaml }]) => (yaml === undefined ? [] : [[name, yaml]])));
}

/** The examples whose translations are missing, or were made from other YAML. */
export function untranslated(): ReadonlyMap<string, string> {
  const shown = shownExamples();
  return new Map(
    [...inYaml()].filter(([name, yaml]) => {
      const example = shown.get(name);
      return example?.yaml !== yaml || languages.some(([, language]) => example[language] === undefined);
    }),
  );
}

/** @param translated new translations by name. Default: the translations that the reference shows. */
export function currentExamples(translated: ReadonlyMap<string, Example> = new Map()): ReadonlyMap<string, Example> {
  const shown = shownExamples();
  const kept = (name: string, yaml: string): Example | undefined =>
    shown.get(name)?.yaml === yaml ? shown.get(name) : undefined;
  return new Map([...inYaml()].map(([name, yaml]) => [name, { ...kept(name, yaml), ...translated.get(name), yaml }]));
}

function shownExamples(): ReadonlyMap<string, Example> {
  const pages = existsSync(folder) ? readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8")) : [];
  const sections = pages.flatMap((page) => page.split(/^### (?=\w+$)/m).slice(1));
  return new Map(
    sections.map((section) => {
      const blocks = section.matchAll(/^<summary>\w+<\/summary>\n\n```(\w+)\n([\s\S]*?)^```$/gm);
      return [section.split("\n", 1).join(""), Object.fromEntries([...blocks].map(([, name, text]) => [name, text]))];
    }),
  );
}
