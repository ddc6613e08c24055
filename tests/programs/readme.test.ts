import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { installation } from "../package/installation";
import { asJavaScript, programsIn } from "../support/documents";
import { type Ended, runToEnd } from "../support/ended";
import { suitePlatform, type TestPlatform } from "../support/platform";
import { inventory, suiteStacks } from "../support/stack";

/** The documents whose programs are one program of one stack here. */
const programDocuments = [
  "README.md",
  "docs/adopt.md",
  "docs/configuration.md",
  "docs/connections.md",
  "docs/environments.md",
  "docs/production.md",
  "docs/keys.md",
  "docs/restore.md",
];
/** Texts in programs that are not in that stack: other tests run them, and one needs a Postgres and is only compiled. */
const apart = ["neon.Migration(", "aliases:", "@pulumi/postgresql", "PolicyPack"];
/** The id of an existing branch in programs. */
const namedBranch = "br-wispy-meadow-118737";
const keysPage = "docs/keys.md";
/** The documents with scripts that run without a stack, and a pattern of their output. */
const scripts: readonly (readonly [document: string, shown: RegExp])[] = [
  ["docs/api-client.md", /^\S+ workshop\ncreated\nnot created: /m],
  ["docs/test-programs.md", /^main$/m],
  ["platform/README.md", /^503\n200$/m],
];

interface Compute {
  readonly autoscalingLimitMinCu: number;
  readonly autoscalingLimitMaxCu: number;
}

describe("programs: the documents", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const other = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("show programs that do what they say, and find nothing to do when they run again", async () => {
    const orgId = await platform().firstOrganization();
    const stack = await newStack({
      platform: platform(),
      config: { "neon:orgId": orgId },
      program: "",
    });
    stack.configure({}, { otherApiKey: platform().apiKey });
    const moduleOf = (document: string): string => `./${document.replaceAll(/\W/g, "-")}.js`;
    for (const document of programDocuments) {
      const [program, ...others] = programsIn(document).filter(
        ({ text }) => !apart.some((part) => text.includes(part)),
      );
      assert.ok(program && others.length === 0, `${document} has one program`);
      const text = await withOwnProject(program.text, document);
      writeFileSync(join(stack.folder, moduleOf(document)), asJavaScript(text));
    }
    stack.write(
      `Object.assign(exports, ${programDocuments.map((name) => `require("${moduleOf(name)}")`).join(", ")});`,
    );
    await stack.up();

    const names = await projectsOf(platform(), orgId);
    const projects = ["archive", "blog", "ledger", "offsite", "portal", "production", "shop", "warehouse"];
    assert.deepEqual(Object.keys(names).sort(), projects);
    const branches = await branchesOf(platform(), names["shop"]);
    assert.deepEqual(branches, ["main", "staging"]);
    assert.deepEqual(Object.keys(await inventory(platform())), ["made-for-docs/adopt.md"]);
    // docs/adopt.md: adopting changes nothing.
    const adopted = (await projectsOf(platform()))["made-for-docs/adopt.md"] ?? "";
    const sent = (await platform().requests()).filter(({ path }) => path.includes(`/projects/${adopted}`));
    assert.deepEqual([...new Set(sent.map(({ method }) => method))], ["GET"]);
    assert.equal(stack.outputs()["crmName"], "made-for-docs/adopt.md");
    const { mainHost, databaseUrl, rehearsalUrl, appUri } = stack.outputs();
    assert.match(String(appUri), /^postgresql:\/\/app-2030-02:/);
    assert.match(String(mainHost), /^ep-/);
    for (const url of [databaseUrl, rehearsalUrl]) assert.match(String(url), /^postgresql:\/\/[^@]+@ep-[\w-]+\./);
    await stack.command("preview", "--expect-no-changes");

    // docs/restore.md and docs/keys.md: the changes that restore and rotate.
    const restoreTo = new Date().toISOString();
    stack.configure({ resetStaging: "once", restoreTo });
    const rotated = join(stack.folder, moduleOf(keysPage));
    writeFileSync(rotated, withoutFirstGeneration(readFileSync(rotated, "utf8")));
    const resets = (await restoresOf(platform(), names["ledger"])).length;
    await stack.up();
    assert.deepEqual(await branchesOf(platform(), names["ledger"]), [
      "main",
      `main-before-${restoreTo}`,
      "staging-of-ledger",
    ]);
    assert.equal((await restoresOf(platform(), names["ledger"])).length, resets + 2);
    const { body: keys } = await platform().call("GET", `/organizations/${orgId}/api_keys`);
    assert.deepEqual(
      (keys as unknown as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith("import-")),
      ["import-2030-02"],
    );
    assert.deepEqual(await appRolesOf(platform(), names["warehouse"]), ["app-2030-02"]);
    // docs/production.md: `protect` stops `destroy`.
    assert.match((await stack.failing("destroy")).text, /protected/);
    assert.deepEqual(await projectsOf(platform(), orgId), { production: names["production"] });
    assert.deepEqual(await branchesOf(platform(), names["production"]), ["main"]);
  });

  /** A program in which the id of a new project replaces the named one. */
  async function withOwnProject(text: string, document: string): Promise<string> {
    const named = "spring-example-302709";
    if (!text.includes(named)) return text;
    const { project, branch } = await platform().project({ name: `made-for-${document}` });
    return text.replaceAll(named, project.id).replaceAll(namedBranch, branch.id);
  }

  it("show in docs/resources.md one program, which finds nothing to do when it runs again", async () => {
    const [program, ...others] = programsIn("docs/resources.md");
    assert.ok(program && others.length === 0);
    const stack = await newStack({ platform: platform(), program: 'module.exports = require("./resources.js");' });
    writeFileSync(join(stack.folder, "resources.js"), asJavaScript(program.text));
    // A `BucketFolder` uploads this folder.
    mkdirSync(join(stack.folder, "www"));
    writeFileSync(join(stack.folder, "www", "index.html"), "<h1>Hello</h1>");
    await stack.up();
    const { autoscalingLimitMinCu: least, autoscalingLimitMaxCu: most } = stack.outputs()["mainCompute"] as Compute;
    assert.deepEqual([least, most], [0.25, 4]);
    assert.match(String(stack.outputs()["pooledUrl"]), /^postgresql:\/\/[^@]+@ep-[\w-]+-pooler\./);
    await stack.command("preview", "--expect-no-changes");
  });

  it("show scripts that run where the packages are installed", async () => {
    const { folder } = await installation();
    await other().project({ name: "workshop" });
    for (const [document, shown] of scripts) {
      const script = programsIn(document).at(-1);
      assert.ok(script, `${document} has a script`);
      const outputText = asJavaScript(script.text);
      // The default base URL is the vendor's, which no test may reach.
      const code = outputText.replace(
        /NeonClient\(\{ (?!apiUrl)/,
        `NeonClient({ apiUrl: ${JSON.stringify(other().apiUrl)}, `,
      );
      assert.match(code, /apiUrl/, `${document} asks no other platform than that of the test`);
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", code], {
        cwd: folder,
        env: { ...process.env, NEON_API_KEY: other().apiKey },
      });
      assert.match(stdout, shown);
    }
    assert.ok((await inventory(other()))["shop"]);
  });

  it("show a test of a program that passes, and fails when the program is broken", async () => {
    const stack = await newStack({ program: "" });
    const text = programsIn("docs/test-programs.md")[0]?.text ?? "";
    const run = async (name: string, program: string): Promise<Ended> => {
      writeFileSync(join(stack.folder, name), asJavaScript(program));
      return await runToEnd(process.execPath, [name], { cwd: stack.folder, env: stack.environment });
    };
    const passed = await run("passes.cjs", text);
    assert.equal(passed.code, 0, passed.stdout);
    assert.match(passed.stdout, /pass 1\b[^]*fail 0\b/);
    const broken = text.replace(", compute: {} });", " });");
    assert.notEqual(broken, text);
    const failed = await run("fails.cjs", broken);
    assert.notEqual(failed.code, 0, failed.stdout);
    assert.match(failed.stdout, /AssertionError/);
  });

  it("show how to rename a resource without another project", async () => {
    const renamed = programsIn("docs/production.md").find(({ text }) => text.includes("aliases:"))?.text ?? "";
    const former = /name: "([\w-]+)" \}\]/.exec(renamed)?.[1] ?? "";
    const withoutAlias = renamed.replace(/, aliases: \[.*\]/, "");
    const stack = await newStack({ platform: other(), program: 'module.exports = require("./store.js");' });
    const write = (program: string): void => {
      writeFileSync(join(stack.folder, "store.js"), asJavaScript(program));
    };
    write(withoutAlias.replace('"store"', JSON.stringify(former)));
    await stack.up();
    const { storeId } = stack.outputs();
    // Without the alias, the preview fails.
    assert.equal(stack.resource(former).protect, true);
    write(renamed);
    assert.match((await stack.up()).text, /Resources:\n +2 unchanged/);
    write(withoutAlias);
    await other().clearRequests();
    await stack.command("preview", "--expect-no-changes");
    assert.deepEqual(await other().requests(), []);
    const names = await projectsOf(other());
    assert.equal(names[former], storeId);
    assert.ok(!("store" in names));
  });
});

