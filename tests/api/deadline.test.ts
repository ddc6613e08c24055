import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { Deadline } from "../../api/index";
import { valuesOf } from "../platform/support/responses";

describe("Deadline", () => {
  it("extends the deadlines that it is derived from, but not the other way round", () => {
    const origin = new Deadline(1000);
    origin.extend(100);
    const derived = Deadline.derive(origin);
    derived.extend(10);
    origin.extend(5000);
    assert.equal(derived.at, 1110);
    assert.equal(derived.extension, 10);
    assert.equal(origin.at, 6110);
    assert.equal(origin.extension, 5110);
  });

  it("extends several deadlines that it is derived from", () => {
    const origins = [new Deadline(1000), new Deadline(2000)];
    new Deadline(500, origins).extend(7);
    assert.deepEqual(valuesOf(origins, "at"), [1007, 2007]);
  });
});
