// Packages the generated SDKs in the format of each language.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cli/cache.mjs";
import { goProgram } from "../cli/languages.mjs";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { step } from "../base/progress.mjs";
import { makeVirtualEnvironment } from "../cli/python.mjs";
import { run } from "../base/run.mjs";
import { writeSdk } from "../sdk.mjs";
import { fileTime, pack } from "./archive.mjs";

const setuptools = "84.2.1";

/**
 * Writes the packages of the SDKs.
 *
 * @param {object} release
 * @param {string} release.folder
 * @param {string} release.work A folder for temporary files.
 * @param {string} release.version
 * @param {string} release.schema
 */
export async function writeSdks({ folder, work, version, schema }) {
  await preparePython();
  await step("SDK for Python", async () => packPython(folder, await generate("python", work, schema)));
  const file = join(folder, `neon-pulumi-sdk-go-${version}.tar.gz`);
  await step("SDK for Go", async () => packGo(file, await generate("go", work, schema)));
}

/**
 * @param {string} language
 * @param {string} work
 * @param {string} schema
 */
async function generate(language, work, schema) {
  const schemaFile = join(work, "schema.json");
  writeFileSync(schemaFile, schema);
  const files = join(work, `sdk-${language}`);
  await writeSdk(language, files, schemaFile);
  cpSync(join(root, "LICENSE"), join(files, "LICENSE"));
  return files;
}

const pythonEnvironment = () => join(cacheFolder(), "python-build", setuptools);

async function preparePython() {
  const packages = [`setuptools==${setuptools}`];
  const problem = await makeVirtualEnvironment(pythonEnvironment(), "setuptools", packages);
  if (problem !== undefined) throw new Failure(`The Python packages cannot be built: ${problem}.`);
}

/** @param {string} folder @param {string} files */
async function packPython(folder, files) {
  const script = `from setuptools import build_meta\nbuild_meta.build_sdist("dist")\nbuild_meta.build_wheel("dist")\n`;
  await expectSuccess(join(pythonEnvironment(), "bin", "python"), ["-c", script], {
    cwd: files,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(fileTime) },
  });
  for (const name of readdirSync(join(files, "dist"))) {
    const built = join(files, "dist", name);
    const packed = join(folder, name);
    if (name.endsWith(".tar.gz")) await packAgain(packed, built, join(files, "unpacked"));
    else cpSync(built, packed);
  }
}

/**
 * Repacks an archive of setuptools without the time of the build.
 *
 * @param {string} file
 * @param {string} from
 * @param {string} unpacked
 */
async function packAgain(file, from, unpacked) {
  mkdirSync(unpacked);
  await expectSuccess("tar", ["-xzf", from, "-C", unpacked]);
  await pack(file, unpacked);
}

/** @param {string} file @param {string} files */
async function packGo(file, files) {
  // Uses the module and the sums that the tests compile with, because the generator requires a release that lacks
  // functions it uses.
  const [module] = readFileSync(join(files, "go.mod"), "utf8").split("\n", 1);
  const pinned = readFileSync(join(goProgram.source, "go.mod"), "utf8");
  writeFileSync(join(files, "go.mod"), pinned.replace(/^module .*/m, module ?? ""));
  cpSync(join(goProgram.source, "go.sum"), join(files, "go.sum"));
  rmSync(join(files, ".gitattributes"));
  await pack(file, files);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {import("../base/run.mjs").RunOptions} [options]
 */
async function expectSuccess(program, args, options) {
  const { code, output } = await run(program, args, options);
  if (code !== 0) throw new Failure(`\`${program} ${args.join(" ")}\` failed.`, output);
}
