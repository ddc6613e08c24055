import { describe, it } from "mocha";
import assert from "node:assert/strict";

import type { Answer } from "../support/platform";
import { suiteProjects } from "./support/project";

/** Stands for any value of a member. */
const present = Symbol("present");
const wholeSeconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** An observed answer of the real service to a request. */
interface Fact {
  /** The method and the path. `{project}`, `{branch}` and other names are filled in by the situation. */
  readonly route: string;
  /** Default: a project of its own, whose operations have finished. */
  readonly when?: keyof typeof situations;
  readonly body?: unknown;
  readonly key?: string;
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  /** Values by path, such as `branch.name`; `undefined` if the answer has no such member. */
  readonly members?: Readonly<Record<string, unknown>>;
  /**
   * The operations that the request starts, with their branches: `{new}` is the one in the answer, and `{hidden}` one that nothing
   * but the operations of a snapshot names.
   */
  readonly operations?: readonly string[];
}

/** One fact a line. Where the published document says something else, what was seen counts. */
const facts: readonly Fact[] = [
  // Errors that any request can get.
  { route: "GET /nothing", status: 404, code: "", message: "this route does not exist" },
  { route: "PUT /projects", status: 404, code: "", message: "this route does not exist" },
  { route: "GET /projects", key: "", status: 401, message: "supplied credentials do not pass authentication" },
  {
    route: "GET /projects",
    key: "napi_wrong",
    status: 401,
    message: "supplied credentials do not pass authentication",
  },
  {
    route: "POST /projects",
    body: {},
    status: 400,
    message:
      "invalid request: operation CreateProject: decode request: decode application/json: invalid: project (field required)",
  },

  // Objects that exist already.
  {
    route: "POST /projects/{project}/branches",
    body: { branch: { name: "main" } },
    status: 409,
    code: "BRANCH_ALREADY_EXISTS",
    message: 'branch already exists; branch_name:"main"',
  },
  {
    route: "POST /projects/{project}/branches/{branch}/databases",
    body: { database: { name: "neondb", owner_name: "neondb_owner" } },
    status: 409,
    code: "DATABASE_ALREADY_EXISTS",
  },
  {
    route: "POST /projects/{project}/endpoints",
    body: { endpoint: { type: "read_write", branch_id: "{branch}" } },
    status: 422,
    code: "ENDPOINTS_LIMIT_EXCEEDED",
    message: "read_write endpoint already exists",
  },

  // The state of what a request needs.
  {
    route: "POST /projects/{project}/branches/{branch}/databases",
    body: { database: { name: "shop", owner_name: "nobody" } },
    status: 422,
    message: 'database owner not found; role_name:"nobody"',
  },
  {
    route: "POST /projects/{project}/branches",
    when: "a branch that is not ready",
    body: { branch: { parent_id: "{branch}" } },
    status: 422,
    message: "branch not ready yet",
  },
  {
    route: "DELETE /projects/{project}/branches/{branch}",
    when: "a protected branch",
    status: 422,
    message: "cannot delete protected branch",
  },
  {
    route: "DELETE /projects/{project}/branches/{branch}",
    when: "a branch with a child",
    status: 422,
    message: "cannot delete branch that has children",
  },
  {
    route: "POST /projects/{project}/branches/{branch}/roles",
    when: "a branch without a compute",
    body: { role: { name: "app" } },
    status: 412,
    code: "",
    message: "create a read-write endpoint to manage roles on this branch",
  },

  // Limits of plans.
  {
    route: "POST /projects",
    when: "an organization that may have one project",
    body: { project: { org_id: "{organization}" } },
    status: 422,
    code: "PROJECTS_LIMIT_EXCEEDED",
    message: "user projects limit of 1 exceeded, got 1",
  },
  {
    route: "POST /projects/{project}/branches",
    when: "a project with all branches of the plan Free",
    body: {},
    status: 422,
    code: "BRANCHES_LIMIT_EXCEEDED",
    message: "branches limit exceeded",
  },
  {
    route: "POST /projects/{project}/branches",
    when: "a project with all root branches of the plan Free",
    body: { branch: { init_source: "schema-only" } },
    status: 422,
    code: "ROOT_BRANCHES_LIMIT_EXCEEDED",
    message: "root branches limit exceeded",
  },
  {
    route: "PATCH /projects/{project}",
    when: "a project on the plan Free",
    body: { project: { history_retention_seconds: 86_400 } },
    status: 400,
    message:
      "requested history retention seconds exceeds allowed maximum; " +
      'requested_history_retention_seconds:"86400", max:"21600"',
  },
  {
    route: "PATCH /projects/{project}/endpoints/{endpoint}",
    when: "a project on the plan Free",
    body: { endpoint: { suspend_timeout_seconds: 600 } },
    status: 412,
    message: "suspend interval changing is not allowed for your account",
  },
  {
    route: "PATCH /projects/{project}/endpoints/{endpoint}",
    when: "a project on the plan Launch",
    body: { endpoint: { suspend_timeout_seconds: 60 } },
    status: 412,
    message: "suspend interval is too short for your plan",
  },
  {
    route: "PATCH /projects/{project}/endpoints/{endpoint}",
    when: "a project on the plan Launch",
    body: { endpoint: { suspend_timeout_seconds: 300 } },
    status: 200,
  },

  // Members, and their forms.
  {
    route: "POST /projects",
    body: { project: {} },
    status: 201,
    members: {
      "project.owner": undefined,
      "project.locked": undefined,
      "project.slug": present,
      "project.settings.audit_log_level": undefined,
      "branch.id": /^br-[a-z]+-[a-z]+-[a-z0-9]{8}$/,
      "branch.slug": present,
      "branch.created_by": undefined,
      "endpoints.0.id": /^ep-[a-z]+-[a-z]+-[a-z0-9]{8}$/,
      "endpoints.0.settings": {},
      "roles.0.password": present,
      "roles.0.created_at": wholeSeconds,
      "databases.0.created_at": wholeSeconds,
      "operations.0.created_at": wholeSeconds,
    },
    operations: ["create_timeline {new}", "start_compute {new}"],
  },
  {
    route: "GET /projects/{project}",
    status: 200,
    members: { "project.owner.subscription_type": "scale_v3", "project.history_retention_seconds": 86_400 },
  },
  {
    route: "GET /projects",
    status: 200,
    members: { "projects.0.history_retention_seconds": present, "projects.0.quota_reset_at": wholeSeconds },
  },
  {
    route: "PATCH /projects/{project}",
    when: "a project on the plan Launch",
    body: { project: { name: "shop" } },
    status: 200,
    members: { "project.owner": undefined, "project.org_id": undefined },
  },
  { route: "DELETE /projects/{project}", status: 200, members: { "project.owner": undefined } },
  {
    route: "POST /projects/{project}/branches",
    body: { endpoints: [{ type: "read_write" }] },
    status: 201,
    members: {
      "branch.parent_timestamp": undefined,
      "branch.created_by.name": present,
      "roles.0.name": "neondb_owner",
      "roles.0.password": undefined,
      "connection_uris.0.connection_uri": /channel_binding=require/,
      "operations.0.status": "running",
      "operations.1.status": "scheduling",
      "operations.2.status": "scheduling",
    },
    operations: ["create_branch {new}", "timeline_update_protected_config {new}", "start_compute {new}"],
  },
  {
    route: "POST /projects/{project}/branches",
    body: {},
    status: 201,
    operations: ["create_branch {new}", "timeline_update_protected_config {new}"],
  },
  {
    route: "POST /projects/{project}/branches",
    when: "a branch with two roles",
    body: { branch: { parent_id: "{branch}" }, endpoints: [{ type: "read_write" }] },
    status: 201,
    members: { connection_uris: undefined },
  },
  {
    route: "GET /projects/{project}/branches/{branch}",
    when: "a branch with a child",
    status: 200,
    members: {
      "branch.parent_timestamp": wholeSeconds,
      "branch.slug": present,
      annotation: { object: { type: "", id: "" }, value: {} },
    },
  },
  {
    route: "GET /projects/{project}/branches",
    status: 200,
    members: { "pagination.sort_order": "DESC", "pagination.next": undefined },
  },
  {
    route: "GET /projects/{project}/branches?limit=1",
    when: "a branch with a child",
    status: 200,
    members: { "pagination.sort_order": "DESC", "pagination.next": present },
  },
  {
    route: "DELETE /projects/{project}/branches/{branch}",
    when: "a branch without a compute",
    status: 200,
    members: { "branch.current_state": "ready", "branch.pending_state": "storage_deleted" },
  },
  {
    route: "POST /projects/{project}/branches/{branch}/restore",
    when: "a branch without a compute",
    body: { source_branch_id: "{parent}" },
    status: 200,
    members: { "branch.last_reset_at": wholeSeconds },
    operations: ["create_branch {branch}", "delete_timeline {branch}"],
  },
  {
    route: "POST /projects/{project}/branches/{branch}/restore",
    when: "a branch with a compute",
    body: { source_branch_id: "{parent}" },
    status: 200,
    members: { "branch.current_state": "resetting", "branch.pending_state": "ready" },
    operations: ["suspend_compute {branch}", "create_branch {branch}", "delete_timeline {branch}"],
  },
  {
    route: "POST /projects/{project}/branches/{branch}/snapshot",
    status: 200,
    members: { "operations.0.status": "running", "operations.1.status": "scheduling" },
    operations: ["create_branch {hidden}", "timeline_archive {hidden}"],
  },
  {
    route: "POST /projects/{project}/snapshots/{snapshot}/restore",
    when: "a snapshot",
    status: 200,
    members: {
      "branch.restore_status": "restored",
      "endpoints.0.type": "read_write",
      "endpoints.0.autoscaling_limit_min_cu": 0.5,
      "endpoints.0.autoscaling_limit_max_cu": 2,
      "endpoints.0.current_state": "init",
      "endpoints.0.pending_state": "active",
      "operations.0.status": "running",
      "operations.1.status": "scheduling",
    },
    operations: ["timeline_unarchive {hidden}", "create_branch {new}", "start_compute {new}"],
  },
  {
    route: "POST /projects/{project}/endpoints",
    body: { endpoint: { type: "read_only", branch_id: "{branch}" } },
    status: 201,
    members: { "endpoint.current_state": "idle", "endpoint.pending_state": undefined },
    operations: [],
  },
  {
    route: "PATCH /projects/{project}/endpoints/{endpoint}",
    when: "an idle compute",
    body: { endpoint: { autoscaling_limit_max_cu: 4 } },
    status: 200,
    members: { "endpoint.current_state": "idle", "endpoint.pending_state": undefined },
    operations: [],
  },
  {
    route: "GET /projects/{project}/endpoints/{endpoint}",
    status: 200,
    members: {
      "endpoint.settings": { pg_settings: {} },
      "endpoint.slug": present,
      "endpoint.project_slug": present,
      "endpoint.branch_slug": present,
      "endpoint.hosts": present,
      "endpoint.group": present,
      "endpoint.compute_release_version": present,
    },
  },
  {
    route: "GET /projects/{project}/branches/{branch}/roles",
    status: 200,
    members: { "roles.0.created_at": wholeSeconds, "roles.0.updated_at": wholeSeconds },
  },
  {
    route: "GET /projects/{project}/branches/{branch}/databases",
    status: 200,
    members: { "databases.0.created_at": wholeSeconds, "databases.0.updated_at": wholeSeconds },
  },
  {
    route: "GET /projects/{project}/operations",
    status: 200,
    members: {
      "operations.0.created_at": wholeSeconds,
      "operations.0.updated_at": wholeSeconds,
      "pagination.cursor": /\.\d{6}Z$/,
    },
  },
  {
    route: "POST /projects/{project}/jwks",
    body: { jwks_url: "https://example.com/keys", provider_name: "Example" },
    status: 201,
    members: { "jwks.created_at": wholeSeconds, "jwks.updated_at": wholeSeconds },
  },
  { route: "POST /api_keys", body: { key_name: "ci" }, status: 200, members: { created_at: wholeSeconds } },
  { route: "GET /api_keys", status: 200, members: { "0.created_at": wholeSeconds, "0.last_used_at": wholeSeconds } },
  { route: "GET /users/me", status: 200, members: { "billing_account.subscription_type": "scale_v3" } },
];

