import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { contains } from "../../provider/values";

describe("values › contains", () => {
  const answer = {
    name: "writer",
    settings: { pg_settings: { a: "1", b: "2" }, preload_libraries: { use_defaults: true, enabled_libraries: ["x"] } },
  };

  it("finds every member that was asked for, whatever else is there", () => {
    assert.ok(contains(answer, { name: "writer" }));
    assert.ok(contains(answer, { settings: { preload_libraries: { use_defaults: true } } }));
    assert.ok(contains(answer, {}));
    assert.ok(!contains(answer, { name: "reader" }));
    assert.ok(!contains(answer, { disabled: false }));
    assert.ok(!contains(undefined, { name: "writer" }));
  });

  it("compares lists and maps of the user's own keys as one value", () => {
    assert.ok(contains(answer, { settings: { pg_settings: { b: "2", a: "1" } } }));
    assert.ok(!contains(answer, { settings: { pg_settings: { a: "1" } } }));
    assert.ok(!contains(answer, { settings: { pg_settings: {} } }));
    assert.ok(!contains(answer, { settings: { preload_libraries: { enabled_libraries: [] } } }));
    assert.ok(contains({ settings: {} }, { settings: { pg_settings: {} } }), "an empty map may be left out");
  });
});
