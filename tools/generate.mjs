// The end of `npm run generate`: writes the plugin's schema.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "./base/main.mjs";
import { root } from "./base/paths.mjs";

await main(async () => {
  const { generatedFiles } = await import("./generate/files.mjs");
  for (const [path, text] of await generatedFiles()) writeFileSync(join(root, path), text);
});
