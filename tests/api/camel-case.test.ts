import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { z } from "zod";
import { camelKey, fromWire, isUserMap, snakeKey, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { branchCreate } from "../../api/schemas/branch";
import { projectCreate } from "../../api/schemas/project";

/** A map with keys that the user defines, which may be any text. */
const userMap = Object.fromEntries(
  ["snake_case", "camelCase", "Work_Mem", "__proto__", "a.b", ""].map((key) => [key, key]),
);

describe("camelKey and snakeKey", () => {
  it("convert between camelCase and snake_case", () => {
    for (const [snake, camel] of [
      ["name", "name"],
      ["region_id", "regionId"],
      ["autoscaling_limit_min_cu", "autoscalingLimitMinCu"],
      ["history_retention_seconds", "historyRetentionSeconds"],
      ["limit_4_cu", "limit_4Cu"],
    ] as const) {
      assert.equal(camelKey(snake), camel);
      assert.equal(snakeKey(camel), snake);
    }
  });

  it("round-trip the member names of all inputs", () => {
    for (const name of [...Object.keys(projectCreate.shape), ...Object.keys(branchCreate.shape)]) {
      assert.equal(snakeKey(camelKey(name)), name);
    }
  });
});

describe("fromWire and toWire", () => {
  it("rename the members of nested values and keep the values", () => {
    assert.deepEqual(fromWire({ a_b: { c_d: [{ e_f: 1 }, null, "g_h"] } }), { aB: { cD: [{ eF: 1 }, null, "g_h"] } });
    assert.deepEqual(toWire({ aB: { cD: [{ eF: 1 }, null, "gH"] } }), { a_b: { c_d: [{ e_f: 1 }, null, "gH"] } });
  });

  for (const name of ["annotations", "annotation_value", "pg_settings", "pgbouncer_settings"]) {
    it(`keep the user-defined keys in ${name}`, () => {
      const value = { some_member: { [name]: userMap } };
      const read = fromWire(value);
      assert.deepEqual(read, { someMember: { [camelKey(name)]: userMap } });
      assert.deepEqual(toWire(read), value);
      assert.equal(isUserMap(camelKey(name)), true);
    });
  }

  it("treat only the listed members as maps with user-defined keys", () => {
    for (const name of ["settings", "compute", "constructor", "annotation_value"]) assert.equal(isUserMap(name), false);
  });

  it("do not mutate their argument", () => {
    const value = Object.freeze({ a_b: Object.freeze([Object.freeze({ c_d: 1 })]) });
    fromWire(value);
    assert.deepEqual(value, { a_b: [{ c_d: 1 }] });
  });
});

describe("camelShape", () => {
  it("renames members, each of which keeps its schema, and so its limits", () => {
    const shape = { region_id: z.string().min(1), branch: z.object({ role_name: z.string() }).optional() };
    const renamed = camelShape(shape);
    assert.deepEqual(Object.keys(renamed), ["regionId", "branch"]);
    assert.equal(renamed.regionId, shape.region_id);
    assert.equal(renamed.branch, shape.branch);
  });
});
