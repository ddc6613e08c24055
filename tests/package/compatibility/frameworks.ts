import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import type { Loader, TestFramework } from "./cases";
import { environmentWith, run, versions } from "./programs";

/** What a framework is installed and started as. */
interface Framework {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const jest: Framework = { name: "jest", program: "bin/jest.js", args: [] };
const frameworks: Readonly<Record<TestFramework, Framework>> = {
  "Jest 29": jest,
  "Jest 30": jest,
  "vitest, vmThreads": { name: "vitest", program: "vitest.mjs", args: ["run", "--pool=vmThreads", "--globals"] },
};

/** A user's tests: one with mocks, and one that sends requests from the test's own process. */
const tests = `
const assert = require("node:assert/strict");
const pulumi = require("@pulumi/pulumi");
const neon = require("neon-pulumi");
const { NeonClient, projects } = require("neon-pulumi/api");
const { startPlatform } = require("neon-platform");

test("a program with mocks", async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name + "-id", state: { ...inputs, host: "ep-mock" } }),
    call: () => [{ id: "aws-eu-central-1" }],
  });
  const project = new neon.Project("shop");
  const branch = new neon.Branch("preview", { projectId: project.id, compute: {} });
  assert.equal(await new Promise((resolve) => branch.host.apply(resolve)), "ep-mock");
  assert.equal((await neon.getRegions()).length, 1);
}, 60000);

test("a client of a local platform", async () => {
  const platform = await startPlatform({ operationTime: "20ms" });
  const client = new NeonClient({ apiKey: platform.apiKey, apiUrl: platform.apiUrl });
  const { project, operations } = await client.send(projects.create({ name: "shop" }));
  await client.wait(operations);
  assert.equal((await client.send(projects.get(project.id))).project.name, "shop");
  await platform.close();
  await assert.rejects(client.send(projects.get(project.id), { deadline: client.clock.now() }), /ECONNREFUSED|hang up/);
}, 60000);
`;

/** Whether a loader is that of a test framework. */
export function isTestFramework(loader: Loader): loader is TestFramework {
  return loader in frameworks;
}

/** What a user's project depends on besides, if it has such tests. */
export function testDependencies(loader: TestFramework, packed: string): Readonly<Record<string, string>> {
  return { [frameworks[loader].name]: versions[loader], "neon-platform": `file:${join(packed, "neon-platform.tgz")}` };
}

/** Runs the tests in a folder, without a configuration of the framework. */
export async function runTests(loader: TestFramework, folder: string, node: string): Promise<void> {
  const { name, program, args } = frameworks[loader];
  writeFileSync(join(folder, "program.test.js"), tests);
  const manifest = createRequire(join(folder, "_.js")).resolve(`${name}/package.json`);
  await run(node, [join(manifest, "..", program), ...args], folder, environmentWith(node));
}
