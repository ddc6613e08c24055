import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { suiteStacks } from "../support/stack";

/**
 * A program with outputs of each sort: plain, secret, nested, of a data source, and a failure that a user would see. Two stacks run it at
 * the same time, and each means a project of its own.
 */
const program = `
  const project = new neon.Project("shop", { adopt: false });
  const branch = new neon.Branch("pr", { projectId: project.id, compute: { autoscalingLimitMinCu: 0.25 } });
  new neon.Role("app", { projectId: project.id, branchId: branch.branchId });
  exports.found = neon.getBranchOutput({ projectId: project.id, branchId: branch.branchId }).name;
  exports.uri = branch.connectionUri;
  new neon.Database("missing", { projectId: project.id, branchId: branch.branchId, ownerName: "nobody" });
`;

describe("programs: what tests preload into them", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "0" });
  const newStack = suiteStacks();

  it("changes neither what they print nor what the state holds", async () => {
    const runs = await Promise.all(
      [{}, { NODE_OPTIONS: "" }].map(async (environment) => {
        const stack = await newStack({ platform: platform(), program, environment });
        const { code, text } = await stack.run(["up", "--yes", "--skip-preview"]);
        const state = [...stack.resources().values()].map(
          ({ urn, inputs, outputs }) => [urn, { inputs: namesIn(inputs), outputs: namesIn(outputs) }] as const,
        );
        const errors = [...new Set(withoutIds(text).match(/ error: .*/g))].sort();
        return { code, errors, state: Object.fromEntries(state) };
      }),
    );
    assert.deepEqual(runs[0], runs[1]);
    assert.equal(Object.keys(runs[0]?.state ?? {}).length, 3);
    assert.match(runs[0]?.errors.join() ?? "", /nobody/);
  });
});

/** The names of members at any depth: the values differ in each run. */
function namesIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, namesIn(member)]));
}

function withoutIds(text: string): string {
  return text
    .replaceAll(/\b(br|ep)-[a-z]+-[a-z]+-[a-z0-9]{8}\b|\b[a-z]+-[a-z]+-\d{8}\b/g, "<id>")
    .replaceAll(/\[request [^\]]+\]/g, "<request>");
}
