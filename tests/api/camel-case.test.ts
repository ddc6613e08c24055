import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { z } from "zod";
import { camelKey, fromWire, isUserMap, snakeKey, toWire } from "../../api/camel-case";
import { camelShape } from "../../api/camel-shape";
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
  const inputs = z.strictObject(
    camelShape({
      region_id: z.string().min(1),
      pg_version: z.int().min(14).optional(),
      branch: z.object({ role_name: z.string().optional(), pg_settings: z.record(z.string(), z.string()) }).optional(),
      weekdays: z.array(z.int().max(7)).optional(),
      expires_at: z.string().nullable().optional(),
    }),
  );
  const problemsOf = (value: unknown) =>
    inputs.safeParse(value).error?.issues.map(({ code, path }) => `${path.join(".")}: ${code}`) ?? [];

  it("accepts wire values with camelCase names", () => {
    const value = {
      regionId: "aws-eu-central-1",
      pgVersion: 17,
      branch: { roleName: "app", pg_settings: undefined, pgSettings: { work_mem: "4MB" } },
      weekdays: [1, 7],
      expiresAt: null,
    };
    delete (value.branch as Partial<typeof value.branch>).pg_settings;
    assert.deepEqual(problemsOf(value), []);
    assert.deepEqual(inputs.parse(value), value);
  });

  it("keeps the limits of the wire schema", () => {
    assert.deepEqual(
      problemsOf({ regionId: "", pgVersion: 13, weekdays: [8], branch: { roleName: 7, pgSettings: {} } }),
      ["regionId: too_small", "pgVersion: too_small", "branch.roleName: invalid_type", "weekdays.0: too_big"],
    );
  });

  it("keeps optional members optional and required members required", () => {
    assert.deepEqual(problemsOf({ regionId: "r" }), []);
    assert.deepEqual(problemsOf({}), ["regionId: invalid_type"]);
    assert.deepEqual(problemsOf({ regionId: "r", branch: {} }), ["branch.pgSettings: invalid_type"]);
  });

  it("rejects unknown members at every depth", () => {
    assert.deepEqual(problemsOf({ regionId: "r", branch: { pgSettings: {}, rolename: "app" } }), [
      "branch: unrecognized_keys",
    ]);
    assert.deepEqual(problemsOf({ regionId: "r", region_id: "r" }), [": unrecognized_keys"]);
  });

  it("rejects null instead of an object", () => {
    assert.deepEqual(problemsOf({ regionId: "r", branch: null }), ["branch: invalid_type"]);
  });
});
