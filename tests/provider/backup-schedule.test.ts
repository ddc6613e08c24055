import assert from "node:assert/strict";

import type { BackupScheduleItem } from "@neondatabase/api-client";
import fc from "fast-check";
import { after, before, describe, it } from "mocha";

import { matches } from "../../provider/resources/backup-schedule";
import { type DynamicServer, unknownText, type Values } from "../support/dynamic-server";
import { CheckError } from "../support/engine";
import { failsWith, Ground } from "../support/ground";
import { concurrently, onStages, suiteStage } from "../support/stage";

const nightly = { frequency: "daily", hour: 3, retentionSeconds: 604_800 };
const nightlyOnWire = { frequency: "daily", hour: 3, retention_seconds: 604_800 };
const monthly = { frequency: "monthly", hour: 4, day: 1 };

function pathOn({ base: { projectId, branchId } }: Ground): string {
  return `/projects/${projectId}/branches/${branchId}/backup_schedule`;
}

async function scheduleOn(ground: Ground): Promise<BackupScheduleItem[]> {
  return (await ground.call("GET", pathOn(ground))).schedule;
}

/** Sets it behind the provider's back. */
async function setForeign(ground: Ground, schedule: readonly Values[]): Promise<void> {
  await ground.call("PUT", pathOn(ground), { schedule });
}

