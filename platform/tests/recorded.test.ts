import { describe, it } from "mocha";
import assert from "node:assert/strict";

import type { Answer } from "../../tests/support/platform";
import { suiteProjects } from "./support/project";
import { actionsOf } from "./support/responses";

/** Stands for any value of a member. */
const present = Symbol("present");

/** What the real service was seen to answer to a request. */
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
  /** The actions of the operations that the request starts. */
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

  // What exists already.
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
    status: 409,
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
];

const { platform, finish, project } = suiteProjects();

/** What there is before a request, by the names that its route and its body use. */
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
      assertFact(answer, fact);
    });
  }
});

function filled(text: string, names: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole);
}

function assertFact(answer: Answer, { status, code, message, members = {}, operations }: Fact): void {
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
  if (operations) assert.deepEqual(actionsOf(answer), operations);
}

/** The member at a path of names and positions. */
function at(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}
