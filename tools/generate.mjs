// The last step of `npm run generate`: writes the plugin's schema, the SDK's classes and data sources, and the
// reference. Needs neither Go nor the Pulumi CLI. `npm run examples` (`--examples`) also translates examples whose YAML
// has changed to Python and Go; with `--all`, it translates all examples.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { main } from "./base/main.mjs";
import { built, root } from "./base/paths.mjs";
import { say } from "./base/progress.mjs";
import { translate } from "./generate/programs.mjs";
import { sdkGenerator } from "./sdk.mjs";

await main(async () => {
  const load = createRequire(import.meta.url);
  const { folders, generatedFiles, schemaText } = load(built("tools", "generate", "files.js"));
  const { currentExamples, inYaml, untranslated } = load(built("tools", "generate", "examples.js"));
  // The generators of the examples read the schema from this file.
  writeFileSync(join(root, "plugin", "schema.json"), schemaText());
  const translates = process.argv.includes("--examples");
  const stale = translates && process.argv.includes("--all") ? inYaml() : untranslated();
  const isTranslated = translates && stale.size > 0;
  const files = await generatedFiles(
    currentExamples(isTranslated ? await translate(await sdkGenerator(), stale) : new Map()),
  );
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder))) {
      if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
    }
  }
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  if (stale.size > 0 && !translates) {
    say(`New or changed examples, shown without Python and Go: ${[...stale.keys()].join(", ")}.`);
    say("`npm run examples` translates them. It needs Go.");
  }
});
