import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import type { KindName } from "../../provider/v1";
import { CallError, type DynamicServer, type Values } from "../support/dynamic-server";
import { EngineResource } from "../support/engine";
import { Stage } from "../support/stage";

const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };

/** The files of the journal below a Pulumi home. */
function journal(home: string): { readonly path: string; readonly text: string }[] {
  const folder = join(home, "neon-pulumi");
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

function homeFolder(): string {
  return mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
}

/** A resource whose process was killed while it worked on it. */
interface Interrupted {
  readonly resource: EngineResource;
  readonly args: Values;
}

describe("§6.8 a process that is killed while it creates", () => {
  const home = homeFolder();
  const elsewhere = homeFolder();
  let stage: Stage;
  /** The same machine after the kill, and another one. */
  let here: DynamicServer;
  let there: DynamicServer;
  const interrupted = new Map<string, Interrupted>();

  /** Begins something on the first process that does not get its answer before the kill. */
  async function interrupt(
    what: string,
    { resource, args, fault, until }: Interrupted & { readonly fault: Values; readonly until: RegExp },
  ): Promise<void> {
    await stage.platform.clearRequests();
    await stage.platform.fault(fault);
    // It never ends well: its process is killed.
    resource.up(args).catch(() => undefined);
    interrupted.set(what, { resource, args });
    for (;;) {
      const seen = await stage.requests();
      if (seen.some(({ method, path, status }) => until.test(`${method} ${path} ${String(status)}`))) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** The resource as the engine has it after the kill: without what was never answered. */
  function left(what: string, server: DynamicServer): Interrupted {
    const found = interrupted.get(what);
    assert.ok(found, what);
    const resource = new EngineResource(server, found.resource.kind, found.resource.name);
    resource.state = found.resource.state;
    return { resource, args: found.args };
  }

  /** All objects that stand for a resource on the platform. */
  async function objects({ resource, args }: Interrupted): Promise<string[]> {
    const { projectId, name = resource.name } = args as { projectId?: string; name?: string };
    if (projectId === undefined) return (await stage.projects(name)).map(({ id }) => id);
    return (await stage.branches(projectId)).filter((branch) => !branch.default).map(({ id }) => `${projectId}/${id}`);
  }

  before(async () => {
    stage = await Stage.set({ home });
    const begun = { project: "^POST /api/v2/projects 201$", branch: "^POST \\S+/branches 201$" };
    for (const copy of ["", ", for another machine", ", with other plans"]) {
      const project = stage.resource("Project");
      const until = new RegExp(begun.project);
      const fault = { action: "create_timeline", end: "stuck" };
      await interrupt(`project${copy}`, { resource: project, args: {}, fault, until });

      const branch = stage.resource("Branch");
      const args = { projectId: (await stage.project()).id, compute };
      const branchFault = { action: "start_compute", end: "stuck" };
      await interrupt(`branch${copy}`, { resource: branch, args, fault: branchFault, until: new RegExp(begun.branch) });
    }
    for (const [what, fault] of [
      ["project that is made after the kill", { delayMs: 300 }],
      ["project that is never made", { delayMs: 300, status: 500 }],
    ] as const) {
      const order = { method: "POST", path: "^/projects$", ...fault };
      const until = /^POST \/api\/v2\/projects null$/;
      await interrupt(what, { resource: stage.resource("Project"), args: {}, fault: order, until });
    }
    const branch = stage.resource("Branch");
    const args = { projectId: (await stage.project()).id, compute };
    await branch.up(args);
    const grown = { ...args, name: "grown", compute: { ...compute, autoscalingLimitMaxCu: 2 } };
    const fault = { action: "apply_config", end: "stuck" };
    await interrupt("update", { resource: branch, args: grown, fault, until: /^PATCH \S+\/endpoints\/\S+ 200$/ });

    await stage.server.stop("SIGKILL");
    await stage.platform.clearFaults();
    [here, there] = await Promise.all([stage.anotherServer({ home }), stage.anotherServer({ home: elsewhere })]);
  });

  after(async () => {
    await Promise.all([here, there].map((server) => server.stop()));
    await stage.strike();
    for (const folder of [home, elsewhere]) rmSync(folder, { recursive: true, force: true });
  });

  for (const what of ["project", "branch"]) {
    it(`leaves a ${what} that another machine does not touch, and says how to take it over`, async () => {
      const { resource, args } = left(`${what}, for another machine`, there);
      const [id = "", ...others] = await objects({ resource, args });
      assert.deepEqual(others, []);
      await stage.platform.clearRequests();
      await assert.rejects(resource.up(args), (error) => {
        assert.ok(error instanceof CallError);
        assert.ok(error.message.includes(`adopt: "${id.split("/").at(-1) ?? ""}"`), error.message);
        assert.match(error.message, /made for this very resource, but by a run of which nothing is known here/);
        return true;
      });
      assert.equal(resource.state, undefined);
      assert.deepEqual(await objects({ resource, args }), [id]);

      const adopting = { ...args, adopt: id.split("/").at(-1) };
      assert.equal(await resource.up(adopting), "create");
      assert.equal(resource.id, id);
      assert.deepEqual(await objects({ resource, args }), [id]);
      assert.equal(await resource.up(args), "same");
      assert.equal(await resource.refresh(), "same");
    });

    it(`leaves a ${what} that the same machine takes over, without making another`, async () => {
      const { resource, args } = left(what, here);
      const [id] = await objects({ resource, args });
      await stage.platform.clearRequests();
      assert.equal(await resource.up(args), "create");
      assert.equal(resource.id, id);
      assert.match(await resource.warning(), new RegExp(`^An earlier run, .* has made the ${what} ${resource.id}`));
      assert.deepEqual(await objects({ resource, args }), [id]);
      assert.deepEqual(
        (await stage.sent()).filter(({ method, path }) => method === "POST" && !path.endsWith("/start")),
        [],
      );
      assert.match(String(resource.outputs["connectionUri"]), /^postgresql:/);
      assert.equal(await resource.up(args), "same");
      assert.equal(resource.plan?.changes, false);
      assert.equal(await resource.refresh(), "same");
    });

    it(`leaves a ${what} that is taken over with what the program says now`, async () => {
      const { resource, args } = left(`${what}, with other plans`, here);
      const [id] = await objects({ resource, args });
      const name = `renamed ${what}`;
      assert.equal(await resource.up({ ...args, name }), "create");
      assert.equal(resource.id, id);
      assert.deepEqual(await objects({ resource, args: { ...args, name } }), [id]);
      assert.equal(resource.outputs["name"], name);
      assert.equal(await resource.refresh(), "same");
    });
  }

  it("before the platform has made the project leaves one that is taken over all the same", async () => {
    const { resource, args } = left("project that is made after the kill", here);
    await resource.up(args);
    assert.deepEqual(await objects({ resource, args }), [resource.id]);
  });

  it("and whose request was lost leaves nothing, so that the project is made", async () => {
    const { resource, args } = left("project that is never made", here);
    assert.deepEqual(await objects({ resource, args }), []);
    await resource.up(args);
    assert.deepEqual(await objects({ resource, args }), [resource.id]);
    assert.deepEqual(resource.said("warning"), []);
  });

  it("and while it changes something leaves a branch that the next up goes on with", async () => {
    const { resource, args } = left("update", here);
    assert.equal(await resource.up(args), "update");
    assert.equal(resource.outputs["name"], "grown");
    assert.deepEqual(await objects({ resource, args }), [resource.id]);
    assert.equal(await resource.refresh(), "same");
    assert.equal(await resource.up(args), "same");
  });

  it("leaves no entry in the journal of what the state holds since", () => {
    const entries = journal(home).map(({ text }) => text);
    for (const { resource } of [...interrupted.values()]) {
      const owner = createHash("sha256").update(resource.urn).digest("hex").slice(0, 24);
      const own = entries.filter((text) => text.includes(owner));
      const isOpen = /^project-0+\d$/.test(resource.name) && own.length > 0;
      if (isOpen) continue;
      assert.deepEqual(own, [], resource.name);
    }
  });
});
