// Every generated file, by its path in the repository.
import { pulumiSchema } from "./schema.mjs";

/** @returns {Promise<Map<string, string>>} */
export async function generatedFiles() {
  return new Map([["plugin/schema.json", schemaText()]]);
}

/** @param {Parameters<typeof pulumiSchema>[0]} [release] */
export function schemaText(release) {
  return `${JSON.stringify(pulumiSchema(release), undefined, 2)}\n`;
}
