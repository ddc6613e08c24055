// The end of `npm run generate`: writes the plugin's schema, the SDK's classes and data sources, and the reference.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { main } from "./base/main.mjs";
import { built, root } from "./base/paths.mjs";

await main(async () => {
  const { folders, generatedFiles } = createRequire(import.meta.url)(built("tools", "generate", "files.js"));
  const files = await generatedFiles();
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder))) {
      if (!files.has(`${folder}/${name}`)) rmSync(join(root, folder, name));
    }
  }
  for (const [path, text] of files) writeFileSync(join(root, path), text);
});
