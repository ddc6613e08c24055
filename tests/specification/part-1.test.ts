/*
 * Part 1 of the specification, row by row.
 *
 * One `describe` per section, in the order of the document. Every test begins with the row it is about: `1.4
 * operation.branch_id` is a row of a table with names, `1.9.3` one of a table with numbers, `1.8 rule 4` one of a
 * section with several tables, `1.8 cursor` a fact that stands between the tables. What the specification leaves open
 * says "is tolerated": the client takes it either way.
 * `rows.ts` names them all; the last test asserts that each has a test here, and each test a row there.
 *
 * The client and the platform are the real ones, with a real socket between them and one time for both that passes at
 * no cost. Only what the local platform never does comes from a scripted transport.
 */
import { afterEach, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { resolveSettings } from "../../api/client-settings";
import {
  apiKeys,
  type Branch,
  branches,
  databases,
  type Endpoint,
  endpoints,
  HttpError,
  isEnded,
  isNotFound,
  type Operation,
  OperationFailedError,
  operations,
  operationStatuses,
  OperationTimeoutError,
  organizationApiKeys,
  organizations,
  PlatformError,
  progressOf,
  type Project,
  projects,
  publicApiUrl,
  type Request,
  roles,
  users,
} from "../../api/index";
import { projectCreate, projectUpdate } from "../../api/schemas/project";
import { type NewProject, suiteBench } from "./bench";
import { assertEveryRowHasTests } from "./rows";
import { operationSample, projectSample, type Reply, scripted, scriptedWait } from "./scripted";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const timestampWithFraction = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
const day = 86_400_000;

const isString = (value: unknown) => assert.equal(typeof value, "string");
const isInteger = (value: unknown) => assert.ok(Number.isInteger(value), String(value));
const isTimestamp = (value: unknown) => assert.match(String(value), timestamp);
const actionsOf = (begun: readonly Operation[]) => begun.map(({ action }) => action);
const lineOf = ({ method, path }: Request<unknown>) => `${method} ${path}`;
const refusedWith = (status: number) => (error: unknown) => HttpError.isInstance(error) && error.status === status;

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** The error that a promise ends with. */
async function errorOf(promise: Promise<unknown>): Promise<Error> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error, "it did not fail");
  return error;
}

