import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { cliEnvironment, cliFolder } from "../support/cli";
import { suiteFolder } from "../support/folder";
import { type Language, languageTools, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform } from "../support/platform";
import { inventory, unattended } from "../support/stack";

/** A line of the page: a command, and the folder that its comment names. */
interface Step {
  readonly command: string;
  readonly folder: string;
}

const stepLine = /^(?<command>.+?) +# in (?<folder>the root|examples\/\w+)/;

/** The commands of examples/README.md, each with the folder that it runs in. */
function steps(): readonly Step[] {
  const page = readFileSync("examples/README.md", "utf8");
  const [, block = ""] = /\n## YAML, Python and Go\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  let folder = "";
  return block.split("\n").flatMap((line) => {
    if (line === "") return [];
    const { groups } = stepLine.exec(line) ?? {};
    // A line without a comment runs where the one before it does, in the same shell.
    if (groups?.["folder"] !== undefined) folder = groups["folder"] === "the root" ? "." : groups["folder"];
    assert.notEqual(folder, "", `examples/README.md does not say where to run: ${line}`);
    return [{ command: groups?.["command"] ?? line, folder }];
  });
}

/** Those of one language: up to its `pulumi up`, from the one before. */
function stepsOf(language: Language): readonly Step[] {
  const all = steps();
  const ends = all.flatMap(({ command }, index) => (command.includes("pulumi up") ? [index] : []));
  const end = ends.find((index) => all[index]?.folder === `examples/${language}`);
  assert.ok(end !== undefined, `examples/README.md has no \`pulumi up\` in examples/${language}`);
  return all.slice((ends[ends.indexOf(end) - 1] ?? -1) + 1, end + 1);
}

/** What a newcomer does in a fresh clone with an empty backend, in the words of the page. */
describe("programs: the commands of examples/README.md in a fresh clone", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const home = suiteFolder("neon-pulumi-newcomer-");

  async function follow(language: Language): Promise<void> {
    const place = join(home, language);
    const [clone, backend] = [join(place, "clone"), join(place, "backend")];
    const example = join(clone, "examples", language);
    mkdirSync(join(clone, "examples"), { recursive: true });
    mkdirSync(backend);
    // `npm ci && npm run build` has been done.
    const copied = ["tools", join("examples", language)];
    for (const name of copied) cpSync(name, join(clone, name), { recursive: true });
    for (const name of readdirSync(".").filter((one) => !/^\.|^(tools|examples)$/.test(one))) {
      symlinkSync(resolve(name), join(clone, name));
    }

    const tools = await languageTools(language);
    const path = tools.path.filter((each) => each !== pythonPrograms(language, tools.path));
    const environment: NodeJS.ProcessEnv = {
      ...cliEnvironment(cliFolder()),
      ...tools.environment,
      NEON_PULUMI_CACHE: process.env["NEON_PULUMI_CACHE"],
      // `npm` passes on the folder of the command that runs the tests.
      INIT_CWD: undefined,
      PULUMI_HOME: join(place, "home"),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      NEON_API_HOST: platform().apiUrl,
      NEON_API_KEY: platform().apiKey,
      // `go mod tidy` also reads modules that no program here is built with. Their sums are in the SDK.
      GOPROXY: process.env["GOPROXY"] ?? "https://proxy.golang.org,direct",
      GOSUMDB: "off",
    };
    const PATH = [...(await hostWithOptions(language, example, place)), ...path, environment["PATH"]].join(delimiter);
    const run = async (commands: string): Promise<string> => {
      const options = { env: { ...environment, PATH }, cwd: clone, maxBuffer: 1e8 };
      return (await promisify(execFile)("sh", ["-e", "-c", commands], options)).stdout;
    };
    const inExample = (command: string): Promise<string> => run(`cd examples/${language}\n${command}`);
    // `pulumi up` asks a person for the name of the stack.
    await inExample("pulumi stack init dev");
    const commands = stepsOf(language).map(({ folder, command }) => `cd '${join(clone, folder)}'\n${command}`);
    await run(commands.join("\n").replace("pulumi up", `pulumi up ${unattended.join(" ")}`));
    const outputs = await inExample("pulumi stack output --json --show-secrets");
    assert.match((JSON.parse(outputs) as { readonly databaseUrl: string }).databaseUrl, /^postgresql:\/\/.+@ep-/);
    await inExample("pulumi destroy --yes --skip-preview");
    assert.deepEqual(await inventory(platform()), {});
  }

  describe("in YAML", () => {
    suiteLanguage("yaml");
    it("creates a project and a branch, and connects", () => follow("yaml"));
  });

  describe("in Python", () => {
    suiteLanguage("python");
    suiteGenerator();
    it("creates a project and a branch, and connects, with the SDK in the virtual environment that Pulumi.yaml names", () =>
      follow("python"));
  });

  describe("in Go", () => {
    suiteLanguage("go");
    suiteGenerator();
    it("creates a project and a branch, and connects", () => follow("go"));
  });
});

/** The folder of the Python that has Pulumi's SDK already, which a newcomer has not. */
function pythonPrograms(language: Language, path: readonly string[]): string | undefined {
  return language === "python" ? path[0] : undefined;
}

/**
 * The folder of a language host with the virtual environment of the project file. The CLI passes it to its own host, but the
 * one that this repository builds can be older and take it as a flag.
 */
async function hostWithOptions(language: Language, example: string, place: string): Promise<readonly string[]> {
  if (language !== "python") return [];
  const { path } = await languageTools("python");
  const program = join(path.at(-1) ?? "", "pulumi-language-python");
  const usage = await promisify(execFile)(program, ["-h"]).catch((error: unknown) => error as { stderr: string });
  if (!usage.stderr.includes("-virtualenv")) return [];
  const bin = join(place, "bin");
  mkdirSync(bin);
  const text = `#!/bin/sh\nexec "${program}" -virtualenv="${join(example, "venv")}" "$@"\n`;
  writeFileSync(join(bin, "pulumi-language-python"), text, { mode: 0o755 });
  return [bin];
}
