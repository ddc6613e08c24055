import assert from "node:assert/strict";

import type { Operation } from "@neondatabase/api-client";
import { describe } from "mocha";

import { nameOf, recoveriesOf, record, run } from "../reliability/case";
import { operationFaults } from "../reliability/fault";
import { laneOptions } from "../reliability/lanes";
import { verbsOf } from "../reliability/subject";
import { branchPathOf, createdBranch, undeclaredBranch } from "../support/created-branch";
import { currentDoor } from "../support/door";
import type { EngineResource, ResourceOptions } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { inDays } from "../support/in-days";
import { CallError, type Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { onStages, type Stage } from "../support/stage";
import { until } from "../support/until";
import { assertUpToDate } from "../support/up-to-date";

const small = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 } };
const big = { compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 } };
const annotated = { annotations: { run: "2" } };

/** Gives up as soon as it may: on a busy machine, before it has polled. */
const impatient: ResourceOptions = { timeouts: { create: "400ms", update: "400ms" } };

/** Something that happens to a request on its way. */
interface HttpFault {
  readonly title: string;
  readonly fault: Values;
  /** How often a request has to be sent that is repeated until it is performed. */
  readonly sent: number;
  /** Nobody knows whether it was performed: the answer is lost, or a gateway can have sent it. */
  readonly lost?: "performed" | "not performed" | "retry asked";
}

const httpFaults: readonly HttpFault[] = [
  { title: "§6.4 503 twice", fault: { status: 503, times: 2 }, sent: 3, lost: "retry asked" },
  { title: "423 three times", fault: { status: 423, times: 3 }, sent: 4 },
  { title: "§6.5 429 that asks to wait a second", fault: { status: 429, headers: { "retry-after": "1" } }, sent: 2 },
  { title: "500", fault: { status: 500 }, sent: 2, lost: "not performed" },
  { title: "§6.6 a reset before it is performed", fault: { reset: "before" }, sent: 2, lost: "not performed" },
  { title: "half an answer", fault: { truncate: true }, sent: 1, lost: "performed" },
];

/** A branch with a compute, which is not created yet. */
async function undeclared(stage: Stage) {
  const { branch, projectId, base } = await undeclaredBranch(stage);
  return { branch, projectId, base, program: { ...base, ...small } };
}

/** Runs a program that fails half-way. Returns the reason that the state has. */
async function failPartly(resource: EngineResource, program: Values, options?: ResourceOptions): Promise<string> {
  const { state } = resource;
  await assert.rejects(resource.up(program, options), CallError);
  assert.notEqual(resource.state, state, "the failure is not in the state");
  const [reason = ""] = resource.present.failed;
  return reason;
}

/** Brings a project or a branch to its program. Then nothing is unfinished, and there is one, whose compute is active. */
async function heal(stage: Stage, resource: EngineResource, program: Values): Promise<void> {
  await resource.up(program);
  assert.equal((resource.outputs["__neon"] as Values)["pending"], undefined);
  assert.deepEqual(await stage.objects(resource, program), [resource.id]);
  const [projectId = "", branchId = String(resource.outputs["defaultBranchId"])] = resource.id.split("/");
  assert.ok((await stage.branches(projectId)).every(({ current_state }) => current_state === "ready"));
  assert.deepEqual(
    (await stage.computes(projectId, branchId)).map(({ id, current_state }) => [id, current_state]),
    [[resource.outputs["endpointId"], "active"]],
  );
  await assertUpToDate(stage, resource, program);
}

/** The latest operation of this action in a project. */
async function operationOf(stage: Stage, projectId: string, action: string): Promise<Operation> {
  const { operations } = (await stage.platform.call("GET", `/projects/${projectId}/operations`)).body;
  return operations.find((operation) => (operation.action as string) === action) ?? assert.fail(action);
}