const part = describe("specification: part 1", () => {
  const bench = suiteBench();
  afterEach(() => bench().platform.clearFaults());

  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const statusWith = async (key: string, path = "/users/me") => (await bench().raw(path, bearer(key))).status;
  const newKey = async (name: string) => await bench().client.send(apiKeys.create(name));
  /** The status that a request is refused with when it is sent once. */
  const refusalOf = async (request: Request<unknown>) => {
    const outcome = await bench().client.attempt(request);
    return outcome.is !== "succeeded" && HttpError.isInstance(outcome.error) ? outcome.error.status : undefined;
  };
  const entryOf = async ({ id }: Project) => {
    const { projects: found } = await bench().wire<{ projects: Record<string, unknown>[] }>(`/projects?search=${id}`);
    const [entry] = found;
    assert.ok(entry);
    return entry;
  };
  const stateOf = async ({ project_id, id }: Endpoint) =>
    (await bench().client.send(endpoints.get(project_id, id))).endpoint.current_state;
  const operationWith = (begun: readonly Operation[], action: string) => {
    const found = begun.find((operation) => operation.action === action);
    assert.ok(found, `no ${action} among ${actionsOf(begun).join(", ")}`);
    return found;
  };
  /** A start of a compute that is made to end in some way. */
  const startThatEnds = async (end: string) => {
    const { project, endpoint } = await bench().readyProject();
    await bench().act(project, endpoint, "suspend");
    bench().settle();
    await bench().platform.fault({ action: "start_compute", end });
    return operationWith(await bench().act(project, endpoint, "start"), "start_compute");
  };
  let addresses = 0;
  /** An organization of the user of the bench, with a project in it, and a member who does not administer it. */
  const organization = async () => {
    const { platform, client } = bench();
    const orgId = await platform.organization();
    const email = `member-${(addresses += 1)}@example.com`;
    await platform.member(orgId, email);
    const { project } = await client.send(projects.create({ org_id: orgId }));
    return {
      orgId,
      project,
      /** The address of the member. */
      email,
      member: bench().clientWith(await platform.signIn(email)),
      wholeKey: async (by = client) => by.send(organizationApiKeys.create(orgId, "whole")),
      projectKey: async (by = client) => by.send(organizationApiKeys.create(orgId, "single", project.id)),
    };
  };
  const seen = async ({ project_id, id }: Operation) =>
    (await bench().client.send(operations.get(project_id, id))).operation;

  describe("1.1 scope and shape of the service", () => {
    const background = suiteBench({ background: true });

    it("1.1.1: keys, the list of projects and operations are enough to work with", async () => {
      const { project } = await bench().bornProject();
      const client = bench().clientWith((await newKey("1.1.1")).key);
      const listed = await all(client.list(projects.list({ search: project.id })));
      assert.deepEqual(
        listed.map(({ id }) => id),
        [project.id],
      );
      const begun = await all(client.list(operations.list(project.id)));
      await client.wait(begun);
      const [first] = begun;
      assert.ok(first);
      assert.equal((await client.send(operations.get(project.id, first.id))).operation.status, "finished");
    });

    it("1.1.2: the HTTP API answers JSON, refusals too", async () => {
      for (const headers of [bearer(bench().platform.apiKey), {}]) {
        for (const path of ["/projects", "/projects/none/operations", "/nothing-here"]) {
          const response = await bench().raw(path, headers);
          assert.match(response.headers.get("content-type") ?? "", /^application\/json/, path);
          assert.equal(typeof (await response.json()), "object", path);
        }
      }
    });

    it("1.1.3: every request of the client bears the key, and the platform asks for it whatever the request", async () => {
      const { client, requests } = scripted([{ status: 404, body: { message: "not found" } }]);
      const each: readonly Request<unknown>[] = [
        projects.list(),
        projects.create({}),
        projects.update("p", {}),
        projects.delete("p"),
        operations.list("p"),
        operations.get("p", "o"),
        apiKeys.list(),
      ];
      for (const request of each) {
        await assert.rejects(client.send(request), refusedWith(404));
        assert.equal((await bench().raw(request.path, {}, request.method)).status, 401, request.path);
      }
      assert.deepEqual([...new Set(requests.map(({ headers }) => headers["authorization"]))], ["Bearer key"]);
      assert.equal(requests.length, each.length);
    });

    it("1.1.4: users cause operations", async () => {
      const { project, branch: main } = await bench().readyProject();
      const { branch, operations: created } = await bench().bornBranch(project);
      assert.deepEqual(actionsOf(created), ["create_branch"]);
      bench().settle();
      const { operations: deleted } = await bench().client.send(branches.delete(project.id, branch.id));
      assert.deepEqual(actionsOf(deleted), ["delete_timeline"]);
      bench().settle();
      const { operations: dropped } = await bench().client.send(databases.delete(project.id, main.id, "neondb"));
      assert.deepEqual(actionsOf(dropped), ["apply_config"]);
    });

    it("1.1.4: the control plane causes others itself", async () => {
      const { project } = await background().readyProject();
      background().time.advance(day);
      const actions = actionsOf(await background().operations(project));
      for (const action of ["suspend_compute", "check_availability"]) assert.ok(actions.includes(action), action);
    });

    it("1.1.5: one request is complete before the next is sent", async () => {
      const { project, endpoint, operations: begun } = await bench().bornProject();
      assert.equal(await refusalOf(endpoints.act(project.id, endpoint.id, "suspend")), 423);
      await bench().client.wait(begun);
      assert.deepEqual(actionsOf(await bench().act(project, endpoint, "suspend")), ["suspend_compute"]);
    });

    it("1.1.6: the first key comes from the console, whose stand-in is the platform's start", async () => {
      const [first] = await bench().client.send(apiKeys.list());
      assert.equal(first?.name, "console sign-in");
      assert.equal(await statusWith(bench().platform.apiKey), 200);
    });

    it("1.1.7: paths are relative to a base URL that has the version in it", async () => {
      const { client, requests } = scripted([{ body: { projects: [] } }]);
      await client.send(projects.list());
      assert.equal(requests[0]?.url, "https://platform.example/api/v2/projects");
      assert.match(bench().platform.apiUrl, /\/api\/v2$/);
    });
  });

  describe("1.2 API keys: kinds", () => {
    it("1.2 personal: reaches every project of its user, until it is revoked", async () => {
      const { project } = await bench().bornProject();
      const { id, key } = await newKey("personal");
      const client = bench().clientWith(key);
      assert.equal((await client.send(projects.get(project.id))).project.id, project.id);
      bench().time.advance(3650 * day);
      assert.equal(await statusWith(key), 200);
      await bench().client.send(apiKeys.revoke(id));
      assert.equal(await statusWith(key), 401);
    });

    it("1.2 personal: reaches the projects of its user's organizations, until the user leaves", async () => {
      const { orgId, project, email, member } = await organization();
      const [found] = await all(member.list(projects.list({ orgId })));
      assert.equal(found?.id, project.id);
      assert.equal((await member.send(projects.get(project.id))).project.id, project.id);
      await bench().platform.leave(orgId, email);
      await assert.rejects(member.send(projects.get(project.id)), isNotFound);
      await assert.rejects(all(member.list(projects.list({ orgId }))), isNotFound);
      assert.equal((await member.send(users.me())).email, email, "the key itself is still valid");
    });

    it("1.2 organization: made by administrators, reaches all projects of the organization, valid until revoked", async () => {
      const { orgId, project, email, member, wholeKey } = await organization();
      await assert.rejects(wholeKey(member), refusedWith(403));
      await bench().platform.member(orgId, email, "admin");
      const { id, key } = await wholeKey(member);
      const client = bench().clientWith(key);
      const { project: later } = await client.send(projects.create({}));
      const { project: personal } = await bench().bornProject();
      const found = (await all(client.list(projects.list()))).map((one) => one.id);
      assert.deepEqual(found.sort(), [project.id, later.id].sort());
      await assert.rejects(client.send(projects.get(personal.id)), isNotFound);
      await bench().platform.leave(orgId, email);
      bench().time.advance(3650 * day);
      assert.equal((await client.send(projects.get(project.id))).project.id, project.id);
      await bench().client.send(organizationApiKeys.revoke(orgId, id));
      await assert.rejects(client.send(projects.get(project.id)), refusedWith(401));
    });

    it("1.2 project-scoped: made by any member, reaches one project, valid until revoked or the project leaves", async () => {
      const { orgId, project, member, projectKey } = await organization();
      const [one, other] = [await projectKey(member), await projectKey(member)];
      const [client, revoked] = [one, other].map(({ key }) => bench().clientWith(key));
      assert.ok(client && revoked);
      assert.deepEqual(
        (await all(client.list(projects.list()))).map(({ id }) => id),
        [project.id],
      );
      await bench().client.send(organizationApiKeys.revoke(orgId, other.id));
      await assert.rejects(revoked.send(projects.get(project.id)), refusedWith(401));
      bench().time.advance(3650 * day);
      await client.send(projects.get(project.id));
      const destination = await bench().platform.organization();
      const body = { destination_org_id: destination, project_ids: [project.id] };
      const { status } = await bench().platform.call("POST", `/organizations/${orgId}/projects/transfer`, body);
      assert.equal(status, 200);
      await assert.rejects(client.send(projects.get(project.id)), refusedWith(401));
    });

    it("1.2 rule 1: a key is random and travels in the Authorization header, nowhere else", async () => {
      const keys = [await newKey("one"), await newKey("other")].map(({ key }) => key);
      assert.notEqual(keys[0], keys[1]);
      const { client, requests } = scripted([{ body: { projects: [] } }], { apiKey: keys[0] ?? "" });
      await client.send(projects.list());
      const [{ headers, url } = { headers: {}, url: "" }] = requests;
      assert.ok(!url.includes("napi_"));
      const bearing = Object.entries(headers).filter(([, value]) => value.includes(keys[0] ?? "?"));
      assert.deepEqual(bearing, [["authorization", `Bearer ${keys[0] ?? ""}`]]);
      assert.equal((await bench().raw(`/users/me?api_key=${keys[0] ?? ""}`, {})).status, 401);
    });

    it("1.2 rule 2: the secret is shown once, a lost key is revoked and replaced", async () => {
      const { id, key } = await newKey("lost");
      assert.ok(!JSON.stringify(await bench().client.send(apiKeys.list())).includes(key));
      assert.equal((await bench().raw(`/api_keys/${id}`, bearer(bench().platform.apiKey))).status, 404);
      const revoked = await bench().client.send(apiKeys.revoke(id));
      assert.ok(!JSON.stringify(revoked).includes(key));
      const replacement = await newKey("lost");
      assert.notEqual(replacement.key, key);
      assert.equal(await statusWith(replacement.key), 200);
    });

    it("1.2 rule 3: an account may have many keys", async () => {
      const { length } = await bench().client.send(apiKeys.list());
      for (let count = 0; count < 50; count += 1) await newKey("many");
      assert.equal((await bench().client.send(apiKeys.list())).length, length + 50);
    });

    it("1.2 rule 4: an organization key is made with an administrator's personal key, and only so", async () => {
      const { orgId, email, member, wholeKey, projectKey } = await organization();
      const { key } = await wholeKey();
      const { key: scoped } = await projectKey();
      for (const client of [member, bench().clientWith(key), bench().clientWith(scoped)]) {
        await assert.rejects(wholeKey(client), refusedWith(403));
      }
      // Whether somebody is an administrator is asked each time.
      await bench().platform.member(orgId, email, "admin");
      assert.match((await wholeKey(member)).key, /^napi_/);
      await bench().platform.member(orgId, email, "member");
      await assert.rejects(wholeKey(member), refusedWith(403));
    });

    it("1.2 rule 5: a project-scoped key manages its project and nothing else, and cannot delete it", async () => {
      const { orgId, project, projectKey } = await organization();
      const { project: sibling } = await bench().client.send(projects.create({ org_id: orgId }));
      bench().settle();
      const client = bench().clientWith((await projectKey()).key);
      await client.send(projects.update(project.id, { name: "managed" }));
      const { branch } = await client.send(branches.create(project.id, {}));
      assert.equal(branch.project_id, project.id);
      await assert.rejects(client.send(projects.get(sibling.id)), isNotFound);
      const refused: readonly Request<unknown>[] = [
        projects.delete(project.id),
        projects.create({}),
        projects.create({ org_id: orgId }),
        organizations.get(orgId),
        organizationApiKeys.list(orgId),
        organizationApiKeys.create(orgId, "another", project.id),
        apiKeys.create("personal"),
      ];
      for (const request of refused) {
        await assert.rejects(client.send(request), refusedWith(403), lineOf(request));
      }
      assert.equal((await bench().client.send(projects.get(project.id))).project.name, "managed");
    });

    it("1.2 rule 6: the record of a key may have any other member", async () => {
      const entry = { id: 7, name: "ci", created_at: "2022-12-13T01:30:55Z", scope: { of: "any sort" } };
      const { client } = scripted([{ body: [entry] }]);
      assert.deepEqual(await client.send(apiKeys.list()), [entry]);
    });
  });

  describe("1.3 project, as the list has it", () => {
    let made: NewProject;
    let onWire: Record<string, unknown>;
    let read: Record<string, unknown>;
    before(async () => {
      made = await bench().readyProject();
      const { project, endpoint } = made;
      bench().time.advance(1_000_000);
      await bench().act(project, endpoint, "suspend");
      bench().settle();
      await bench().client.send(projects.update(project.id, { name: "renamed" }));
      onWire = await entryOf(project);
      [read = {}] = await all(bench().client.list(projects.list({ search: project.id })));
    });

    const fields: readonly (readonly [name: string, sense: string, check: (value: unknown) => void])[] = [
      ["id", "a string, the project's identifier", (value) => assert.equal(value, made.project.id)],
      ["name", "a string, the project's name", (value) => assert.equal(value, "renamed")],
      ["platform_id", "a string", isString],
      ["region_id", "a string", isString],
      ["provisioner", "a string", isString],
      ["pg_version", "an integer, a major version", isInteger],
      ["locked", "a boolean", (value) => assert.equal(typeof value, "boolean")],
      [
        "cpu_used_sec",
        "an integer, seconds of compute used",
        (value) => assert.ok(Number(value) >= 250 && Number(value) < 260 && Number.isInteger(value)),
      ],
      ["created_at", "a timestamp", isTimestamp],
      [
        "updated_at",
        "a timestamp, not before created_at",
        (value) => {
          isTimestamp(value);
          assert.ok(String(value) > made.project.created_at);
        },
      ],
      [
        "proxy_host",
        "a string, where connections go",
        (value) => assert.ok(made.endpoint.host.endsWith(String(value))),
      ],
      ["branch_logical_size_limit", "an integer", isInteger],
    ];
    for (const [name, sense, check] of fields) {
      it(`1.3 project.${name}: ${sense}`, () => {
        check(onWire[name]);
        assert.deepEqual(read[name], onWire[name], "as the client reads it");
      });
    }
  });

  describe("1.4 operation", () => {
    let project: Project;
    let begun: Operation[];
    let branchId: string;
    before(async () => {
      ({ project } = await bench().readyProject());
      const born = await bench().bornBranch(project, "read_write");
      begun = born.operations;
      branchId = born.branch.id;
    });

    it("1.4 operation.id: a UUID", () => {
      for (const { id } of begun) assert.match(id, uuid);
      assert.equal(new Set(begun.map(({ id }) => id)).size, begun.length);
    });

    it("1.4 operation.project_id: the owning project", () => {
      for (const { project_id } of begun) assert.equal(project_id, project.id);
    });

    it("1.4 operation.branch_id: the branch acted on", () => {
      for (const { branch_id } of begun) assert.equal(branch_id, branchId);
    });

    it("1.4 operation.endpoint_id: on those about a compute, and only on them", async () => {
      const { endpoints: computes } = await bench().client.send(endpoints.listOfBranch(project.id, branchId));
      assert.equal("endpoint_id" in operationWith(begun, "create_branch"), false);
      assert.equal(operationWith(begun, "start_compute").endpoint_id, computes[0]?.id);
    });

    it("1.4 operation.action: lower case with underscores", () => {
      for (const { action } of begun) assert.match(action, /^[a-z]+(_[a-z]+)*$/);
    });

    it("1.4 operation.status: one of section 1.6", () => {
      for (const { status } of begun) assert.ok(Object.hasOwn(operationStatuses, status), status);
    });

    it("1.4 operation.failures_count: 0, and one more with each failure", async () => {
      for (const { failures_count } of begun) assert.equal(failures_count, 0);
      const start = await startThatEnds("failed-then-finished");
      await bench().statuses(start);
      assert.equal((await seen(start)).failures_count, 1);
    });

    for (const member of ["created_at", "updated_at"] as const) {
      it(`1.4 operation.${member}: a timestamp`, async () => {
        for (const operation of begun) isTimestamp(operation[member]);
        const start = await startThatEnds("skipped");
        const { created_at, updated_at } = await seen(start);
        assert.equal(created_at, start.created_at);
        assert.ok(updated_at >= created_at);
      });
    }
  });

  describe("1.5 kinds of operation", () => {
    const background = suiteBench({ background: true });

    const branchState = async ({ project_id, id }: Branch) =>
      (await bench().client.send(branches.get(project_id, id))).branch.current_state;

    /** An operation of a kind that the local platform never begins is waited for like any other. */
    const isWaitedFor = async (action: string) => {
      const { done, requests } = scriptedWait(["scheduling", "running", "finished"], { action });
      await done;
      assert.equal(requests.length, 2);
    };

    it("1.5 apply config: a compute's settings are changed", async () => {
      const { project, endpoint } = await bench().readyProject();
      const { operations: begun } = await bench().client.send(
        endpoints.update(project.id, endpoint.id, { autoscaling_limit_max_cu: 4 }),
      );
      assert.deepEqual(actionsOf(begun), ["apply_config"]);
    });
    it("1.5 apply config: users and databases are made, changed and deleted", async () => {
      const { project, branch, endpoint } = await bench().readyProject();
      const at = [project.id, branch.id] as const;
      const shop = { name: "shop", owner_name: "app" };
      const changes: readonly Request<{ operations: Operation[] }>[] = [
        roles.create(...at, { name: "app" }),
        roles.resetPassword(...at, "app"),
        databases.create(...at, shop),
        databases.update(...at, "shop", { name: "store", owner_name: "neondb_owner" }),
        databases.delete(...at, "store"),
        roles.delete(...at, "app"),
      ];
      for (const change of changes) {
        const { operations: begun } = await bench().client.send(change);
        assert.deepEqual(actionsOf(begun), ["apply_config"], lineOf(change));
        assert.deepEqual([begun[0]?.branch_id, begun[0]?.endpoint_id], [branch.id, endpoint.id]);
        await bench().client.wait(begun);
      }
    });

    it("1.5 apply storage config: a project's restore window is changed", async () => {
      const { project } = await bench().readyProject();
      const change = projects.update(project.id, { history_retention_seconds: 3600 });
      assert.deepEqual(actionsOf((await bench().client.send(change)).operations), ["apply_storage_config"]);
    });

    it("1.5 check availability: from time to time, of branches with a compute only", async () => {
      const { project, branch, endpoint } = await background().readyProject();
      await background().readyBranch(project);
      background().time.advance(day);
      const checks = (await background().operations(project)).filter(({ action }) => action === "check_availability");
      assert.ok(checks.length > 1);
      for (const { branch_id, endpoint_id } of checks) {
        assert.deepEqual([branch_id, endpoint_id], [branch.id, endpoint.id]);
      }
    });

    it("1.5 create branch: a branch is made in a project", async () => {
      const { project } = await bench().readyProject();
      const { branch, operations: begun } = await bench().bornBranch(project);
      assert.deepEqual(actionsOf(begun), ["create_branch"]);
      assert.equal(await branchState(branch), "init");
      bench().settle();
      assert.equal(await branchState(branch), "ready");
    });

    it("1.5 create timeline: a project is made, with its default branch", async () => {
      const { branch, operations: begun } = await bench().bornProject();
      assert.equal(operationWith(begun, "create_timeline").branch_id, branch.id);
      assert.equal(branch.default, true);
    });

    it("1.5 delete tenant: is waited for if the platform tells of it", () => isWaitedFor("delete_tenant"));
    it("1.5 delete tenant: without it, a deleted project is gone at once with all that is in it", async () => {
      const { project } = await bench().readyProject();
      await bench().client.send(projects.delete(project.id));
      const inIt = [projects.get, branches.list, operations.list].map((of): Request<unknown> => of(project.id));
      for (const request of inIt) {
        assert.ok(isNotFound(await errorOf(bench().client.send(request))), request.path);
      }
    });

    it("1.5 start compute: a suspended compute is started when it is needed", async () => {
      const { project, endpoint } = await bench().readyProject();
      await bench().act(project, endpoint, "suspend");
      bench().settle();
      assert.equal(await stateOf(endpoint), "idle");
      const begun = await bench().act(project, endpoint, "start");
      assert.deepEqual(actionsOf(begun), ["start_compute"]);
      bench().settle();
      assert.equal(await stateOf(endpoint), "active");
    });

    it("1.5 suspend compute: the control plane suspends an inactive compute by itself", async () => {
      const { project, endpoint } = await background().readyProject();
      background().time.advance(310_000);
      const [last] = await background().operations(project);
      assert.deepEqual([last?.action, last?.status], ["suspend_compute", "finished"]);
      const { endpoint: suspended } = await background().client.send(endpoints.get(project.id, endpoint.id));
      assert.equal(suspended.current_state, "idle");
    });

    it("1.5 tenant attach: is waited for if the platform tells of it", () => isWaitedFor("tenant_attach"));
    it("1.5 tenant detach: is waited for if the platform tells of it", () => isWaitedFor("tenant_detach"));
    it("1.5 tenant reattach: is waited for if the platform tells of it", () => isWaitedFor("tenant_reattach"));

    /** A branch that is born archived. */
    const archivedBranch = async () => {
      const { project } = await bench().readyProject();
      return await bench().client.send(branches.create(project.id, { branch: { archived: true } }));
    };

    it("1.5 timeline archive: marks that a branch is archived", async () => {
      const { branch, operations: begun } = await archivedBranch();
      assert.equal(operationWith(begun, "timeline_archive").branch_id, branch.id);
      bench().settle();
      assert.equal(await branchState(branch), "archived");
    });

    it("1.5 timeline unarchive: marks that a branch is taken out again", async () => {
      const { branch } = await archivedBranch();
      bench().settle();
      const compute = endpoints.create(branch.project_id, { branch_id: branch.id, type: "read_write" });
      const { operations: begun } = await bench().client.send(compute);
      assert.equal(operationWith(begun, "timeline_unarchive").branch_id, branch.id);
      bench().settle();
      assert.equal(await branchState(branch), "ready");
    });

    it("1.5 action values: three are given, and the platform's are these", async () => {
      const { project } = await background().readyProject();
      await background().bornBranch(project, "read_write");
      background().time.advance(day);
      const actions = new Set(actionsOf(await background().operations(project)));
      for (const action of ["check_availability", "create_branch", "start_compute"]) assert.ok(actions.has(action));
    });

    /** What the console shows of a project. */
    const consoleOf = async ({ id }: Project) => {
      const page = await (await fetch(bench().platform.platform.consoleUrl)).text();
      return page.slice(page.lastIndexOf(id)).split("</section>", 1)[0] ?? "";
    };

    it("1.5 console columns: operation, branch, compute, status, duration, date", async () => {
      const { project, endpoint } = await bench().readyProject();
      const shown = await consoleOf(project);
      const columns = ["Operation", "Branch", "Compute", "Status", "Duration", "Date"];
      assert.ok(shown.includes(columns.map((name) => `<th>${name}</th>`).join("")));
      const [newest] = await bench().operations(project);
      const cells = ["Start compute", "main", endpoint.id, "OK", "1.0 s", newest?.created_at ?? "?"];
      assert.ok(shown.includes(cells.map((cell) => `<td>${cell}</td>`).join("")));
    });

    it("1.5 console labels: OK, Scheduling, In progress, Error", async () => {
      const { project } = await bench().bornProject();
      const label = /<td>(OK|Scheduling|In progress|Error)<\/td>/g;
      const labels = async () => [...(await consoleOf(project)).matchAll(label)].map(([, text]) => text);
      assert.deepEqual(await labels(), ["Scheduling", "In progress"]);
      bench().time.advance(2000);
      assert.deepEqual(await labels(), ["OK", "OK"]);
      await bench().platform.fault({ action: "create_branch", end: "failed" });
      await bench().bornBranch(project);
      bench().time.advance(2000);
      assert.deepEqual(await labels(), ["Error", "OK", "OK"]);
    });
  });

  describe("1.6 operation status and terminality", () => {
    const neverAgain = async (operation: Operation) => {
      const before = await seen(operation);
      await bench().platform.clearFaults();
      bench().time.advance(day);
      assert.deepEqual(await seen(operation), before);
    };

    it("1.6 scheduling is not terminal: the operation begins when its turn comes", async () => {
      const { operations: begun } = await bench().bornProject();
      const start = operationWith(begun, "start_compute");
      assert.equal(isEnded("scheduling"), false);
      assert.deepEqual(await bench().statuses(start), ["scheduling", "running", "finished"]);
    });

    it("1.6 running is not terminal: the client waits on", async () => {
      const { operations: begun } = await bench().bornProject();
      assert.equal(isEnded("running"), false);
      const timeline = operationWith(begun, "create_timeline");
      assert.equal(timeline.status, "running");
      await bench().client.wait([timeline]);
      assert.equal((await seen(timeline)).status, "finished");
    });

    it("1.6 finished is terminal, and success", async () => {
      const { operations: begun } = await bench().readyProject();
      const timeline = operationWith(begun, "create_timeline");
      assert.equal(isEnded("finished"), true);
      await bench().client.wait([await seen(timeline)]);
      await neverAgain(timeline);
    });

    it("1.6 failed is not terminal: the operation can be retried, and the client waits for that", async () => {
      const start = await startThatEnds("failed-then-finished");
      assert.equal(isEnded("failed"), false);
      await bench().client.wait([start]);
      assert.equal((await seen(start)).status, "finished");
      const again = await startThatEnds("failed-then-finished");
      assert.deepEqual(await bench().statuses(again), ["running", "failed", "running", "finished"]);
    });

    it("1.6 cancelling is not terminal: it goes on to cancelled", async () => {
      const start = await startThatEnds("cancelled");
      assert.equal(isEnded("cancelling"), false);
      assert.deepEqual(await bench().statuses(start), ["running", "cancelling", "cancelled"]);
    });

    it("1.6 cancelled is terminal, and no success", async () => {
      const start = await startThatEnds("cancelled");
      assert.equal(isEnded("cancelled"), true);
      const error = await errorOf(bench().client.wait([start]));
      assert.ok(OperationFailedError.isInstance(error));
      assert.equal(error.operation.status, "cancelled");
      await neverAgain(start);
    });

    it("1.6 skipped is terminal, and success", async () => {
      const start = await startThatEnds("skipped");
      assert.equal(isEnded("skipped"), true);
      await bench().client.wait([start]);
      assert.equal((await seen(start)).status, "skipped");
      await neverAgain(start);
    });

    it("1.6 terminal: once there, nothing is asked any more", async () => {
      for (const status of ["finished", "cancelled", "skipped"]) {
        const { done, requests } = scriptedWait(["running", status, "running"]);
        await done.catch(() => undefined);
        assert.equal(requests.length, 1, status);
      }
    });

    it("1.6 first statuses: a create_branch runs, the start_compute behind it is scheduled", async () => {
      const { project } = await bench().readyProject();
      const { operations: begun } = await bench().bornBranch(project, "read_write");
      assert.deepEqual(
        begun.map(({ action, status }) => [action, status]),
        [
          ["create_branch", "running"],
          ["start_compute", "scheduling"],
        ],
      );
    });
  });

  describe("1.7 API key state", () => {
    it("1.7 revoke: takes effect at once, for every request", async () => {
      const { project, operations: begun } = await bench().readyProject();
      const { id, key } = await newKey("1.7");
      assert.equal(await statusWith(key), 200);
      await bench().client.send(apiKeys.revoke(id));
      const paths = ["/projects", `/projects/${project.id}/operations`, "/users/me", "/api_keys"];
      for (const path of [...paths, `/projects/${project.id}/operations/${begun[0]?.id ?? ""}`]) {
        assert.equal(await statusWith(key, path), 401, path);
      }
    });

    it("1.7 revoked: is for good, access needs a new key", async () => {
      const { id, key } = await newKey("1.7");
      await bench().client.send(apiKeys.revoke(id));
      await assert.rejects(bench().client.send(apiKeys.revoke(id)), isNotFound);
      bench().time.advance(365 * day);
      assert.equal(await statusWith(key), 401);
      const { key: other } = await newKey("1.7");
      assert.equal(await statusWith(other), 200);
      assert.equal(await statusWith(key), 401);
    });
  });

  describe("1.8 endpoints and pagination", () => {
    /** A project with many operations, all of them over. */
    let busy: Project;
    let newestFirst: Operation[];
    before(async () => {
      const { project, endpoint } = await bench().readyProject();
      busy = project;
      for (let count = 0; count < 3; count += 1) {
        await bench().act(project, endpoint, "restart");
        bench().settle();
      }
      newestFirst = await bench().operations(project);
      assert.equal(newestFirst.length, 8);
    });

    interface Page {
      readonly operations: Operation[];
      readonly pagination?: { readonly cursor: string };
    }
    const page = async (query = "") => await bench().wire<Page>(`/projects/${busy.id}/operations${query}`);
    const idsOf = (operations: readonly Operation[]) => operations.map(({ id }) => id);

    it("1.8 headers: the client accepts JSON and authorizes each request; the platform answers JSON", async () => {
      const { client, requests } = scripted([{ body: { projects: [], operations: [] } }]);
      await client.send(projects.list());
      await client.send(operations.list("p"));
      for (const { headers } of requests) {
        assert.equal(headers["accept"], "application/json");
        assert.equal(headers["authorization"], "Bearer key");
      }
      const accepting = { ...bearer(bench().platform.apiKey), accept: "application/json" };
      const answer = await bench().raw("/projects", accepting);
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    });

    it("1.8 list projects: needs no parameter and no body, answers projects", async () => {
      const { projects: found } = await bench().wire<{ projects: Project[] }>("/projects");
      assert.ok(Array.isArray(found) && found.length > 0);
    });

    it("1.8 list operations: takes limit and cursor, answers operations and pagination", async () => {
      const { operations: found, pagination } = await page("?limit=3");
      assert.deepEqual(idsOf(found), idsOf(newestFirst.slice(0, 3)));
      isString(pagination?.cursor);
    });

    it("1.8 get operation: answers one operation by its id, in its own project only", async () => {
      const [first] = newestFirst;
      assert.ok(first);
      const { operation } = await bench().client.send(operations.get(busy.id, first.id));
      assert.deepEqual(operation, first);
      const { project: other } = await bench().bornProject();
      await assert.rejects(bench().client.send(operations.get(other.id, first.id)), isNotFound);
    });

    it("1.8 cursor: a timestamp with fractional seconds, sent back with its colons as %3A", async () => {
      const { pagination } = await page("?limit=3");
      assert.match(pagination?.cursor ?? "", timestampWithFraction);
      const arrivals = await bench().arrivalsDuring(() =>
        all(bench().client.list(operations.list(busy.id), { pageSize: 3, limit: 4 })),
      );
      const encoded = (pagination?.cursor ?? "").replaceAll(":", "%3A");
      assert.equal(arrivals[1], `GET /projects/${busy.id}/operations?limit=1&cursor=${encoded}`);
    });

    it("1.8 rule 1: with neither limit nor cursor there is a list and a cursor", async () => {
      const { operations: found, pagination } = await page();
      assert.deepEqual(idsOf(found), idsOf(newestFirst));
      assert.match(pagination?.cursor ?? "", timestampWithFraction);
    });

    it("1.8 rule 2: the first page is asked for with a limit only", async () => {
      const [first] = await bench().arrivalsDuring(() =>
        all(bench().client.list(operations.list(busy.id), { pageSize: 3 })),
      );
      assert.equal(first, `GET /projects/${busy.id}/operations?limit=3`);
    });

    it("1.8 rule 3: the next page is asked for with the previous cursor and a limit", async () => {
      const { client, requests } = scripted([
        { body: { operations: [operationSample()], pagination: { cursor: "2022-12-07T00:45:05.262011Z" } } },
        { body: { operations: [operationSample()], pagination: { cursor: "2022-12-06T00:45:05.262011Z" } } },
        { body: { operations: [] } },
      ]);
      await all(client.list(operations.list("p"), { pageSize: 1 }));
      assert.deepEqual(
        requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams)),
        [
          { limit: "1" },
          { limit: "1", cursor: "2022-12-07T00:45:05.262011Z" },
          { limit: "1", cursor: "2022-12-06T00:45:05.262011Z" },
        ],
      );
    });

    it("1.8 rule 4: newest first, a cursor is the created_at of the page's last operation, and none is lost", async () => {
      const times = newestFirst.map(({ created_at }) => created_at);
      assert.deepEqual(times, [...new Set(times)].sort().reverse());
      assert.equal((await page("?limit=3")).pagination?.cursor, times[2]);
      for (const pageSize of [1, 3, 8, 100]) {
        const listed = await all(bench().client.list(operations.list(busy.id), { pageSize }));
        assert.deepEqual(idsOf(listed), idsOf(newestFirst), `pages of ${pageSize}`);
      }
    });

    it("1.8 rule 4: a cursor that is an earlier timestamp is handed back as it is, and understood", async () => {
      const earlier = "2022-12-01T00:00:00.5Z";
      const { client, requests } = scripted([
        { body: { operations: [operationSample()], pagination: { cursor: earlier } } },
        { body: { operations: [] } },
      ]);
      await all(client.list(operations.list("p")));
      assert.equal(new URL(requests[1]?.url ?? "").searchParams.get("cursor"), earlier);
      const [, second, third] = newestFirst;
      const between = new Date(Date.parse(second?.created_at ?? "")).toISOString();
      const { operations: found } = await page(`?cursor=${encodeURIComponent(between)}`);
      assert.deepEqual(idsOf(found)[0], third?.id);
    });

    it("1.8 rule 5: any default limit, maximum limit and last page is tolerated", async () => {
      const stored = Array.from({ length: 5 }, (_, index) =>
        operationSample({ id: `o${index}`, created_at: `2022-12-0${9 - index}T00:00:00.1Z` }),
      );
      const maximum = 2;
      for (const lastPage of ["with a cursor", "without a cursor"]) {
        const { client } = scripted(({ url }) => {
          const from = new URL(url).searchParams.get("cursor") ?? "~";
          const rest = stored.filter(({ created_at }) => created_at < from);
          const shown = rest.slice(0, maximum);
          const cursor = shown.at(-1)?.created_at;
          const more = lastPage === "with a cursor" ? shown.length > 0 : rest.length > maximum;
          return { body: { operations: shown, ...(more && { pagination: { cursor } }) } };
        });
        assert.deepEqual(idsOf(await all(client.list(operations.list("p")))), idsOf(stored), lastPage);
      }
    });

    it("1.8 mutations: answer the operations they begin; creating a branch begins two", async () => {
      const { project } = await bench().readyProject();
      const { branch, operations: begun } = await bench().bornBranch(project, "read_write");
      assert.deepEqual(actionsOf(begun), ["create_branch", "start_compute"]);
      const [start, create] = await bench().operations(project);
      assert.deepEqual([create?.id, start?.id], idsOf(begun));
      bench().settle();
      const { operations: deletion } = await bench().client.send(branches.delete(project.id, branch.id));
      assert.ok(deletion.length > 0);
    });

    it("1.8 polling 1: what is asked for is what the mutation answered", async () => {
      const { project } = await bench().readyProject();
      const { operations: begun } = await bench().bornBranch(project);
      const arrivals = await bench().arrivalsDuring(() => bench().client.wait(begun));
      assert.deepEqual([...new Set(arrivals)], [`GET /projects/${project.id}/operations/${begun[0]?.id ?? ""}`]);
    });

    it("1.8 polling 2: one get per operation; several of one project are read from one list", async () => {
      const { project, operations: begun } = await bench().bornProject();
      const arrivals = await bench().arrivalsDuring(() => bench().client.wait(begun));
      const list = `GET /projects/${project.id}/operations?limit=100`;
      const last = `GET /projects/${project.id}/operations/${begun[1]?.id ?? ""}`;
      assert.equal(begun.length, 2);
      assert.deepEqual([...new Set(arrivals)], [list, last]);
    });

    it("1.8 polling 3: repeated until finished; only then the next request goes out, and it is not refused", async () => {
      const { project } = await bench().readyProject();
      const { branch, operations: begun } = await bench().bornBranch(project);
      const next = databases.create(project.id, branch.id, { name: "shop", owner_name: "neondb_owner" });
      assert.equal(await refusalOf(next), 423);
      const looks: string[] = [];
      await bench().client.wait(begun, { onProgress: (pending) => looks.push(...pending.map(({ status }) => status)) });
      assert.ok(looks.length > 2 && looks.every((status) => status === "running"), looks.join());
      bench().attempts.length = 0;
      await bench().client.send(next);
      assert.deepEqual(
        bench().attempts.map(({ status }) => status),
        [201],
      );
    });

    it("1.8 polling 4: finished, skipped and cancelled end it; failed does not", async () => {
      for (const status of ["finished", "skipped"]) await scriptedWait(["running", status]).done;
      assert.ok(OperationFailedError.isInstance(await errorOf(scriptedWait(["running", "cancelled"]).done)));
      const { done, requests } = scriptedWait(["running", "failed", "failed", "running", "finished"]);
      await done;
      assert.equal(requests.length, 4);
    });
  });

  describe("1.9 authentication", () => {
    it("1.9.1: each request bears `Authorization: Bearer <API_KEY>`", async () => {
      const { client, requests } = scripted([{ body: { id: "u", email: "e", name: "n" } }], { apiKey: "napi_abc" });
      await client.send(users.me());
      assert.equal(requests[0]?.headers["authorization"], "Bearer napi_abc");
      assert.equal(await statusWith(bench().platform.apiKey), 200);
    });

    it("1.9.2: no header, an invalid key and a revoked one are answered 401, and the client fails at once", async () => {
      const { id, key: revoked } = await newKey("1.9.2");
      await bench().client.send(apiKeys.revoke(id));
      const { apiKey } = bench().platform;
      const refused = [
        {},
        { authorization: "" },
        { authorization: "Bearer" },
        { authorization: apiKey },
        { authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}` },
        bearer("invalid"),
        bearer(apiKey.slice(0, -1)),
        bearer(revoked),
      ];
      for (const headers of refused) {
        assert.equal((await bench().raw("/projects", headers)).status, 401, JSON.stringify(headers));
      }
      for (const key of ["napi_unheard_of", revoked]) {
        const client = bench().clientWith(key);
        const list = projects.list();
        const arrivals = await bench().arrivalsDuring(() => assert.rejects(client.send(list), refusedWith(401)));
        assert.equal(arrivals.length, 1);
        await assert.rejects(all(client.list(list)), refusedWith(401));
        const error = await errorOf(client.send(list));
        assert.match(error.message, /API key is invalid or revoked/);
        assert.ok(!error.message.includes(key));
      }
    });

    it("1.9.3: revocation is immediate: the next request is refused, in the middle of a wait too", async () => {
      const { project } = await bench().readyProject();
      await bench().platform.fault({ action: "create_branch", end: "stuck" });
      const { operations: begun } = await bench().bornBranch(project);
      const { id, key } = await newKey("1.9.3");
      let revoked: Promise<unknown> | undefined;
      const onProgress = () => {
        revoked ??= bench().client.send(apiKeys.revoke(id));
      };
      await bench().platform.clearRequests();
      await assert.rejects(bench().clientWith(key).wait(begun, { onProgress }), refusedWith(401));
      await revoked;
      const statuses = (await bench().platform.requests()).map(({ status }) => status);
      assert.deepEqual(
        [statuses.indexOf(401), statuses.filter((status) => status === 401).length],
        [statuses.length - 1, 1],
      );
      assert.equal(await statusWith(key), 401);
    });

    it("1.9.4: the owner of an account revokes its personal keys, by the key itself too", async () => {
      const [one, other] = [await newKey("one"), await newKey("other")];
      await bench().clientWith(one.key).send(apiKeys.revoke(other.id));
      assert.equal(await statusWith(other.key), 401);
      await bench().clientWith(one.key).send(apiKeys.revoke(one.id));
      assert.equal(await statusWith(one.key), 401);
    });

    it("1.9.4: nobody else revokes a personal key", async () => {
      const { orgId, email, member, wholeKey } = await organization();
      await bench().platform.member(orgId, email, "admin");
      const { id, key } = await newKey("mine");
      await assert.rejects(member.send(apiKeys.revoke(id)), isNotFound);
      await assert.rejects(member.send(organizationApiKeys.revoke(orgId, id)), isNotFound);
      await assert.rejects(
        bench()
          .clientWith((await wholeKey()).key)
          .send(apiKeys.revoke(id)),
        refusedWith(403),
      );
      assert.equal(await statusWith(key), 200);
    });

    it("1.9.4: only administrators revoke the keys of an organization and its projects", async () => {
      const { orgId, email, member, project, wholeKey, projectKey } = await organization();
      for (const { id, key } of [await wholeKey(), await projectKey(), await projectKey(member)]) {
        await assert.rejects(member.send(organizationApiKeys.revoke(orgId, id)), refusedWith(403));
        assert.equal(await statusWith(key, `/projects/${project.id}`), 200);
        await bench().platform.member(orgId, email, "admin");
        assert.equal((await member.send(organizationApiKeys.revoke(orgId, id))).revoked, true);
        assert.equal(await statusWith(key, `/projects/${project.id}`), 401);
        await bench().platform.member(orgId, email, "member");
      }
    });

    it("1.9.5: the console's first key makes others through the API, and those make more", async () => {
      const child = await newKey("child");
      const grandchild = await bench().clientWith(child.key).send(apiKeys.create("grandchild"));
      assert.equal(await statusWith(grandchild.key), 200);
    });

    it("1.9.6: the local console has no place for keys, and shows none", async () => {
      const { key } = await newKey("1.9.6");
      const page = await (await fetch(bench().platform.platform.consoleUrl)).text();
      for (const secret of [key, bench().platform.apiKey]) assert.ok(!page.includes(secret));
    });

    it("1.9.7: a personal key's scope holds for every request made with it", async () => {
      const { project } = await bench().readyProject();
      const client = bench().clientWith((await newKey("1.9.7")).key);
      const inIt = [projects.get, operations.list, branches.list].map((of): Request<unknown> => of(project.id));
      for (const request of inIt) await client.send(request);
      await assert.rejects(client.send(projects.get("not-mine-12345678")), isNotFound);
    });

    /** Requests about a project that only look. */
    const looks = (id: string) =>
      [projects.get, operations.list, branches.list, endpoints.list].map((of): Request<unknown> => of(id));

    it("1.9.7: so do those of an organization's key", async () => {
      const { project, wholeKey } = await organization();
      const { project: foreign } = await organization();
      const client = bench().clientWith((await wholeKey()).key);
      for (const request of looks(project.id)) await client.send(request);
      for (const request of looks(foreign.id)) await assert.rejects(client.send(request), isNotFound, lineOf(request));
    });

    it("1.9.7: so do those of a project-scoped key", async () => {
      const { orgId, project, projectKey } = await organization();
      const { project: sibling } = await bench().client.send(projects.create({ org_id: orgId }));
      const client = bench().clientWith((await projectKey()).key);
      for (const request of looks(project.id)) await client.send(request);
      for (const request of looks(sibling.id)) await assert.rejects(client.send(request), isNotFound, lineOf(request));
    });
  });

  describe("1.10 errors, events, limits", () => {
    it("1.10 HTTP errors: 401 is an error of its own, whatever its body", async () => {
      const bodies: readonly Reply[] = [
        { status: 401, body: { code: "", message: "no" } },
        { status: 401, body: "" },
        { status: 401, body: "<h1>no</h1>", headers: { "content-type": "text/html" } },
        { status: 401, body: ["no"] },
      ];
      for (const reply of bodies) {
        const { client, requests } = scripted([reply]);
        await assert.rejects(client.send(projects.list()), refusedWith(401));
        assert.equal(requests.length, 1);
      }
    });

    it("1.10 operation failure: is told by status and failures_count, never by an HTTP error", async () => {
      const start = await startThatEnds("failed");
      bench().attempts.length = 0;
      const error = await errorOf(bench().client.wait([start]));
      assert.ok(OperationFailedError.isInstance(error));
      assert.deepEqual([error.operation.status, error.operation.failures_count], ["failed", 1]);
      assert.deepEqual([...new Set(bench().attempts.map(({ status }) => status))], [200]);
    });

    it("1.10 events: there are none: waiting is asking again and again, and changes nothing", async () => {
      const { operations: begun } = await bench().bornProject();
      const arrivals = await bench().arrivalsDuring(() => bench().client.wait(begun));
      assert.ok(arrivals.length > 2);
      for (const arrival of arrivals) assert.match(arrival, /^GET \/projects\/[^/]+\/operations\b/);
    });

    it("1.10 keys per account: the list of keys is whole, however many there are", async () => {
      const made = new Set<number>();
      for (let count = 0; count < 50; count += 1) made.add((await newKey("many")).id);
      const listed = await bench().client.send(apiKeys.list());
      assert.equal(listed.filter(({ id }) => made.has(id)).length, 50);
    });

    it("1.10 polling interval: grows to about five seconds, and never beyond", async () => {
      await bench().platform.fault({ action: "create_branch", end: "stuck" });
      const { project } = await bench().readyProject();
      const { operations: begun } = await bench().bornBranch(project);
      bench().clock.sleeps.length = 0;
      const deadline = bench().client.clock.now() + 300_000;
      await assert.rejects(bench().client.wait(begun, { deadline }), (error) =>
        OperationTimeoutError.isInstance(error),
      );
      const { sleeps } = bench().clock;
      assert.ok(Math.max(...sleeps) <= 5250, String(Math.max(...sleeps)));
      const last = sleeps.slice(-11, -1);
      assert.ok(Math.min(...last) >= 4750, String(Math.min(...last)));
    });

    it("1.10 limit: is the client's choice", async () => {
      const { project } = await bench().readyProject();
      for (const limit of [1, 2, 1000]) {
        const { operations: found } = await bench().wire<{ operations: Operation[] }>(
          `/projects/${project.id}/operations?limit=${limit}`,
        );
        assert.equal(found.length, Math.min(2, limit));
      }
      const arrivals = await bench().arrivalsDuring(() =>
        all(bench().client.list(operations.list(project.id), { pageSize: 17 })),
      );
      assert.equal(arrivals[0], `GET /projects/${project.id}/operations?limit=17`);
    });

    it("1.10 rate limits: the local platform has none unless it is asked to", async () => {
      const many = Array.from({ length: 60 }, () => statusWith(bench().platform.apiKey));
      assert.deepEqual([...new Set(await Promise.all(many))], [200]);
    });
  });

  describe("1.11 versioning", () => {
    it("1.11 base URL: ends in /api/v2, with a slash behind it or not", async () => {
      assert.match(publicApiUrl, /^https:\/\/[^/]+\/api\/v2$/);
      const { apiKey, apiUrl } = bench().platform;
      for (const url of [apiUrl, `${apiUrl}/`]) {
        const client = bench().clientWith(apiKey, url);
        assert.equal(client.apiUrl, apiUrl);
        await client.send(users.me());
      }
    });

    it("1.11 base URL: without a version it is refused, for there every object would seem to be gone", () => {
      const { apiKey, platform } = bench().platform;
      for (const url of [platform.consoleUrl, `${platform.consoleUrl}/api`, `${platform.apiUrl}/projects`]) {
        assert.throws(
          () => bench().clientWith(apiKey, url),
          (error) => PlatformError.isInstance(error) && error.kind === "invalid" && error.message.includes("version"),
        );
        const read = resolveSettings((name) => (name === "apiUrl" ? url : name === "apiKey" ? apiKey : undefined), {});
        assert.ok("problems" in read && read.problems[0]?.setting === "apiUrl", url);
      }
    });

    it("1.11 one version: the platform has this version and no other", async () => {
      const { consoleUrl } = bench().platform.platform;
      for (const base of ["", "/api", "/api/v1", "/api/v3"]) {
        const response = await fetch(`${consoleUrl}${base}/projects`, { headers: bearer(bench().platform.apiKey) });
        assert.equal(response.status, 404, base);
      }
    });

    it("1.11 policy: what a later platform adds, to answers and headers, is tolerated", async () => {
      const added = { later: { any: ["thing"] } };
      const headers = { deprecation: "@1700000000", sunset: "Wed, 01 Jan 2031 00:00:00 GMT" };
      const { client } = scripted([
        { body: { projects: [projectSample(added)], ...added }, headers },
        { body: { operation: { ...operationSample(), ...added }, ...added }, headers },
      ]);
      assert.deepEqual((await client.send(projects.list())).projects, [projectSample(added)]);
      assert.deepEqual((await client.send(operations.get("p", "o"))).operation, { ...operationSample(), ...added });
    });
  });

  describe("1.12 what is not shown", () => {
    it("1.12.1: any fields of the key record beyond id and name are tolerated", async () => {
      const entry = { id: 7, name: "ci", created_at: "2022-12-13T01:30:55Z" };
      const variants = [entry, { ...entry, last_used_at: null }, { ...entry, more: 1, created_by: { id: "u" } }];
      const { client } = scripted([{ body: variants }]);
      // A member that is null is as good as left out.
      const read = [entry, entry, { ...entry, more: 1, created_by: { id: "u" } }];
      assert.deepEqual(await client.send(apiKeys.list()), read);
    });

    it("1.12.2: any platform_id, region_id and provisioner is tolerated", async () => {
      const unheard = projectSample({ platform_id: "moon", region_id: "moon-north-1", provisioner: "k9-pod" });
      const { client } = scripted([{ body: { projects: [unheard] } }]);
      assert.deepEqual(await all(client.list(projects.list())), [unheard]);
    });

    it("1.12.3: any action is tolerated", async () => {
      await scriptedWait(["running", "finished"], { action: "something_new" }).done;
      const error = await errorOf(scriptedWait(["running", "cancelled"], { action: "something_new" }).done);
      assert.match(error.message, /something_new/);
    });

    it("1.12.4: any transition between statuses is tolerated", async () => {
      const histories: readonly (readonly [string, ...string[]])[] = [
        ["finished"],
        ["scheduling", "finished"],
        ["running", "scheduling", "running", "finished"],
        ["failed", "scheduling", "running", "failed", "running", "finished"],
        ["cancelling", "running", "finished"],
        ["scheduling", "skipped"],
      ];
      for (const history of histories) {
        const { done, requests } = scriptedWait(history);
        await done;
        assert.equal(requests.length, history.length - 1, history.join());
      }
    });

    it("1.12.5: any default and maximum limit and any last page of operations is tolerated", async () => {
      for (const pageOfLast of [{}, { pagination: {} }, { pagination: { cursor: "" } }]) {
        const { client, requests } = scripted([
          { body: { operations: [operationSample()], pagination: { cursor: "2022-12-07T00:45:05.262011Z" } } },
          { body: { operations: [operationSample()], ...pageOfLast } },
        ]);
        assert.equal((await all(client.list(operations.list("p")))).length, 2);
        assert.equal(requests.length, 2);
      }
    });

    it("1.12.6: paths and payloads of mutations are the published ones; creating a branch needs no payload", async () => {
      const each: readonly (readonly [request: Request<unknown>, published: string])[] = [
        [projects.create({}), "POST /projects"],
        [projects.update("p", {}), "PATCH /projects/p"],
        [projects.delete("p"), "DELETE /projects/p"],
        [branches.create("p", {}), "POST /projects/p/branches"],
        [branches.update("p", "b", {}), "PATCH /projects/p/branches/b"],
        [branches.delete("p", "b"), "DELETE /projects/p/branches/b"],
        [endpoints.create("p", { branch_id: "b", type: "read_write" }), "POST /projects/p/endpoints"],
        [endpoints.update("p", "e", {}), "PATCH /projects/p/endpoints/e"],
        [endpoints.delete("p", "e"), "DELETE /projects/p/endpoints/e"],
        [endpoints.act("p", "e", "start"), "POST /projects/p/endpoints/e/start"],
        [roles.create("p", "b", { name: "r" }), "POST /projects/p/branches/b/roles"],
        [roles.resetPassword("p", "b", "r"), "POST /projects/p/branches/b/roles/r/reset_password"],
        [roles.delete("p", "b", "r"), "DELETE /projects/p/branches/b/roles/r"],
        [databases.create("p", "b", { name: "d", owner_name: "r" }), "POST /projects/p/branches/b/databases"],
        [databases.update("p", "b", "d", {}), "PATCH /projects/p/branches/b/databases/d"],
        [databases.delete("p", "b", "d"), "DELETE /projects/p/branches/b/databases/d"],
      ];
      for (const [request, published] of each) assert.equal(lineOf(request), published);
      const { project } = await bench().readyProject();
      const path = `/projects/${project.id}/branches`;
      assert.equal((await bench().raw(path, bearer(bench().platform.apiKey), "POST")).status, 201);
    });

    it("1.12.7: the endpoint that makes keys is the published one", async () => {
      assert.equal(lineOf(apiKeys.create("1.12.7")), "POST /api_keys");
      isString((await newKey("1.12.7")).key);
    });

    it("1.12.8: the endpoints that list and revoke keys are the published ones", async () => {
      const { id } = await newKey("1.12.8");
      assert.deepEqual([apiKeys.list(), apiKeys.revoke(id)].map(lineOf), ["GET /api_keys", `DELETE /api_keys/${id}`]);
      assert.ok((await bench().client.send(apiKeys.list())).some((entry) => entry.id === id));
      assert.equal((await bench().client.send(apiKeys.revoke(id))).revoked, true);
      assert.ok(!(await bench().client.send(apiKeys.list())).some((entry) => entry.id === id));
    });

    it("1.12.9: that there are no events is tolerated: the answers to a client's own requests are enough", async () => {
      const { done, requests } = scriptedWait(["scheduling", "running", "running", "finished"]);
      await done;
      assert.deepEqual(
        requests.map(({ method }) => method),
        ["GET", "GET", "GET"],
      );
    });

    it("1.12.10: any other status code, and any body of an error, is tolerated", async () => {
      const said: readonly (readonly [body: unknown, reason: RegExp])[] = [
        [{ code: "TEAPOT", message: "short and stout", request_id: "r" }, /short and stout, TEAPOT/],
        [{ message: "short and stout" }, /short and stout/],
        [{ error: { message: "short and stout" } }, /short and stout/],
        [{ error: "short" }, /no reason given/],
        ["<html>", /no reason given/],
        ["", /no reason given/],
        [null, /no reason given/],
      ];
      for (const [body, reason] of said) {
        const { client, requests } = scripted([{ status: 418, body }]);
        const error = await errorOf(client.send(projects.create({})));
        assert.ok(refusedWith(418)(error), error.message);
        assert.match(error.message, reason);
        assert.equal(requests.length, 1);
      }
      const { client, requests } = scripted([{ status: 500 }, { status: 502, body: "<html>" }, { status: 200 }], {});
      assert.ok(PlatformError.isInstance(await errorOf(client.send(projects.list()))));
      assert.equal(requests.length, 3);
    });

    it("1.12.11: rate limits of any sort are tolerated, and `Retry-After` is honoured", async () => {
      const limits: readonly (readonly [header: Record<string, string>, least: number])[] = [
        [{}, 0],
        [{ "retry-after": "7" }, 7000],
        [{ "retry-after": "Tue, 01 Jan 2030 00:00:09 GMT", date: "Tue, 01 Jan 2030 00:00:00 GMT" }, 8500],
      ];
      for (const [headers, least] of limits) {
        const { client, clock, requests } = scripted([{ status: 429, headers }, { body: { projects: [] } }]);
        const began = clock.now();
        await client.send(projects.list());
        assert.equal(requests.length, 2);
        assert.ok(clock.now() - began >= least, JSON.stringify(headers));
      }
    });

    it("1.12.12: that there is no policy of deprecation is tolerated: one version is asked for, in the path alone", async () => {
      const { client, requests } = scripted([{ body: { projects: [] } }]);
      await client.send(projects.list());
      const [{ headers, url } = { headers: {}, url: "" }] = requests;
      assert.match(url, /\/api\/v2\/projects$/);
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.includes("version")),
        [],
      );
    });

    it("1.12.13: any size limit, lock and paging of projects is tolerated", async () => {
      const variants = [
        projectSample({ branch_logical_size_limit: 2 ** 40, locked: true }),
        projectSample({ branch_logical_size_limit: undefined, locked: undefined }),
      ].map((each) => JSON.parse(JSON.stringify(each)) as Record<string, unknown>);
      const { client: paging } = scripted([
        { body: { projects: variants.slice(0, 1), pagination: { cursor: "next" } } },
        { body: { projects: variants.slice(1) } },
      ]);
      const { client: whole } = scripted([{ body: { projects: variants } }]);
      for (const client of [paging, whole]) assert.deepEqual(await all(client.list(projects.list())), variants);
    });
  });

  describe("1.13 where the specifications differ", () => {
    it("1.13 project.locked: optional on read, never sent", async () => {
      const { locked: _locked, ...without } = projectSample();
      const { client } = scripted([{ body: { projects: [without, projectSample({ locked: true })] } }]);
      const read = await all(client.list(projects.list()));
      assert.deepEqual(
        read.map(({ locked }) => locked),
        [undefined, true],
      );
      for (const { shape } of [projectCreate, projectUpdate]) assert.equal("locked" in shape, false);
    });

    it("1.13 GET /projects: the short and the long answer are read; a page follows only where a cursor is given", async () => {
      const long = { applications: {}, integrations: {}, unavailable_project_ids: ["late-sun-1"], pagination: {} };
      for (const more of [{}, long]) {
        const { client, requests } = scripted([{ body: { projects: [projectSample()], ...more } }]);
        assert.deepEqual(await all(client.list(projects.list())), [projectSample()]);
        assert.equal(requests.length, 1);
      }
      const { client, requests } = scripted([
        { body: { projects: [projectSample()], pagination: { cursor: "next" } } },
        { body: { projects: [] } },
      ]);
      await all(client.list(projects.list()));
      assert.equal(new URL(requests[1]?.url ?? "").searchParams.get("cursor"), "next");
    });

    it("1.13 operation.branch_id: optional", async () => {
      const { branch_id: _branch, ...without } = operationSample({ status: "running" });
      const { client } = scripted([{ body: { operation: { ...without, status: "finished" } } }]);
      await client.wait([without]);
      const { project } = await bench().readyProject();
      const change = projects.update(project.id, { history_retention_seconds: 3600 });
      const { operations: begun } = await bench().client.send(change);
      assert.deepEqual(
        begun.map(({ branch_id }) => branch_id),
        [undefined],
      );
      await bench().client.wait(begun);
    });

    it("1.13 operation.total_duration_ms: optional on read; the local platform sends it", async () => {
      const { client } = scripted([{ body: { operation: operationSample() } }]);
      assert.equal((await client.send(operations.get("p", "o"))).operation.total_duration_ms, undefined);
      const { operations: begun } = await bench().readyProject();
      for (const operation of begun) assert.equal((await seen(operation)).total_duration_ms, 1000);
    });

    it("1.13 operation.error and retry_at: optional on read; an error is shown in messages", async () => {
      const start = await startThatEnds("error");
      const error = await errorOf(bench().client.wait([start]));
      const said = (await seen(start)).error;
      assert.ok(said !== undefined && error.message.includes(said), error.message);
      const silent = await errorOf(scriptedWait(["running", "error"]).done);
      assert.match(silent.message, /ended with status error \(failures: 0\)\. [A-Z]/);
      const again = await startThatEnds("failed-then-finished");
      await bench().client.wait([again]);
      isTimestamp((await seen(again)).retry_at);
    });

    it("1.13 status error: is a terminal failure", async () => {
      assert.equal(progressOf("error"), "failure");
      const start = await startThatEnds("error");
      const error = await errorOf(bench().client.wait([start]));
      assert.ok(OperationFailedError.isInstance(error));
      assert.equal(error.operation.status, "error");
    });

    it("1.13 status error: any other unknown status is waited for until the deadline, then named", async () => {
      const start = await startThatEnds("unknown");
      const began = bench().client.clock.now();
      const error = await errorOf(bench().client.wait([start], { deadline: began + 60_000 }));
      assert.ok(OperationTimeoutError.isInstance(error));
      assert.ok(bench().client.clock.now() - began >= 60_000);
      assert.match(error.message, /start_compute\) is postponed/);
      await bench().platform.clearFaults();
      await bench().client.wait([start]);
    });

    it("1.13 status failed: has a time of grace, then it is a failure with all that is known of it", async () => {
      const start = await startThatEnds("failed");
      const began = bench().client.clock.now();
      const error = await errorOf(bench().client.wait([start]));
      assert.ok(OperationFailedError.isInstance(error));
      const waited = bench().client.clock.now() - began;
      assert.ok(waited >= 15_000 && waited < 30_000, String(waited));
      const { id, action, failures_count, error: said } = await seen(start);
      for (const known of [id, action, `failures: ${failures_count}`, said ?? "?"]) {
        assert.ok(error.message.includes(known), `${known} in: ${error.message}`);
      }
    });

    it("1.13 status failed: tries that go on lengthen the grace, up to a minute", async () => {
      let failures = 0;
      const { client, clock } = scripted(() => {
        failures += 1;
        return { body: { operation: operationSample({ status: "failed", failures_count: failures }) } };
      });
      const began = clock.now();
      const error = await errorOf(client.wait([operationSample({ status: "failed" })]));
      assert.ok(OperationFailedError.isInstance(error));
      const waited = clock.now() - began;
      assert.ok(waited >= 60_000 && waited < 70_000, String(waited));
    });

    it("1.13 delete tenant: no action is checked against a list", async () => {
      for (const action of ["delete_tenant", "delete_timeline", "", "Any Text"]) {
        const { client } = scripted([{ body: { operations: [operationSample({ action })] } }]);
        assert.deepEqual(actionsOf(await all(client.list(operations.list("p")))), [action]);
      }
    });

    it("1.13 project-scoped keys: a 403 is the platform's to give, and is told in its own words", async () => {
      const body = { code: "", message: "only organization administrators make project-scoped keys" };
      const { client, requests } = scripted([{ status: 403, body }]);
      const error = await errorOf(client.send(apiKeys.create("scoped")));
      assert.ok(refusedWith(403)(error));
      assert.ok(error.message.includes(body.message), error.message);
      assert.equal(requests.length, 1);
    });

    it("1.13 project-scoped keys: of the local platform are any member's to make, and nobody else's", async () => {
      const { email, member, project, projectKey } = await organization();
      const { key } = await projectKey(member);
      assert.equal(await statusWith(key, `/projects/${project.id}`), 200);
      const stranger = bench().clientWith(await bench().platform.signIn(`not-${email}`));
      await assert.rejects(projectKey(stranger), isNotFound);
    });

    it("1.13 64-bit token: a key is text of any length", async () => {
      for (const apiKey of ["k", "0123456789abcdef", "napi_" + "x".repeat(64), "~".repeat(4096)]) {
        const { client, requests } = scripted([{ body: { projects: [] } }], { apiKey });
        await client.send(projects.list());
        assert.equal(requests[0]?.headers["authorization"], `Bearer ${apiKey}`);
        assert.equal(await statusWith(apiKey), 401);
      }
    });

    it("1.13 last page: the reading ends without a cursor, at an empty page, at the cursor just sent", async () => {
      const cursor = "2022-12-07T00:45:05.262011Z";
      const one = { operations: [operationSample()] };
      const lasts = [
        one,
        { operations: [], pagination: { cursor: "2022-12-06T00:00:00.1Z" } },
        { ...one, pagination: { cursor } },
      ];
      for (const last of lasts) {
        const { client, requests } = scripted([{ body: { ...one, pagination: { cursor } } }, { body: last }]);
        const read = await all(client.list(operations.list("p")));
        assert.equal(requests.length, 2);
        assert.equal(read.length, 1 + last.operations.length);
      }
    });
  });

  it("has a test for every row", () => assertEveryRowHasTests(part));
});
