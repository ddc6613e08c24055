import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";

import { after, afterEach, before, describe, it } from "mocha";

import { HttpError, isNotFound } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import { apiKeys } from "../../api/schemas/api-key";
import { type Branch, branches } from "../../api/schemas/branch";
import { connectionUris } from "../../api/schemas/connection-uri";
import { databases } from "../../api/schemas/database";
import { type Endpoint, endpoints } from "../../api/schemas/endpoint";
import { type Operation, operations } from "../../api/schemas/operation";
import { projects } from "../../api/schemas/project";
import { regions } from "../../api/schemas/region";
import { roles } from "../../api/schemas/role";
import { users } from "../../api/schemas/user";
import { type Platform, startPlatform } from "../../platform/index";
import { hasPostgresByDefault, hostPattern, testPostgres } from "../support/postgres-files";
import { switchName, targetOf } from "./account";
import { Recorder } from "./recorder";

const target = targetOf(process.env);
const isReal = target.is === "real";
/** What this run makes has a name of its own: other runs on the account are none of its business. */
const run = `neon-pulumi-contract-${randomBytes(4).toString("hex")}`;
/** Needs percent-encoding in a path. */
const roleName = "contract role/ü";
const databaseName = "contract database/ü";
/** An id of the right form that belongs to nothing. */
const nobody = "00000000-0000-4000-8000-000000000000";

/**
 * What is published of the service, and nothing else, in the order in which a client would meet it. The same tests run
 * against the local platform and against a real account, in one project, which they make and remove.
 */