const { platform, finish, project } = suiteProjects();

/** The objects that exist before a request, by the names that its route and its body use. */
const situations = {
  "a project": async () => await named(),
  "a branch that is not ready": async () => {
    const { fixture, names } = await named();
    await platform().fault({ action: "create_branch", end: "error" });
    return { names: { ...names, branch: (await fixture.branch()).branch.id } };
  },
  "a protected branch": async () => {
    const { fixture, names } = await named();
    return { names: { ...names, branch: (await fixture.branch({ branch: { protected: true } })).branch.id } };
  },
  "a branch without a compute": async () => {
    const { fixture, names } = await named();
    return { names: { ...names, parent: names.branch, branch: (await fixture.branch()).branch.id } };
  },
  "a branch with a compute": async () => {
    const { fixture, names } = await named();
    const { branch } = await fixture.branch({ endpoints: [{ type: "read_write" }] });
    return { names: { ...names, parent: names.branch, branch: branch.id } };
  },
  "a snapshot": async () => {
    const sizes = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2 };
    const { fixture, names } = await named({ default_endpoint_settings: sizes });
    const { snapshot, operations } = await fixture.done("POST", `/branches/${names.branch}/snapshot`);
    return { names: { ...names, snapshot: snapshot.id, hidden: operations[0]?.branch_id ?? "" } };
  },
  "an idle compute": async () => {
    const { fixture, names } = await named();
    await fixture.done("POST", `/endpoints/${names.endpoint}/suspend`);
    return { names };
  },
  "a branch with two roles": async () => {
    const { fixture, names } = await named();
    await fixture.done("POST", `/branches/${names.branch}/roles`, { role: { name: "app" } });
    return { names };
  },
  "a branch with a child": async () => {
    const { fixture, names } = await named();
    const { branch } = await fixture.branch();
    await fixture.branch({ branch: { parent_id: branch.id } });
    return { names: { ...names, branch: branch.id } };
  },
  "an organization that may have one project": async () => {
    const organization = await platform().organization({ projects_limit: 1 });
    return { names: { ...(await named({ org_id: organization })).names, organization } };
  },
  "a project on the plan Free": async () => await named({ org_id: await platform().organization({ plan: "free" }) }),
  "a project on the plan Launch": async () =>
    await named({ org_id: await platform().organization({ plan: "launch" }) }),
  "a project with all branches of the plan Free": async () => await full(9, {}),
  "a project with all root branches of the plan Free": async () => await full(2, { init_source: "schema-only" }),
} as const;