describe("a failed change", () => {
  const test = onStages(4);

  test("§6.1 never reports an operation that stays failed as success, and waits for a limited time", async (stage) => {
    const { branch, projectId, program } = await undeclared(stage);
    await stage.platform.fault({ action: "start_compute", end: "failed" });
    const began = stage.now();
    const reason = await failPartly(branch, program, { timeouts: { create: "120s" } });
    const ended = stage.now();
    const took = (ended - began) / 1000;
    const polls = (await stage.requests("/operations")).filter(({ method }) => method === "GET");
    const { id } = await operationOf(stage, projectId, "start_compute");
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
    await heal(stage, branch, program);
  });

  test("§6.1 never reports an operation that failed before its lost response was looked for as success", async (stage) => {
    const { branch, program } = await undeclared(stage);
    await stage.platform.fault({ action: "start_compute", end: "error" });
    await stage.platform.fault({ method: "POST", path: "/branches$", reset: "after" });
    assert.match(await failPartly(branch, program), /\(start_compute\) ended with status error/);
    await heal(stage, branch, program);
  });

  test("reads the compute back when its start has failed, although the response has described it", async (stage) => {
    const { branch, program } = await undeclared(stage);
    await stage.platform.fault({ action: "start_compute", end: "error" });
    const before = await stage.platform.latestRequest();
    await failPartly(branch, program);
    assert.ok((await stage.requests("/endpoints", before)).some(({ method }) => method === "GET"));
    await heal(stage, branch, program);
  });

  test("§6.2 stops polling an operation that the platform does not know", async (stage) => {
    const { branch, base, projectId } = await createdBranch(stage);
    const path = `^/projects/${projectId}/operations/`;
    await stage.platform.fault({ method: "GET", path, status: 404, times: 1000 });
    const reason = await failPartly(branch, { ...base, ...small }, { timeouts: { update: "60s" } });
    assert.match(reason, /^Operation \S+ \(start_compute\) of project \S+ was not found\. /);
    const looks = (await stage.requests("/operations/")).filter(({ status }) => status === 404);
    assert.ok(looks.length > 1 && looks.length < 50, `${looks.length} looks`);
    await stage.platform.clearFaults();
    await heal(stage, branch, { ...base, ...small });
  });

  test("§6.3 does not repeat the create after a 500 on a later read", async (stage) => {
    const project = stage.resource("Project");
    await stage.platform.fault({ method: "GET", path: "^/projects/[^/?]+", status: 500, times: 5 });
    await heal(stage, project, {});
    assert.equal((await stage.sent()).filter(({ method }) => method === "POST").length, 1);
    assert.equal((await stage.requests()).filter(({ status }) => status === 500).length, 5);
  });

  test("§6.3 does not repeat the create if no read succeeds before the time limit, and the next up resumes", async (stage) => {
    const project = stage.resource("Project");
    await stage.platform.fault({ method: "GET", path: "^/projects/[^/]+/operations", status: 500, times: 10_000 });
    const reason = await failPartly(project, {}, { timeouts: { create: "20s" } });
    assert.match(reason, /^Timed out after \d+(\.\d)? s: .* Last poll error: GET \S+ failed with HTTP 500/);
    await stage.platform.clearFaults();
    await heal(stage, project, {});
    assert.equal((await stage.sent("/projects")).filter(({ path }) => path === "/projects").length, 1);
  });

  test("keeps a resource that the next up resumes if the key is revoked meanwhile", async (stage) => {
    const { branch, projectId, program } = await undeclared(stage);
    const path = `^/projects/${projectId}/(operations|branches/)`;
    await stage.platform.fault({ method: "GET", path, status: 401, times: 1000 });
    assert.match(await failPartly(branch, program), /pulumi config set --secret neon:apiKey/);
    assert.equal((await stage.requests()).filter(({ status }) => status === 401).length, 1);
    await stage.platform.clearFaults();
    await heal(stage, branch, program);
  });

  test("fails again while the operation is stuck, and resumes once it is not", async (stage) => {
    const { branch, projectId, program } = await undeclared(stage);
    await stage.platform.fault({ action: "start_compute", end: "stuck" });
    await failPartly(branch, program, impatient);
    const { id, outputs } = branch.present;
    await until(async () => {
      const { status }: { status: string } = await operationOf(stage, projectId, "start_compute");
      return status === "running";
    });
    const again = await failPartly(branch, program, impatient);
    assert.match(again, /^Timed out after \d+(\.\d)? s: operation \S+ \(start_compute\) is running/);
    assert.deepEqual([branch.id, branch.outputs], [id, { ...outputs, __neon: branch.outputs["__neon"] }]);
    await stage.platform.clearFaults();
    await heal(stage, branch, program);
  });

  test("drops a partly created object that somebody else deletes in a refresh, and creates it in the next up", async (stage) => {
    const { branch, projectId, program } = await undeclared(stage);
    await stage.platform.fault({ action: "start_compute", end: "error" });
    await failPartly(branch, program);
    await stage.platform.call("DELETE", branchPathOf(branch));
    await stage.settled(projectId);
    const before = branch.present;
    await assert.rejects(
      branch.up(program),
      failsWith(/no longer exists.*\. Run `pulumi refresh`; the next `pulumi up` then creates a new one\.$/),
    );
    assert.equal(branch.state, before);
    assert.equal(await branch.refresh(), "gone");
    await heal(stage, branch, program);
  });

  for (const [title, change, step] of [
    ["can be reached in place", { ...big, expiresAt: inDays(1) }, "update"],
    ["needs another object", { ...small, ...annotated }, "replace"],
  ] as const) {
    test(`is followed by a program that ${title}`, async (stage) => {
      const { branch, base, program } = await undeclared(stage);
      await stage.platform.fault({ action: "start_compute", end: "error" });
      await failPartly(branch, program);
      assert.equal(await branch.up({ ...base, ...change }), step);
      await heal(stage, branch, { ...base, ...change });
    });
  }

  test("keeps both objects of a partly failed replacement in the state, and the next up ends with one", async (stage) => {
    const project = stage.resource("Project");
    await project.up({ regionId: "aws-eu-west-2" });
    const old = project.id;
    await stage.platform.fault({ action: "start_compute", end: "error" });
    await failPartly(project, { regionId: "aws-us-west-2" });
    assert.notEqual(project.id, old);
    assert.deepEqual(
      project.replaced.map(({ id }) => id),
      [old],
    );
    await heal(stage, project, { regionId: "aws-us-west-2" });
    assert.deepEqual(project.replaced, []);
  });

  for (const [title, name, deletesFirst] of [
    ["leaves the old object and its state as they were", { name: "another" }, false],
    ["whose old object is deleted first is made by the next up", {}, true],
  ] as const) {
    test(`handles a rejected replacement ${title}`, async (stage) => {
      const { branch, base, program } = await undeclared(stage);
      await branch.up(program);
      const before = branch.present;
      await stage.platform.fault({ method: "POST", path: "/branches$", status: 422, body: { message: "it is full" } });
      const replacing = { ...program, ...annotated, ...name };
      await assert.rejects(branch.up(replacing), /it is full/);
      assert.deepEqual(branch.present, before);
      assert.equal(branch.isPendingReplacement, deletesFirst);
      assert.deepEqual(await stage.objects(branch, base), deletesFirst ? [] : [branch.id]);
      await heal(stage, branch, replacing);
    });
  }

  for (const kind of ["Project", "Branch"] as const) {
    for (const { title, fault, sent, lost } of httpFaults) {
      test(`creates one ${kind} after ${title}`, async (stage) => {
        const resource = stage.resource(kind);
        const program = kind === "Project" ? {} : { projectId: (await stage.project()).id, ...small };
        const path = kind === "Project" ? "^/projects$" : "/branches$";
        await stage.platform.clearRequests();
        await stage.platform.fault({ method: "POST", path, ...fault });
        if (kind === "Project" && lost === "not performed") {
          // Projects can be equal, so sending again without knowing could make two.
          await assert.rejects(
            resource.up(program),
            failsWith("outcome is unknown", "The next `pulumi up` names the object if there is one."),
          );
          assert.equal(resource.state, undefined);
          assert.deepEqual(await stage.projects(resource.name), []);
        }
        await resource.up(program);
        const requests = await stage.requests();
        const attempts = requests.filter(
          (one) => one.method === "POST" && new RegExp(path).test(one.path.replace("/api/v2", "")),
        );
        assert.equal(attempts.length, sent);
        const [first, second] = attempts;
        const next = requests.slice(requests.findIndex((one) => one === first) + 1);
        // Where others are in the way, they are watched until they are done.
        const after = fault["status"] === 423 ? next.filter((one) => !/\/operations\?/.test(one.path)) : next;
        if (sent > 1) assert.equal(after[0] === second, lost === undefined, "looks for a result if there can be one");
        if (fault["status"] === 429) {
          assert.ok(Date.parse(second?.time ?? "") - Date.parse(first?.time ?? "") >= 1000);
        }
        await heal(stage, resource, program);
      });
    }
  }
});

