import assert from "node:assert/strict";

import { describe } from "mocha";

import type { Values } from "../support/provider-server";
import { failsWith } from "../support/expected-errors";
import { onStages } from "../support/stage";
import { until } from "../support/until";
import {
  type Mutation,
  small,
  annotated,
  makingProject,
  addingCompute,
  makingBranch,
  mutations,
  impatient,
  patient,
  prepared,
  projectId,
  assertNumber,
  assertHealed,
  heal,
  recoveries,
  operationOf,
  failPartly,
} from "./failing-changes";

const httpFaults: readonly HttpFault[] = [
  { title: "§6.4 503 twice", fault: { status: 503, times: 2 }, sent: 3, lost: "retry asked" },
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
      const began = stage.now();
      const reason = await failPartly(stage, subject, { timeouts: { create: "120s" } });
      const ended = stage.now();
      const took = (ended - began) / 1000;
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
      const subject = await prepared(stage, addingCompute);
      const path = `^/projects/${String(subject.base["projectId"])}/operations/`;
      await stage.platform.fault({ method: "GET", path, status: 404, times: 1000 });
      const reason = await failPartly(stage, subject, { timeouts: { update: "60s" } });
      assert.match(reason, /^Operation \S+ \(start_compute\) of project \S+ was not found\. /);
      const looks = (await stage.requests("/operations/")).filter(({ status }) => status === 404);
      assert.ok(looks.length > 1 && looks.length < 50, `${looks.length} looks`);
      await stage.platform.clearFaults();
      await heal(stage, subject);
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
            failsWith("outcome is unknown", "The next `pulumi up` names the object if there is one."),
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
        // Only where it may have been performed is there anything to look for before it is sent again.
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

/** Something that happens to a request on its way. */
interface HttpFault {
  readonly title: string;
  readonly fault: Values;
  /** How often a request has to be sent that is repeated until it is performed. */
  readonly sent: number;
  /** Nobody knows whether it was performed: the answer is lost, or a gateway can have sent it. */
  readonly lost?: "performed" | "not performed" | "retry asked";
}
