import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { installation, lockedVersion } from "../installation";
import type { TestPlatform } from "../../support/platform";
import { cliFolder, hostWithFlags } from "../../support/cli";
import type { Stack, StackOptions } from "../../support/stack";
import type { Case, Loader, TestFramework } from "./cases";
import { installers } from "./installers";
import { isTestFramework, runTests, testDependencies } from "./frameworks";
import { environmentWith, nodeOf, run, versions } from "./programs";

type NewStack = (options: StackOptions) => Promise<Stack>;

/** What Pulumi's project file says for a loader. */
interface Runtime {
  /** Options for Node. */
  readonly nodeargs?: string;
  /** Whether Pulumi loads TypeScript by itself. */
  readonly typescript: boolean;
}

const runtimes: Readonly<Record<Exclude<Loader, TestFramework>, Runtime>> = {
  JavaScript: { typescript: false },
  "Pulumi's ts-node": { typescript: true },
  "ts-node": { nodeargs: "--loader ts-node/esm --no-warnings", typescript: false },
  tsx: { nodeargs: "--import tsx", typescript: false },
  "Node's type stripping": { nodeargs: "--no-warnings", typescript: false },
};

/** The statements of a program, the same in both module systems and without types of its own. */
const statements = `
const project = new neon.Project("shop");
const branch = new neon.Branch("preview", { projectId: project.id, compute: {} });
`;
const typedText = `import * as neon from "neon-pulumi";
${statements}
export const host: import("@pulumi/pulumi").Output<string> = branch.requireOutput("host");
export const regions = neon.getRegionsOutput().apply((all) => all.length);
`;
const moduleText = `import * as neon from "neon-pulumi";
${statements}
export const host = branch.requireOutput("host");
export const regions = neon.getRegionsOutput().apply((all) => all.length);
`;
const scriptText = `const neon = require("neon-pulumi");
${statements}
exports.host = branch.requireOutput("host");
exports.regions = neon.getRegionsOutput().apply((all) => all.length);
`;
/** Installs the package as the case says, checks the types of a program, and runs it with Pulumi. */
export async function check(one: Case, platform: TestPlatform, newStack: NewStack): Promise<void> {
  const node = await nodeOf(one.node);
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-compatible-"));
  try {
    await write(folder, one);
    await installers[one.installer].install(folder, node);
    const nodeOptions = installers[one.installer].nodeOptions?.(folder) ?? "";
    await checkTypes(folder, node, nodeOptions);
    if (isTestFramework(one.loader)) await runTests(one.loader, folder, node);
    else
      await checkProgram(
        await stackIn(folder, one.loader, runtimes[one.loader], platform, newStack, node, nodeOptions),
      );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the user's project: what it depends on, and the program. */
async function write(folder: string, one: Case): Promise<void> {
  const { folder: packed } = await installation();
  const dependencies = {
    "neon-pulumi": `file:${join(packed, "neon-pulumi.tgz")}`,
    "@pulumi/pulumi": lockedVersion("@pulumi/pulumi"),
    typescript: versions.typescript[one.typescript],
    "@types/node": lockedVersion("@types/node"),
    ...(one.loader === "tsx" || one.loader === "ts-node" ? { [one.loader]: versions[one.loader] } : {}),
    ...(isTestFramework(one.loader) ? testDependencies(one.loader, packed) : {}),
  };
  const isModule = one.modules === "ESM";
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "compatible", private: true, type: isModule ? "module" : "commonjs", dependencies }),
  );
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        skipLibCheck: false,
        target: "es2022",
        ...(isModule
          ? { module: "nodenext", moduleResolution: "nodenext" }
          : { module: "node16", moduleResolution: "node16" }),
        types: ["node"],
      },
      files: ["index.ts"],
    }),
  );
  writeFileSync(join(folder, "index.ts"), typedText);
  if (one.loader === "JavaScript") writeFileSync(join(folder, "index.js"), isModule ? moduleText : scriptText);
}

/** Checks the program's types, and those of the package, with the compiler of the case. */
async function checkTypes(folder: string, node: string, nodeOptions: string): Promise<void> {
  const environment = environmentWith(node, nodeOptions === "" ? {} : { NODE_OPTIONS: nodeOptions });
  const tsc =
    nodeOptions === "" ? createRequire(join(folder, "_.js")).resolve("typescript/lib/tsc.js") : "typescript/lib/tsc.js";
  const call = `process.argv.splice(1, 0, "tsc"); require(${JSON.stringify(tsc)})`;
  await run(node, ["-e", call, "--", "-p", folder, "--noEmit"], folder, environment);
}

async function stackIn(
  folder: string,
  loader: Loader,
  { nodeargs, typescript }: Runtime,
  { apiKey, apiUrl }: TestPlatform,
  newStack: NewStack,
  node: string,
  nodeOptions: string,
): Promise<Stack> {
  const home = join(folder, ".pulumi-home");
  mkdirSync(join(home, "backend"), { recursive: true });
  const place = { stack: "dev", project: "compatible", home, backend: `file://${join(home, "backend")}`, folder };
  const stack = await newStack({ platform: { apiKey, apiUrl }, place });
  const runtime = { name: "nodejs", options: { typescript, ...(nodeargs === undefined ? {} : { nodeargs }) } };
  const main = loader === "JavaScript" ? "index.js" : "index.ts";
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "compatible", runtime, main }));
  stack.environment["NODE_OPTIONS"] = nodeOptions;
  const flags = { typescript: String(typescript), nodeargs: nodeargs ?? "" };
  const host = await hostWithFlags(join(cliFolder(), "pulumi-language-nodejs"), flags, home);
  stack.environment["PATH"] = [...host, cliFolder(), dirname(node), stack.environment["PATH"]].join(delimiter);
  return stack;
}

async function checkProgram(stack: Stack): Promise<void> {
  await stack.up();
  const { host, regions } = stack.outputs();
  assert.match(String(host), /^ep-/);
  assert.ok(Number(regions) > 0);
  await stack.destroy();
  stack.assertEmpty();
}
