import assert from "node:assert/strict";

import type { Operation } from "@neondatabase/api-client";
import { describe } from "mocha";

import type { KindName } from "../../provider/kinds";
import { CallError, type Values } from "../support/provider-server";
import type { EngineResource, ResourceOptions } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { inDays } from "../support/in-days";
import { onStages, type Stage } from "../support/stage";
import { until } from "../support/until";
import { assertRefreshed, assertUnchanged } from "../support/up-to-date";

/** A change that can fail, and the programs around it. */
interface Mutation {
  readonly title: string;
  readonly kind: KindName;
  /** The program before the change; none if the change makes the object. */
  readonly before?: Values;
  /** The program whose `up` fails. */
  readonly program: Values;
  /** The program to go back to, or for a new object another one that can be reached in place. */
  readonly other: Values;
  /** A program that needs a new object. */
  readonly replacing: Values;
  /** The operations of the change, in order. */
  readonly operations: readonly string[];
  /** The request of the change; `:project` stands for the project's id. */
  readonly method: string;
  readonly path: string;
  /** How many computes the branch has in the end. */
  readonly computes: { readonly program: number; readonly other: number };
}

const big = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 } };
const small = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } };
const soon = inDays(1);
const elsewhere = { regionId: "aws-eu-central-1" };
const annotated = { annotations: { run: "2" } };
const oneCompute = { program: 1, other: 1 };

const makingProject: Mutation = {
  title: "making a project",
  kind: "Project",
  program: {},
  other: { historyRetentionSeconds: 3600, settings: { blockVpcConnections: true } },
  replacing: elsewhere,
  operations: ["create_timeline", "start_compute"],
  method: "POST",
  path: "^/projects$",
  computes: oneCompute,
};
const makingBranch: Mutation = {
  title: "making a branch with a compute",
  kind: "Branch",
  program: small,
  other: { ...big, expiresAt: soon },
  replacing: { ...small, ...annotated },
  operations: ["create_branch", "start_compute"],
  method: "POST",
  path: "^/projects/:project/branches$",
  computes: oneCompute,
};
const mutations: readonly Mutation[] = [
  makingProject,
  makingBranch,
  {
    title: "renaming a branch, limiting its life and resizing its compute",
    kind: "Branch",
    before: small,
    program: { name: "release", expiresAt: soon, ...big },
    other: small,
    replacing: { name: "release", ...big, ...annotated },
    operations: ["apply_config"],
    method: "PATCH",
    path: "^/projects/:project/branches/",
    computes: oneCompute,
  },
  {
    title: "resizing a compute",
    kind: "Branch",
    before: small,
    program: big,
    other: small,
    replacing: { ...big, ...annotated },
    operations: [],
    method: "PATCH",
    path: "^/projects/:project/endpoints/",
    computes: oneCompute,
  },
  {
    title: "adding a compute",
    kind: "Branch",
    before: {},
    program: small,
    other: {},
    replacing: { ...small, ...annotated },
    operations: ["start_compute"],
    method: "POST",
    path: "^/projects/:project/endpoints$",
    computes: { program: 1, other: 0 },
  },
  {
    title: "removing a compute",
    kind: "Branch",
    before: small,
    program: {},
    other: small,
    replacing: annotated,
    operations: ["suspend_compute"],
    method: "DELETE",
    path: "^/projects/:project/endpoints/",
    computes: { program: 0, other: 1 },
  },
  {
    title: "changing a project's settings",
    kind: "Project",
    before: { historyRetentionSeconds: 3600 },
    program: { historyRetentionSeconds: 60, settings: { preloadLibraries: { enabledLibraries: ["pg_cron"] } } },
    other: { historyRetentionSeconds: 3600 },
    replacing: { historyRetentionSeconds: 60, ...elsewhere },
    operations: ["apply_storage_config", "apply_config"],
    method: "PATCH",
    path: "^/projects/:project$",
    computes: oneCompute,
  },
];