/** The projects of an organization, or of the user, by name. */
async function projectsOf(platform: TestPlatform, orgId?: string): Promise<Record<string, string>> {
  const owner = orgId === undefined ? "" : `&org_id=${orgId}`;
  const { body } = await platform.call("GET", `/projects?limit=400${owner}`);
  return Object.fromEntries(body.projects.map(({ id, name }) => [name, id]));
}

async function branchesOf(platform: TestPlatform, project: string | undefined): Promise<string[]> {
  const { body } = await platform.call("GET", `/projects/${String(project)}/branches`);
  return body.branches.map(({ name }) => name).sort();
}

/** The roles of a project's default branch that its program declares. */
async function appRolesOf(platform: TestPlatform, project = ""): Promise<string[]> {
  const { body } = await platform.call("GET", `/projects/${project}/branches`);
  const { id = "" } = body.branches.find((branch) => branch.default) ?? {};
  const { body: found } = await platform.call("GET", `/projects/${project}/branches/${id}/roles`);
  return found.roles.map(({ name }) => name).filter((name) => name.startsWith("app-"));
}

/** The requests that restored a branch of a project. */
async function restoresOf(platform: TestPlatform, project: string | undefined): Promise<unknown[]> {
  const requests = await platform.requests();
  return requests.filter(
    ({ method, path }) => method === "POST" && path.includes(`${String(project)}/`) && path.endsWith("/restore"),
  );
}

/** The program of docs/keys.md at the end of a rotation. */
function withoutFirstGeneration(program: string): string {
  const withoutKey = program.replace('"2030-01", ', "");
  const withoutRole = withoutKey.replace(/^new neon\.Role\("app-2030-01".*$/m, "");
  assert.ok(withoutKey !== program && withoutRole !== withoutKey);
  return withoutRole;
}
