import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteProjects } from "./support/project";
import { assertError } from "./support/responses";
import { day, hour, second } from "./support/time";

describe("local platform: backup schedules", () => {
  const { clock, platform, project: newProject } = suiteProjects();

  const project = async () => {
    const fixture = await newProject();
    const { call, main } = fixture;
    const path = (branchId = main.id) => `/branches/${branchId}/backup_schedule`;
    const snapshots = async () => (await call("GET", "/snapshots")).body.snapshots.reverse();
    return {
      ...fixture,
      path,
      set: (schedule: readonly object[], branchId?: string) => call("PUT", path(branchId), { schedule }),
      get: async () => (await call("GET", path())).body.schedule,
      /** The snapshots, oldest first. */
      snapshots,
      times: async () => (await snapshots()).map(({ timestamp = "" }) => timestamp),
    };
  };
  /** Advances the clock to a time. */
  const until = (moment: string) => {
    clock.advance(Date.parse(moment) - clock.now());
  };

  it("a schedule is empty by default, setting it replaces it, and snapshots are kept for 35 days by default", async () => {
    const { set, get } = await project();
    assert.deepEqual(await get(), []);
    for (const schedule of [
      [
        { frequency: "daily", hour: 3, retention_seconds: 86_400 },
        { frequency: "weekly", hour: 4, day: 7, retention_seconds: 3600 },
      ],
      [{ frequency: "monthly", day: 31, hour: 23 }],
      [],
    ]) {
      const { status, body } = await set(schedule);
      assert.deepEqual([status, body], [200, {}]);
      assert.deepEqual(
        await get(),
        schedule.map((entry) => ({ retention_seconds: 3_024_000, ...entry })),
      );
    }
  });

  it("an invalid schedule is rejected and the old one stays", async () => {
    const { set, get, call, path } = await project();
    await set([{ frequency: "daily", hour: 1 }]);
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ hour: 1 }, /body schedule\.0\.frequency/],
      [{ frequency: "fortnightly", hour: 1 }, /body schedule\.0\.frequency/],
      [{ frequency: "hourly" }, /body schedule\.0\.frequency/],
      [{ frequency: "yearly", hour: 1, day: 1, month: 1 }, /body schedule\.0\.frequency/],
      [{ frequency: "daily" }, /body schedule\.0\.hour: is required/],
      [{ frequency: "weekly", day: 1 }, /body schedule\.0\.hour: is required/],
      [{ frequency: "weekly", hour: 1 }, /body schedule\.0\.day: is required/],
      [{ frequency: "monthly", hour: 1 }, /body schedule\.0\.day: is required/],
      [{ frequency: "daily", hour: 24 }, /body schedule\.0\.hour/],
      [{ frequency: "daily", hour: 1.5 }, /body schedule\.0\.hour/],
      [{ frequency: "daily", hour: 1, day: 1 }, /body schedule\.0\.day: is not allowed for frequency/],
      [{ frequency: "monthly", hour: 1, day: 32 }, /body schedule\.0\.day/],
      [{ frequency: "weekly", hour: 1, day: 8 }, /body schedule\.0\.day: must be at most 7/],
      [{ frequency: "monthly", hour: 1, day: 1, month: 1 }, /body schedule\.0\.month: is not allowed for frequency/],
      [{ frequency: "daily", hour: 1, retention_seconds: 3599 }, /body schedule\.0\.retention_seconds/],
      [{ frequency: "daily", hour: 1, retention_seconds: 3_024_001 }, /body schedule\.0\.retention_seconds/],
    ];
    for (const [entry, message] of wrong) assertError(await set([entry]), 400, message);
    assertError(await call("PUT", path(), {}), 400, /body schedule|invalid: schedule /);
    assertError(await call("PUT", path()), 400, /no body/);
    assert.equal((await get())[0]?.hour, 1);
    await set([]);
  });

  it("reports 422 for a branch with a parent and 404 for an unknown one", async () => {
    const { call, branch, set } = await project();
    const child = (await branch()).branch;
    assertError(await set([{ frequency: "daily", hour: 1 }], child.id), 422, /only root branches/);
    assertError(await set([], "br-no-such-one"), 404, /branch not found/);
    assertError(await call("GET", "/branches/br-no-such-one/backup_schedule"), 404, /branch not found/);
  });

  it("takes snapshots at the scheduled times", async () => {
    until("2030-03-01T00:00:00Z");
    const cases: readonly (readonly [object, readonly string[], string])[] = [
      [{ frequency: "daily", hour: 4 }, ["2030-03-01T04:00:00Z", "2030-03-02T04:00:00Z"], "2030-03-03T00:00:00Z"],
      // 4 March 2030 is a Monday, the 10th a Sunday.
      [{ frequency: "weekly", hour: 1, day: 1 }, ["2030-03-04T01:00:00Z"], "2030-03-05T00:00:00Z"],
      [{ frequency: "weekly", hour: 0, day: 7 }, ["2030-03-10T00:00:00Z"], "2030-03-11T00:00:00Z"],
      [
        { frequency: "monthly", hour: 0, day: 31 },
        ["2030-03-31T00:00:00Z", "2030-04-30T00:00:00Z"],
        "2030-05-01T00:00:00Z",
      ],
    ];
    for (const [entry, expected, end] of cases) {
      const { set, times } = await project();
      await set([entry]);
      until(end);
      assert.deepEqual(await times(), expected, JSON.stringify(entry));
      await set([]);
      clock.advance(second);
    }
  });

  it("takes one snapshot for entries due at the same time, with the longest retention and not counted as manual", async () => {
    const { set, snapshots } = await project();
    until("2031-03-01T12:00:00Z");
    const midnight = (Math.floor(clock.now() / day) + 1) * day;
    await set([
      { frequency: "daily", hour: 0, retention_seconds: 3600 },
      { frequency: "daily", hour: 0, retention_seconds: 7200 },
      { frequency: "daily", hour: 5, retention_seconds: 86_400 },
    ]);
    clock.advance(midnight + 10 * second - clock.now());
    const [only, ...others] = await snapshots();
    assert.deepEqual(others, []);
    assert.equal(only?.manual, false);
    assert.equal(only.expires_at, `${new Date(midnight + 2 * hour).toISOString().slice(0, 19)}Z`);
    assert.ok((only.full_size ?? 0) > 0);
    clock.advance(hour);
    assert.equal((await snapshots()).length, 1);
    clock.advance(hour);
    assert.equal((await snapshots()).length, 0);
    await set([]);
  });

  it("waits for operations in progress, and pauses while the branch is deleted", async () => {
    const { call, branch, set, snapshots } = await project();
    const { id } = (await branch({ branch: { init_source: "schema-only" } })).branch;
    await set([{ frequency: "daily", hour: 1 }], id);
    await platform().fault({ action: "create_branch", end: "stuck" });
    await call("POST", "/branches", {});
    clock.advance(day);
    assert.equal((await snapshots()).length, 0);
    await platform().clearFaults();
    clock.advance(5 * second);
    assert.equal((await snapshots()).length, 1);
    assert.equal((await call("DELETE", `/branches/${id}`)).status, 200);
    clock.advance(3 * day);
    assert.equal((await snapshots()).length, 1);
    assert.equal((await call("POST", `/branches/${id}/recover`)).status, 200);
    clock.advance(day);
    assert.ok((await snapshots()).length > 1);
    await set([], id);
    clock.advance(second);
  });
});
