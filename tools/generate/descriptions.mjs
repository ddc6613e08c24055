// What a resource or a data source is, and examples in TypeScript: `description.md` beside the programs in other languages.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../base/paths.mjs";

/** @typedef {{ readonly text: string, readonly examples: readonly string[] }} Description */

/**
 * @param {string} name Of a class, function or interface, such as `getBranch`, whose folder is `get-branch`.
 * @returns {Description}
 */
export function descriptionOf(name) {
  const folder = name.replaceAll(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
  const file = join(root, "tools", "reference", "programs", folder, "description.md");
  const page = existsSync(file) ? readFileSync(file, "utf8") : "";
  const block = /^```ts\n[\s\S]*?^```$/gm;
  return { text: page.replaceAll(block, "").trim(), examples: [...page.matchAll(block)].map(([text]) => text) };
}