/**
 * Gives up as soon as it may. On a busy machine the request alone can take longer: then the provider does not poll at all,
 * and reports the operations as the answer listed them.
 */
const impatient: ResourceOptions = { timeouts: { create: "400ms", update: "400ms" } };
/** Gives up, but not before it has polled: many times what the request takes on a busy machine. */
const patient: ResourceOptions = { timeouts: { create: "20s" } };

/** A resource that is about to go through a mutation. */
interface Subject {
  readonly resource: EngineResource;
  readonly mutation: Mutation;
  /** Arguments that every program of it has. */
  readonly base: Values;
}

async function prepared(stage: Stage, mutation: Mutation): Promise<Subject> {
  const resource = stage.resource(mutation.kind);
  const base = mutation.kind === "Branch" ? { projectId: (await stage.project()).id } : {};
  if (mutation.before !== undefined) await resource.up({ ...base, ...mutation.before });
  return { resource, mutation, base };
}

/** The project that a subject is or is in. */
async function projectId(stage: Stage, { resource, base }: Subject): Promise<string | undefined> {
  if (typeof base["projectId"] === "string") return base["projectId"];
  return resource.state?.id ?? (await stage.projects(resource.name))[0]?.id;
}

/** Everything that there is of this subject on the platform: one of it, or after its end none. */
async function assertNumber(stage: Stage, { resource, base }: Subject, expected: 0 | 1): Promise<void> {
  assert.deepEqual(await stage.objects(resource, base), expected === 0 ? [] : [resource.id]);
}

/** State, program and platform say the same, nothing is left over, and nobody has anything to do any more. */
async function assertHealed(stage: Stage, subject: Subject, program: Values, computes: number): Promise<void> {
  const { resource } = subject;
  assert.deepEqual(resource.present.failed, []);
  assert.equal((resource.outputs["__neon"] as Values)["pending"], undefined);
  await assertNumber(stage, subject, 1);
  const [project = "", branch = String(resource.outputs["defaultBranchId"])] = resource.id.split("/");
  const branches = await stage.branches(project);
  assert.deepEqual(
    branches.map(({ current_state }) => current_state),
    branches.map(() => "ready"),
  );
  const found = await stage.computes(project, branch);
  assert.equal(found.length, computes);
  assert.equal(resource.outputs["endpointId"], found[0]?.id);
  if (found[0] !== undefined) assert.equal(found[0].current_state, "active");

  await assertUnchanged(stage, resource, { ...subject.base, ...program });
  await assertRefreshed(resource);
}

/** Brings the subject to a program, and asserts that everything agrees with it then. */
async function heal(
  stage: Stage,
  subject: Subject,
  program = subject.mutation.program,
  computes = subject.mutation.computes.program,
): Promise<void> {
  await subject.resource.up({ ...subject.base, ...program });
  await assertHealed(stage, subject, program, computes);
}

/** A way to go on after a failure. */
interface Recovery {
  readonly title: string;
  readonly goOn: (stage: Stage, subject: Subject) => Promise<void>;
}

const recoveries: readonly Recovery[] = [
  {
    title: "up",
    goOn: (stage, subject) => heal(stage, subject),
  },
  {
    title: "refresh, then up",
    goOn: async (stage, subject) => {
      const { program, computes } = subject.mutation;
      assert.notEqual(await subject.resource.refresh(), "gone");
      assert.deepEqual(subject.resource.present.failed, [], "the engine's own mark is gone");
      assert.notEqual(await subject.resource.up({ ...subject.base, ...program }), "same");
      await assertHealed(stage, subject, program, computes.program);
    },
  },
  {
    title: "up of another program",
    goOn: async (stage, subject) => {
      const { other, computes } = subject.mutation;
      await heal(stage, subject, other, computes.other);
    },
  },
  {
    title: "replacement",
    goOn: async (stage, subject) => {
      const { replacing, computes } = subject.mutation;
      const { id } = subject.resource;
      assert.equal(await subject.resource.up({ ...subject.base, ...replacing }), "replace");
      assert.notEqual(subject.resource.id, id);
      await assertHealed(stage, subject, replacing, computes.program);
    },
  },
  {
    title: "destroy",
    goOn: async (stage, subject) => {
      await subject.resource.destroy();
      await assertNumber(stage, subject, 0);
    },
  },
];

