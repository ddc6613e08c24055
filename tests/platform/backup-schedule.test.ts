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

  it("an invalid schedule is rejected and the old one stays", async () => {
    const { set, get } = await project();
    await set([{ frequency: "daily", hour: 1 }]);
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ frequency: "fortnightly", hour: 1 }, /body schedule\.0\.frequency/],
      [{ frequency: "daily" }, /body schedule\.0\.hour: is required/],
      [{ frequency: "weekly", day: 1 }, /body schedule\.0\.hour: is required/],
      [{ frequency: "weekly", hour: 1 }, /body schedule\.0\.day: is required/],
      [{ frequency: "monthly", hour: 1 }, /body schedule\.0\.day: is required/],
      [{ frequency: "daily", hour: 1, day: 1 }, /body schedule\.0\.day: is not allowed for frequency/],
      [{ frequency: "weekly", hour: 1, day: 8 }, /body schedule\.0\.day: must be at most 7/],
      [{ frequency: "monthly", hour: 1, day: 1, month: 1 }, /body schedule\.0\.month: is not allowed for frequency/],
      [{ frequency: "daily", hour: 1, retention_seconds: 3599 }, /body schedule\.0\.retention_seconds/],
      [{ frequency: "daily", hour: 1, retention_seconds: 3_024_001 }, /body schedule\.0\.retention_seconds/],
    ];
    for (const [entry, message] of wrong) assertError(await set([entry]), 400, message);
    // It is kept for 35 days by default.
    assert.deepEqual(await get(), [{ frequency: "daily", hour: 1, retention_seconds: 3_024_000 }]);
    await set([]);
  });

  it("reports 422 for a branch with a parent", async () => {
    const { branch, set } = await project();
    const child = (await branch()).branch;
    assertError(await set([{ frequency: "daily", hour: 1 }], child.id), 422, /only root branches/);
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
