import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { installation } from "../package/installation";
import { cliEnvironment, cliFolder } from "../support/cli";
import { suiteFolder } from "../support/folder";
import { type Language, languageTools, suiteGenerator, suiteLanguage } from "../support/languages";
import { inventory, unattended } from "../support/stack";
import { suitePlatform } from "../support/platform";
import { tool } from "../support/tool";

interface Release {
  readonly writePythonSdk: (release: object) => Promise<void>;
  readonly writeGoSdk: (release: object) => Promise<void>;
}

const page = readFileSync("docs/plugin.md", "utf8");

/** The first block of code of a language after a heading of the page. */
function block(heading: string, language: string, containing = ""): string {
  const section = page.slice(page.indexOf(`\n${heading}\n`));
  const blocks = [...section.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const found = blocks.find(([, name, text = ""]) => name === language && text.includes(containing));
  assert.ok(found?.[2] !== undefined, `docs/plugin.md has no ${language} with "${containing}" below ${heading}`);
  return found[2];
}

/** What a newcomer does in an empty folder, in the words of the page. */
describe("programs: the way of docs/plugin.md from an empty folder", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const home = suiteFolder("neon-pulumi-newcomer-");
  const schema = readFileSync("plugin/schema.json", "utf8");
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };

  /** Follows the page. `../neon-pulumi` has what its commands make in a clone. */
  async function follow(language: Language, files: Readonly<Record<string, string>>, own: string): Promise<void> {
    const place = join(home, language);
    const [clone, folder, backend] = [join(place, "neon-pulumi"), join(place, "shop"), join(place, "backend")];
    for (const made of [join(clone, "release"), folder, backend]) mkdirSync(made, { recursive: true });
    cpSync(join((await installation()).folder, "neon-pulumi.tgz"), join(clone, `neon-pulumi-${version}.tgz`));
    const release = { folder: join(clone, "release"), work: place, version, schema };
    const { writePythonSdk, writeGoSdk } = await tool<Release>("release/sdks.mjs");
    if (language === "python") await writePythonSdk(release);
    if (language === "go") await writeGoSdk(release);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

    const tools = await languageTools(language);
    const environment: NodeJS.ProcessEnv = {
      ...cliEnvironment(cliFolder()),
      ...tools.environment,
      PULUMI_HOME: join(place, "home"),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      NEON_API_HOST: platform().apiUrl,
      // `go mod tidy` also reads modules that no program here is built with. Their sums are in the SDK.
      GOPROXY: process.env["GOPROXY"] ?? "https://proxy.golang.org,direct",
      GOSUMDB: "off",
    };
    const host = await hostWithOptions(language, folder, place);
    const PATH = [...host, ...tools.path.filter((each) => !each.includes("python")), environment["PATH"]].join(
      delimiter,
    );
    const run = async (commands: string, input = ""): Promise<string> => {
      const child = promisify(execFile)("sh", ["-e", "-c", commands], {
        cwd: folder,
        env: { ...environment, PATH },
        maxBuffer: 1e8,
      });
      child.child.stdin?.end(input);
      return (await child).stdout;
    };
    await run(block("## Other languages", "sh", "npm install"));
    if (own !== "") await run(own);
    const common = block("## Other languages", "sh", "pulumi up").replace(
      "pulumi up",
      `pulumi up ${unattended.join(" ")}`,
    );
    await run(common, `${platform().apiKey}\n`);
    const outputs = JSON.parse(await run("pulumi stack output --json --show-secrets")) as Readonly<
      Record<string, string>
    >;
    assert.match(outputs["host"] ?? "", /^ep-/);
    assert.match(outputs["connectionUri"] ?? "", /^postgresql:/);
    await run("pulumi destroy --yes --skip-preview");
    assert.deepEqual(await inventory(platform()), {});
  }

  const pluginLines = block("## Node", "yaml");

  describe("in YAML", () => {
    suiteLanguage("yaml");
    it("creates a project and a branch, and connects", () =>
      follow("yaml", { "Pulumi.yaml": block("### YAML", "yaml") }, ""));
  });

  describe("in Python", () => {
    suiteLanguage("python");
    suiteGenerator();
    it("creates a project and a branch, and connects, with the SDK in the virtual environment that Pulumi.yaml names", () => {
      const [, runtime = ""] = /`Pulumi\.yaml` has `(runtime: \{ name: python.+?\})`/.exec(page) ?? [];
      const project = `name: shop\n${runtime}\n${pluginLines}`;
      const files = { "Pulumi.yaml": project, "__main__.py": block("### Python", "python") };
      return follow("python", files, block("### Python", "sh"));
    });
  });

  describe("in Go", () => {
    suiteLanguage("go");
    suiteGenerator();
    it("creates a project and a branch, and connects", () => {
      const files = { "Pulumi.yaml": `name: shop\nruntime: go\n${pluginLines}`, "main.go": block("### Go", "go") };
      return follow("go", files, block("### Go", "sh"));
    });
  });
});

/**
 * The folder of a language host with the virtual environment of the project file. The CLI passes it to its own host, but the
 * one that this repository builds is older and takes it as a flag.
 */
async function hostWithOptions(language: Language, folder: string, place: string): Promise<readonly string[]> {
  if (language !== "python") return [];
  const { path } = await languageTools("python");
  const program = join(path.at(-1) ?? "", "pulumi-language-python");
  const usage = await promisify(execFile)(program, ["-h"]).catch((error: unknown) => error as { stderr: string });
  if (!usage.stderr.includes("-virtualenv")) return [];
  const bin = join(place, "bin");
  mkdirSync(bin);
  const text = `#!/bin/sh\nexec "${program}" -virtualenv="${join(folder, "venv")}" "$@"\n`;
  writeFileSync(join(bin, "pulumi-language-python"), text, { mode: 0o755 });
  return [bin];
}
