import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { urnOf } from "../support/door";
import { createdBranch } from "../support/created-branch";
import { unknownText, type Values } from "../support/provider-server";
import { EngineResource } from "../support/engine";
import { assertSays, failsWith } from "../support/expected-errors";
import { renamed, suiteRuns } from "../support/runs";
import { titleOf } from "../support/sample";
import { samples, thereAlready } from "../support/samples";
import { suiteStage } from "../support/stage";
import { until } from "../support/until";

const stage = suiteStage();
const runs = suiteRuns(stage);

describe("a resource that the user renames", () => {
  async function mutationsBy(resource: EngineResource, step: () => Promise<unknown>): Promise<string[]> {
    return (await stage().sentBy(String(resource.outputs["projectId"]), step)).map(({ method, path }) =>
      [method, path.split("/").slice(3).join("/")].join(" "),
    );
  }

  it("with an alias, between a killed restore and the next run, is restored once", async () => {
    const { branch, branchId, program: args } = await createdBranch(stage(), { name: "restored" });
    const { state } = branch;
    branch.server = await runs().start();
    await stage().platform.fault({ action: "create_branch", end: "stuck" });
    branch.up({ ...args, resetTrigger: "1" }).catch(() => undefined);
    await until(async () => (await stage().requests(`${branchId}/restore`)).some(({ status }) => status === 200));
    await runs().end(branch.server, "SIGKILL");
    await stage().platform.clearFaults();

    branch.state = state;
    const later = renamed(branch, stage().name("branch"));
    await runs().run([later], async () => {
      assert.equal(await later.up({ ...args, resetTrigger: "1" }), "update");
      assert.equal(await later.up({ ...args, resetTrigger: "1" }), "same");
    });
    assert.equal((await stage().sent(`${branchId}/restore`)).length, 1);
  });

  for (const kind of ["Branch", "Role"] as const) {
    it(`without an alias is told how to take its object over, which keeps it: a ${kind.toLowerCase()} with a declared name`, async () => {
      const { id: projectId, branchId } = await stage().project();
      const args = { projectId, name: "qa", ...(kind === "Role" ? { branchId } : {}) };
      const resource = stage().resource(kind);
      await resource.up(args);
      const later = stage().resource(kind);
      const refused = failsWith(
        `A ${kind.toLowerCase()} with this name already exists: ${resource.id}`,
        kind === "Branch"
          ? `declare \`adopt: "${resource.id.split("/").at(-1) ?? ""}"\``
          : "`NEON_ADOPT=true pulumi up`",
      );
      await runs().run([later], () => assert.rejects(later.up(args), refused));
      const former = renamed(resource, resource.name);
      const aliased = renamed(resource, later.name);
      await runs().run([aliased], async () => assert.equal(await aliased.up(args), "same"));
      const changes = await runs().changesByRun([later, former], async () => {
        await later.up({ ...args, adopt: true });
        // The program does not declare it any more.
        await former.destroy();
      });
      assert.deepEqual(changes, []);
    });
  }

  /** The URN of a resource in a component. */
  function inComponent(urn: string): string {
    return urn.replace(/::([^:]+(?::[^:]+)*)::(?=[^:]+$)/, "::my:index:Shop$$$1::");
  }

  /** What the preview says of a resource that the program moves or renames without an alias. */
  async function saidOf(urn: string, moved: EngineResource, args: Values, isRefreshed = false): Promise<string> {
    const later = new EngineResource(moved.server, moved.kind, moved.name, urn);
    await runs().run([moved, later], async () => {
      if (isRefreshed) await moved.refresh();
      await later.preview(args);
    });
    return later.said("warning").join("\n");
  }

  for (const sample of thereAlready) {
    it(`without an alias is told which one to declare: ${titleOf(sample)}`, async () => {
      const declared = await sample.declare(stage());
      const { defaultName } = kinds[sample.kind];
      const resource = stage().resource(sample.kind);
      const args = defaultName === undefined ? declared : { [defaultName]: resource.name, ...declared };
      await resource.up(args);
      const alias = (urn: string): string => `\`aliases: [${JSON.stringify(urn)}]\``;
      const renamedUrn = urnOf(sample.kind, stage().name("renamed"));
      assertSays(await saidOf(inComponent(resource.urn), resource, args), alias(resource.urn));
      assertSays(await saidOf(renamedUrn, resource, args, true), alias(resource.urn));
    });
  }

  for (const kind of ["Branch", "Role"] as const) {
    it(`without an alias is told which one to declare if it was in a component: ${kind}`, async () => {
      const declared = await samples[kind].declare(stage());
      const urn = urnOf(kind, stage().name("outside"));
      const resource = new EngineResource(stage().server, kind, stage().name("inside"), inComponent(urn));
      await resource.up(declared);
      const alias = `\`aliases: [${JSON.stringify(resource.urn)}]\``;
      assertSays(await saidOf(urn, resource, declared, true), alias);
    });
  }

  it("without an alias is told which one to declare if its name was that of its object", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    await branch.up({ projectId });
    const later = urnOf("Branch", stage().name("renamed"));
    assertSays(
      await saidOf(later, branch, { projectId, name: branch.name }),
      `by Branch "${branch.name}"`,
      `\`aliases: [${JSON.stringify(branch.urn)}]\``,
    );
  });

  it("with an alias keeps its default name, and is replaced by an object with the new one before it is deleted", async () => {
    const { id: projectId } = await stage().project();
    const parent = await stage().branch(projectId);
    const branch = stage().resource("Branch");
    await branch.up({ projectId });
    const later = renamed(branch, stage().name("branch"));
    assert.equal(await later.up({ projectId }), "same");
    assert.equal(later.outputs["name"], branch.name);
    const old = String(later.outputs["branchId"]);
    const sent = await mutationsBy(later, async () =>
      assert.equal(await later.up({ projectId, parentId: parent.id }), "replace"),
    );
    assert.deepEqual(sent, ["POST branches", `DELETE branches/${old}`]);
    assert.equal(later.outputs["name"], later.name);
  });

  it("on the platform keeps its id, which names no database for a lookup any longer (Database.get)", async () => {
    const { id: projectId, branchId } = await stage().project();
    const database = stage().resource("Database");
    const args = { projectId, branchId, ownerName: "neondb_owner" };
    await database.up({ ...args, name: "shop" });
    const { id } = database;
    assert.equal(await database.up({ ...args, name: "store" }), "update");
    assert.equal(database.id, id);
    assert.equal(await database.refresh(), "same");
    const lookup = async (name: string) =>
      await stage().server.lookUp("Database", `${projectId}/${branchId}/${name}`, {
        urn: urnOf("Database", stage().name("looked-up")),
      });
    await assert.rejects(lookup("shop"), failsWith(`There is no database ${projectId}/${branchId}/shop, or`));
    assert.equal((await lookup("store")).outputs["name"], "store");
  });
});