describe("a backup schedule", () => {
  const stage = suiteStage();
  /** Another run, which has seen nothing of what this one has taken over. */
  let later: DynamicServer;
  before(async () => {
    later = await stage().anotherServer();
  });
  after(() => later.stop());
  const test = concurrently();

  test("is set, changed as a whole and emptied on destroy", async () => {
    const ground = await Ground.on(stage());
    const { projectId, branchId } = ground.base;
    const schedule = stage().resource("BackupSchedule");
    const args = { ...ground.base, schedule: [nightly] };
    assert.deepEqual(await ground.sentBy(() => schedule.up(args)), ["PUT /backup_schedule"]);
    assert.deepEqual(await scheduleOn(ground), [nightlyOnWire]);
    assert.equal(schedule.id, `${projectId}/${branchId}`);
    const { __neon, __provider, ...outputs } = schedule.outputs;
    assert.deepEqual(outputs, args);
    assert.equal(await schedule.up(args), "same");
    assert.equal(await schedule.refresh(), "same");

    const both = { ...args, schedule: [nightly, monthly] };
    const sent = await stage().sent(branchId);
    assert.equal(await schedule.up(both), "update");
    const changes = (await stage().sent(branchId)).slice(sent.length);
    assert.deepEqual(
      changes.map(({ method, body }) => [method, body]),
      [["PUT", { schedule: [nightlyOnWire, monthly] }]],
    );
    assert.equal(await schedule.refresh(), "same");
    await schedule.destroy();
    assert.deepEqual(await scheduleOn(ground), []);
  });

  test("is no difference where the platform orders it otherwise, or chooses a moment that is left out", async () => {
    const ground = await Ground.on(stage());
    const schedule = stage().resource("BackupSchedule");
    const args = { ...ground.base, schedule: [{ frequency: "weekly" }, { frequency: "daily" }, nightly] };
    await schedule.up(args);
    const chosen = { frequency: "weekly", hour: 0, day: 1 };
    assert.deepEqual((await scheduleOn(ground))[0], chosen);
    assert.equal(await schedule.refresh(), "same");
    assert.equal(await schedule.up(args), "same");
    await setForeign(ground, [nightlyOnWire, { frequency: "daily", hour: 3 }, chosen]);
    assert.equal(await schedule.refresh(), "same");
    assert.deepEqual(schedule.outputs["schedule"], args.schedule);
    assert.equal(await schedule.up({ ...args, schedule: args.schedule.toReversed() }), "same");
    // Leaving out how long snapshots are kept says something: for ever.
    assert.equal(await schedule.up({ ...args, schedule: [{ frequency: "daily", hour: 3 }] }), "update");
    assert.deepEqual(await scheduleOn(ground), [{ frequency: "daily", hour: 3 }]);
  });

  test("that somebody has changed is set again, also one that is only to be kept for a time", async () => {
    const ground = await Ground.on(stage());
    const schedule = stage().resource("BackupSchedule");
    const args = { ...ground.base, schedule: [{ frequency: "daily", hour: 3 }] };
    await schedule.up(args);
    for (const other of [
      [nightlyOnWire],
      [{ frequency: "daily", hour: 4 }],
      [{ frequency: "hourly" }, ...args.schedule],
    ]) {
      await setForeign(ground, other);
      assert.equal(await schedule.refresh(), "changed", JSON.stringify(other));
      assert.equal(await schedule.up(args), "update");
      assert.deepEqual(await scheduleOn(ground), args.schedule);
    }
  });

  test("that somebody has emptied is made again, and is not missed on destroy", async () => {
    const ground = await Ground.on(stage());
    const schedule = stage().resource("BackupSchedule");
    const args = { ...ground.base, schedule: [monthly] };
    await schedule.up(args);
    await setForeign(ground, []);
    assert.equal(await schedule.refresh(), "gone");
    assert.equal(await schedule.up(args), "create");
    assert.deepEqual(await scheduleOn(ground), [monthly]);
    await setForeign(ground, []);
    await schedule.destroy();
  });

  test("goes with its branch", async () => {
    const ground = await Ground.on(stage());
    const { projectId } = ground.base;
    const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
    const schedule = stage().resource("BackupSchedule");
    await schedule.up({ projectId, branchId: root.id, schedule: [monthly] });
    await ground.call("DELETE", `/projects/${projectId}/branches/${root.id}`);
    const state = schedule.present;
    assert.equal(await schedule.refresh(), "gone");
    schedule.state = state;
    await schedule.destroy();
  });

  test("is moved to another branch, the new one first", async () => {
    const ground = await Ground.on(stage());
    const { projectId, branchId } = ground.base;
    const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
    const schedule = stage().resource("BackupSchedule");
    await schedule.up({ ...ground.base, schedule: [monthly] });
    const before = (await stage().sent("backup_schedule")).length;
    assert.equal(await schedule.up({ projectId, branchId: root.id, schedule: [monthly] }), "replace");
    const puts = (await stage().sent(projectId)).filter(({ method }) => method === "PUT").slice(1);
    assert.ok((await stage().sent("backup_schedule")).length >= before + 2);
    assert.deepEqual(
      puts.map(({ path, body }) => [path.split("/")[4], body]),
      [
        [root.id, { schedule: [monthly] }],
        [branchId, { schedule: [] }],
      ],
    );
  });

  test("§6.20 that somebody else has set is never overwritten without being told to", async () => {
    const ground = await Ground.on(stage());
    const { projectId, branchId } = ground.base;
    await setForeign(ground, [{ frequency: "hourly" }]);
    const args = { ...ground.base, schedule: [monthly] };
    const sent = await ground.sentBy(async () => {
      await assert.rejects(
        stage().resource("BackupSchedule").up(args),
        failsWith("Such a backup schedule exists already", `adopt: "${branchId}"`),
      );
    });
    assert.deepEqual(sent, []);
    assert.deepEqual(await scheduleOn(ground), [{ frequency: "hourly" }]);
    for (const adopt of [true, branchId, `${projectId}/${branchId}`]) {
      await setForeign(ground, [{ frequency: "hourly" }]);
      const schedule = await stage().nextRun(stage().resource("BackupSchedule"));
      assert.equal(await schedule.up({ ...args, adopt }), "create");
      assert.deepEqual(await scheduleOn(ground), [monthly]);
      assert.equal(await schedule.refresh(), "same");
      assert.equal(await schedule.up(args), "same");
    }
  });

  test("is adopted without a change where it says the same, and set where it is empty", async () => {
    const ground = await Ground.on(stage());
    const args = { ...ground.base, schedule: [{ frequency: "weekly", retentionSeconds: 3600 }] };
    await setForeign(ground, [{ frequency: "weekly", day: 5, hour: 7, retention_seconds: 3600 }]);
    const schedule = stage().resource("BackupSchedule");
    assert.deepEqual(await ground.sentBy(() => schedule.up({ ...args, adopt: true })), []);
    assert.equal(await schedule.up(args), "same");
    for (const adopt of [true, ground.base.branchId]) {
      await setForeign(ground, []);
      const other = await stage().nextRun(stage().resource("BackupSchedule"));
      await other.up({ ...args, adopt });
      assert.equal((await scheduleOn(ground)).length, 1);
      await stage().nextRun(other);
      await other.destroy();
      assert.deepEqual(await scheduleOn(ground), []);
    }
  });

  test("of another branch, or of one that is not there, is not adopted", async () => {
    const ground = await Ground.on(stage());
    const { projectId } = ground.base;
    const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
    const args = { ...ground.base, schedule: [monthly] };
    const schedule = stage().resource("BackupSchedule");
    await assert.rejects(schedule.up({ ...args, adopt: root.id }), failsWith("cannot be taken over", "branchId"));
    await assert.rejects(
      schedule.up({ ...args, adopt: "br-no-such-one" }),
      failsWith('There is no backup schedule "br-no-such-one" to adopt'),
    );
    assert.deepEqual(await scheduleOn(ground), []);
  });

  test("is refused in the preview where it makes no sense, unless that is not known yet", async () => {
    const base = { projectId: "shop", branchId: "br-main" };
    const cases: readonly (readonly [readonly Values[], string, RegExp])[] = [
      [[], "schedule", /at least 1 entry/],
      [[{}], "schedule.0.frequency", /"hourly" or "daily"/],
      [[{ frequency: "fortnightly" }], "schedule.0.frequency", /"hourly" or "daily"/],
      [[nightly, { frequency: "daily", hour: 24 }], "schedule.1.hour", /at most 23/],
      [[{ frequency: "daily", day: 1 }], "schedule.0.day", /means nothing for a backup that is daily/],
      [[{ frequency: "weekly", day: 8 }], "schedule.0.day", /at most 7 .*Monday/],
      [[{ frequency: "yearly", month: 4, day: 31 }], "schedule.0.day", /at most 30 in month 4/],
      [[{ frequency: "yearly", month: 0 }], "schedule.0.month", /at least 1/],
      [[{ frequency: "daily", retentionSeconds: 60 }], "schedule.0.retentionSeconds", /at least 3600/],
      [[{ frequency: "daily", retention_seconds: 3600 }], "schedule.0.retention_seconds", /mean retentionSeconds\?/],
    ];
    for (const [schedule, property, reason] of cases) {
      await assert.rejects(
        stage()
          .resource("BackupSchedule")
          .preview({ ...base, schedule }),
        (error) => {
          assert.ok(error instanceof CheckError);
          assert.deepEqual(
            error.failures.map((failure) => failure.property),
            [property],
          );
          assert.match(error.failures[0]?.reason ?? "", reason);
          return true;
        },
      );
    }
    for (const schedule of [unknownText, [unknownText], [{ ...nightly, hour: unknownText }]]) {
      await stage()
        .resource("BackupSchedule")
        .preview({ ...base, schedule });
    }
  });
});

