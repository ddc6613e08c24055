import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { systemClock } from "../../api/clock";
import { newId } from "../../provider/ownership/ids";
import { Journal } from "../../provider/ownership/journal";
import { hashOfUrn } from "../../provider/ownership/ownership-tag";
import type { KindName } from "../../provider/frozen-entry";
import { ManualClock } from "../support/clock";
import type { ProviderServer, Values } from "../support/provider-server";
import { EngineLog } from "../support/engine-log";
import { EngineResource } from "../support/engine";
import { assertSays } from "../support/expected-errors";
import { suiteHome } from "../support/home";
import { entriesIn, entriesOf, journalIn, unknownRun } from "../support/journal";
import { samples } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };

/** The entries of the journal below a Pulumi home. */
function journal(home: string): ReturnType<typeof entriesIn> {
  return entriesIn(journalIn(home));
}

describe("§6.8 a process that is killed during a create", () => {
  const home = suiteHome();
  const elsewhere = suiteHome();
  const stage = suiteStage({ home });
  /** The same machine after the kill. */
  let here: ProviderServer;
  const interrupted = new Map<string, { readonly resource: EngineResource; readonly args: Values }>();

  /** Begins something on the first process that does not get its answer before the kill. */
  async function interrupt(
    what: string,
    resource: EngineResource,
    args: Values,
    { fault, request }: { readonly fault: Values; readonly request: RegExp },
  ): Promise<void> {
    await stage().platform.clearRequests();
    await stage().platform.fault(fault);
    // It never ends well: its process is killed.
    resource.up(args).catch(() => undefined);
    interrupted.set(what, { resource, args });
    await until(async () =>
      (await stage().requests()).some(({ method, path, status }) =>
        request.test(`${method} ${path} ${String(status)}`),
      ),
    );
  }

  /** The resource as the engine has it after the kill: without what was never answered. */
  function left(what: string, server: ProviderServer = here): { resource: EngineResource; args: Values } {
    const found = interrupted.get(what) ?? assert.fail(what);
    const resource = new EngineResource(server, found.resource.kind, found.resource.name);
    resource.state = found.resource.state;
    return { resource, args: found.args };
  }

  before(async () => {
    const newBranch = async () => ({ projectId: (await stage().project()).id, compute });
    const onBranch = async () => {
      const { id } = await stage().project();
      return { projectId: id, branchId: (await stage().branch(id)).id };
    };
    const createsProject = {
      fault: { action: "create_timeline", end: "stuck" },
      request: /^POST \/api\/v2\/projects 201$/,
    };
    const createsBranch = { fault: { action: "start_compute", end: "stuck" }, request: /^POST \S+\/branches 201$/ };
    for (const copy of ["", ", with other plans"]) {
      await interrupt(`project${copy}`, stage().resource("Project"), {}, createsProject);
      await interrupt(`branch${copy}`, stage().resource("Branch"), await newBranch(), createsBranch);
    }
    const elsewhere = { regionId: "aws-eu-central-1" };
    await interrupt("project in another region", stage().resource("Project"), elsewhere, createsProject);
    const appliesConfig = { fault: { action: "apply_config", end: "stuck" }, request: /^POST \S+ 201$/ };
    for (const [what, store_passwords] of [
      ["role", true],
      ["role without a stored password", false],
    ] as const) {
      const { id: projectId, branchId } = await stage().project({ store_passwords });
      await interrupt(what, stage().resource("Role"), { projectId, branchId }, appliesConfig);
    }
    const { id: projectId, branchId } = await stage().project();
    const owned = { projectId, branchId, ownerName: "neondb_owner" };
    await interrupt("database", stage().resource("Database"), owned, appliesConfig);
    const replica = { ...(await onBranch()), type: "read_only", name: "replica" };
    await interrupt("read replica", stage().resource("Endpoint"), replica, {
      fault: { action: "start_compute", end: "stuck" },
      request: /^POST \S+\/endpoints 201$/,
    });
    const replaced = stage().resource("Project");
    await replaced.up({});
    await interrupt("replacement", replaced, { regionId: "aws-eu-west-2" }, createsProject);
    const branch = stage().resource("Branch");
    const args = await newBranch();
    await branch.up(args);
    const grown = { ...args, name: "grown", compute: { ...compute, autoscalingLimitMaxCu: 2 } };
    await interrupt("update", branch, grown, {
      fault: { action: "apply_config", end: "stuck" },
      request: /^PATCH \S+\/endpoints\/\S+ 200$/,
    });

    // Last, so that the kill comes before the responses.
    for (const [what, fault] of [
      ["project that is created after the kill", { delayMs: 3_000 }],
      ["project that is never created", { delayMs: 3_000, status: 500 }],
    ] as const) {
      await interrupt(
        what,
        stage().resource("Project"),
        {},
        {
          fault: { method: "POST", path: "^/projects$", ...fault },
          request: /^POST \/api\/v2\/projects null$/,
        },
      );
    }
    await stage().server.stop("SIGKILL");
    await stage().platform.clearFaults();
    // Somebody else creates another read replica before the next run.
    await stage().settled(replica.projectId);
    const endpoint = { branch_id: replica.branchId, type: "read_only" };
    await stage().platform.call("POST", `/projects/${replica.projectId}/endpoints`, { endpoint });
    await stage().settled(replica.projectId);
    here = await stage().anotherServer({ home });
  });

  after(() => here.stop());

  for (const [what, noun, secret, sends] of [
    ["project", "project", ["connectionUri", /^postgresql:/]],
    ["branch", "branch", ["connectionUri", /^postgresql:/]],
    ["role", "role", ["password", /^npg_/]],
    ["role without a stored password", "role", ["password", /^npg_/], ["reset_password"]],
    ["database", "database", ["name", /./]],
    ["read replica", "compute", ["name", /^replica$/]],
  ] as const) {
    it(`leaves a ${what} that the next run on the machine recovers, without creating another`, async () => {
      const { resource, args } = left(what);
      await stage().platform.clearRequests();
      assert.equal(await resource.up(args), "create");
      assertSays(resource.warning, new RegExp(`^An interrupted run created the ${noun} `));
      const sent = (await stage().sent()).map(({ path }) => path.split("/").at(-1));
      assert.deepEqual(
        sent.filter((action) => action !== "start"),
        sends ?? [],
      );
      assert.ok(await samples[resource.kind].exists(stage(), resource.outputs));
      const [output, pattern] = secret;
      assert.match(String(resource.outputs[output]), pattern);
      assert.equal(await resource.up(args), "same");
      assert.equal(resource.plan?.changes, false);
      assert.equal(await resource.refresh(), "same");
    });
  }

  for (const what of ["project", "branch"]) {
    it(`leaves a ${what} that is recovered with the inputs that the program declares now`, async () => {
      const { resource, args } = left(`${what}, with other plans`);
      const [id] = await stage().objects(resource, args);
      const name = `renamed ${what}`;
      assert.equal(await resource.up({ ...args, name }), "create");
      assert.equal(resource.id, id);
      assert.deepEqual(await stage().objects(resource, { ...args, name }), [id]);
      assert.equal(resource.outputs["name"], name);
      assert.equal(await resource.refresh(), "same");
    });
  }

  it("leaves a project that is named if the program now declares what cannot be changed in place", async () => {
    const { resource, args } = left("project in another region");
    const [id] = await stage().objects(resource, args);
    await resource.up({ regionId: "aws-us-east-2" });
    assert.notEqual(resource.id, id);
    const warning = `An interrupted run created the project ${id ?? ""}. It was not recovered`;
    assertSays(resource.said("warning")[0] ?? "", warning, /`regionId`/);
  });

  it("leaves a replacement that another machine does not touch: it replaces the old project again", async () => {
    const there = await stage().anotherServer({ home: elsewhere });
    const { resource, args } = left("replacement", there);
    const old = resource.id;
    const [candidate = "", ...others] = (await stage().objects(resource, args)).filter((one) => one !== old);
    assert.deepEqual(others, []);
    const before = await stage().projectOf(candidate);
    assert.equal(await resource.up(args), "replace");
    assert.deepEqual((await stage().objects(resource, args)).sort(), [candidate, resource.id].sort());
    assert.deepEqual(await stage().projectOf(candidate), before);
    assert.ok(resource.said("warning").some((text) => text.startsWith(`The project ${candidate} has the same name.`)));
    assert.equal(await resource.up(args), "same");
    await there.stop("SIGINT");
    assert.deepEqual(journal(elsewhere), []);
  });

  it("leaves a project that is recovered even if the platform creates it later", async () => {
    const { resource, args } = left("project that is created after the kill");
    await until(async () => (await stage().objects(resource, args)).length > 0);
    await resource.up(args);
    assert.deepEqual(await stage().objects(resource, args), [resource.id]);
    assert.equal(await resource.up(args), "same");
  });

  it("leaves nothing if its request was lost, and the project is created", async () => {
    const { resource, args } = left("project that is never created");
    assert.deepEqual(await stage().objects(resource, args), []);
    await resource.up(args);
    assert.deepEqual(await stage().objects(resource, args), [resource.id]);
    // The other projects of this suite were interrupted, too.
    assert.ok(resource.said("warning").every((text) => !text.includes(resource.id)));
    assert.equal(await resource.up(args), "same");
  });

  it("leaves a branch that the next up resumes if it was killed during an update", async () => {
    const { resource, args } = left("update");
    assert.equal(await resource.up(args), "update");
    assert.equal(resource.outputs["name"], "grown");
    assert.deepEqual(await stage().objects(resource, args), [resource.id]);
    assert.equal(await resource.refresh(), "same");
    assert.equal(await resource.up(args), "same");
  });

  it("leaves journal entries for orphans only", async () => {
    await here.stop("SIGINT");
    assert.deepEqual(
      journal(home).map(({ content }) => content["urnHash"]),
      [hashOfUrn(left("replacement").resource.urn)],
    );
  });
});

