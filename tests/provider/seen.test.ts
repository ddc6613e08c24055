import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { Seen } from "../../provider/seen";

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/neon:Branch::main";
const branch = (id: string) => ({ kind: "Branch", id }) as const;

describe("what a process has seen as state", () => {
  it("tells what was made after all of it from what was not", () => {
    const seen = new Seen();
    seen.add(urn, branch("p/br-1"), "2026-01-02T00:00:00Z");
    seen.add(urn, branch("p/br-2"), "2026-01-01T00:00:00Z");
    assert.equal(seen.isLater(urn, "2026-01-01T12:00:00Z"), false);
    assert.equal(seen.isLater(urn, "2026-01-02T00:00:01Z"), true);
  });

  it("makes nothing of a time that is none", () => {
    const seen = new Seen();
    for (const createdAt of ["yesterday", "", 7, null, undefined]) seen.add(urn, branch("p/br-1"), createdAt);
    assert.equal(seen.isLater(urn, "2026-01-01T00:00:00Z"), true);
  });
});
