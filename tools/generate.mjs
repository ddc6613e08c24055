// The end of `npm run generate`: writes the plugin's schema, the SDK's classes and data sources, and the reference. Go is needed only for
// examples of the reference whose YAML has changed, and for `-- --examples`, which translates all of them.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { main } from "./base/main.mjs";
import { Failure } from "./base/failure.mjs";
import { built, root } from "./base/paths.mjs";
import { buildMissing, keepingGoCaches } from "./cli/go.mjs";
import { cachedProgram } from "./cli/programs.mjs";
import { generateSdk } from "./cli/sources.mjs";
import { translate } from "./generate/programs.mjs";

await main(async () => {
  const load = createRequire(import.meta.url);
  const { folders, generatedFiles, schemaText } = load(built("tools", "generate", "files.js"));
  const { currentExamples, inYaml, untranslated } = load(built("tools", "generate", "examples.js"));
  // The generators of the examples read it.
  writeFileSync(join(root, "plugin", "schema.json"), schemaText());
  const changed = process.argv.includes("--examples") ? inYaml() : untranslated();
  const files = await generatedFiles(currentExamples(changed.size === 0 ? new Map() : await translated(changed)));
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder))) {
      if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
    }
  }
  for (const [path, text] of files) writeFileSync(join(root, path), text);
});

/** @param {ReadonlyMap<string, string>} examples */
async function translated(examples) {
  const problem = await keepingGoCaches(() => buildMissing([generateSdk]));
  const generator = cachedProgram(generateSdk);
  if (generator === undefined) {
    throw new Failure(
      `Examples have changed (${[...examples.keys()].join(", ")}), and cannot be translated to Python and Go: ${problem}`,
    );
  }
  return await translate(generator, examples);
}
