import assert from "node:assert/strict";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { systemClock } from "../../../api/core/clock";
import { WorkMarks } from "../../../provider/ownership/work-marks";
import { suiteFolder } from "../../support/folder";

describe("marks of work", () => {
  const folder = suiteFolder("neon-pulumi-marks-");
  let machines = 0;
  const machine = (): { readonly home: string; readonly marks: WorkMarks } => {
    const home = join(folder, String((machines += 1)));
    return { home, marks: new WorkMarks(home, systemClock) };
  };
  const stored = { run: "migrate", branchVersion: "1" };

  it("tell a later process on the machine of work that has not ended, and hold no value of the state", () => {
    const { home, marks } = machine();
    marks.begin("a", stored);
    assert.ok(new WorkMarks(home, systemClock).hasBegun("a", { branchVersion: "1", run: "migrate" }));
    assert.ok(!marks.hasBegun("b", stored));
    assert.ok(!machine().marks.hasBegun("a", stored), "another machine");
    const [file = "", ...others] = readdirSync(home);
    assert.match(file, /^[0-9a-f]{24}$/);
    assert.deepEqual(others, []);
    assert.equal(statSync(join(home, file)).size, 24);
    assert.equal(statSync(join(home, file)).mode & 0o077, 0, "only the user can read it");
  });

  it("are removed when the work ends, and do not count for a state that was written since", () => {
    const { home, marks } = machine();
    marks.begin("a", stored);
    assert.ok(!marks.hasBegun("a", { ...stored, run: "another" }));
    marks.end("a");
    assert.ok(!marks.hasBegun("a", stored));
    assert.deepEqual(readdirSync(home), []);
  });

  it("are removed after 90 days by the next work", () => {
    const { home, marks } = machine();
    marks.begin("a", stored);
    const [file = ""] = readdirSync(home);
    const day = 24 * 3600;
    const daysAgo = (days: number): void => {
      const then = systemClock.date().getTime() / 1000 - days * day;
      utimesSync(join(home, file), then, then);
    };
    daysAgo(89);
    marks.begin("b", stored);
    marks.end("b");
    assert.ok(marks.hasBegun("a", stored));
    daysAgo(91);
    marks.begin("b", stored);
    marks.end("b");
    assert.ok(!marks.hasBegun("a", stored));
  });

  it("fail no work if their folder cannot be made", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const marks = new WorkMarks(join(file, "work"), systemClock);
    marks.begin("a", stored);
    marks.end("a");
    assert.ok(!marks.hasBegun("a", stored));
  });
});