/** The latest operation of this action. */
async function operationOf(stage: Stage, subject: Subject, action: string): Promise<Operation> {
  const { body } = await stage.platform.call("GET", `/projects/${(await projectId(stage, subject)) ?? ""}/operations`);
  const found = body.operations.find((operation) => (operation.action as string) === action);
  assert.ok(found);
  return found;
}

/** Runs the program that fails; what it leaves in the state has been judged by the engine already. */
async function failPartly(stage: Stage, subject: Subject, options?: ResourceOptions): Promise<string> {
  const { state } = subject.resource;
  await assert.rejects(subject.resource.up({ ...subject.base, ...subject.mutation.program }, options), CallError);
  assert.notEqual(subject.resource.state, state, "the failure is not in the state");
  const [reason = ""] = subject.resource.present.failed;
  await assertNumber(stage, subject, 1);
  return reason;
}

/** Something that happens to a request on its way. */
interface HttpFault {
  readonly title: string;
  readonly fault: Values;
  /** How often a request has to be sent that is repeated until it is performed. */
  readonly sent: number;
  /** The answer is lost, so that nobody knows whether it was performed. */
  readonly lost?: "performed" | "not performed";
}

const httpFaults: readonly HttpFault[] = [
  { title: "§6.4 503 twice", fault: { status: 503, times: 2 }, sent: 3 },
  { title: "423 three times", fault: { status: 423, times: 3 }, sent: 4 },
  { title: "§6.5 429 that asks to wait a second", fault: { status: 429, headers: { "retry-after": "1" } }, sent: 2 },
  { title: "500", fault: { status: 500 }, sent: 2, lost: "not performed" },
  { title: "§6.6 a reset before it is performed", fault: { reset: "before" }, sent: 2, lost: "not performed" },
  { title: "half an answer", fault: { truncate: true }, sent: 1, lost: "performed" },
];