describe(`contract: ${target.is === "real" ? `the account at ${new URL(target.account.apiUrl).host}` : "the local platform"}`, function () {
  if (isReal) this.timeout(900_000);
  let platform: Platform | undefined;
  let recorder: Recorder;
  let orgId: string | undefined;
  let projectId: string;
  let main: Branch;
  let branch: Branch;
  let endpoint: Endpoint;
  /** To be revoked at the end, whatever happens. */
  let keyId: number | undefined;
  let isProjectThere = false;

  before(async () => {
    if (target.is === "real") {
      orgId = target.account.orgId;
      recorder = new Recorder({ ...target.account, strict: false, speed: 1 });
    } else {
      platform = await startPlatform({ operationTime: "5ms", postgres: hasPostgresByDefault && testPostgres() });
      recorder = new Recorder({ ...platform, strict: true, speed: 20 });
    }
  });

  afterEach(() => {
    assert.deepEqual(recorder.takeDifferences(), [], "requests or answers differ from the published document");
  });

  after(async () => {
    try {
      // A project that was made without our learning of it is found by its name.
      const left = isProjectThere ? [projectId] : [];
      if (!isProjectThere && isReal) {
        for await (const { id, name } of recorder.client.list(projects.list({ search: run, orgId }))) {
          if (name.startsWith(run)) left.push(id);
        }
      }
      for (const id of left) await send(projects.delete(id));
      if (keyId !== undefined) await send(apiKeys.revoke(keyId));
    } finally {
      await platform?.close();
    }
    if (!process.env[switchName]) return;
    console.log(`${isReal ? "Sent to the account" : "What a real account would be sent"}:\n${recorder.counts}`);
  });

  const send = <Shape>(request: Request<Shape>): Promise<Shape> => recorder.client.send(request);

  /** Waits until what a change has started is done. */
  async function done(started: { readonly operations: readonly Operation[] }): Promise<void> {
    await recorder.client.wait(started.operations);
  }

  async function refused(sent: Promise<unknown>, ...statuses: readonly number[]): Promise<void> {
    await assert.rejects(sent, (error: unknown) => {
      assert.ok(HttpError.isInstance(error), String(error));
      assert.ok(statuses.includes(error.status), error.message);
      return true;
    });
  }

  /** Deletes twice: a delete that is repeated answers 204. */
  async function deletedTwice(
    remove: Request<{ readonly operations: readonly Operation[] }>,
    read: Request<unknown>,
  ): Promise<void> {
    await done(await send(remove));
    assert.equal(recorder.sent.findLast(({ method }) => method === "DELETE")?.status, 200);
    await refused(send(read), 404);
    await send(remove);
    assert.equal(recorder.last.status, 204);
  }

  describe("authentication", () => {
    for (const [what, authorization] of [
      ["no key", undefined],
      ["an unknown key", "Bearer napi_never_made"],
      ["another authorization scheme", "Basic bmVvbjpuZW9u"],
    ] as const) {
      it(`returns 401 for a request with ${what}`, async () => {
        const { status, body } = await recorder.call("GET", "/projects", authorization);
        assert.equal(status, 401);
        const { code, message } = body as { code: unknown; message: unknown };
        assert.equal(typeof code, "string");
        assert.match(String(message), /\S/);
      });
    }

    it("returns 401 for unknown objects too", async () => {
      assert.equal((await recorder.call("GET", "/projects/no-such-project-1")).status, 401);
      assert.equal((await recorder.call("DELETE", "/projects/no-such-project-1")).status, 401);
    });

    it("returns the user of the key", async () => {
      assert.match((await send(users.me())).email, /@/);
    });
  });

  describe("regions", () => {
    it("are listed, one of them as the default", async () => {
      const found = await send(regions.list());
      assert.equal(found.regions.filter((region) => region.default).length, 1);
    });
  });

  describe("a project", () => {
    it("is created with a branch, a compute, a role, a database and a URI, and is ready after its operations", async () => {
      const created = await send(projects.create({ name: run, ...(orgId ? { org_id: orgId } : {}) }));
      ({ id: projectId } = created.project);
      isProjectThere = true;
      if (isReal) console.log(`  made project ${projectId}; it is removed when the tests are over`);
      ({ branch: main } = created);
      assert.equal(recorder.last.status, 201);
      assert.ok(created.operations.length > 0);
      assert.ok(created.operations.every(({ project_id: id }) => id === projectId));
      assert.ok(created.roles.some(({ password }) => password !== undefined));
      assert.ok(created.connection_uris.length > 0);
      await done(created);
      const [made] = created.endpoints;
      assert.ok(made);
      const ready = await send(endpoints.get(projectId, made.id));
      assert.notEqual(ready.endpoint.current_state, "init");
      assert.equal((await send(branches.get(projectId, main.id))).branch.current_state, "ready");
    });

    it("is read and found in the list [1.1.1]", async () => {
      assert.equal((await send(projects.get(projectId))).project.name, run);
      const found: string[] = [];
      for await (const { id } of recorder.client.list(projects.list({ search: run, orgId }))) found.push(id);
      assert.deepEqual(found, [projectId]);
    });

    it("is renamed", async () => {
      await done(await send(projects.update(projectId, { name: `${run}-renamed` })));
      assert.equal((await send(projects.get(projectId))).project.name, `${run}-renamed`);
    });

    it("that does not exist gets 404", async () => {
      await refused(send(projects.get("no-such-project-1")), 404);
      await refused(send(projects.update("no-such-project-1", { name: run })), 404);
    });
  });

  describe("a branch", () => {
    it("is created with a compute and annotations [1.8 mutations; 1.12.6]", async () => {
      const created = await send(
        branches.create(projectId, {
          branch: { name: "contract" },
          endpoints: [{ type: "read_write" }],
          annotation_value: { contract: run },
        }),
      );
      assert.equal(recorder.last.status, 201);
      const actions = created.operations.map(({ action }) => action);
      for (const action of ["create_branch", "start_compute"]) assert.ok(actions.includes(action), action);
      ({ branch } = created);
      const [made] = created.endpoints;
      assert.ok(made);
      endpoint = made;
      await done(created);
      const found = await send(branches.get(projectId, branch.id));
      assert.equal(found.branch.parent_id, main.id);
      assert.equal(found.branch.current_state, "ready");
      assert.equal(found.annotation?.value["contract"], run);
    });

    it("is not created with a name that another branch has", async () => {
      await refused(send(branches.create(projectId, { branch: { name: "contract" } })), 409);
    });

    it("is renamed", async () => {
      await done(await send(branches.update(projectId, branch.id, { name: "contract-renamed" })));
      const found = await send(branches.get(projectId, branch.id));
      assert.equal(found.branch.name, "contract-renamed");
    });

    it("is found in the list, through every page", async () => {
      const found = new Map<string, string | undefined>();
      for await (const one of recorder.client.list(branches.list(projectId), { pageSize: 1 })) {
        found.set(one.branch.id, one.annotations["contract"]);
      }
      assert.deepEqual([...found.keys()].sort(), [main.id, branch.id].sort());
      assert.equal(found.get(branch.id), run);
    });

    it("that is the default cannot be deleted", async () => {
      await refused(send(branches.delete(projectId, main.id)), 400, 403, 409, 422);
      assert.equal((await send(branches.get(projectId, main.id))).branch.id, main.id);
    });

    it("that does not exist gets 404", async () => {
      await refused(send(branches.get(projectId, "br-no-such-1")), 404);
    });
  });

  describe("a compute", () => {
    it("is listed for its project and its branch", async () => {
      const all = await send(endpoints.list(projectId));
      assert.ok(all.endpoints.some(({ id }) => id === endpoint.id));
      const own = await send(endpoints.listOfBranch(projectId, branch.id));
      assert.deepEqual(
        own.endpoints.map(({ id, type }) => [id, type]),
        [[endpoint.id, "read_write"]],
      );
    });

    it("with read and write access is the only one of its branch", async () => {
      const second = endpoints.create(projectId, { branch_id: branch.id, type: "read_write" });
      await refused(send(second), 409, 422);
    });

    it("changes its size in place", async () => {
      const size = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 0.5 };
      await done(await send(endpoints.update(projectId, endpoint.id, size)));
      const found = await send(endpoints.get(projectId, endpoint.id));
      assert.equal(found.endpoint.autoscaling_limit_max_cu, 0.5);
    });

    it("is suspended and started", async () => {
      await done(await send(endpoints.act(projectId, endpoint.id, "suspend")));
      const idle = await send(endpoints.get(projectId, endpoint.id));
      assert.equal(idle.endpoint.current_state, "idle");
      await done(await send(endpoints.act(projectId, endpoint.id, "start")));
      const active = await send(endpoints.get(projectId, endpoint.id));
      assert.equal(active.endpoint.current_state, "active");
    });

    it("with read access is created and deleted", async () => {
      const made = await send(endpoints.create(projectId, { branch_id: branch.id, type: "read_only" }));
      assert.equal(recorder.last.status, 201);
      await done(made);
      const { id } = made.endpoint;
      await deletedTwice(endpoints.delete(projectId, id), endpoints.get(projectId, id));
    });
  });

  describe("a role", () => {
    it("is created with a password, which can be revealed and reset", async () => {
      const created = await send(roles.create(projectId, branch.id, { name: roleName }));
      assert.equal(recorder.last.status, 201);
      await done(created);
      const reveal = roles.revealPassword(projectId, branch.id, roleName);
      const told = await send(reveal);
      assert.ok(told.password === created.role.password, "the password told is not that of the answer");
      const reset = await send(roles.resetPassword(projectId, branch.id, roleName));
      assert.ok(reset.role.password !== undefined && reset.role.password !== told.password, "it is still the old one");
      await done(reset);
      assert.ok((await send(reveal)).password === reset.role.password, "the new one is not in force");
    });

    it("is listed and read without its password", async () => {
      const listed = await send(roles.list(projectId, branch.id));
      const found = listed.roles.find(({ name }) => name === roleName);
      assert.ok(found);
      assert.ok(!("password" in found), "the list tells the password");
      const { role } = await send(roles.get(projectId, branch.id, roleName));
      assert.equal(role.name, roleName);
      assert.ok(!("password" in role), "the answer tells the password");
    });

    it("that does not exist gets 404", async () => {
      await refused(send(roles.get(projectId, branch.id, "nobody")), 404);
      await refused(send(roles.revealPassword(projectId, branch.id, "nobody")), 404);
    });
  });

  describe("a database", () => {
    it("is created for its owner [1.1.5; 1.8 polling 3]", async () => {
      const body = { name: databaseName, owner_name: roleName };
      await done(await send(databases.create(projectId, branch.id, body)));
      assert.equal(recorder.sent.findLast(({ method }) => method === "POST")?.status, 201);
      const { database } = await send(databases.get(projectId, branch.id, databaseName));
      assert.equal(database.owner_name, roleName);
      await refused(send(databases.create(projectId, branch.id, body)), 409);
    });

    it("has a URI of its own, with and without the pooler", async () => {
      const query = { databaseName, roleName, branchId: branch.id };
      const { uri } = await send(connectionUris.get(projectId, query));
      const direct = new URL(uri);
      assert.ok(["postgres:", "postgresql:"].includes(direct.protocol));
      assert.equal(direct.hostname, endpoint.host);
      assert.equal(decodeURIComponent(direct.username), roleName);
      assert.equal(decodeURIComponent(direct.pathname), `/${databaseName}`);
      const { password } = await send(roles.revealPassword(projectId, branch.id, roleName));
      assert.ok(decodeURIComponent(direct.password) === password, "the URI holds another password");
      const pooled = await send(connectionUris.get(projectId, { ...query, pooled: true }));
      assert.match(new URL(pooled.uri).hostname, hostPattern({ id: endpoint.id, pooled: true }));
    });

    it("that does not exist has no URI", async () => {
      const query = { databaseName: "nowhere", roleName, branchId: branch.id };
      await refused(send(connectionUris.get(projectId, query)), 404);
    });

    it("is renamed, and found under the new name only", async () => {
      await done(await send(databases.update(projectId, branch.id, databaseName, { name: "renamed" })));
      assert.equal((await send(databases.get(projectId, branch.id, "renamed"))).database.name, "renamed");
      await refused(send(databases.get(projectId, branch.id, databaseName)), 404);
      const { databases: listed } = await send(databases.list(projectId, branch.id));
      assert.deepEqual(
        listed.filter(({ owner_name: owner }) => owner === roleName).map(({ name }) => name),
        ["renamed"],
      );
    });

    it("is deleted, and deleting it again returns 204", () =>
      deletedTwice(databases.delete(projectId, branch.id, "renamed"), databases.get(projectId, branch.id, "renamed")));

    it("leaves its owner, which is deleted the same way", () =>
      deletedTwice(roles.delete(projectId, branch.id, roleName), roles.get(projectId, branch.id, roleName)));
  });

  describe("operations", () => {
    it("are listed newest first, through every page, by an encoded timestamp cursor [1.8 cursor]", async () => {
      const whole = await send({ ...operations.list(projectId), query: { limit: 1000 } });
      const before = recorder.sent.length;
      const paged: Operation[] = [];
      for await (const one of recorder.client.list(operations.list(projectId), { pageSize: 4 })) paged.push(one);
      const ids = paged.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, "an operation is on two pages");
      // What the control plane has started since is newer, and so before all that was there.
      assert.deepEqual(
        ids.slice(-whole.operations.length),
        whole.operations.map(({ id }) => id),
      );
      const times = paged.map(({ created_at: time }) => Date.parse(time));
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
      );
      const cursors = recorder.sent.slice(before).flatMap(({ path }) => /[?&]cursor=([^&]*)/.exec(path)?.[1] ?? []);
      assert.ok(cursors.length > 1);
      for (const cursor of cursors) {
        assert.match(decodeURIComponent(cursor), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
        assert.match(cursor, /%3A/);
      }
    });

    it("are read one by one, with a terminal status [1.1.1; 1.4 operation.project_id; 1.8 get operation]", async () => {
      const { operations: latest } = await send({ ...operations.list(projectId), query: { limit: 3 } });
      assert.equal(latest.length, 3);
      for (const { id } of latest) {
        const { operation } = await send(operations.get(projectId, id));
        assert.equal(operation.id, id);
        assert.equal(operation.project_id, projectId);
        assert.match(operation.status, /^(finished|skipped)$/);
      }
    });

    it("that do not exist get 404", async () => {
      await refused(send(operations.get(projectId, nobody)), 404);
      await refused(send({ ...operations.list("no-such-project-1") }), 404);
    });
  });

  describe("an API key", () => {
    it("is returned once, and is valid until it is revoked [1.1.1; 1.2 rule 2; 1.12.7; 1.12.8]", async () => {
      const made = await send(apiKeys.create(run));
      keyId = made.id;
      assert.equal(recorder.last.status, 200);
      const listed = await send(apiKeys.list());
      const entry = listed.find(({ id }) => id === made.id);
      assert.equal(entry?.name, run);
      assert.ok(!JSON.stringify(listed).includes(made.key), "the list of keys tells a key");
      const other = recorder.clientOf(made.key);
      assert.equal((await other.send(projects.get(projectId))).project.id, projectId);
      assert.equal((await send(apiKeys.revoke(made.id))).revoked, true);
      keyId = undefined;
      await refused(other.send(projects.get(projectId)), 401);
      const left = await send(apiKeys.list());
      assert.ok(!left.some(({ id }) => id === made.id));
    });
  });

  describe("deletion", () => {
    it("of a branch removes its compute, and deleting it again returns 204", async () => {
      await deletedTwice(branches.delete(projectId, branch.id), branches.get(projectId, branch.id));
      await refused(send(endpoints.get(projectId, endpoint.id)), 404);
    });

    it("of a project needs no operation and removes it from get and list", async () => {
      const { project } = await send(projects.delete(projectId));
      assert.equal(recorder.last.status, 200);
      assert.equal(project.id, projectId);
      isProjectThere = false;
      await assert.rejects(send(projects.get(projectId)), isNotFound);
      for await (const { id } of recorder.client.list(projects.list({ search: run, orgId }))) {
        assert.notEqual(id, projectId);
      }
    });
  });
});
