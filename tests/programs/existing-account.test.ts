import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { type LanguageName, languages } from "../../cli/languages";
import { neonPulumi } from "../cli/command";
import { existingAccount } from "../cli/existing-account";
import { writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { type Language, pythonMetadata, suiteGenerator, suiteLanguage } from "../support/languages";
import { suitePlatform } from "../support/platform";
import { withPlugin } from "../support/plugin";
import { type Stack, suiteStacks } from "../support/stack";
import { suite } from "../support/suite";
import { suiteVendorCli } from "../support/vendor-cli";

/** The number of branches in the account without objects of their own. */
const branches = Number(process.env["NEON_TEST_BRANCHES"] ?? 3);

/** A resource of an import file. */
interface Entry {
  readonly type: string;
  readonly name: string;
  readonly logicalName: string;
  readonly id: string;
}

interface Written {
  readonly file: string;
  readonly resources: readonly Entry[];
  readonly program: string;
}

describe("an account that people made without Pulumi", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neonctl", () => platform());
  const newStack = suiteStacks();
  const account = suite(() => existingAccount(platform(), cli(), branches));
  const folder = suiteFolder("neon-pulumi-import-");

  /** Runs the command, and returns what it writes. */
  async function written(language: LanguageName = "typescript"): Promise<Written> {
    const args = ["import", "--organization", account().orgId, "--program", language, "--out", folder, "--force"];
    const { code, stdout, stderr } = await neonPulumi(platform(), args);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Taking them over changes none of them\.$/m);
    const file = join(folder, "import.json");
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as Pick<Written, "resources">;
    return { file, resources, program: readFileSync(join(folder, languages[language].file), "utf8") };
  }

  /** Asserts that a step sends only requests that read. */
  async function changingNothing(step: () => Promise<void>): Promise<void> {
    await platform().clearRequests();
    await step();
    const changes = (await platform().requests()).filter(
      ({ method, path }) => method !== "GET" && !path.endsWith("/reveal"),
    );
    assert.deepEqual(
      changes.map(({ method, path }) => `${method} ${path}`),
      [],
    );
  }

  /** Imports everything with `pulumi import`, and returns each resource as the state has it. */
  async function importAll(stack: Stack): Promise<void> {
    const { file, resources } = await written();
    const { text } = await stack.command("import", "--file", file, "--generate-code=false", "--protect=false", "--yes");
    assert.match(text, new RegExp(`= ${String(resources.length)} imported`));
    assert.doesNotMatch(text, /failed to validate/);
    assert.deepEqual(idsIn(stack), idsOf(resources));
  }

  /** Asserts that one branch is deleted, and nothing else. */
  async function destroyOne(stack: Stack, type: string, name: string): Promise<void> {
    const { id = "" } = stack.resource(name);
    await platform().clearRequests();
    await stack.destroy("--target", stack.urn(type, name));
    const deleted = (await platform().requests()).filter(({ method }) => method === "DELETE").map(({ path }) => path);
    assert.deepEqual(deleted, [`/api/v2/projects/${id.replace("/", "/branches/")}`]);
  }

  it("is taken over by the program that the command writes, and the next preview is empty", async () => {
    const stack = await newStack({ platform: platform(), program: "" });
    stack.write((await written()).program, "index.ts");
    await announcesChanges(stack);
    await takeOver(stack, "typescript");
    stack.write((await written()).program.replaceAll("protect: true", "protect: false"), "index.ts");
    await stack.up();
    await destroyOne(stack, "pulumi-nodejs:dynamic/neon:Branch", "pr-1");
  });

  it("is imported through the plugin for the same program, and declaring the computes of branches afterwards changes nothing", async () => {
    const stack = await newStack({ platform: platform(), program: "", project: withPlugin });
    await changingNothing(async () => {
      await importAll(stack);
      const { program } = await written();
      stack.write(program, "index.ts");
      const { steps } = await stack.preview();
      const changed = steps.filter(({ op, urn }) => op !== "same" && !urn.includes("pulumi:pulumi:Stack"));
      // An import omits inputs whose removal would clear something.
      assert.deepEqual(
        [...new Set(changed.map(({ op, urn }) => `${op} ${urn.split("::")[2] ?? ""}`))].sort(),
        ["Branch", "Bucket", "Function", "Snapshot", "Trigger"].map((kind) => `update neon:index:${kind}`),
      );
      await stack.up();
      await stack.command("preview", "--expect-no-changes");
    });
  });

  describe("in YAML", () => {
    suiteLanguage("yaml");

    it("is taken over by the program that the command writes, and the next preview is empty", async () => {
      await takeOver(await inLanguage("yaml", { "Main.yaml": "{}" }), "yaml");
    });
  });

  describe("in Python", () => {
    suiteLanguage("python");
    const generateSdk = suiteGenerator();
    const sdk = suiteFolder("neon-pulumi-sdk-");

    it("is taken over by the program that the command writes, and the next preview is empty", async () => {
      await generateSdk("python", join("plugin", "schema.json"), sdk);
      writeFiles(sdk, pythonMetadata("neon_pulumi", "0.1.0"));
      await takeOver(await inLanguage("python", { "__main__.py": "" }, { PYTHONPATH: sdk }), "python");
    });
  });

  /** Adopts everything with the program that the command writes, and asserts that nothing is left to do. */
  async function takeOver(stack: Stack, language: LanguageName): Promise<void> {
    const { program, resources } = await written(language);
    const { file } = languages[language];
    if (language === "typescript") stack.write(program, file);
    else stack.writeFiles({ [file]: program });
    await changingNothing(async () => {
      const { text } = await stack.up();
      assert.match(text, new RegExp(`\\+ ${String(resources.length + 1)} created`));
      assert.doesNotMatch(text, /changes it:/);
      assert.deepEqual(idsIn(stack), idsOf(resources));
      await stack.command("preview", "--refresh", "--expect-no-changes");
    });
  }

  /** Asserts that the first preview announces changes that were made after the program was written. */
  async function announcesChanges(stack: Stack): Promise<void> {
    const project = `/projects/${account().shop}`;
    const list = (await platform().call("GET", `${project}/branches?limit=100`)).body.branches;
    const onBranch = (name: string): string => `${project}/branches/${list.find((one) => one.name === name)?.id ?? ""}`;
    const main = `${project}/branches/${list.find((one) => one.default)?.id ?? ""}`;
    const compute = (await platform().call("GET", `${main}/endpoints`)).body.endpoints[0]?.id ?? "";
    const size = (min: number, max: number) => ({
      endpoint: { autoscaling_limit_min_cu: min, autoscaling_limit_max_cu: max },
    });
    const changes: readonly (readonly [path: string, to: unknown, back: unknown, said: RegExp])[] = [
      [
        `${project}/endpoints/${compute}`,
        size(2, 8),
        size(1, 4),
        /changes it: `compute\.autoscalingLimitMaxCu` \(now 8\), `compute\.autoscalingLimitMinCu` \(now 2\)/,
      ],
      [
        `${onBranch("staging")}/functions/api`,
        { name: "Another API" },
        { name: "The API" },
        /changes it: `name` \(now "Another API"\)/,
      ],
    ];
    const patch = async (path: string, body: unknown): Promise<void> => {
      assert.ok((await platform().call("PATCH", path, body)).status < 300, path);
      await platform().settled(account().shop);
    };
    for (const [path, to] of changes) await patch(path, to);
    const { text } = await stack.command("preview");
    for (const [, , , said] of changes) assert.match(text, said);
    for (const [path, , back] of changes) await patch(path, back);
  }

  function inLanguage(
    name: Language,
    files: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Stack> {
    return newStack({ platform: platform(), language: { name, files, project: withPlugin }, environment });
  }
});

function idsIn(stack: Stack): readonly string[] {
  return stack
    .everyResource()
    .filter(({ type }) => /neon:/.test(type) && !type.startsWith("pulumi:"))
    .map(({ type, id }) => `${type.slice(type.lastIndexOf(":") + 1)} ${id ?? ""}`)
    .sort();
}

function idsOf(resources: readonly Entry[]): readonly string[] {
  return resources.map(({ type, id }) => `${type.slice(type.lastIndexOf(":") + 1)} ${id}`).sort();
}
