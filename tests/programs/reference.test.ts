import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import * as yaml from "js-yaml";
import { describe, it } from "mocha";

import { lookups } from "../../api/lookups";
import { kinds } from "../../provider/kinds";
import { writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { goModule, languageTools, pythonMetadata, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { suiteStacks } from "../support/stack";
import { tool } from "../support/tool";
import { currentExamples, inYaml } from "../../tools/generate/examples";
import { referencePages } from "../../tools/generate/reference";

const run = promisify(execFile);
/** The files of a program by language. */
const programFiles = { yaml: "Main.yaml", python: "__main__.py", go: "main.go" } as const;
const languages = Object.keys(programFiles) as readonly (keyof typeof programFiles)[];

/** `translate` of `tools/generate/programs.mjs`. */
type Translate = (
  generator: string,
  examples: ReadonlyMap<string, string>,
) => Promise<ReadonlyMap<string, { readonly python: string; readonly go: string }>>;

type Section = "config" | "resources" | "variables" | "outputs";
type Program = Record<Section, Record<string, unknown>>;

/** Writes all programs to a folder: those of the reference, and those of the examples as `quickstart`. */
function allPrograms(target: string): readonly string[] {
  const quickstart = languages.map((language) => {
    const file = language === "yaml" ? "Pulumi.yaml" : programFiles[language];
    return [language, readFileSync(join("examples", language, file), "utf8")] as const;
  });
  const programs = new Map([...currentExamples(), ["quickstart", Object.fromEntries(quickstart)]]);
  for (const [name, program] of programs) {
    for (const language of languages) {
      writeFiles(target, { [join(name, programFiles[language])]: program[language] ?? "" });
    }
  }
  return [...programs.keys()];
}

/** Merges all programs in YAML. Each name begins with the name of its program. */
function asOne(texts: Readonly<Record<string, string>>): Program {
  const all: Program = { config: {}, resources: {}, variables: {}, outputs: {} };
  for (const [program, text] of Object.entries(texts)) {
    const parsed = yaml.load(text.replaceAll(/\$\{(?=\w)/g, `\${${program}-`)) as Partial<Program>;
    for (const section of Object.keys(all) as Section[]) {
      for (const [name, value] of Object.entries(parsed[section] ?? {})) all[section][`${program}-${name}`] = value;
    }
  }
  return all;
}

/** The parameters of the constructors in Python that the reference shows, by class. */
function pythonConstructors(): Readonly<Record<string, readonly string[]>> {
  const pages = referencePages(currentExamples()).map(([, text]) => text);
  const shown = pages.flatMap((text) => [...text.matchAll(/^neon\.(\w+)\((resource_name,[^)]*)\)$/gm)]);
  assert.equal(shown.length, Object.keys(kinds).length + 1);
  return Object.fromEntries(shown.map(([, name = "", all = ""]) => [name, all.match(/(?<!=)\b\w+/g) ?? []]));
}

/**
 * Runs the programs of a folder without an engine, and fails if one sets what the schema does not have: a nested property is
 * only a key of a dictionary in Python.
 */
const pythonCheck = `import inspect, json, os, runpy, sys
import neon_pulumi, pulumi

folder, schema_file, *programs = sys.argv[1:]
with open(schema_file) as file:
    schema = json.load(file)

def check(where, values, properties):
    for name, value in values.items():
        assert name in properties, f"{where} has no property {name}"
        spec = properties[name]
        for one in value if isinstance(value, list) else [value]:
            reference = spec.get("items", spec).get("$ref")
            if reference and reference.startswith("#/types/"): check(reference, one, schema["types"][reference[len("#/types/"):]]["properties"])

class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        provider = args.typ == "pulumi:providers:neon"
        definition = schema["provider"] if provider else schema["resources"][args.typ]
        check(args.typ, {} if provider else args.inputs, definition["inputProperties"])
        return [args.name, {**dict.fromkeys(definition.get("properties", {}), "known"), **args.inputs}]

    def call(self, args):
        definition = schema["functions"][args.token]
        check(args.token, args.args, definition.get("inputs", {}).get("properties", {}))
        kinds = {"array": [], "boolean": False, "integer": 1, "number": 1.0, "object": {}, "string": "known"}
        return {name: kinds.get(spec.get("type"), {}) for name, spec in definition["outputs"]["properties"].items()}

with open(os.path.join(folder, "constructors.json")) as file:
    for name, parameters in json.load(file).items():
        known = inspect.signature(getattr(neon_pulumi, name)._internal_init).parameters
        assert set(parameters) == set(known) - {"__self__", "__props__"}, f"the reference shows other parameters of {name}"

for program in programs:
    pulumi.runtime.set_mocks(Mocks())
    pulumi.runtime.set_all_config(
        {"project:otherApiKey": "secret", "project:githubClientSecret": "secret"},
        ["project:otherApiKey", "project:githubClientSecret"])
    pulumi.runtime.test(lambda: runpy.run_path(os.path.join(folder, program, "__main__.py")))()
    print(program)
`;

describe("programs: the examples in other languages", function () {
  this.timeout(300_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const work = suiteFolder("neon-pulumi-reference-");

  it("cover every kind and every function in the reference", () => {
    const shown = [...Object.keys(kinds), ...Object.keys(lookups), "Provider"];
    assert.deepEqual([...inYaml().keys()].sort(), shown.sort());
  });

  describe("in YAML", () => {
    suiteLanguage("yaml");

    it("are accepted by the language's host and the provider in a preview", async () => {
      // The language host of this repository only knows the former name of `config`.
      const target = join(work, "yaml");
      const names = allPrograms(target);
      const texts = names.map((name) => [name, readFileSync(join(target, name, programFiles.yaml), "utf8")] as const);
      const { config: configuration, ...others } = asOne(Object.fromEntries(texts));
      const text = yaml.dump({ configuration, ...others });
      const stack = await newStack({
        language: { name: "yaml", files: { "Main.yaml": text }, project: withPlugin },
        platform: platform(),
        config: { "neon:orgId": await platform().firstOrganization() },
      });
      stack.configure(
        {},
        { "Provider-otherApiKey": platform().apiKey, "NeonAuthOauthProvider-githubClientSecret": "of the shop" },
      );
      assert.match((await stack.command("preview")).text, /\+ \d+ to create/);
    });
  });

  describe("with the generated SDKs", () => {
    const generateSdk = suiteGenerator();

    it("equal, in Python and Go, the code that is generated from YAML", async () => {
      const { translate } = await tool<{ readonly translate: Translate }>("generate/programs.mjs");
      const translated = await translate(await generatorPath(), inYaml());
      for (const [name, shown] of currentExamples()) {
        const { python, go } = shown;
        assert.deepEqual({ python, go }, translated.get(name), `${name} is not current: \`npm run examples -- --all\``);
      }
    });

    describe("in Python", () => {
      suiteLanguage("python");

      it("run, and set only properties that exist, which the constructors name", async () => {
        const schema = join("plugin", "schema.json");
        const target = join(work, "python");
        const names = allPrograms(target);
        writeFiles(target, { "constructors.json": JSON.stringify(pythonConstructors()) });
        const sdk = join(work, "sdk");
        await generateSdk("python", schema, sdk);
        writeFiles(sdk, pythonMetadata("neon_pulumi", "0.1.0"));
        const { path, environment } = await languageTools("python");
        const env = {
          ...process.env,
          ...environment,
          PATH: [...path, process.env["PATH"]].join(delimiter),
          PYTHONPATH: sdk,
          PYTHONDONTWRITEBYTECODE: "1",
        };
        const { stdout } = await run("python", ["-c", pythonCheck, target, schema, ...names], { env });
        assert.deepEqual(stdout.trim().split("\n"), names);
      });
    });

    describe("in Go", () => {
      suiteLanguage("go");

      it("compile", async () => {
        const module = join(work, "go");
        const sdk = join(module, "sdk");
        await generateSdk("go", join("plugin", "schema.json"), sdk);
        allPrograms(join(module, "programs"));
        writeFiles(module, goModule("programs", { "github.com/neon-pulumi/neon-pulumi/sdk/go": "./sdk" }));
        const { environment } = await languageTools("go");
        await run("go", ["vet", "./programs/..."], { cwd: module, env: { ...process.env, ...environment } });
      });
    });
  });
});

/** The generator that {@link suiteGenerator} has found. */
async function generatorPath(): Promise<string> {
  const { generateSdk } = await tool<{ readonly generateSdk: unknown }>("cli/sources.mjs");
  const { cachedProgram } = await tool<{ readonly cachedProgram: (program: unknown) => string | undefined }>(
    "cli/programs.mjs",
  );
  return cachedProgram(generateSdk) ?? "";
}
