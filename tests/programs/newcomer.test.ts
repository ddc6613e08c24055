import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { cliEnvironment, cliFolder, hostWithFlags } from "../support/cli";
import { suiteFolder } from "../support/folder";
import { type Language, languageTools, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform } from "../support/platform";
import { inventory, unattended } from "../support/stack";

/** The commands of the page for a language, each with the folder that its comment names. */
function commandsOf(language: Language): readonly { readonly folder: string; readonly command: string }[] {
  const page = readFileSync("examples/README.md", "utf8");
  const [, block = ""] = /## YAML, Python and Go\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? [];
  let folder = "";
  const all = block
    .trim()
    .split("\n")
    .map((line) => {
      const [command = "", place] = line.split(/\s+# in /);
      folder = place?.replace(/;.*/, "") ?? folder;
      return { folder: folder === "the root" ? "." : folder, command };
    });
  return all.filter((one) => one.folder === `examples/${language}` || one.command.includes(`-- ${language} `));
}

describe("programs: the commands in the pages of the examples, in a fresh clone", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const home = suiteFolder("neon-pulumi-newcomer-");

  /** A clone after `npm pack`, with what the examples need of it. */
  function clone(language: Language): string {
    const root = join(home, language);
    mkdirSync(join(root, "examples"), { recursive: true });
    for (const name of ["dist", "node_modules", "package.json", "plugin"]) {
      symlinkSync(join(process.cwd(), name), join(root, name));
    }
    for (const name of ["tools", join("examples", language)]) cpSync(name, join(root, name), { recursive: true });
    return root;
  }

  async function follow(language: Language): Promise<void> {
    const root = clone(language);
    const [folder, backend] = [join(root, "examples", language), join(root, "backend")];
    mkdirSync(backend);
    const tools = await languageTools(language);
    const environment: NodeJS.ProcessEnv = {
      ...cliEnvironment(cliFolder()),
      ...tools.environment,
      PULUMI_HOME: join(root, "home"),
      PULUMI_BACKEND_URL: `file://${backend}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      NEON_API_HOST: platform().apiUrl,
      NEON_API_KEY: platform().apiKey,
      // `go mod tidy` also reads modules that no other program of the tests needs.
      GOPROXY: process.env["GOPROXY"] ?? "https://proxy.golang.org,direct",
      GOSUMDB: "off",
      // npm would keep the folder of the command that runs these tests.
      INIT_CWD: undefined,
    };
    const python = join(tools.path.at(-1) ?? "", "pulumi-language-python");
    const host = language === "python" ? await hostWithFlags(python, { virtualenv: join(folder, "venv") }, root) : [];
    // The commands create a virtual environment of their own.
    const others = tools.path.filter((each) => !each.includes("python"));
    const PATH = [...host, ...others, environment["PATH"]].join(delimiter);
    const run = async (commands: string): Promise<string> => {
      const child = await promisify(execFile)("sh", ["-e", "-c", commands], {
        cwd: root,
        env: { ...environment, PATH },
        maxBuffer: 1e8,
      });
      return child.stdout;
    };
    const commands = commandsOf(language);
    assert.ok(
      commands.some(({ command }) => command.endsWith("pulumi up")),
      `the page has no commands for ${language}`,
    );
    await run(`cd ${folder} && pulumi stack init dev`);
    await run(
      commands
        .map(({ folder: place, command }) => `cd ${join(root, place)}\n${command}`)
        .join("\n")
        .replace("pulumi up", `pulumi up ${unattended.join(" ")}`),
    );
    const outputs = await run(`cd ${folder} && pulumi stack output --json --show-secrets`);
    assert.match((JSON.parse(outputs) as { readonly databaseUrl?: string }).databaseUrl ?? "", /^postgresql:/);
    const activate = language === "python" ? ". venv/bin/activate && " : "";
    await run(`cd ${folder} && ${activate}pulumi destroy --yes --skip-preview`);
    assert.deepEqual(await inventory(platform()), {});
  }

  it("deploy a function and get its answer, six of them, in an empty home", async () => {
    const [root, user] = [join(home, "clone"), join(home, "user")];
    const made = /(^|\/)(\.git|\.state|dist|node_modules|release)$|\.tgz$/;
    cpSync(".", root, { recursive: true, filter: (path) => !made.test(path) });
    mkdirSync(user);
    // If the tests run as root, Postgres runs as another user, who must get to the clone.
    for (const folder of [home, root]) chmodSync(folder, 0o755);
    const environment: NodeJS.ProcessEnv = {
      ...cliEnvironment(cliFolder()),
      HOME: user,
      // The archives of packages, which npm would download again.
      npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
      INIT_CWD: undefined,
    };
    const run = async (cwd: string, command: string): Promise<string> =>
      (await promisify(execFile)("sh", ["-e", "-c", command], { cwd, env: environment, maxBuffer: 1e8 })).stdout;
    const page = readFileSync("examples/function/README.md", "utf8");
    const [commands = [], cleaning = []] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) =>
      block.trim().split("\n"),
    );
    assert.ok(commands.length <= 6, commands.join("\n"));
    const [pack = "", enter = "", install = "", configure = "", up = "", ask = ""] = commands;
    const folder = join(root, enter.replace("cd ", ""));
    await run(root, pack);
    try {
      await run(folder, install);
      await run(folder, configure);
      await run(folder, `${up} ${unattended.join(" ")}`);
      const [, answer = ""] = /prints the note:\n\n```\n(.*)\n```/.exec(page) ?? [];
      assert.equal(await run(folder, ask), answer);
      await run(folder, cleaning.join("\n").replace("--remove", "--remove --yes"));
      assert.deepEqual(
        readdirSync(folder).sort(),
        readdirSync("examples/function")
          .filter((name) => !made.test(name))
          .sort(),
      );
      assert.equal(
        readFileSync(join(folder, "package.json"), "utf8"),
        readFileSync("examples/function/package.json", "utf8"),
      );
    } finally {
      await run(folder, "npx --no -- neon-platform stop || true");
    }
  });

  describe("in YAML", () => {
    suiteLanguage("yaml");
    it("create a project with a branch", () => follow("yaml"));
  });

  describe("in Python", () => {
    suiteLanguage("python");
    suiteGenerator();
    it("create a project with a branch, with the SDK in the virtual environment that Pulumi.yaml names", () =>
      follow("python"));
  });

  describe("in Go", () => {
    suiteLanguage("go");
    suiteGenerator();
    it("create a project with a branch", () => follow("go"));
  });
});