describe("a created object that cannot be read", () => {
  const test = onStages(2);

  for (const [kind, more, list] of [
    ["Snapshot", {}, "snapshots"],
    ["Role", { noLogin: true }, "roles"],
  ] as const) {
    test(`is resumed by the next up, and not created again: ${kind}`, async (stage) => {
      const { id: projectId, branchId } = await stage.project();
      const resource = stage.resource(kind);
      const program = { projectId, branchId, ...more };
      const path = `^/projects/${projectId}/.*${list}`;
      // Two reads look for what is there: that of the preview, and that before the request.
      await stage.platform.fault({ method: "GET", path, status: 403, times: 3 });
      await failPartly(resource, program);
      const { id } = resource;
      await stage.platform.clearFaults();
      await stage.platform.clearRequests();
      assert.equal(await resource.up(program), "update");
      assert.deepEqual(await stage.sent(), []);
      assert.equal(resource.id, id);
      assert.equal(await resource.up(program), "same");
    });
  }

  test("is in the state, and reported as missing, if the platform does not find it", async (stage) => {
    const resource = stage.resource("VpcEndpointAssignment");
    const program = await samples.VpcEndpointAssignment.declare(stage);
    await stage.platform.fault({ method: "POST", path: "/vpc_endpoints/", status: 200, body: "" });
    const reason = await failPartly(resource, program);
    assert.match(reason, /it cannot be found\. .*If it stays missing, run `pulumi refresh`/);
    await stage.platform.clearFaults();
    assert.equal(await resource.refresh(), "gone");
    assert.equal(await resource.up(program), "create");
    assert.equal(await resource.refresh(), "same");
  });
});

