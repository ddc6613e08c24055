import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { type Preview, suiteStacks } from "../support/stack";

/** What a preview is going to do, by logical name; what stays as it is is left out. */
function operations({ steps }: Preview): Record<string, string> {
  const wanted = steps.filter(({ op, urn }) => op !== "same" && urn.includes("/neon:"));
  return Object.fromEntries(wanted.map(({ op, urn }) => [urn.slice(urn.lastIndexOf("::") + 2), op]));
}

describe("programs: values that are not known yet", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  it("a preview takes them anywhere, and asks the platform whether the key is valid and what is there", async () => {
    const program = (more: string): string => `
      const project = new neon.Project("all", { settings: { allowedIps: { ips: ["10.0.0.1"] } } });
      const base = new neon.Branch("base", { projectId: project.id, compute: {}, ${more} });
      const pr = new neon.Branch("pr", {
        projectId: project.id,
        parentId: base.branchId,
        annotations: { parent: base.name, project: project.projectId, host: base.host },
        compute: {
          autoscalingLimitMinCu: 0.25,
          autoscalingLimitMaxCu: base.createdAt.apply(() => 1),
          settings: { pgSettings: { application_name: base.branchId } },
        },
      });
      exports.project = neon.getProjectOutput({ projectId: project.id }).name;
      exports.branch = neon.getBranchOutput({ projectId: project.id, branchId: pr.branchId }).annotations;
      exports.branches = neon.getBranchesOutput({ projectId: project.id, search: pr.branchId }).apply((all) => all.length);
      exports.actions = neon
        .getOperationsOutput({ projectId: project.id, limit: pr.createdAt.apply(() => 2) })
        .apply((all) => all.map(({ action }) => action).sort());
    `;
    const stack = await newStack({ platform: platform(), program: program("") });
    const first = await stack.preview();
    assert.deepEqual(operations(first), { all: "create", base: "create", pr: "create" });
    assert.deepEqual(
      (await platform().requests()).map(({ method, path }) => `${method} ${path}`),
      ["GET /api/v2/auth", "GET /api/v2/projects?limit=400"],
    );

    await stack.up();
    const pr = stack.resource("pr");
    const { host } = stack.resource("base").outputs;
    const annotations = { parent: "base", project: stack.resource("all").id, host };
    assert.deepEqual(pr.outputs["annotations"], annotations);
    const actions = ["create_branch", "start_compute"];
    assert.deepEqual(stack.outputs(), { project: "all", branch: annotations, branches: 1, actions });

    // A replaced parent makes everything about it unknown again.
    stack.write(program('initSource: "schema-only"'));
    const second = await stack.preview();
    assert.deepEqual(operations(second), { base: "replace", pr: "replace" });
    assert.match(
      second.diagnostics.map(({ message }) => message).join("\n"),
      /Changing .*`parentId` \(its new value is not known yet\) replaces this branch/,
    );
  });
});
