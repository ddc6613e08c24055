import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { hashOfUrn } from "../../provider/ownership/tag";
import type { KindName } from "../../provider/v1";
import { CallError, type DynamicServer, type Values } from "../support/dynamic-server";
import { EngineLog } from "../support/engine-log";
import { EngineResource } from "../support/engine";
import { entriesIn, journalIn } from "../support/journal";
import { Stage } from "../support/stage";

const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };

/** The entries of the journal below a Pulumi home. */
function journal(home: string): ReturnType<typeof entriesIn> {
  return entriesIn(journalIn(home));
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
    const replaced = stage.resource("Project");
    await replaced.up({});
    await interrupt("replacement, for another machine", {
      resource: replaced,
      args: { regionId: "aws-eu-west-2" },
      fault: { action: "create_timeline", end: "stuck" },
      until: new RegExp(begun.project),
    });
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

  it("on another machine leaves a project untouched: a new one is created, and a warning names the candidate", async () => {
    const { resource, args } = left("project, for another machine", there);
    const [candidate = "", ...others] = await objects({ resource, args });
    assert.deepEqual(others, []);
    const before = await stage.projectOf(candidate);
    assert.equal(await resource.up(args), "create");
    assert.notEqual(resource.id, candidate);
    const warning = await resource.warning();
    assert.match(warning, new RegExp(`^The project ${candidate} has the same name\\. Another run created it`));
    assert.doesNotMatch(warning, /adopt/);
    assert.deepEqual(await stage.projectOf(candidate), before);
    assert.deepEqual((await objects({ resource, args })).sort(), [candidate, resource.id].sort());
    assert.equal(await resource.up(args), "same");

    await resource.destroy();
    assert.deepEqual(await objects({ resource, args }), [candidate]);
  });

  it("on another machine leaves a branch untouched: its name is taken, and the error does not advise to adopt it", async () => {
    const { resource, args } = left("branch, for another machine", there);
    const [id = "", ...others] = await objects({ resource, args });
    assert.deepEqual(others, []);
    await assert.rejects(resource.up(args), (error) => {
      assert.ok(error instanceof CallError);
      assert.match(
        error.message,
        new RegExp(`A branch with this name already exists: ${id} .* Another run created it`),
      );
      assert.doesNotMatch(error.message, /adopt/);
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

  for (const what of ["project", "branch"]) {
    it(`leaves a ${what} that the same machine takes over, without making another`, async () => {
      const { resource, args } = left(what, here);
      const [id] = await objects({ resource, args });
      await stage.platform.clearRequests();
      assert.equal(await resource.up(args), "create");
      assert.equal(resource.id, id);
      assert.match(await resource.warning(), new RegExp(`^An interrupted run created the ${what} ${resource.id}`));
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

  it("on another machine leaves half a replacement untouched, and replaces the old project once more", async () => {
    const { resource, args } = left("replacement, for another machine", there);
    const old = resource.id;
    const [candidate = "", ...others] = (await objects({ resource, args })).filter((one) => one !== old);
    assert.deepEqual(others, []);
    const before = await stage.projectOf(candidate);
    assert.equal(await resource.up(args), "replace");
    assert.deepEqual((await objects({ resource, args })).sort(), [candidate, resource.id].sort());
    assert.deepEqual(await stage.projectOf(candidate), before);
    assert.ok(resource.said("warning").some((text) => text.startsWith(`The project ${candidate} has the same name.`)));
    assert.equal(await resource.up(args), "same");
  });

  it("before the platform has made the project leaves one that is taken over all the same", async () => {
    const { resource, args } = left("project that is made after the kill", here);
    await resource.up(args);
    assert.deepEqual(await objects({ resource, args }), [resource.id]);
    assert.equal(await resource.up(args), "same");
  });

  it("and whose request was lost leaves nothing, so that the project is made", async () => {
    const { resource, args } = left("project that is never made", here);
    assert.deepEqual(await objects({ resource, args }), []);
    await resource.up(args);
    assert.deepEqual(await objects({ resource, args }), [resource.id]);
    // The other projects of this suite were interrupted, too.
    assert.ok(resource.said("warning").every((text) => !text.includes(resource.id)));
    assert.equal(await resource.up(args), "same");
  });

  it("and while it changes something leaves a branch that the next up goes on with", async () => {
    const { resource, args } = left("update", here);
    assert.equal(await resource.up(args), "update");
    assert.equal(resource.outputs["name"], "grown");
    assert.deepEqual(await objects({ resource, args }), [resource.id]);
    assert.equal(await resource.refresh(), "same");
    assert.equal(await resource.up(args), "same");
  });

  it("leaves entries in the journal of what nobody has taken over yet, and of nothing else", async () => {
    await here.stop("SIGINT");
    const open = ["project", "branch", "replacement"].map((what) => `${what}, for another machine`);
    const expected = open.map((what) => hashOfUrn(interrupted.get(what)?.resource.urn ?? ""));
    assert.deepEqual(
      journal(home)
        .map(({ content }) => content["urnHash"])
        .sort(),
      expected.sort(),
    );
    await there.stop("SIGINT");
    assert.deepEqual(journal(elsewhere), []);
  });
});

describe("a refusal after an object was made", () => {
  it("is told as it is, though it is one of those that mean a duplicate", async () => {
    const stage = await Stage.set();
    after(() => stage.strike());
    const { id: projectId } = await stage.project();
    const branch = stage.resource("Branch");
    await stage.platform.fault({ method: "GET", path: "/operations", status: 409 });
    await assert.rejects(
      branch.up({ projectId, compute }),
      /operations\S* failed with HTTP 409(?!.*another machine).* The next `pulumi up` resumes from here\./,
    );
    assert.equal(await branch.up({ projectId, compute }), "update");
    assert.equal((await stage.branches(projectId)).length, 2);
  });
});

describe("the journal of creations, by which the next run knows what an interrupted one has created", () => {
  const home = homeFolder();
  let stage: Stage;
  /** Another run on the same machine. */
  let later: DynamicServer;
  before(async () => {
    stage = await Stage.set({ home });
    later = await stage.anotherServer({ home });
  });
  after(async () => {
    await later.stop();
    await stage.strike();
    rmSync(home, { recursive: true, force: true });
  });

  for (const kind of ["Project", "Branch"] as const) {
    for (const end of [
      "the run ends normally",
      "an up sees it in the state",
      "a refresh sees it in the state",
    ] as const) {
      it(`holds a new ${kind.toLowerCase()} without any secret until ${end}`, async () => {
        const args: Values = kind === "Branch" ? { projectId: (await stage.project()).id, compute } : {};
        const server = await stage.anotherServer({ home });
        const resource = new EngineResource(server, kind, stage.name(kind.toLowerCase()));
        await resource.up(args);
        const [entry, ...others] = journal(home);
        assert.ok(entry);
        assert.deepEqual(others, []);
        const { is, number, urnHash, objectId, returned, ...rest } = entry.content;
        assert.deepEqual(
          { is, urnHash, objectId, returned },
          {
            is: "creation",
            urnHash: hashOfUrn(resource.urn),
            objectId: resource.id,
            returned: true,
          },
        );
        assert.match(String(number), /^[0-9a-f]{16}$/);
        assert.deepEqual(Object.keys(rest).sort(), ["account", "kind", "sentAt", "stack", "version", "writtenAt"]);
        assert.ok(!entry.text.includes(stage.platform.apiKey));
        assert.equal(statSync(entry.path).mode & 0o777, 0o600);
        assert.equal(statSync(journalIn(home)).mode & 0o777, 0o700);

        if (end === "an up sees it in the state") await resource.up(args);
        else if (end === "a refresh sees it in the state") await resource.refresh();
        await server.stop(end === "the run ends normally" ? "SIGINT" : "SIGTERM");
        assert.deepEqual(journal(home), []);
      });
    }
  }

  it("revokes a key whose engine was killed before it could receive the key", async () => {
    const engine = await EngineLog.start();
    const server = await stage.anotherServer({ home, engine });
    const name = stage.name("key");
    const key = new EngineResource(server, "ApiKey", name);
    engine.stop();
    await key.up({});
    const { keyId } = key.outputs;
    const [entry] = journal(home);
    assert.equal(entry?.content["objectId"], key.id);
    assert.equal(entry.content["returned"], undefined);
    await server.stop();
    const next = new EngineResource(later, "ApiKey", name);
    await next.up({});
    assert.match(await next.warning(), /revoked/);
    const { body } = await stage.platform.call("GET", "/api_keys");
    const ids = (body as unknown as readonly { readonly id: number }[]).map(({ id }) => id);
    assert.ok(!ids.includes(Number(keyId)));
    assert.ok(ids.includes(Number(next.outputs["keyId"])));
    await next.refresh();
    assert.deepEqual(journal(home), []);
  });

  it("keeps every entry when a user ends the run in the middle of a call", async () => {
    const { id: projectId } = await stage.project();
    const server = await stage.anotherServer({ home });
    const made = new EngineResource(server, "Branch", stage.name("branch"));
    await made.up({ projectId });
    await stage.platform.fault({ action: "create_branch", end: "stuck" });
    const underWay = new EngineResource(server, "Branch", stage.name("branch"));
    underWay.up({ projectId }).catch(() => undefined);
    while ((await stage.sent(underWay.name)).every(({ status }) => status !== 201)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await server.stop("SIGINT");
    await stage.platform.clearFaults();
    assert.equal(journal(home).length, 2);
    made.server = underWay.server = later;
    await stage.settled(projectId);
    assert.equal(await made.up({ projectId }), "same");
    assert.equal(await underWay.up({ projectId }), "create");
    assert.equal(await underWay.up({ projectId }), "same");
    assert.deepEqual(journal(home), []);
  });

  it("holds nothing of an attempt that was refused", async () => {
    await assert.rejects(stage.resource("Project").up({ regionId: "aws-mars-north-1" }), /is unknown/);
    assert.deepEqual(journal(home), []);
  });

  it("keeps an attempt whose result could not be looked for, so that the next up finds it", async () => {
    const project = stage.resource("Project");
    await stage.platform.fault({ method: "POST", path: "^/projects$", reset: "after" });
    await stage.platform.fault({ method: "GET", path: "^/projects\\?", status: 403 });
    await assert.rejects(project.up({}), /outcome is unknown/);
    assert.equal(journal(home).length, 1);
    await project.up({});
    assert.deepEqual(
      (await stage.projects(project.name)).map(({ id }) => id),
      [project.id],
    );
    await project.refresh();
    assert.deepEqual(journal(home), []);
  });

  it("is no evidence after a month, nor where it cannot be read: another project is created then", async () => {
    const project = stage.resource("Project");
    await project.up({});
    const [entry] = journal(home);
    assert.ok(entry);
    const unreadable = entry.path.replace(/\w+\.json$/, "0000000000000000.json");
    const orphaned = new EngineResource(later, "Project", project.name);
    writeFileSync(entry.path, JSON.stringify({ ...entry.content, sentAt: "2020-01-31T12:00:00.000Z" }));
    writeFileSync(unreadable, "{");
    await orphaned.up({});
    assert.notEqual(orphaned.id, project.id);
    assert.match(await orphaned.warning(), new RegExp(`^The project ${project.id} has the same name`));
    assert.equal(await orphaned.up({}), "same");
    assert.deepEqual(journal(home), []);
  });

  it("that cannot be written costs a warning, not the project", async () => {
    const file = join(home, "a-file");
    writeFileSync(file, "");
    const server = await stage.anotherServer({ home: file });
    const project = new EngineResource(server, "Project", stage.name("project"));
    await project.up({});
    assert.match(await project.warning(), /could not be recorded on this machine/);
    assert.equal((await stage.projects(project.name)).length, 1);
    assert.equal(await project.up({}), "same");
    await server.stop();
  });

  it("does not pass off what an interrupted create has made as what cannot be changed in it", async () => {
    const project = stage.resource("Project");
    await stage.platform.fault({ method: "POST", path: "^/projects$", reset: "after" });
    await stage.platform.fault({ method: "GET", path: "^/projects\\?", status: 403 });
    await assert.rejects(project.up({ regionId: "aws-eu-west-2" }));
    const [made] = await stage.projects(project.name);
    await assert.rejects(
      project.up({ regionId: "aws-us-west-2" }),
      (error) => error instanceof CallError && /cannot be adopted: .* `regionId`/.test(error.message),
    );
    await project.up({ regionId: "aws-eu-west-2" });
    assert.equal(project.id, made?.id);
    project.server = later;
    assert.equal(await project.up({ regionId: "aws-us-west-2" }), "replace");
    assert.equal((await stage.projects(project.name)).length, 1);
  });

  const cases: readonly { readonly kind: KindName; readonly from: Values; readonly to: Values }[] = [
    { kind: "Project", from: { regionId: "aws-eu-west-2" }, to: { regionId: "aws-us-west-2" } },
    { kind: "Branch", from: { name: "one", annotations: { a: "1" } }, to: { name: "two", annotations: { a: "2" } } },
  ];
  for (const { kind, from, to } of cases) {
    it(`neither takes over nor refuses the old ${kind.toLowerCase()} of a replacement, in this process and in a new one`, async () => {
      const base = kind === "Branch" ? { projectId: (await stage.project()).id } : {};
      const resource = stage.resource(kind);
      await resource.up({ ...base, ...from });
      const first = resource.id;
      assert.equal(await resource.up({ ...base, ...to }), "replace");
      const second = resource.id;
      assert.notEqual(second, first);
      // Another process knows it from the calls that come before the create.
      resource.server = later;
      assert.equal(await resource.up({ ...base, ...from }), "replace");
      assert.notEqual(resource.id, second);
      resource.server = stage.server;
      assert.equal(await resource.up({ ...base, ...from }), "same");
      const left =
        kind === "Project"
          ? (await stage.projects(resource.name)).map(({ id }) => id)
          : (await stage.branches(String(base.projectId))).flatMap(({ default: first, id }) =>
              first ? [] : [`${String(base.projectId)}/${id}`],
            );
      assert.deepEqual(left, [resource.id]);
    });
  }
});
