import assert from "node:assert/strict";

import type { BackupScheduleItem } from "@neondatabase/api-client";
import fc from "fast-check";
import { describe, it } from "mocha";

import { matches } from "../../provider/resources/backup-schedule";
import type { Values } from "../support/provider-server";
import { type BranchFixture, fixtureFor } from "../support/branch-fixture";
import { failsWith } from "../support/expected-errors";
import { concurrently, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const nightly = { frequency: "daily", hour: 3, retentionSeconds: 604_800 };
const nightlyOnWire = { frequency: "daily", hour: 3, retention_seconds: 604_800 };

function pathOn({ base: { projectId, branchId } }: BranchFixture): string {
  return `/projects/${projectId}/branches/${branchId}/backup_schedule`;
}

async function scheduleOn(fixture: BranchFixture): Promise<BackupScheduleItem[]> {
  return (await fixture.call("GET", pathOn(fixture))).schedule;
}

/** Sets the schedule without the provider. */
async function setSchedule(fixture: BranchFixture, schedule: readonly Values[]): Promise<void> {
  await fixture.call("PUT", pathOn(fixture), { schedule });
}

describe("BackupSchedule", () => {
  const stage = suiteStage();
  const test = concurrently();

  test("create › sets the declared entries, and outputs them", async () => {
    const { fixture, base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const { projectId, branchId } = base;
    const args = { ...base, schedule: [nightly] };
    assert.deepEqual(await fixture.sentBy(() => schedule.up(args)), ["PUT /backup_schedule"]);
    assert.deepEqual(await scheduleOn(fixture), [nightlyOnWire]);
    assert.equal(schedule.id, `${projectId}/${branchId}`);
    assert.deepEqual(schedule.ownOutputs, args);
    await assertUpToDate(stage(), schedule, args);
  });

  test("refresh › finds no drift in the order of entries, or in moments that the platform chooses", async () => {
    const { fixture, base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const args = { ...base, schedule: [{ frequency: "weekly" }, { frequency: "daily" }, nightly] };
    await schedule.up(args);
    const chosen = { frequency: "weekly", hour: 0, day: 1 };
    assert.deepEqual((await scheduleOn(fixture))[0], chosen);
    await assertUpToDate(stage(), schedule, args);
    await setSchedule(fixture, [nightlyOnWire, { frequency: "daily", hour: 3 }, chosen]);
    assert.equal(await schedule.refresh(), "same");
    assert.deepEqual(schedule.outputs["schedule"], args.schedule);
    assert.equal(await schedule.up({ ...args, schedule: args.schedule.toReversed() }), "same");
    // Omitting the retention is a change: snapshots are then kept forever.
    assert.equal(await schedule.up({ ...args, schedule: [{ frequency: "daily", hour: 3 }] }), "update");
    assert.deepEqual(await scheduleOn(fixture), [{ frequency: "daily", hour: 3 }]);
  });

  /** A schedule on a branch that a restore has given a parent since. */
  async function restored() {
    const { fixture, base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const args = { ...base, schedule: [nightly] };
    await schedule.up(args);
    const { id: source } = await stage().branch(base.projectId);
    const body = { source_branch_id: source, preserve_under_name: "before" };
    await fixture.call("POST", `/projects/${base.projectId}/branches/${base.branchId}/restore`, body);
    return { fixture, base, schedule, args, source };
  }

  test("refresh › keeps the schedule of a branch that a restore has given a parent, and warns that it has no effect", async () => {
    const { schedule, args, base, source } = await restored();
    assert.equal(await schedule.refresh(), "same");
    assert.equal(
      schedule.warning,
      `The backup schedule of branch ${base.branchId} has no effect: the branch has a parent, ${source}, and only root branches take snapshots. Remove the \`BackupSchedule\` from the program.`,
    );
    assert.equal(await schedule.up(args), "same");
  });

  test("update › fails on a branch that a restore has given a parent, and names the reason and the way out", async () => {
    const { fixture, schedule, args, base, source } = await restored();
    await assert.rejects(
      schedule.up({ ...args, schedule: [{ ...nightly, hour: 4 }] }),
      failsWith(
        `The backup schedule of branch ${base.branchId} was not set: the branch has a parent, ${source} (PUT `,
        "Only root branches take snapshots. Remove the `BackupSchedule` from the program, or declare a root branch.",
      ),
    );
    assert.deepEqual(await scheduleOn(fixture), [nightlyOnWire]);
  });

  test("delete › removes the schedule of a branch that a restore has given a parent from the state, and warns that it is still there", async () => {
    const { fixture, schedule, base, source } = await restored();
    await schedule.destroy();
    assert.equal(schedule.state, undefined);
    assert.equal(
      schedule.warning,
      `The backup schedule of branch ${base.branchId} has no effect and cannot be deleted: the branch has a parent, ${source}, and only root branches take snapshots. It was removed from the Pulumi state but not deleted. It takes effect again if the branch becomes a root branch.`,
    );
    assert.deepEqual(await scheduleOn(fixture), [nightlyOnWire]);
  });

  test("create › fails on a branch with a parent, and names it", async () => {
    const { base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const { id: branchId } = await stage().branch(base.projectId);
    await assert.rejects(
      schedule.up({ ...base, branchId, schedule: [nightly] }),
      failsWith(`was not set: the branch has a parent, ${base.branchId} (PUT `, "or declare a root branch."),
    );
    assert.equal(schedule.state, undefined);
  });

  test("adopt › sends nothing if the entries match", async () => {
    const { fixture, base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const args = { ...base, schedule: [{ frequency: "weekly", retentionSeconds: 3600 }] };
    await setSchedule(fixture, [{ frequency: "weekly", day: 5, hour: 7, retention_seconds: 3600 }]);
    assert.deepEqual(await fixture.sentBy(() => schedule.up({ ...args, adopt: true })), []);
    assert.equal(await schedule.up(args), "same");
  });
});

type Schedule = Parameters<typeof matches>[0];

/** The same, by comparing in every order. */
function matchesInSomeOrder(declared: Schedule, actual: Schedule): boolean {
  const [first, ...rest] = declared;
  if (first === undefined) return actual.length === 0;
  return actual.some(
    (entry, index) =>
      matches([first], [entry]) &&
      matchesInSomeOrder(
        rest,
        actual.filter((_, other) => other !== index),
      ),
  );
}

describe("BackupSchedule", () => {
  const few = fc.record(
    {
      frequency: fc.constantFrom("daily" as const, "weekly" as const),
      hour: fc.integer({ min: 0, max: 2 }),
      day: fc.integer({ min: 1, max: 2 }),
      retentionSeconds: fc.constant(3600),
    },
    { requiredKeys: ["frequency"] },
  );
  const whole = few.map(({ hour = 0, day = 1, ...others }) => ({ hour, day, ...others }));

  it("comparison › agrees with a comparison in every order", () => {
    const schedules = (entry: fc.Arbitrary<Schedule[number]>) => fc.array(entry, { maxLength: 6 });
    fc.assert(
      fc.property(schedules(few), schedules(whole), (declared, actual) => {
        assert.equal(matches(declared, actual), matchesInSomeOrder(declared, actual));
      }),
      { numRuns: 2000 },
    );
  });

  it("comparison › compares hundreds of equal entries, whether one differs or not", () => {
    const entries = (hour: number): Schedule => Array.from({ length: 200 }, () => ({ frequency: "daily", hour }));
    const declared: Schedule = entries(3).map(({ frequency }) => ({ frequency }));
    assert.equal(matches(declared, entries(3)), true);
    assert.equal(matches(declared, [...entries(3).slice(1), { frequency: "weekly" }]), false);
    assert.equal(matches([...declared.slice(1), { frequency: "daily", hour: 4 }], entries(3)), false);
    assert.equal(matches(declared, entries(3).slice(1)), false);
  });
});