async function named(input: object = {}) {
  const fixture = await project(input);
  return { fixture, names: { project: fixture.id, branch: fixture.main.id, endpoint: fixture.endpointId } };
}

/** A project on the plan Free with more branches. */
async function full(branches: number, branch: object) {
  const { fixture, names } = await named({ org_id: await platform().organization({ plan: "free" }) });
  for (let count = 0; count < branches; count += 1) await fixture.branch({ branch });
  return { names };
}

describe("local platform: answers that the real service was seen to give", () => {
  for (const fact of facts) {
    const { route, when = "a project", status } = fact;
    it(`${route}${fact.when === undefined ? "" : `, with ${when}`}: ${status} ${fact.message ?? ""}`, async () => {
      const { names } = await situations[when]();
      const [method = "", path = ""] = filled(route, names).split(" ");
      const body = fact.body === undefined ? undefined : filled(JSON.stringify(fact.body), names);
      const answer = await platform().call(method, path, body, { key: fact.key });
      finish();
      assertFact(answer, fact, names);
    });
  }
});

function filled(text: string, names: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
}

function assertFact(
  answer: Answer,
  { status, code, message, members = {}, operations }: Fact,
  names: Readonly<Record<string, string>>,
): void {
  const { body, headers } = answer;
  assert.equal(answer.status, status, JSON.stringify(body));
  assert.match(headers.get("x-neon-ret-request-id") ?? "", /^[\w-]+$/);
  assert.equal(headers.get("x-request-id"), null);
  if (code !== undefined) assert.equal(body.code, code);
  if (message !== undefined) assert.equal(body.message, message);
  for (const [member, expected] of Object.entries(members)) {
    const value = at(body, member);
    if (expected === present) assert.notEqual(value, undefined, member);
    else if (expected instanceof RegExp) assert.match(String(value), expected, member);
    else assert.deepEqual(value, expected, member);
  }
  if (operations) assert.deepEqual(operationsOf(answer, names), operations);
}

/** The operations with their branches, as a fact names them. */
function operationsOf({ body }: Answer, names: Readonly<Record<string, string>>): string[] {
  const { branch } = body as Partial<typeof body>;
  const hidden = body.operations[0]?.branch_id;
  const known = [...Object.entries(names), ["new", branch?.id], ["hidden", hidden]] as const;
  return body.operations.map(({ action, branch_id: id }) => {
    const [name] = known.find(([, value]) => value === id) ?? [id];
    return `${action} {${String(name)}}`;
  });
}

/** The member at a path of names and positions. */
function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
