// `node tools/mutation/transpile.mjs api/core/backoff.ts`: compiles single files as `npm run build` does, without checking
// their types. A mutated file has none that hold.
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ".");

for (const file of process.argv.slice(2)) {
  const source = readFileSync(file, "utf8");
  const { outputText } = ts.transpileModule(source, { fileName: file, compilerOptions: options });
  writeFileSync(`dist/${file.replace(/\.ts$/, ".js")}`, outputText);
}
