import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programOnPath } from "../cli/programs.mjs";
import { binFolder, complete, findHost, goProgram, goProgramSettings, python } from "../cli/languages.mjs";
import { generateSdk, hostSources } from "../cli/sources.mjs";
import { Failure } from "../failure.mjs";
import { buildMissing, findGo, keepingGoCaches, runGo } from "../go.mjs";
import { oneAfterAnother } from "../one-at-a-time.mjs";
import { say, step } from "../progress.mjs";
import { run } from "../run.mjs";

const candidates = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];
const installMs = 300_000;

/**
 * Prepares what the tests in other languages than Node's run with, and prints what this machine cannot have: the tests
 * that need it are skipped.
 *
 * @param {string} cliFolder
 */
export async function prepareLanguages(cliFolder) {
  /** @param {keyof typeof hostSources} language */
  const host = async (language) => (findHost(language, cliFolder) ? undefined : buildMissing([hostSources[language]]));
  await keepingGoCaches(async () => {
    await optional("programs in YAML", () => host("yaml"));
    await optional("programs in Python", async () => (await host("python")) ?? (await installPython()));
    await optional("programs in Go", async () => (await host("go")) ?? (await compileGo()));
    await optional("generated SDKs", () => buildMissing([generateSdk]));
  });
}

/**
 * @param {string} what
 * @param {() => Promise<string | undefined>} prepare
 */
async function optional(what, prepare) {
  const problem = await prepare().catch((/** @type {unknown} */ error) => {
    if (!(error instanceof Failure)) throw error;
    return [error.message, error.detail.trim()].join("\n");
  });
  if (problem !== undefined) say(`- skipped: ${what}: ${problem}`);
}

/** Makes a virtual environment of Python with Pulumi's SDK. */
export async function installPython() {
  const folder = python.folder();
  const isComplete = () => existsSync(join(folder, complete));
  if (isComplete()) return undefined;
  const program = candidates.find((name) => programOnPath(name));
  if (!program) return `there is no ${candidates.join(" or ")} on PATH`;
  await oneAfterAnother(`${folder}.lock`, "installing Python packages", async () => {
    if (isComplete()) return;
    await step("Pulumi's Python SDK", async () => {
      rmSync(folder, { recursive: true, force: true });
      await expectSuccess(program, ["-m", "venv", folder]);
      const options = ["--quiet", "--disable-pip-version-check", "--no-input"];
      const packages = ["--requirement", join(python.source, "requirements.txt")];
      await expectSuccess(join(folder, binFolder, "python"), ["-m", "pip", "install", ...options, ...packages]);
      writeFileSync(join(folder, complete), "");
    });
  });
  return undefined;
}

/** @param {string} program @param {string[]} args */
async function expectSuccess(program, args) {
  const { code, output } = await run(program, args, { timeoutMs: installMs });
  if (code !== 0) throw new Failure(`\`${program} ${args.join(" ")}\` failed.`, output);
}

/** Fills Go's caches for the programs of tests. */
async function compileGo() {
  const folder = goProgram.folder();
  const isComplete = () => existsSync(join(folder, complete));
  if (isComplete()) return undefined;
  const go = await findGo(goProgramSettings(folder));
  if (typeof go === "string") return go;
  mkdirSync(folder, { recursive: true });
  await oneAfterAnother(`${folder}.lock`, "compiling Pulumi's Go SDK", async () => {
    if (isComplete()) return;
    const output = mkdtempSync(join(tmpdir(), "neon-pulumi-go-"));
    try {
      await step("Pulumi's Go SDK", () => runGo(go, goProgram.source, ["build", "-o", output, "."]));
    } finally {
      rmSync(output, { recursive: true, force: true });
    }
    // Go needs what it has unpacked, not the archives.
    const archives = join(folder, "modules", "cache", "download");
    for (const name of readdirSync(archives, { recursive: true, encoding: "utf8" })) {
      if (name.endsWith(".zip")) rmSync(join(archives, name));
    }
    writeFileSync(join(folder, complete), "");
  });
  return undefined;
}
