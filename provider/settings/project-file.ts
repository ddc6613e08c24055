import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Pulumi's project file of the program in this folder: in it or above it. */
export function projectFile(folder: string): string | undefined {
  const found = names.map((name) => join(folder, name)).find((file) => existsSync(file));
  return found ?? (dirname(folder) === folder ? undefined : projectFile(dirname(folder)));
}

/** A section of the text of a project file, whatever it is. Throws if the text is malformed. */
export function sectionOf(text: string, name: string): unknown {
  // Few project files name a plugin or a backend, and every program and process would load the parser.
  if (!text.includes(name)) return undefined;
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only where a project file needs it
  const { load } = require("js-yaml") as typeof import("js-yaml");
  return (load(text) as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}
