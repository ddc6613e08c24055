import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join, posix, relative } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { after, before, describe, it } from "mocha";

import { asJavaScript, programsIn } from "../support/documents";
import { runToEnd } from "../support/ended";
import { filesIn, writeFiles } from "../support/files";
import { suitePlatform } from "../support/platform";
import { assertNoSecret } from "../support/stack";
import { installation, type Installation, installedPackage, type PackageName } from "./installation";

const pluginFiles = [
  "plugin/pulumi-resource-",
  "plugin/pulumi-resource-neon",
  "plugin/pulumi-resource-neon.cmd",
  "plugin/schema.json",
];

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** What an installed package consists of. */
interface Papers {
  readonly root: string;
  readonly files: readonly string[];
  readonly manifest: Manifest;
}

function papersOf(installed: Installation, name: PackageName): Papers {
  const root = installedPackage(installed, name);
  const files = filesIn(root)
    .map((file) => relative(root, file).replaceAll("\\", "/"))
    .filter((file) => !file.startsWith("node_modules/"));
  return { root, files, manifest: JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest };
}

describe("package: what users install", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  let installed: Installation;
  let manifest: Manifest;
  let papers: Readonly<Record<PackageName, Papers>>;
  /** A user's folder inside the installation. */
  let folder: string;
  before(async () => {
    installed = await installation();
    papers = {
      "neon-pulumi": papersOf(installed, "neon-pulumi"),
      "neon-platform": papersOf(installed, "neon-platform"),
    };
    ({ manifest } = papers["neon-pulumi"]);
    folder = mkdtempSync(join(installed.folder, "user-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs Node in the user's folder, with nothing of an account or of Pulumi around it. */
  async function node(args: readonly string[], environment: Record<string, string> = {}) {
    const env = { PATH: process.env["PATH"], HOME: folder, ...environment };
    const { code, stdout, stderr } = await runToEnd(process.execPath, args, { cwd: folder, env });
    return { code, text: stdout + stderr };
  }

  async function succeeds(
    script: string,
    extension: "cjs" | "mjs",
    environment?: Record<string, string>,
  ): Promise<string> {
    const file = join(folder, `script.${extension}`);
    writeFileSync(file, script);
    const { code, text } = await node([file], environment);
    assert.equal(code, 0, text);
    return text.trim();
  }

  it("neon-pulumi contains nothing that running an example has left in its folder", async () => {
    const clone = join(folder, "clone");
    const left = ["node_modules/pulumi/index.js", "packages/database/dist/index.js", "Pulumi.dev.yaml"];
    const written = ["index.ts", ...left].map((file) => [join("examples", "monorepo", file), ""] as const);
    writeFiles(clone, { ...Object.fromEntries(written), "package.json": readFileSync("package.json", "utf8") });
    const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: clone });
    const [packed] = JSON.parse(stdout) as { readonly files: readonly { readonly path: string }[] }[];
    assert.deepEqual(
      packed?.files.map(({ path }) => path),
      ["examples/monorepo/index.ts", "package.json"],
    );
  });

  for (const [name, folders, documents] of [
    ["neon-pulumi", "api|bundle|cli|provider|sdk", [...userDocuments(), ...pluginFiles]],
    ["neon-platform", "api|platform(?!/tests/)", []],
  ] as const) {
    it(`${name} contains compiled code, its types, documents and examples, and nothing else`, () => {
      const { files } = papers[name];
      const code = new RegExp(`^dist/(${folders})/.+\\.(js|d\\.ts)$`);
      const others = files.filter((file) => !code.test(file) && !file.endsWith(".licenses.txt"));
      assert.deepEqual([...others].sort(), ["LICENSE", "README.md", "package.json", ...documents].sort());
      for (const file of files.filter((one) => one.endsWith(".js"))) {
        assert.ok(files.includes(file.replace(/\.js$/, ".d.ts")), `${file} has no types`);
      }
    });

    it(`${name} runs no script when it is installed`, () => {
      const { scripts = {} } = papers[name].manifest;
      // npm asks for permission, or warns, for each of these; `prepare` counts if the package is not from a registry.
      const onInstall = ["preinstall", "install", "postinstall", "prepare"];
      assert.deepEqual(
        onInstall.filter((script) => script in scripts),
        [],
      );
    });

    it(`${name} contains no secret, no path of the machine that built it, and no reference to a missing file`, () => {
      const { root, files } = papers[name];
      for (const file of files) {
        const text = readFileSync(join(root, file), "utf8");
        assertNoSecret(text, file);
        for (const path of [process.cwd(), homedir(), tmpdir()]) {
          assert.ok(path === "/" || !text.includes(`${path}/`), `${file} names ${path}`);
        }
        assert.doesNotMatch(text, /sourceMappingURL/, file);
      }
    });

    it(`${name} depends on every package that it loads, and on no other`, () => {
      const { root, files, manifest } = papers[name];
      const loaded = new Set<string>();
      for (const file of files.filter((one) => /\.(js|d\.ts)$/.test(one))) {
        // An example in a comment loads nothing.
        const text = readFileSync(join(root, file), "utf8").replace(/\/\*\*[\s\S]*?\*\//g, "");
        for (const [, from = ""] of text.matchAll(/(?:require\(|from |import\()"([^".][^"]*)"/g)) {
          if (from.startsWith("node:") || builtinModules.includes(from) || from.startsWith("neon-")) continue;
          loaded.add(from.split("/", from.startsWith("@") ? 2 : 1).join("/"));
        }
      }
      assert.deepEqual([...loaded].sort(), Object.keys(manifest.dependencies).sort());
    });
  }

  it("neon-pulumi contains every file that its documents link to, except sources that contributors read", () => {
    const { root, files } = papers["neon-pulumi"];
    const missing = files
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) => {
        const prose = readFileSync(join(root, file), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
        const links = [...prose.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = ""]) => link);
        return links
          .map((link) => posix.join(posix.dirname(file), link).replace(/\/$/, ""))
          .filter((target) => !files.some((one) => one === target || one.startsWith(`${target}/`)))
          .map((target) => `${file}: ${target}`);
      });
    assert.deepEqual([...missing].sort(), ["CONTRIBUTING.md: AGENTS.md"]);
  });

  it("answers to every name it exports, by require and by import", async () => {
    const entries = Object.keys(manifest.exports).map((name) => name.replace(/^\./, "neon-pulumi"));
    assert.deepEqual(entries.sort(), [
      "neon-pulumi",
      "neon-pulumi/api",
      "neon-pulumi/package.json",
      "neon-pulumi/provider/v1",
    ]);
    entries.push("neon-platform", "neon-platform/package.json");
    const required = entries.map((name) => `Object.keys(require("${name}")).length > 0 || process.exit(1);`).join("\n");
    await succeeds(required, "cjs");
    await succeeds(
      `import { Branch, getProjects, Project, Provider } from "neon-pulumi";
       import { NeonClient, projects } from "neon-pulumi/api";
       import { startPlatform } from "neon-platform";
       if ([Branch, getProjects, Project, Provider, NeonClient, projects, startPlatform].includes(undefined)) process.exit(1);`,
      "mjs",
    );
    const inner = await node(["-e", 'require("neon-pulumi/dist/provider/lifecycle/lifecycle.js")']);
    assert.match(inner.text, /ERR_PACKAGE_PATH_NOT_EXPORTED/, "what is not exported is nobody else's business");
  });

  it("names the command that installs esbuild if a program without it bundles a function", async () => {
    const script = 'require("neon-pulumi").bundle("api.ts").catch(({ message }) => console.log(message));';
    assert.equal(
      await succeeds(script, "cjs"),
      `neon.bundle("api.ts") failed: It needs esbuild, which is not installed in ${folder}. Run \`npm install --save-dev esbuild\` there.`,
    );
  });

  it("runs the unit test of the documents without an account", async () => {
    const [recipe, ...others] = programsIn("docs/test-programs.md").filter(({ text }) => text.includes("setMocks"));
    assert.ok(recipe && others.length === 0, "the page shows one unit test");
    assert.match(await succeeds(asJavaScript(recipe.text), "cjs"), /pass 1\b[^]*fail 0\b/);
    const another = recipe.text.replace(
      "compute: { autoscalingLimitMaxCu: 1 }",
      "compute: { autoscalingLimitMaxCu: 2 }",
    );
    assert.notEqual(another, recipe.text);
    const file = join(folder, "another.cjs");
    writeFileSync(file, asJavaScript(another));
    const { code, text } = await node([file]);
    assert.notEqual(code, 0, "the test notices another component");
    assert.match(text, /AssertionError/);
  });

  it("has types that hold under every module resolution, and say what outputs are", async () => {
    writeFileSync(
      join(folder, "types.ts"),
      `import * as pulumi from "@pulumi/pulumi";
       import * as neon from "neon-pulumi";
       import { NeonClient, projects, type Project } from "neon-pulumi/api";
       import { startPlatform, type Platform } from "neon-platform";

       type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
       const project = new neon.Project("shop", { regionId: pulumi.output("aws-eu-central-1"), settings: { hipaa: true } });
       const args: neon.BranchArgs = { projectId: project.id, compute: { autoscalingLimitMaxCu: 2 }, adopt: true };
       const branch = new neon.Branch("pr", args, { customTimeouts: { create: "1m" } });
       const checks: true[] = [
         true satisfies Same<typeof project.name, pulumi.Output<string>>,
         true satisfies Same<typeof project.pgVersion, pulumi.Output<number>>,
         true satisfies Same<typeof branch.host, pulumi.Output<string | undefined>>,
         true satisfies Same<typeof branch.protected, pulumi.Output<boolean | undefined>>,
         true satisfies Same<typeof branch.annotations, pulumi.Output<Record<string, string> | undefined>>,
       ];
       const sizes: neon.ComputeArgs = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 };
       new neon.Branch("sized", { projectId: project.id, compute: sizes });
       export const parent: pulumi.Output<string> = neon
         .getBranchOutput({ projectId: project.id, branchId: project.defaultBranchId.apply((id) => id!) })
         .apply((found) => found.name);
       export const names: Promise<string[]> = neon.getProjects({ search: "typed" }).then((all) => all.map(({ name }) => name));
       export const isBranch: boolean = neon.Branch.isInstance(branch) && !neon.Project.isInstance(branch);
       export const size: pulumi.Output<number | undefined> = branch.compute.apply((compute) => compute?.autoscalingLimitMaxCu);
       export const ids: pulumi.Output<string[]> = neon.getBranchesOutput({ projectId: project.id }).apply((all) => all.map(({ id }) => id));
       // @ts-expect-error: a misspelled input
       new neon.Project("wrong", { regionID: "aws-eu-central-1" });
       // @ts-expect-error: a branch needs a project
       new neon.Branch("wrong", {});
       // @ts-expect-error: of another type
       new neon.Project("wrong", { pgVersion: "17" });
       // @ts-expect-error: outputs are not to be assigned
       branch.host = pulumi.output("");
       export const client = new NeonClient({ apiKey: "key" });
       export const found: Promise<{ project: Project }> = client.send(projects.get("spring-example-302709"));
       export const running: Promise<Platform> = startPlatform({ operationTime: "20ms" });
       export { checks };`,
    );
    const compiler = require.resolve("typescript/bin/tsc", { paths: [folder] });
    // A type of a development dependency would be missing here.
    const named = 'export { startPlatform, type FaultInput, type LoggedRequest } from "neon-platform";';
    writeFileSync(join(folder, "platform-types.ts"), named);
    const ways = [
      { module: "commonjs", moduleResolution: "node10" },
      { module: "node16", moduleResolution: "node16" },
      { module: "esnext", moduleResolution: "bundler" },
      { module: "node16", moduleResolution: "node16", skipLibCheck: false },
    ];
    const configs = ways.map(({ skipLibCheck = true, ...way }, index) => {
      const config = join(folder, `tsconfig.${index}.json`);
      const compilerOptions = { ...way, target: "es2022", strict: true, noEmit: true, skipLibCheck, types: ["node"] };
      const file = skipLibCheck ? "types.ts" : "platform-types.ts";
      writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
      return config;
    });
    // One process for all of them.
    const { code, text } = await node([compiler, "--build", "--verbose", ...configs]);
    assert.equal(code, 0, text);
  });

  it("loads neither zod nor an HTTP client before a program reads anything", async () => {
    const script = `
      const neon = require("neon-pulumi");
      const loaded = Object.keys(require.cache).filter((file) => /zod|node-fetch|neon-pulumi.dist.api.schemas/.test(file));
      console.log(JSON.stringify({ loaded, isThere: typeof neon.getProjects }));
    `;
    assert.deepEqual(JSON.parse(await succeeds(script, "cjs")), { loaded: [], isThere: "function" });
  });

  it("serves programs that have nothing to do with Pulumi", async () => {
    await platform().project({ name: "plain" });
    const script = `
      const { NeonClient, projects, branches } = require("neon-pulumi/api");
      const client = new NeonClient({ apiKey: process.env.KEY, apiUrl: process.env.URL });
      (async () => {
        const names = [];
        for await (const { id, name } of client.list(projects.list())) {
          const { branch, operations } = await client.send(branches.create(id, { branch: { name: "made" } }));
          await client.wait(operations);
          names.push(name, branch.name, (await client.send(branches.get(id, branch.id))).branch.current_state);
        }
        const loaded = Object.keys(require.cache).filter((file) => file.includes("@pulumi"));
        console.log(JSON.stringify({ names, loaded }));
      })();
    `;
    const { apiKey, apiUrl } = platform();
    // Jest, for one, has no `require` of ES modules.
    const NODE_OPTIONS = "--no-experimental-require-module";
    const said = await succeeds(script, "cjs", { KEY: apiKey, URL: apiUrl, NODE_OPTIONS });
    assert.deepEqual(JSON.parse(said), { names: ["plain", "made", "ready"], loaded: [] });
  });

  it("neon-platform starts a local platform that prints in one line where it is", async () => {
    const command = join(installed.folder, "node_modules", ".bin", "neon-platform");
    const child = spawn(command, ["--port", "0", "--operation-time", "20ms"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    const reader = createInterface(child.stdout);
    reader.on("line", (line) => lines.push(line));
    try {
      await Promise.race([once(reader, "line"), once(child, "exit")]);
      const { apiUrl, consoleUrl, apiKey } = JSON.parse(lines[0] ?? "{}") as Record<string, string>;
      assert.match(apiUrl ?? "", /^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/);
      assert.equal(apiUrl, `${consoleUrl ?? ""}/api/v2`);
      const answer = await fetch(`${apiUrl}/projects`, { headers: { authorization: `Bearer ${apiKey ?? ""}` } });
      assert.equal(answer.status, 200);
    } finally {
      child.kill("SIGTERM");
    }
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 0);
    assert.equal(lines.length, 1);
  });
});

/** The documents and examples of the repository that users of the package read. */
function userDocuments(): string[] {
  const all = ["docs", "examples"].flatMap((folder) => filesIn(folder).map((file) => file.replaceAll("\\", "/")));
  return [
    // npm never packs this file.
    ...all.filter(
      (file) => !file.endsWith("/.gitignore") && (file.startsWith("examples/") || /\.(md|svg|webp)$/.test(file)),
    ),
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "platform/README.md",
  ];
}
