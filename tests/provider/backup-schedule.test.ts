import assert from "node:assert/strict";

import type { BackupScheduleItem } from "@neondatabase/api-client";
import { describe } from "mocha";

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

  test("refresh › finds no drift in the order of entries, or in the default retention of 35 days", async () => {
    const { fixture, base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const weekly = { frequency: "weekly", day: 5, hour: 7 };
    const args = { ...base, schedule: [weekly, nightly] };
    await schedule.up(args);
    await assertUpToDate(stage(), schedule, args);
    await setSchedule(fixture, [nightlyOnWire, { ...weekly, retention_seconds: 3_024_000 }]);
    assert.equal(await schedule.refresh(), "same");
    assert.deepEqual(schedule.outputs["schedule"], args.schedule);
    assert.equal(await schedule.up({ ...args, schedule: args.schedule.toReversed() }), "same");
    assert.equal(
      await schedule.up({ ...args, schedule: [nightly, { ...weekly, retentionSeconds: 3_024_000 }] }),
      "same",
    );
    // Omitting a shorter retention is a change.
    assert.equal(await schedule.up({ ...args, schedule: [{ frequency: "daily", hour: 3 }] }), "update");
    assert.deepEqual(await scheduleOn(fixture), [{ frequency: "daily", hour: 3, retention_seconds: 3_024_000 }]);
  });

  test("refresh › shows an entry that was added elsewhere, of any frequency", async () => {
    const { base, resource: schedule } = await fixtureFor(stage(), "BackupSchedule");
    const args = { ...base, schedule: [nightly, nightly] };
    await schedule.up(args);
    const yearly = { frequency: "yearly", hour: 0, day: 1, month: 2 };
    const body = { schedule: [nightlyOnWire, nightlyOnWire, yearly] };
    await stage().platform.fault({
      method: "GET",
      path: `${base.branchId}/backup_schedule`,
      status: 200,
      body,
      times: 1,
    });
    await schedule.refresh();
    assert.deepEqual(schedule.outputs["schedule"], [nightly, nightly, yearly]);
    assert.equal(await schedule.up(args), "update");
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
      `The backup schedule of branch ${base.branchId} has no effect and cannot be deleted: the branch has a parent, ${source}, and only root branches take snapshots. Pulumi only removes it from the state. It takes effect again if the branch becomes a root branch.`,
    );
    assert.deepEqual(await scheduleOn(fixture), [nightlyOnWire]);
  });
});