describe("a backup schedule that something went wrong with", () => {
  const test = onStages(1);

  test("§6.6 is set even if the answer was lost, however often", async (stage) => {
    const ground = await Ground.on(stage);
    const schedule = stage.resource("BackupSchedule");
    await stage.platform.fault({ method: "PUT", path: "/backup_schedule$", times: 1, reset: "after" });
    await schedule.up({ ...ground.base, schedule: [monthly] });
    assert.deepEqual(await scheduleOn(ground), [monthly]);
    await stage.platform.fault({ method: "PUT", path: "/backup_schedule$", times: 1, reset: "after" });
    const args = { ...ground.base, schedule: [nightly] };
    const sent = await ground.sentBy(() => schedule.up(args));
    assert.deepEqual(sent, ["PUT /backup_schedule"]);
    assert.equal(await schedule.refresh(), "same");
    assert.equal(await schedule.up(args), "same");
    await stage.platform.fault({ method: "PUT", path: "/backup_schedule$", times: 1, reset: "after" });
    await schedule.destroy();
    assert.deepEqual(await scheduleOn(ground), []);
  });
});

type Schedule = Parameters<typeof matches>[0];

/** The same by trying every order. */
function matchesInSomeOrder(declared: Schedule, there: Schedule): boolean {
  const [first, ...rest] = declared;
  if (first === undefined) return there.length === 0;
  return there.some(
    (entry, index) =>
      matches([first], [entry]) &&
      matchesInSomeOrder(
        rest,
        there.filter((_, other) => other !== index),
      ),
  );
}

describe("a comparison of backup schedules", () => {
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

  it("agrees with trying every order", () => {
    const schedules = (entry: fc.Arbitrary<Schedule[number]>) => fc.array(entry, { maxLength: 6 });
    fc.assert(
      fc.property(schedules(few), schedules(whole), (declared, there) => {
        assert.equal(matches(declared, there), matchesInSomeOrder(declared, there));
      }),
      { numRuns: 2000 },
    );
  });

  it("finds the order in which a platform that fills in what is left out returns them", () => {
    const filledIn = fc.array(few, { maxLength: 6 }).chain((declared) => {
      const there = declared.map(({ hour = 0, day = 1, ...others }) => ({ hour, day, ...others }));
      return fc.tuple(fc.constant(declared), fc.shuffledSubarray(there, { minLength: there.length }));
    });
    fc.assert(
      fc.property(filledIn, ([declared, there]) => matches(declared, there)),
      { numRuns: 2000 },
    );
  });

  it("takes no time worth mentioning for hundreds of equal entries, whether one differs or not", () => {
    const entries = (hour: number): Schedule => Array.from({ length: 200 }, () => ({ frequency: "daily", hour }));
    const declared: Schedule = entries(3).map(({ frequency }) => ({ frequency }));
    assert.equal(matches(declared, entries(3)), true);
    assert.equal(matches(declared, [...entries(3).slice(1), { frequency: "weekly" }]), false);
    assert.equal(matches([...declared.slice(1), { frequency: "daily", hour: 4 }], entries(3)), false);
    assert.equal(matches(declared, entries(3).slice(1)), false);
  });
});
