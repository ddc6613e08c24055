// `npm run sdk -- python ../shop/sdk`: writes the SDK of a language, generated from plugin/schema.json.
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateSdk } from "./cli/sources.mjs";
import { cachedProgram } from "./cli/programs.mjs";
import { Failure } from "./base/failure.mjs";
import { buildMissing } from "./cli/go.mjs";
import { main } from "./base/main.mjs";
import { root } from "./base/paths.mjs";
import { say } from "./base/progress.mjs";
import { run } from "./base/run.mjs";

const languages = ["python", "go"];

/**
 * The program that generates SDKs, and programs in their languages. Built once. @returns {Promise<string>} Its path.
 */
export async function sdkGenerator() {
  const problem = await buildMissing([generateSdk]);
  const program = cachedProgram(generateSdk);
  if (program === undefined) throw new Failure(`The generator of SDKs could not be built: ${problem ?? ""}`);
  return program;
}

/**
 * @param {string} language
 * @param {string} folder The folder to replace.
 * @param {string} [schema]
 */
export async function writeSdk(language, folder, schema = join(root, "plugin", "schema.json")) {
  const program = await sdkGenerator();
  rmSync(folder, { recursive: true, force: true });
  const { code, output } = await run(program, [language, schema, folder]);
  if (code !== 0) throw new Failure(`Generating the SDK for ${language} failed.`, output);
  // The package metadata expects the README here, but the generator writes it only into the module.
  const readme = join(folder, "neon_pulumi", "README.md");
  if (language === "python" && existsSync(readme)) copyFileSync(readme, join(folder, "README.md"));
}

if (process.argv[1] === import.meta.filename) {
  await main(async () => {
    const [language = "", folder] = process.argv.slice(2);
    if (!languages.includes(language) || folder === undefined) {
      throw new Failure(`Usage: npm run sdk -- <${languages.join(" | ")}> <folder>`);
    }
    const target = resolve(process.env["INIT_CWD"] ?? ".", folder);
    if (existsSync(target) && !isSdk(target)) throw new Failure(`${target} exists, and is no generated SDK.`);
    await writeSdk(language, target);
    say(`The SDK is in ${target}.`);
  });
}

/** @param {string} folder */
function isSdk(folder) {
  const files = ["go.mod", "pyproject.toml"].map((name) => join(folder, name));
  return files.some((file) => existsSync(file) && readFileSync(file, "utf8").includes("neon"));
}