describe("a failed change", () => {
  const test = onStages(4);

  describe("waiting", () => {
    test("§6.1 never reports an operation that stays failed as success, and waits for a limited time", async (stage) => {
      const subject = await prepared(stage, makingBranch);
      await stage.platform.fault({ action: "start_compute", end: "failed" });
      const began = performance.now();
      const reason = await failPartly(stage, subject, { timeouts: { create: "120s" } });
      const [ended, took] = [Date.now(), (performance.now() - began) / 1000];
      const polls = (await stage.requests("/operations")).filter(({ method }) => method === "GET");
      const { id } = await operationOf(stage, subject, "start_compute");
      const [, seconds] =
        new RegExp(
          `^Operation ${id} \\(start_compute\\) did not recover from status failed within (\\d+(\\.\\d)?) s \\(failures: 1\\): `,
        ).exec(reason) ?? assert.fail(reason);
      // The first poll after the grace period ends the wait, so that at the one before it less than that had passed.
      const graceEnd = (ended - Date.parse(polls.at(-2)?.time ?? "")) / 1000;
      assert.ok(took >= 15 && Number(seconds) >= 15 && Number(seconds) <= took, reason);
      assert.ok(Number(seconds) <= 15.1 + graceEnd, `${reason} (${graceEnd} s after the poll before the last one)`);
      assert.match(reason, /start_compute did not succeed/);
      await stage.platform.clearFaults();
      await heal(stage, subject);
    });

    test("§6.1 never reports an operation that failed before its lost response was looked for as success", async (stage) => {
      const subject = await prepared(stage, makingBranch);
      await stage.platform.fault({ action: "start_compute", end: "error" });
      await stage.platform.fault({ method: "POST", path: "/branches$", reset: "after" });
      const reason = await failPartly(stage, subject, {});
      assert.match(reason, /\(start_compute\) ended with status error/);
      await heal(stage, subject);
    });

    test("reads the compute back when its start has failed, although the response has described it", async (stage) => {
      const subject = await prepared(stage, makingBranch);
      await stage.platform.fault({ action: "start_compute", end: "error" });
      const before = (await stage.requests("/endpoints")).length;
      await failPartly(stage, subject, {});
      assert.ok((await stage.requests("/endpoints")).slice(before).some(({ method }) => method === "GET"));
      await heal(stage, subject);
    });

    test("§6.2 stops polling an operation that the platform does not know", async (stage) => {
      const subject = await prepared(stage, { ...makingBranch, program: {} });
      const path = `^/projects/${String(subject.base["projectId"])}/operations/`;
      await stage.platform.fault({ method: "GET", path, status: 404, times: 1000 });
      const reason = await failPartly(stage, subject, { timeouts: { create: "60s" } });
      assert.match(reason, /^Operation \S+ \(create_branch\) of project \S+ was not found\. /);
      const looks = (await stage.requests("/operations/")).filter(({ status }) => status === 404);
      assert.ok(looks.length > 1 && looks.length < 50, `${looks.length} looks`);
      await stage.platform.clearFaults();
      await heal(stage, subject, {}, 0);
    });

    test("§6.3 does not repeat the create after a 500 on a later read", async (stage) => {
      const subject = await prepared(stage, makingProject);
      const faulty = { method: "GET", path: "^/projects/[^/?]+", status: 500, times: 5 };
      await stage.platform.fault(faulty);
      await heal(stage, subject);
      assert.equal((await stage.sent()).filter(({ method }) => method === "POST").length, 1);
      assert.equal((await stage.requests()).filter(({ status }) => status === 500).length, 5);
    });

    test("§6.3 does not repeat the create if no read succeeds before the time limit, and the next up resumes", async (stage) => {
      const subject = await prepared(stage, makingProject);
      const faulty = { method: "GET", path: "^/projects/[^/]+/operations", status: 500, times: 10_000 };
      await stage.platform.fault(faulty);
      const reason = await failPartly(stage, subject, patient);
      assert.match(reason, /^Timed out after \d+(\.\d)? s: .* Last poll error: GET \S+ failed with HTTP 500/);
      await stage.platform.clearFaults();
      await heal(stage, subject);
      assert.equal((await stage.sent("/projects")).filter(({ path }) => path === "/projects").length, 1);
    });

    test("keeps a resource that the next up resumes if the key is revoked meanwhile", async (stage) => {
      const subject = await prepared(stage, makingBranch);
      const path = `^/projects/${String(subject.base["projectId"])}/(operations|branches/)`;
      await stage.platform.fault({ method: "GET", path, status: 401, times: 1000 });
      const reason = await failPartly(stage, subject);
      assert.match(reason, /pulumi config set --secret neon:apiKey/);
      assert.equal((await stage.requests()).filter(({ status }) => status === 401).length, 1);
      await stage.platform.clearFaults();
      await heal(stage, subject);
    });

    test("fails again while the operation is stuck, and resumes once it is not", async (stage) => {
      const subject = await prepared(stage, makingBranch);
      await stage.platform.fault({ action: "start_compute", end: "stuck" });
      await failPartly(stage, subject, impatient);
      const { id, outputs } = subject.resource.present;
      await until(async () => {
        const { status }: { status: string } = await operationOf(stage, subject, "start_compute");
        return status === "running";
      });
      const again = await failPartly(stage, subject, impatient);
      assert.match(again, /^Timed out after \d+(\.\d)? s: operation \S+ \(start_compute\) is running/);
      assert.deepEqual(
        [subject.resource.id, subject.resource.outputs],
        [id, { ...outputs, __neon: subject.resource.outputs["__neon"] }],
      );
      await stage.platform.clearFaults();
      await heal(stage, subject);
    });

    test("drops a partly created object that somebody else deletes in a refresh, and creates it in the next up", async (stage) => {
      const subject = await prepared(stage, makingBranch);
      await stage.platform.fault({ action: "start_compute", end: "error" });
      await failPartly(stage, subject);
      await stage.platform.call("DELETE", `/projects/${subject.resource.id.replace("/", "/branches/")}`);
      await stage.settled(String(subject.base["projectId"]));
      const before = subject.resource.present;
      await assert.rejects(
        subject.resource.up({ ...subject.base, ...small }),
        failsWith(/no longer exists.*\. Run `pulumi refresh`; the next `pulumi up` then creates a new one\.$/),
      );
      assert.equal(subject.resource.state, before);
      assert.equal(await subject.resource.refresh(), "gone");
      assert.equal(await subject.resource.up({ ...subject.base, ...small }), "create");
      await assertHealed(stage, subject, small, 1);
    });

    test("keeps both objects of a partly failed replacement in the state, and the next up ends with one", async (stage) => {
      const project = stage.resource("Project");
      await project.up({ name: "Shop of halves", regionId: "aws-eu-west-2" });
      const old = project.id;
      await stage.platform.fault({ action: "start_compute", end: "error" });
      const args = { name: "Shop of halves", regionId: "aws-us-west-2" };
      await assert.rejects(project.up(args), /start_compute/);
      assert.notEqual(project.id, old);
      assert.deepEqual(
        project.replaced.map(({ id }) => id),
        [old],
      );
      await project.up(args);
      assert.deepEqual(project.replaced, []);
      assert.deepEqual(
        (await stage.projects("Shop of halves")).map(({ id }) => id),
        [project.id],
      );
    });

    for (const [title, name, deletesFirst] of [
      ["leaves the old object and its state as they were", { name: "another" }, false],
      ["whose old object is deleted first is made by the next up", {}, true],
    ] as const) {
      test(`handles a rejected replacement ${title}`, async (stage) => {
        const subject = await prepared(stage, { ...makingBranch, before: small });
        const { resource, base } = subject;
        const before = resource.present;
        const path = `^/projects/${String(base["projectId"])}/branches$`;
        await stage.platform.fault({ method: "POST", path, status: 422, body: { message: "the plan is full" } });
        const program = { ...small, ...annotated, ...name };
        await assert.rejects(resource.up({ ...base, ...program }), /the plan is full/);
        assert.deepEqual(resource.present, before);
        assert.equal(resource.isPendingReplacement, deletesFirst);
        await assertNumber(stage, subject, deletesFirst ? 0 : 1);
        await heal(stage, subject, program);
      });
    }
  });

  describe("a failed operation", () => {
    const ends = [
      ["error", "stuck"],
      ["cancelled", "failed"],
    ] as const;
    const operations = mutations.flatMap((mutation) => mutation.operations.map((action) => ({ mutation, action })));
    const cases = operations.flatMap(
      (operation, index) => ends[index % 2]?.map((end) => ({ ...operation, end })) ?? [],
    );

    // Each meets one of the recoveries; the fault matrix of the long run has all ends and recoveries of each.
    for (const [index, { mutation, action, end }] of cases.entries()) {
      const recovery = recoveries[index % recoveries.length] ?? assert.fail();
      test(`${mutation.title}, ${action} ends ${end}: ${recovery.title}`, async (stage) => {
        const subject = await prepared(stage, mutation);
        await stage.platform.fault({ action, end });
        const isHeld = end === "stuck" || end === "failed";
        const reason = await failPartly(stage, subject, isHeld ? impatient : {});

        const { id } = await operationOf(stage, subject, action);
        assert.ok(reason.includes(`${id} (${action})`), reason);
        assert.match(
          reason,
          isHeld ? /^Timed out after \d+(\.\d)? s: / : new RegExp(` ended with status ${end} \\(failures: \\d\\)`),
        );
        assert.match(
          reason,
          /The next `pulumi up` resumes from here\.$|The next `pulumi up` replaces it\.$|never became usable. The next `pulumi up` replaces it\.$/,
        );
        await stage.platform.clearFaults();

        await recovery.goOn(stage, subject);
      });
    }
  });

  describe("an operation that the platform retries", () => {
    const cases = new Map(mutations.flatMap((mutation) => mutation.operations.map((action) => [action, mutation])));
    for (const [action, mutation] of cases) {
      test(`${mutation.title}, ${action}`, async (stage) => {
        const subject = await prepared(stage, mutation);
        await stage.platform.fault({ action, end: "failed-then-finished" });
        await heal(stage, subject);
        assert.equal((await operationOf(stage, subject, action)).failures_count, 1);
      });
    }
  });

  describe("a request with a fault", () => {
    const [, , renaming] = mutations;
    // All changes lose their answers in every-kind-disturbed.test.ts.
    const isCovered = (mutation: Mutation): boolean => mutation.before === undefined || mutation === renaming;
    const cases = mutations.filter(isCovered).flatMap((mutation) => httpFaults.map((http) => ({ mutation, ...http })));

    for (const { title, mutation, fault, sent, lost } of cases) {
      test(`${mutation.title}: ${title}`, async (stage) => {
        const subject = await prepared(stage, mutation);
        const { resource, base } = subject;
        const id = (await projectId(stage, subject)) ?? "";
        const path = mutation.path.replace(":project", id);
        await stage.platform.clearRequests();
        await stage.platform.fault({ method: mutation.method, path, ...fault });
        const isBlind = mutation.kind === "Project" && mutation.method === "POST" && lost === "not performed";
        if (isBlind) {
          // Projects can be equal, so sending again without knowing could make two.
          await assert.rejects(
            resource.up({ ...base, ...mutation.program }),
            failsWith("outcome is unknown", "The next `pulumi up` checks again"),
          );
          assert.equal(resource.state, undefined);
          assert.deepEqual(await stage.projects(resource.name), []);
        }
        await resource.up({ ...base, ...mutation.program });

        const requests = await stage.requests();
        const attempts = requests.filter(
          ({ method, path: target }) =>
            method === mutation.method && new RegExp(path).test(target.replace("/api/v2", "")),
        );
        assert.equal(attempts.length, sent);
        const [first, second] = attempts;
        // Only after a lost answer is there anything to look for before it is sent again.
        const next = requests.slice(requests.findIndex((one) => one === first) + 1);
        // Where others are in the way, it is watched when they are done.
        const after =
          fault["status"] === 423 ? next.filter(({ path: target }) => !/\/operations\?/.test(target)) : next;
        if (sent > 1) assert.equal(after[0] === second, lost === undefined);
        if (fault["status"] === 429) {
          assert.ok(Date.parse(second?.time ?? "") - Date.parse(first?.time ?? "") >= 1000);
        }
        await assertHealed(stage, subject, mutation.program, mutation.computes.program);
      });
    }

    for (const { title, fault, sent } of httpFaults) {
      test(`deleting a branch: ${title}`, async (stage) => {
        const subject = await prepared(stage, makingBranch);
        const { resource, base } = subject;
        await resource.up(base);
        const path = `/projects/${resource.id.replace("/", "/branches/")}`;
        await stage.platform.fault({ method: "DELETE", path: `^${path}$`, ...fault });
        await resource.destroy();
        await assertNumber(stage, subject, 0);
        const deletes = (await stage.sent(path)).filter(({ method }) => method === "DELETE");
        assert.equal(deletes.length, sent);
      });
    }
  });
});
