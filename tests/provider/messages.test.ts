import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { Topic } from "../../api/core/remediation";
import { BranchFixture } from "../support/branch-fixture";
import { createdBranch } from "../support/created-branch";
import { currentDoor, urnOf } from "../support/door";
import type { EngineResource } from "../support/engine";
import { assertSays, refusesAdoption } from "../support/expected-errors";
import { CallError, type Values } from "../support/provider-server";
import { concurrently, Stage, suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

/** The message of a step that fails without leaving anything. */
async function messageOf(step: Promise<unknown>): Promise<string> {
  const error: unknown = await step.then(
    () => assert.fail("the step succeeds"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CallError, String(error));
  assert.equal(error.partial, undefined);
  assert.doesNotMatch(error.message, /\n|undefined|\[object/);
  return error.message;
}

const setKey =
  "Set the key with `pulumi config set --secret neon:apiKey`, then run `pulumi up --refresh=false`: `refresh` and `destroy` use the settings of the last `up`.";
const see = (topic: Topic): string => ` See neon-pulumi/docs/troubleshooting.md#${topic}.`;
const stateOrLimit = `The request conflicts with the object's state or an account limit. Resolve that first.${see("refused-by-neon")}`;
const askSupport = "If the error persists, contact Neon support about this request.";

/** The last request that a text stands in, by the id that users can tell the vendor. */
async function requestId(stage: Stage, text: string, method: string): Promise<string> {
  const found = (await stage.requests(text)).filter((request) => request.method === method);
  return found.at(-1)?.requestId ?? "none";
}

const stage = suiteStage({ operationTime: "30ms" });

describe("error messages", () => {
  const test = concurrently();

  test("a lookup of what does not exist names the object and the account of the key", async () => {
    const { id: projectId } = await stage().project();
    const { body } = await stage().platform.call("GET", "/auth");
    const { account_id: account } = body as unknown as { account_id: string };
    for (const [kind, noun, id] of [
      ["Project", "project", "absent-project-12345678"],
      ["Branch", "branch", "absent-project-12345678/br-absent-12345678"],
      ["Role", "role", `${projectId}/br-absent-12345678/nobody`],
      ["JwksUrl", "JWKS URL", "absent-project-12345678/b2b4b5c1-0000-4000-8000-000000000000"],
    ] as const) {
      assert.equal(
        await messageOf(stage().server.lookUp(kind, id, { urn: urnOf(kind, "absent") })),
        `There is no ${noun} ${id}, or this API key cannot see it: the key belongs to account ${account}. Nothing was changed. Check the id, or use an API key of the account or organization that owns it.`,
      );
    }
    const urn = urnOf("OrganizationApiKey", "absent");
    assertSays(
      await messageOf(stage().server.lookUp("OrganizationApiKey", "org-absent-12345678/1", { urn })),
      "Organization org-absent-12345678 was not found, but this API key may be unable to see it: the key belongs to account",
    );
  });

  if (currentDoor() === "dynamic") {
    test("stand at the resource, and at the stack only as a pointer to it, where the SDK prints them again", async () => {
      const server = await stage().anotherServer({ isProcess: true });
      const branch = stage().resourceOf(server, "Branch");
      const { id: projectId } = await stage().project();
      await branch.up({ projectId });
      await stage().platform.call("DELETE", `/projects/${projectId}/branches/${String(branch.outputs["branchId"])}`);
      branch.state = { ...branch.present, outputs: { ...branch.outputs, projectId: "absent-project-12345678" } };
      const said = [await messageOf(branch.refresh()), await messageOf(branch.destroy())];
      await server.stop();
      for (const message of said) assertSays(message, "Project absent-project-12345678 was not found");
      const pointer = `Branch "${branch.name}": its error stands in its own row\n`;
      assert.equal(server.output, pointer.repeat(2));
    });
  }

  test("a lookup of what does not exist says so if the platform does not tell whose the key is", async () => {
    const other = await Stage.start();
    try {
      await other.platform.fault({ method: "GET", path: "^/auth$", status: 404 });
      assertSays(
        await messageOf(other.server.lookUp("Project", "absent-project-12345678", { urn: urnOf("Project", "absent") })),
        "There is no project absent-project-12345678, or this API key cannot see it. Nothing was changed. Check the id",
      );
    } finally {
      await other.stop();
    }
  });

  const refusals: readonly { readonly status: number; readonly remedy: string }[] = [
    {
      status: 400,
      remedy: `Nothing was created. Correct the inputs. If they are correct, contact Neon support about this request.${see("refused-by-neon")}`,
    },
    {
      status: 403,
      remedy: `This API key lacks the permission. Use an API key that has it. ${setKey}${see("missing-permission")}`,
    },
    {
      status: 404,
      remedy: `Nothing was created. The object does not exist, or this API key cannot see it. Check the id, or use an API key that can see it. If the program declares the missing object, run \`pulumi refresh\` and then \`pulumi up\`.${see("not-found")}`,
    },
    { status: 412, remedy: `Nothing was created. ${stateOrLimit}` },
    { status: 418, remedy: `Nothing was created. Fix the problem reported above. ${askSupport}` },
    { status: 422, remedy: `Nothing was created. ${stateOrLimit}` },
  ];
  for (const { status, remedy } of refusals) {
    test(`name what failed with ${status}, the platform's reason, the remedy and the request`, async () => {
      const { id } = await stage().project();
      const path = `/projects/${id}/branches`;
      const body = { code: "SOME_CODE", message: "not like this" };
      await stage().platform.fault({ method: "POST", path: `^${path}$`, status, body });
      const message = await messageOf(stage().resource("Branch").up({ projectId: id }));
      const request = await requestId(stage(), path, "POST");
      assert.equal(
        message,
        `POST ${path} failed with HTTP ${status}: not like this, SOME_CODE [request ${request}]. ${remedy}`,
      );
    });
  }

  const readings: readonly {
    readonly verb: string;
    readonly step: (branch: EngineResource, args: Values) => Promise<unknown>;
    readonly left: string;
  }[] = [
    { verb: "refresh", step: (branch) => branch.refresh(), left: "The state was not changed." },
    {
      verb: "update",
      step: (branch, args) => branch.up({ ...args, protected: true }),
      left: "Nothing was changed.",
    },
    { verb: "destroy", step: (branch) => branch.destroy(), left: "Nothing was deleted." },
  ];
  for (const { verb, step, left } of readings) {
    test(`of a failed read in ${verb} say that nothing was done, and what to do if it persists`, async () => {
      const { branch, program, projectId } = await createdBranch(stage());
      await stage().platform.fault({ path: `^/projects/${projectId}`, status: 412, body: { message: "not now" } });
      const message = await messageOf(step(branch, program));
      const advice = message.startsWith("GET") ? `Try again. ${askSupport}` : stateOrLimit;
      assert.match(message, /^[A-Z]+ \/projects\/\S+ failed with HTTP 412: not now \[request [\w-]+\]\. /);
      assert.ok(message.endsWith(` ${left} ${advice}`), message);
    });
  }

  test("of a delete that cannot be followed say that the object stays in the state", async () => {
    const { branch, projectId } = await createdBranch(stage());
    const path = `^/projects/${projectId}/operations`;
    await stage().platform.fault({ path, status: 412, body: { message: "not now" } });
    const message = await messageOf(branch.destroy());
    assert.match(message, /^GET \/projects\/\S+\/operations\S* failed with HTTP 412: not now \[request [\w-]+\]\. /);
    const next = `The branch ${branch.id} stays in the state. Run the same command again. ${askSupport}`;
    assert.ok(message.endsWith(` ${next}`), message);
  });

  test("of an invalid key say where to set it, and whose key refresh and destroy use", async () => {
    const { branch, base, projectId } = await createdBranch(stage());
    const steps = {
      GET: () => branch.refresh(),
      DELETE: () => branch.destroy(),
      PATCH: () => branch.up({ ...base, protected: true }),
      POST: () => stage().resource("Branch").up(base),
    };
    for (const [method, step] of Object.entries(steps)) {
      await stage().platform.fault({
        method,
        path: `^/projects/${projectId}`,
        status: 401,
        body: { message: "the key is revoked" },
      });
      const message = await messageOf(step());
      assert.match(
        message,
        /failed with HTTP 401: the key is revoked \[request [\w-]+\]\. The API key is invalid or revoked/,
      );
      assert.ok(message.endsWith(setKey + see("invalid-key")), message);
    }
  });

  test("of an address that has never responded suggest checking it", async () => {
    const project = stage().resource("Project");
    project.server = await stage().anotherServer({ config: { apiUrl: "http://127.0.0.1:9/api/v2" } });
    const message = await messageOf(project.up({}));
    assertSays(
      message,
      "ECONNREFUSED 127.0.0.1:9. http://127.0.0.1:9/api/v2 has never returned a response. Check the base URL.",
      "Set it with `pulumi config set neon:apiUrl`",
    );
    await project.server.stop();
  });

  // A plugin writes nothing: the engine does not show it.
  if (currentDoor() === "dynamic")
    test("are one line without a stack", async () => {
      const { branch, path } = await createdBranch(stage());
      await stage().platform.fault({ method: "GET", path: `^${path}`, status: 403 });
      await messageOf(branch.refresh());
      // What the process has written comes on its own, and may come later than its answer.
      await until(() => stage().server.output.includes(`Branch "${branch.name}": `));
      const { output } = stage().server;
      assertSays(output, { without: /^\s+at /m }, { without: /node_modules|\.js:\d+|HTTP/ });
      assert.doesNotMatch(output, /^neon: [A-Z]+ /m, "requests are logged only when asked for");
    });
});

describe("the error of an account that needs an organization", () => {
  const next = suiteServer(stage);
  afterEach(() => stage().platform.clearFaults());

  for (const status of [400, 422]) {
    it(`names neon:orgId if the create fails with ${status}`, async () => {
      const said = "org_id is required, you can find it on your organization settings page";
      await stage().platform.fault({ method: "POST", path: "^/projects$", status, body: { code: "", message: said } });
      const message = await messageOf(stage().resource("Project").up({}));
      const request = await requestId(stage(), "/projects", "POST");
      assert.equal(
        message,
        `POST /projects failed with HTTP ${status}: ${said} [request ${request}]. Nothing was created. The request must name an organization. Set it with \`pulumi config set neon:orgId <id>\`, or pass \`orgId\`.${see("missing-organization")}`,
      );
    });
  }

  it("names neon:orgId if a list fails", async () => {
    const body = { code: "", message: "org_id is required" };
    await stage().platform.fault({ method: "GET", path: "^/projects\\?", status: 400, body });
    const resource = stage().resource("Project");
    // A run lists the projects once.
    resource.server = next();
    await assert.rejects(
      resource.up({ adopt: true }),
      refusesAdoption("The request must name an organization. Set it with `pulumi config set neon:orgId <id>`"),
    );
  });
});

describe("the row of a resource that waits", () => {
  afterEach(() => stage().platform.clearFaults());

  /** What a row has shown, without the times in it. */
  const rows = (resource: EngineResource): string[] =>
    resource.said("progress").map((text) => text.replace(/, \d+ s$/, ", … s"));

  /** What a branch shows while it is created in a project where this goes wrong. */
  async function shownOf(fault: Values): Promise<string[]> {
    const { id } = await stage().project();
    const branch = stage().resource("Branch");
    const path = `^/projects/${id}/branches$`;
    await stage().platform.fault("action" in fault ? fault : { method: "POST", path, ...fault });
    return shows(branch, { projectId: id, compute: {} });
  }

  async function shows(resource: EngineResource, args: Values): Promise<string[]> {
    await resource.up(args);
    // It travels on its own, and may come later than the answer to the call. The last row of a call is empty.
    await until(() => rows(resource).at(-1) === "");
    return rows(resource);
  }

  for (const [title, fault, row] of [
    [
      "the operation that it waits for",
      { action: "create_branch", end: "failed-then-finished" },
      /^create_branch \w+ \(and 2 more\), … s$/,
    ],
    ["that other clients lock the project", { status: 423, times: 2 }, /^waiting for other operations on the project$/],
    [
      "why a request is retried",
      { status: 503, body: { message: "back in a moment" } },
      /^retrying: POST \S+ failed with HTTP 503: back in a moment/,
    ],
    [
      "that a response was lost and its result is looked for",
      { reset: "after" },
      /^create branch: the response was lost, checking the result$/,
    ],
  ] as const) {
    it(`shows the change, then ${title}`, async () => {
      const [first, ...shown] = await shownOf(fault);
      assert.equal(first, "create branch");
      assert.ok(
        shown.some((text) => row.test(text)),
        shown.join("\n"),
      );
    });
  }

  it("shows which change it waits for", async () => {
    const { id } = await stage().project();
    const [one, other] = [stage().resource("Branch"), stage().resource("Branch")];
    // It does not end before the other one has come.
    await stage().platform.fault({ action: "create_branch", end: "stuck" });
    const first = one.up({ projectId: id });
    await until(() => rows(one).length > 0);
    const second = shows(other, { projectId: id });
    await Promise.race([second, until(() => rows(other).length > 0)]);
    await stage().platform.clearFaults();
    const shown = await second;
    await first;
    assert.ok(shown.includes("waiting for create branch"), shown.join("\n"));
  });

  it("shows no name, which the program may declare as a secret", async () => {
    const { base } = await BranchFixture.on(stage());
    const [branch, role] = [stage().resource("Branch"), stage().resource("Role")];
    await branch.up({ projectId: base.projectId });
    await role.up(base);
    await role.up({ ...base, passwordTrigger: "2" });
    for (const resource of [role, branch]) {
      await resource.destroy();
      await until(() => rows(resource).at(-1) === "");
      assert.ok(!rows(resource).join().includes(resource.name), rows(resource).join("\n"));
    }
  });
});
