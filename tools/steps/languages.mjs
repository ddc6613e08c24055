import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { complete, findHost, goProgram, goProgramSettings, python } from "../cli/languages.mjs";
import { generateSdk, hostSources } from "../cli/sources.mjs";
import { Failure } from "../base/failure.mjs";
import { buildMissing, findGo, keepingGoCaches, runGo } from "../cli/go.mjs";
import { oneAfterAnother } from "../base/one-at-a-time.mjs";
import { say, step } from "../base/progress.mjs";
import { makeVirtualEnvironment } from "../cli/python.mjs";

/**
 * Prepares the tools for tests in languages other than JavaScript. Prints tools that this machine cannot have: tests
 * that need them are skipped.
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

async function installPython() {
  const requirements = join(python.source, "requirements.txt");
  return await makeVirtualEnvironment(python.folder(), "Pulumi's Python SDK", ["--requirement", requirements]);
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
      await step("Pulumi's Go SDK", () => runGo(go, goProgram.source, ["build", "-o", output, "."]), "2 minutes, once");
    } finally {
      rmSync(output, { recursive: true, force: true });
    }
    // Go needs the unpacked modules, not the archives.
    const archives = join(folder, "modules", "cache", "download");
    for (const name of readdirSync(archives, { recursive: true, encoding: "utf8" })) {
      if (name.endsWith(".zip")) rmSync(join(archives, name));
    }
    writeFileSync(join(folder, complete), "");
  });
  return undefined;
}