const home = suiteHome();
const stage = suiteStage({ home });

describe("an error after an object was created", () => {
  it("is reported unchanged, although its status can mean a duplicate", async () => {
    const args = { projectId: (await stage().project()).id, compute };
    const branch = stage().resource("Branch");
    await stage().platform.fault({ method: "GET", path: "/operations", status: 409 });
    await assert.rejects(
      branch.up(args),
      /operations\S* failed with HTTP 409(?!.*another machine).* The next `pulumi up` resumes from here\./,
    );
    assert.equal(await branch.up(args), "update");
    assert.equal((await stage().branches(args.projectId)).length, 2);
  });
});

describe("the journal", () => {
  /** Another run on the same machine. */
  const later = suiteServer(stage, { home });

  it("contains a new project and a new branch, without secrets, until the run ends normally", async () => {
    const args = { projectId: (await stage().project()).id, compute };
    const server = await stage().anotherServer({ home });
    const project = new EngineResource(server, "Project", stage().name("project"));
    const branch = new EngineResource(server, "Branch", stage().name("branch"));
    await project.up({});
    await branch.up(args);
    assert.equal(journal(home).length, 2);
    for (const { urn, id } of [project, branch]) {
      const [entry] = entriesOf(journalIn(home), urn);
      assert.ok(entry);
      const { type, id: creationId, urnHash: _, objectId, returned, ...rest } = entry.content;
      assert.deepEqual({ type, objectId, returned }, { type: "creation", objectId: id, returned: true });
      assert.match(String(creationId), /^[0-9a-f]{16}$/);
      assert.deepEqual(Object.keys(rest).sort(), [
        "account",
        "appearedAt",
        "kind",
        "sentAt",
        "stack",
        "version",
        "writer",
        "writtenAt",
      ]);
      assert.ok(!entry.text.includes(stage().platform.apiKey));
      assert.equal(statSync(entry.path).mode & 0o777, 0o600);
    }
    assert.equal(statSync(journalIn(home)).mode & 0o777, 0o700);
    await server.stop("SIGINT");
    assert.deepEqual(journal(home), []);
  });

  for (const command of ["up", "refresh"] as const) {
    it(`contains a new project and a new branch until the next ${command} sees them in the state`, async () => {
      const args = { projectId: (await stage().project()).id, compute };
      const [project, branch] = [stage().resource("Project"), stage().resource("Branch")];
      await project.up({});
      await branch.up(args);
      assert.equal(journal(home).length, 2);
      await (command === "up" ? project.up({}) : project.refresh());
      await (command === "up" ? branch.up(args) : branch.refresh());
      assert.deepEqual(journal(home), []);
    });
  }

  it("does not read the creations of this process for each new one", async () => {
    const { id: projectId } = await stage().project();
    const server = await stage().anotherServer({ home });
    for (const name of ["first", "second"]) {
      await new EngineResource(server, "Branch", stage().name(name)).up({ projectId });
      // A file that was read and cannot be parsed is removed.
      for (const { path } of journal(home)) writeFileSync(path, "{}");
    }
    assert.equal(journal(home).length, 2);
    await server.stop("SIGINT");
    assert.deepEqual(journal(home), []);
  });

  it("removes files that a process was killed in the middle of writing, once nobody can be writing them any more", async () => {
    const folder = join(home, "unfinished");
    mkdirSync(folder);
    const [stale, fresh] = ["0123456789abcdef.json.new", "fedcba9876543210.json.new"];
    for (const name of [stale, fresh]) writeFileSync(join(folder, name), "{");
    const clock = new ManualClock();
    const now = clock.date().getTime() / 1_000;
    utimesSync(join(folder, stale), now - 7_200, now - 7_200);
    utimesSync(join(folder, fresh), now - 60, now - 60);
    const id = newId();
    const entry = { type: "creation", kind: "Branch", account: "a", stack: "s", urnHash: "u" } as const;
    await new Journal(folder, clock, unknownRun).beginCreation({ ...entry, id, sentAt: clock.date().toISOString() });
    assert.deepEqual(readdirSync(folder).sort(), [fresh, `${id}.json`].sort());
  });

  it("forgets a result half a minute after it was returned: an engine that still runs has saved it", async () => {
    const folder = join(home, "a-long-run");
    const clock = new ManualClock();
    const journal = new Journal(folder, clock, unknownRun);
    const id = newId();
    await journal.beginCreation({ type: "creation", id, kind: "Branch", account: "a", stack: "s", urnHash: "u" });
    await journal.returned(id);
    await clock.advance(29_999);
    assert.deepEqual(readdirSync(folder), [`${id}.json`]);
    await clock.advance(1);
    await until(() => readdirSync(folder).length === 0);
  });

  it("fails no run if an entry cannot be removed some time after its result was returned", async () => {
    const folder = join(home, "not-removable");
    const clock = new ManualClock();
    const journal = new Journal(folder, clock, unknownRun);
    const id = newId();
    await journal.beginCreation({ type: "creation", id, kind: "Branch", account: "a", stack: "s", urnHash: "u" });
    await journal.returned(id);
    rmSync(join(folder, `${id}.json`));
    // A folder is not removed like a file.
    mkdirSync(join(folder, `${id}.json`));
    const rejected: unknown[] = [];
    const listen = (error: unknown): void => void rejected.push(error);
    process.on("unhandledRejection", listen);
    await clock.advance(30_000);
    await systemClock.sleep(0);
    process.off("unhandledRejection", listen);
    assert.deepEqual(rejected, []);
  });

  it("keeps the entry of a result that a killed engine can no longer receive", async () => {
    const folder = join(home, "attached");
    const journal = new Journal(folder, new ManualClock(), {
      ...unknownRun,
      isEngineGone: () => Promise.resolve(true),
    });
    const id = newId();
    await journal.beginCreation({ type: "creation", id, kind: "ApiKey", account: "a", stack: "s", urnHash: "u" });
    await journal.returned(id);
    journal.settleReturned();
    assert.deepEqual(readdirSync(folder), [`${id}.json`]);
  });

  it("keeps the entry of a returned result if the engine is killed before it has surely saved it", async () => {
    const folder = join(home, "attached-later");
    const clock = new ManualClock();
    // The engine lives when the result is returned, and no longer when half a minute is over.
    const answers = [false, true];
    const isEngineGone = (): Promise<boolean> => Promise.resolve(answers.shift() ?? assert.fail());
    const journal = new Journal(folder, clock, { ...unknownRun, isEngineGone });
    const id = newId();
    await journal.beginCreation({ type: "creation", id, kind: "ApiKey", account: "a", stack: "s", urnHash: "u" });
    await journal.returned(id);
    await clock.advance(30_000);
    await systemClock.sleep(0);
    assert.deepEqual(answers, []);
    assert.deepEqual(readdirSync(folder), [`${id}.json`]);
  });

  it("revokes a key whose engine was killed before it could receive the key", async () => {
    const engine = await EngineLog.start();
    const server = await stage().anotherServer({ home, engine });
    const key = new EngineResource(server, "ApiKey", stage().name("key"));
    // The key is read once more before the engine receives it.
    await stage().platform.fault({ method: "GET", path: "^/api_keys$", delayMs: 60_000 });
    key.up({}).catch(() => undefined);
    await until(() => journal(home).some(({ content }) => content["objectId"] !== undefined));
    engine.stop();
    await until(() => !server.isRunning);
    await stage().platform.clearFaults();
    const [entry] = journal(home);
    const next = new EngineResource(later(), "ApiKey", key.name);
    await next.up({});
    assert.match(next.warning, /revoked/);
    const { body } = await stage().platform.call("GET", "/api_keys");
    const ids = (body as unknown as readonly { readonly id: number }[]).map(({ id }) => String(id));
    assert.ok(!ids.includes(String(entry?.content["objectId"])));
    assert.ok(ids.includes(String(next.outputs["keyId"])));
    await next.refresh();
    assert.deepEqual(journal(home), []);
  });

  it("keeps every entry if the user ends the run during a call", async () => {
    const { id: projectId } = await stage().project();
    const server = await stage().anotherServer({ home });
    const created = new EngineResource(server, "Branch", stage().name("branch"));
    await created.up({ projectId });
    await stage().platform.fault({ action: "create_branch", end: "stuck" });
    const underWay = new EngineResource(server, "Branch", stage().name("branch"));
    underWay.up({ projectId }).catch(() => undefined);
    await until(async () => (await stage().sent(underWay.name)).some(({ status }) => status === 201));
    await server.interrupt();
    await stage().platform.clearFaults();
    assert.equal(journal(home).length, 2);
    created.server = underWay.server = later();
    await stage().settled(projectId);
    assert.equal(await created.up({ projectId }), "same");
    assert.equal(await underWay.up({ projectId }), "create");
    assert.equal(await underWay.up({ projectId }), "same");
    assert.deepEqual(journal(home), []);
  });

  it("contains nothing about a rejected create", async () => {
    await assert.rejects(stage().resource("Project").up({ orgId: "org-none-00000000" }), /HTTP 40[34]/);
    assert.deepEqual(journal(home), []);
  });

  /** A project that the platform creates although its request fails and its result cannot be looked for. */
  async function unknownProject(args: Values): Promise<EngineResource> {
    const project = stage().resource("Project");
    await stage().platform.fault({ method: "POST", path: "^/projects$", reset: "after" });
    await stage().platform.fault({ method: "GET", path: "^/projects\\?", status: 403 });
    await assert.rejects(project.up(args), /outcome is unknown/);
    return project;
  }

  it("keeps a create whose result could not be looked for, so that the next up finds it", async () => {
    const project = await unknownProject({});
    assert.equal(journal(home).length, 1);
    await project.up({});
    assert.deepEqual(await stage().objects(project, {}), [project.id]);
    await project.refresh();
    assert.deepEqual(journal(home), []);
  });

  it("is ignored after a month, and if it cannot be read", async () => {
    const project = stage().resource("Project");
    await project.up({});
    const [entry] = journal(home);
    assert.ok(entry);
    const unreadable = entry.path.replace(/\w+\.json$/, "0000000000000000.json");
    const next = new EngineResource(later(), "Project", project.name);
    const { writer: _, ...content } = entry.content;
    writeFileSync(entry.path, JSON.stringify({ ...content, sentAt: "2020-01-31T12:00:00.000Z" }));
    writeFileSync(unreadable, "{");
    await next.up({});
    assert.notEqual(next.id, project.id);
    assertSays(next.warning, new RegExp(`^The project ${project.id} has the same name`));
    assert.equal(await next.up({}), "same");
    assert.deepEqual(journal(home), []);
  });

  it("warns if it cannot be written, and the project is created", async () => {
    const file = join(home, "a-file");
    writeFileSync(file, "");
    const server = await stage().anotherServer({ home: file });
    const project = new EngineResource(server, "Project", stage().name("project"));
    await project.up({});
    assert.match(project.warning, /could not be recorded on this machine/);
    assert.equal((await stage().projects(project.name)).length, 1);
    assert.equal(await project.up({}), "same");
    await server.stop();
  });

  const cases: readonly { readonly kind: KindName; readonly from: Values; readonly to: Values }[] = [
    { kind: "Project", from: { regionId: "aws-eu-west-2" }, to: { regionId: "aws-us-west-2" } },
    { kind: "Branch", from: { name: "one", annotations: { a: "1" } }, to: { name: "two", annotations: { a: "2" } } },
  ];
  for (const { kind, from, to } of cases) {
    it(`neither recovers nor rejects the old ${kind.toLowerCase()} of a replacement, in this process and in a new one`, async () => {
      const base: Values = kind === "Branch" ? { projectId: (await stage().project()).id } : {};
      const resource = stage().resource(kind);
      await resource.up({ ...base, ...from });
      const first = resource.id;
      assert.equal(await resource.up({ ...base, ...to }), "replace");
      const second = resource.id;
      assert.notEqual(second, first);
      // Another process knows it from the calls that come before the create.
      resource.server = later();
      assert.equal(await resource.up({ ...base, ...from }), "replace");
      assert.notEqual(resource.id, second);
      resource.server = stage().server;
      assert.equal(await resource.up({ ...base, ...from }), "same");
      assert.deepEqual(await stage().objects(resource, base), [resource.id]);
    });
  }
});
