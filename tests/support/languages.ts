import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { before } from "mocha";

import { cliFolder } from "./cli";
import { tool } from "./tool";

/** The languages of test programs other than Node's. */
export type Language = "yaml" | "python" | "go";

/** A program in one of these languages. */
export interface LanguageProgram {
  readonly name: Language;
  /**
   * The files by path: `Main.yaml`, `__main__.py` or `main.go`, and others. A Go program without a `go.mod` gets one that
   * requires Pulumi's SDK.
   */
  readonly files: Readonly<Record<string, string>>;
  /** More of the project file, such as `plugins`. */
  readonly project?: Readonly<Record<string, unknown>>;
}

/** The tools that programs of a language need besides the CLI. */
export interface LanguageTools {
  /** Folders for PATH, before all others. */
  readonly path: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Generates the SDK of a schema file into a folder. */
export type GenerateSdk = (language: "nodejs" | "python" | "go", schema: string, folder: string) => Promise<void>;

interface Programs {
  readonly cachedProgram: (program: unknown) => string | undefined;
}

interface Languages {
  readonly languageTools: (language: Language, cliFolder: string) => LanguageTools | undefined;
}

/** Skips the tests of a suite if programs of a language cannot run. `npm test` prepares the tools, or prints what is missing. */
export function suiteLanguage(language: Language): void {
  before(async function () {
    if ((await findTools(language)) === undefined) this.skip();
  });
}

/** The generator of SDKs. Skips the tests of the calling suite if it could not be built. */
export function suiteGenerator(): GenerateSdk {
  let program: string | undefined;
  before(async function () {
    const { generateSdk } = await tool<{ readonly generateSdk: unknown }>("cli/sources.mjs");
    program = (await tool<Programs>("cli/programs.mjs")).cachedProgram(generateSdk);
    if (program === undefined) this.skip();
  });
  return async (language, schema, folder) => {
    await promisify(execFile)(program ?? "", [language, schema, folder]);
  };
}

/** @throws Error if something is missing on this machine */
export async function languageTools(language: Language): Promise<LanguageTools> {
  const found = await findTools(language);
  if (found !== undefined) return found;
  throw new Error(
    `Programs in ${language} cannot run here: \`npm test\` prepares what they need, or says what is missing.`,
  );
}

async function findTools(language: Language): Promise<LanguageTools | undefined> {
  const { languageTools: find } = await tool<Languages>("cli/languages.mjs");
  return find(language, cliFolder());
}

/** The files of a Go module that uses Pulumi's SDK, and modules in folders of this machine by their names. */
export function goModule(name = "program", folders: Readonly<Record<string, string>> = {}): Record<string, string> {
  const source = join("tools", "cli", "go-program");
  const used = Object.entries(folders).map(
    ([path, folder]) => `require ${path} v0.0.0\nreplace ${path} => ${folder}\n`,
  );
  const module = readFileSync(join(source, "go.mod"), "utf8").replace(/^module .*/, `module ${name}`);
  return {
    "go.mod": [module, ...used].join("\n"),
    "go.sum": readFileSync(join(source, "go.sum"), "utf8"),
  };
}

/** The file that makes a Python package on `PYTHONPATH` look installed, because generated SDKs read their version. */
export function pythonMetadata(name: string, version: string): Record<string, string> {
  return {
    [join(`${name}-${version}.dist-info`, "METADATA")]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
  };
}