describe("an operation of a change", () => {
  // Nothing of this depends on the protocol.
  if (currentDoor() === "plugin") return;
  const test = onStages(2, laneOptions);

  // The long run has each end of an operation with each way to go on, for all kinds.
  for (const kind of ["Project", "Branch"] as const) {
    test(`of a ${kind} can end in any way, after which the same command, a refresh or a destroy goes on`, async (stage) => {
      const sample = samples[kind];
      const problems: string[] = [];
      let count = 0;
      // Of changes with the same request, `verbsOf` has the first one, which starts no operation of a project.
      const change = sample.inPlace({}, {}).findIndex(({ input }) => input === "historyRetentionSeconds");
      const history = { title: "update historyRetentionSeconds", is: "update", change } as const;
      for (const verb of [...(await verbsOf(stage, sample)), ...(change < 0 ? [] : [history])]) {
        const clean = await record(stage, stage.server, sample, verb);
        const recoveries = recoveriesOf(verb);
        for (const point of clean.points.filter(({ is }) => is === "operation")) {
          for (const fault of operationFaults.filter((_, index) => (index + count) % 3 === 0)) {
            count += 1;
            const recovery = recoveries[count % recoveries.length] ?? assert.fail();
            const one = { clean, point, fault, recovery };
            const result = await run(stage, stage.server, one);
            problems.push(
              ...[...result.problems, ...(result.struck ? [] : ["not struck"])].map(
                (text) => `${nameOf(one)}: ${text}`,
              ),
            );
          }
        }
      }
      assert.deepEqual(problems, []);
      assert.ok(count > 4, `${count} cases`);
    });
  }
});
