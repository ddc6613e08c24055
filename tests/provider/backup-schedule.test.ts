import assert from "node:assert/strict";

import type { BackupScheduleItem } from "@neondatabase/api-client";
import fc from "fast-check";
import { describe, it } from "mocha";

import { matches } from "../../provider/resources/backup-schedule";
import { unknownText, type Values } from "../support/dynamic-server";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { Ground } from "../support/ground";
import { concurrently, onStages, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const nightly = { frequency: "daily", hour: 3, retentionSeconds: 604_800 };
const nightlyOnWire = { frequency: "daily", hour: 3, retention_seconds: 604_800 };
const monthly = { frequency: "monthly", hour: 4, day: 1 };

function pathOn({ base: { projectId, branchId } }: Ground): string {
  return `/projects/${projectId}/branches/${branchId}/backup_schedule`;
}

async function scheduleOn(ground: Ground): Promise<BackupScheduleItem[]> {
  return (await ground.call("GET", pathOn(ground))).schedule;
}

/** Sets the schedule without the provider. */
async function setSchedule(ground: Ground, schedule: readonly Values[]): Promise<void> {
  await ground.call("PUT", pathOn(ground), { schedule });
}

describe("BackupSchedule", () => {
  const stage = suiteStage();
  const test = concurrently();

  describe("check", () => {
    test("refuses invalid entries, and accepts unknown ones", async () => {
      const base = { projectId: "shop", branchId: "br-main" };
      const cases: readonly (readonly [readonly Values[], string, RegExp])[] = [
        [[], "schedule", /at least 1 entry/],
        [[{}], "schedule.0.frequency", /"hourly" or "daily"/],
        [[{ frequency: "fortnightly" }], "schedule.0.frequency", /"hourly" or "daily"/],
        [[nightly, { frequency: "daily", hour: 24 }], "schedule.1.hour", /at most 23/],
        [[{ frequency: "daily", day: 1 }], "schedule.0.day", /is not allowed for frequency "daily"/],
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
          refusesInputs({ [property]: reason }),
        );
      }
      for (const schedule of [unknownText, [unknownText], [{ ...nightly, hour: unknownText }]]) {
        await stage()
          .resource("BackupSchedule")
          .preview({ ...base, schedule });
      }
    });
  });

  describe("create", () => {
    test("sets the declared entries, and outputs them", async () => {
      const ground = await Ground.on(stage());
      const { projectId, branchId } = ground.base;
      const schedule = stage().resource("BackupSchedule");
      const args = { ...ground.base, schedule: [nightly] };
      assert.deepEqual(await ground.sentBy(() => schedule.up(args)), ["PUT /backup_schedule"]);
      assert.deepEqual(await scheduleOn(ground), [nightlyOnWire]);
      assert.equal(schedule.id, `${projectId}/${branchId}`);
      assert.deepEqual(schedule.ownOutputs, args);
      await assertUpToDate(stage(), schedule, args);
    });

    test("fails if the branch has a schedule, and names the adopt line, which accepts true, the id and the id in state", async () => {
      const ground = await Ground.on(stage());
      const { projectId, branchId } = ground.base;
      await setSchedule(ground, [{ frequency: "hourly" }]);
      const args = { ...ground.base, schedule: [monthly] };
      const sent = await ground.sentBy(async () => {
        await assert.rejects(
          stage().resource("BackupSchedule").up(args),
          failsWith("This backup schedule already exists", `adopt: "${branchId}"`),
        );
      });
      assert.deepEqual(sent, []);
      assert.deepEqual(await scheduleOn(ground), [{ frequency: "hourly" }]);
      for (const adopt of [true, branchId, `${projectId}/${branchId}`]) {
        await setSchedule(ground, [{ frequency: "hourly" }]);
        const schedule = await stage().nextRun(stage().resource("BackupSchedule"));
        assert.equal(await schedule.up({ ...args, adopt }), "create");
        assert.deepEqual(await scheduleOn(ground), [monthly]);
        await assertUpToDate(stage(), schedule, args);
      }
    });
  });

  describe("refresh", () => {
    test("finds no drift in the order of entries, or in moments that the platform chooses", async () => {
      const ground = await Ground.on(stage());
      const schedule = stage().resource("BackupSchedule");
      const args = { ...ground.base, schedule: [{ frequency: "weekly" }, { frequency: "daily" }, nightly] };
      await schedule.up(args);
      const chosen = { frequency: "weekly", hour: 0, day: 1 };
      assert.deepEqual((await scheduleOn(ground))[0], chosen);
      await assertUpToDate(stage(), schedule, args);
      await setSchedule(ground, [nightlyOnWire, { frequency: "daily", hour: 3 }, chosen]);
      assert.equal(await schedule.refresh(), "same");
      assert.deepEqual(schedule.outputs["schedule"], args.schedule);
      assert.equal(await schedule.up({ ...args, schedule: args.schedule.toReversed() }), "same");
      // Omitting the retention is a change: snapshots are then kept forever.
      assert.equal(await schedule.up({ ...args, schedule: [{ frequency: "daily", hour: 3 }] }), "update");
      assert.deepEqual(await scheduleOn(ground), [{ frequency: "daily", hour: 3 }]);
    });

    test("finds a schedule that somebody else has changed, and up sets it again", async () => {
      const ground = await Ground.on(stage());
      const schedule = stage().resource("BackupSchedule");
      const args = { ...ground.base, schedule: [{ frequency: "daily", hour: 3 }] };
      await schedule.up(args);
      for (const other of [
        [nightlyOnWire],
        [{ frequency: "daily", hour: 4 }],
        [{ frequency: "hourly" }, ...args.schedule],
      ]) {
        await setSchedule(ground, other);
        assert.equal(await schedule.refresh(), "changed", JSON.stringify(other));
        assert.equal(await schedule.up(args), "update");
        assert.deepEqual(await scheduleOn(ground), args.schedule);
      }
    });
  });

  describe("replace", () => {
    test("sets the schedule of the new branch before it empties the old one", async () => {
      const ground = await Ground.on(stage());
      const { projectId, branchId } = ground.base;
      const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
      const schedule = stage().resource("BackupSchedule");
      await schedule.up({ ...ground.base, schedule: [monthly] });
      const moved = { projectId, branchId: root.id, schedule: [monthly] };
      const sent = await stage().sentBy(projectId, async () => assert.equal(await schedule.up(moved), "replace"));
      assert.deepEqual(
        sent.map(({ path, body }) => [path.split("/")[4], body]),
        [
          [root.id, { schedule: [monthly] }],
          [branchId, { schedule: [] }],
        ],
      );
    });
  });

  describe("adopt", () => {
    test("sends nothing if the entries match, and sets an empty schedule", async () => {
      const ground = await Ground.on(stage());
      const args = { ...ground.base, schedule: [{ frequency: "weekly", retentionSeconds: 3600 }] };
      await setSchedule(ground, [{ frequency: "weekly", day: 5, hour: 7, retention_seconds: 3600 }]);
      const schedule = stage().resource("BackupSchedule");
      assert.deepEqual(await ground.sentBy(() => schedule.up({ ...args, adopt: true })), []);
      assert.equal(await schedule.up(args), "same");
      for (const adopt of [true, ground.base.branchId]) {
        await setSchedule(ground, []);
        const other = await stage().nextRun(stage().resource("BackupSchedule"));
        await other.up({ ...args, adopt });
        assert.equal((await scheduleOn(ground)).length, 1);
        await stage().nextRun(other);
        await other.destroy();
        assert.deepEqual(await scheduleOn(ground), []);
      }
    });

    test("fails if the branch differs or does not exist", async () => {
      const ground = await Ground.on(stage());
      const { projectId } = ground.base;
      const root = await stage().branch(projectId, { branch: { init_source: "schema-only" } });
      const args = { ...ground.base, schedule: [monthly] };
      const schedule = stage().resource("BackupSchedule");
      await assert.rejects(schedule.up({ ...args, adopt: root.id }), failsWith("cannot be adopted", "branchId"));
      await assert.rejects(
        schedule.up({ ...args, adopt: "br-no-such-one" }),
        failsWith('There is no backup schedule "br-no-such-one" to adopt'),
      );
      assert.deepEqual(await scheduleOn(ground), []);
    });
  });

  describe("delete", () => {
    test("succeeds if somebody else has emptied the schedule", async () => {
      const ground = await Ground.on(stage());
      const schedule = stage().resource("BackupSchedule");
      const args = { ...ground.base, schedule: [monthly] };
      await schedule.up(args);
      await setSchedule(ground, []);
      await schedule.destroy();
      assert.deepEqual(await scheduleOn(ground), []);
    });

    test("succeeds, and a refresh finds nothing, if the branch was deleted", async () => {
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
  });
});

describe("BackupSchedule", () => {
  const test = onStages(1);

  describe("create", () => {
    test("sets, changes and empties the schedule with one request each when every answer is lost", async (stage) => {
      const ground = await Ground.on(stage);
      const schedule = stage.resource("BackupSchedule");
      await stage.platform.fault({ method: "PUT", path: "/backup_schedule$", times: 1, reset: "after" });
      await schedule.up({ ...ground.base, schedule: [monthly] });
      assert.deepEqual(await scheduleOn(ground), [monthly]);
      await stage.platform.fault({ method: "PUT", path: "/backup_schedule$", times: 1, reset: "after" });
      const args = { ...ground.base, schedule: [nightly] };
      const sent = await ground.sentBy(() => schedule.up(args));
      assert.deepEqual(sent, ["PUT /backup_schedule"]);
      await assertUpToDate(stage, schedule, args);
      await stage.platform.fault({ method: "PUT", path: "/backup_schedule$", times: 1, reset: "after" });
      await schedule.destroy();
      assert.deepEqual(await scheduleOn(ground), []);
    });
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

  describe("comparison", () => {
    it("agrees with a comparison in every order", () => {
      const schedules = (entry: fc.Arbitrary<Schedule[number]>) => fc.array(entry, { maxLength: 6 });
      fc.assert(
        fc.property(schedules(few), schedules(whole), (declared, actual) => {
          assert.equal(matches(declared, actual), matchesInSomeOrder(declared, actual));
        }),
        { numRuns: 2000 },
      );
    });

    it("matches entries that the platform has completed and reordered", () => {
      const filledIn = fc.array(few, { maxLength: 6 }).chain((declared) => {
        const actual = declared.map(({ hour = 0, day = 1, ...others }) => ({ hour, day, ...others }));
        return fc.tuple(fc.constant(declared), fc.shuffledSubarray(actual, { minLength: actual.length }));
      });
      fc.assert(
        fc.property(filledIn, ([declared, actual]) => matches(declared, actual)),
        { numRuns: 2000 },
      );
    });

    it("compares hundreds of equal entries, whether one differs or not", () => {
      const entries = (hour: number): Schedule => Array.from({ length: 200 }, () => ({ frequency: "daily", hour }));
      const declared: Schedule = entries(3).map(({ frequency }) => ({ frequency }));
      assert.equal(matches(declared, entries(3)), true);
      assert.equal(matches(declared, [...entries(3).slice(1), { frequency: "weekly" }]), false);
      assert.equal(matches([...declared.slice(1), { frequency: "daily", hour: 4 }], entries(3)), false);
      assert.equal(matches(declared, entries(3).slice(1)), false);
    });
  });
});