describe("a replacement that moves a role to another branch", () => {
  it("adopts the role of the same name there, which a killed run has created", async () => {
    const { id: projectId } = await stage().project();
    const withCompute = { endpoints: [{ type: "read_write" }] };
    const one = await stage().branch(projectId, withCompute);
    const other = await stage().branch(projectId, withCompute);
    const role = stage().resource("Role");
    await role.up({ projectId, branchId: one.id, name: "app" });
    const path = `/projects/${projectId}/branches/${other.id}/roles`;
    assert.equal((await stage().platform.call("POST", path, { role: { name: "app" } })).status, 201);
    await stage().settled(projectId);

    const moved = { projectId, branchId: other.id, name: "app" };
    await assert.rejects(role.up(moved), failsWith("already exists", "`NEON_ADOPT=true pulumi up`"));
    await assert.rejects(
      role.preview({ ...moved, branchId: one.id, noLogin: true, adopt: "app" }),
      failsWith("`adopt` names the same object"),
    );
    await role.preview({ ...moved, branchId: unknownText, adopt: "app" });
    assert.equal(await role.up({ ...moved, adopt: "app" }), "replace");
    const roles = async (branchId: string) =>
      (await stage().platform.call("GET", `/projects/${projectId}/branches/${branchId}/roles`)).body.roles.map(
        ({ name }) => name,
      );
    assert.ok(!(await roles(one.id)).includes("app"));
    assert.ok((await roles(other.id)).includes("app"));
    assert.equal(await role.refresh(), "same");
  });
});
