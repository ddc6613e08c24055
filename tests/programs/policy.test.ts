import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { describe, it } from "mocha";

import { asJavaScript, programsIn } from "../support/documents";
import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

/**
 * Runs a policy pack with the pack's own Pulumi SDK. The language host does the same for `runtime: nodejs`, but not the
 * one that this repository builds: it is the newest that is published as a Go module, and runs no plugins.
 */
const policyRunner = `#!/bin/sh
script=$(node -p 'require.resolve("@pulumi/pulumi/cmd/run-policy-pack")') || exit 1
exec node "$script" "$@"
`;

describe("programs: a policy pack", function () {
  this.timeout(300_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("on docs/production.md finds the resources of its types, with their arguments and outputs", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const config = new pulumi.Config();
        const size = config.requireNumber("size");
        const project = new neon.Project("shop", { defaultEndpointSettings: { autoscalingLimitMaxCu: size } });
        new neon.Branch("large", { projectId: project.id, compute: { autoscalingLimitMaxCu: size } });
        const main = new neon.Branch("main", { projectId: project.id, adopt: true, default: true });
        new neon.Endpoint("replica", {
          projectId: project.id, branchId: main.branchId, type: "read_only", autoscalingLimitMaxCu: size,
        });
        new neon.Endpoint("small", {
          projectId: project.id, branchId: main.branchId, type: "read_only", autoscalingLimitMaxCu: 1,
        });
      `,
    });
    const pack = join(stack.folder, "policies");
    mkdirSync(pack);
    const [program, ...others] = programsIn("docs/production.md").filter(({ text }) => text.includes("PolicyPack"));
    assert.ok(program && others.length === 0, "the page shows one pack");
    writeFileSync(join(pack, "index.js"), asJavaScript(program.text));
    writeFileSync(join(pack, "PulumiPolicy.yaml"), "runtime: node-script\n");
    const analyzer = join(pack, "pulumi-analyzer-policy-node-script");
    writeFileSync(analyzer, policyRunner, { mode: 0o755 });
    stack.environment["PATH"] = [pack, stack.environment["PATH"]].join(delimiter);
    writeFileSync(join(pack, "package.json"), '{ "name": "policies", "version": "1.0.0", "main": "index.js" }');
    cpSync("node_modules/@pulumi/policy", join(pack, "node_modules", "@pulumi", "policy"), { recursive: true });

    stack.configure({ size: "8" });
    const refused = await stack.failing("preview", "--policy-pack", pack);
    const violations = [...refused.text.matchAll(/\[mandatory\] +([\w-]+) +\(.*neon:(\w+: \w+)\)\s+.*\s+(.*)/g)];
    assert.deepEqual(violations.map(([, ...said]) => said.join(", ")).sort(), [
      "compute-size, Branch: large, The compute has 8 CU.",
      "compute-size, Endpoint: replica, The compute has 8 CU.",
      "compute-size, Project: shop, The compute has 8 CU.",
    ]);

    stack.configure({ size: "2" });
    const { text } = await stack.up("--policy-pack", pack);
    assert.doesNotMatch(text, /\[mandatory\]/);
    assert.match(text, /\[advisory\] +protected-default-branch/);
    assert.match(text, /The branch main is not protected\./);
  });
});
