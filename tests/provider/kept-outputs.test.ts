import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { itThrough } from "../support/door";
import type { EngineResource, Plan } from "../support/engine";
import { EngineLog } from "../support/engine-log";
import { type ProviderServer, unknownText, type Values } from "../support/provider-server";
import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const onlyDynamic = itThrough("dynamic");

/** The plan for a resource one of whose arguments is not known yet, and comes from outputs of these resources. */
function previewed(resource: EngineResource, args: Values, name: string, sources: readonly string[]): Promise<Plan> {
  const unknownInputs = [{ path: [name], urns: sources }];
  return resource.preview({ ...args, [name]: unknownText }, { unknownInputs });
}

/** A project of this stage as a resource, and a role on its branch. */
async function projectWithRole() {
  const project = stage().resource("Project");
  await project.up({});
  const args = { projectId: project.id, branchId: project.outputs["defaultBranchId"] };
  const role = stage().resource("Role");
  await role.up(args);
  return { project, role, args };
}

describe("kept outputs › an argument that a preview does not know", () => {
  for (const sample of everySample) {
    const { kind } = sample;
    const replacing = Object.keys(kinds[kind].rules).filter((path) => kinds[kind].rules[path]?.onChange === "replace");
    onlyDynamic(
      `of ${titleOf(sample)} is the present one if it is an output of a project that changes in place`,
      async () => {
        const args = await sample.declare(stage());
        const project = stage().resource("Project");
        const { projectId } = args;
        await project.up(typeof projectId === "string" ? { adopt: projectId } : {});
        const resource = stage().resource(kind);
        await resource.up(args);
        const held = Object.values(project.ownOutputs);
        const names = replacing.filter((name) => name !== "projectId" && args[name] !== undefined);
        assert.equal((await project.preview({ historyRetentionSeconds: 3600 })).step, "update");
        for (const name of names.filter((one) => held.includes(args[one]))) {
          assert.equal((await previewed(resource, args, name, [project.urn])).step, "same", name);
          assert.equal((await resource.preview({ ...args, [name]: unknownText })).step, "replace", name);
        }
        for (const name of names.filter((one) => !held.includes(args[one]))) {
          assert.equal((await previewed(resource, args, name, [project.urn])).step, "replace", name);
        }
      },
    );
  }

  onlyDynamic("is the present one in a list and in a member of an object, too", async () => {
    const { id: projectId } = await stage().project();
    const project = stage().resource("Project");
    await project.up({ adopt: projectId });
    const { host, roleName } = project.outputs;
    const url = stage().resource("JwksUrl");
    const issuer = { projectId, jwksUrl: "https://example.com/keys", providerName: "Own" };
    await url.up({ ...issuer, roleNames: [roleName] });
    const branch = stage().resource("Branch");
    await branch.up({ projectId, annotations: { of: host, team: "shop" } });
    await project.preview({ historyRetentionSeconds: 3600 });
    const urns = [project.urn];
    for (const [path, roleNames] of [
      [["roleNames", "0"], [unknownText]],
      [["roleNames"], unknownText],
    ] as const) {
      const unknownInputs = [{ path, urns }];
      assert.equal((await url.preview({ ...issuer, roleNames }, { unknownInputs })).step, "same");
    }
    const annotations = { of: unknownText, team: "shop" };
    const unknownInputs = [{ path: ["annotations", "of"], urns }];
    assert.equal((await branch.preview({ projectId, annotations }, { unknownInputs })).step, "same");
    const moved = await branch.preview(
      { projectId, annotations: { ...annotations, team: "sales" } },
      { unknownInputs },
    );
    assert.equal(moved.step, "replace");
  });

  onlyDynamic("stays unknown if one of the resources that it comes from is not of this run", async () => {
    const { project, role, args } = await projectWithRole();
    await project.preview({ historyRetentionSeconds: 3600 });
    assert.equal((await previewed(role, args, "branchId", [project.urn, `${project.urn}-2`])).step, "replace");
    assert.equal((await previewed(role, args, "branchId", [])).step, "replace");
    await stage().nextRun(role);
    assert.equal((await previewed(role, args, "branchId", [project.urn])).step, "replace");
  });

  onlyDynamic(
    "stays unknown if the program declares the output as secret, which the preview would not hide",
    async () => {
      const { project, role, args } = await projectWithRole();
      await project.preview({ historyRetentionSeconds: 3600 }, { secretOutputs: ["defaultBranchId"] });
      assert.equal((await previewed(role, args, "branchId", [project.urn])).step, "replace");
      await project.preview({ historyRetentionSeconds: 3600 }, { secretOutputs: ["host"] });
      assert.equal((await previewed(role, args, "branchId", [project.urn])).step, "same");
    },
  );

  onlyDynamic("is the present one if another provider process of the run has the project", async () => {
    const engine = await EngineLog.start();
    const home = mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
    const start = (): Promise<ProviderServer> => stage().anotherServer({ engine, home, isProcess: true });
    const [one, other] = [await start(), await start()];
    const { project, role, args } = await projectWithRole();
    [project.server, role.server] = [one, other];
    assert.equal((await previewed(role, args, "branchId", [project.urn])).step, "replace");
    await project.preview({ historyRetentionSeconds: 3600 });
    assert.equal((await previewed(role, args, "branchId", [project.urn])).step, "same");
    for (const server of [one, other]) await server.stop();
    engine.stop();
    rmSync(home, { recursive: true });
  });

  onlyDynamic("stays unknown if the change in place can move the output", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId, compute: {} });
    const other = stage().resource("Branch");
    const args = { projectId, annotations: { host: branch.outputs["host"] } };
    await other.up(args);
    await branch.preview({ projectId, compute: {}, name: branch.name });
    assert.equal((await previewed(other, args, "annotations", [branch.urn])).step, "same");
    await branch.preview({ projectId });
    assert.equal((await previewed(other, args, "annotations", [branch.urn])).step, "replace");
  });

  onlyDynamic("stays unknown if the output that holds the present value is one that previews know", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId, compute: {} });
    const args = { projectId, branchId: branch.outputs["branchId"] };
    const role = stage().resource("Role");
    await role.up(args);
    await branch.preview({ projectId, compute: {}, protected: false });
    // Such as `parentId`, which the program has in its place now.
    assert.equal((await previewed(role, args, "branchId", [branch.urn])).step, "replace");
  });

  it("does not reach the state", async () => {
    const { role, args } = await projectWithRole();
    const unknownInputs = [{ path: ["branchId"], urns: ["urn"] }];
    const { inputs } = await role.preview(args, { unknownInputs, secretOutputs: ["name"] });
    assert.doesNotMatch(JSON.stringify(inputs), /unknownInputs|secretOutputs/);
  });
});
