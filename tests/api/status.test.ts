import assert from "node:assert/strict";
import { OperationStatus } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import { isEnded, operationStatuses, progressOf } from "../../api/index";

describe("operationStatuses", () => {
  it("lists exactly the statuses of the published client [1.4 operation.status]", () => {
    assert.deepEqual(Object.keys(operationStatuses).toSorted(), Object.values<string>(OperationStatus).toSorted());
  });

  for (const [status, progress, ended] of [
    ["scheduling", "pending", false],
    ["running", "pending", false],
    ["cancelling", "pending", false],
    ["failed", "retryable", false],
    ["finished", "success", true],
    ["skipped", "success", true],
    ["cancelled", "failure", true],
    ["error", "failure", true],
  ] as const) {
    it(`maps ${status} to ${progress}${ended ? ", ended" : ""}`, () => {
      assert.equal(progressOf(status), progress);
      assert.equal(isEnded(status), ended);
    });
  }

  for (const status of ["hibernating", "", "FINISHED", "constructor", "__proto__", "toString"]) {
    it(`maps the unknown status "${status}" to pending`, () => {
      assert.equal(progressOf(status), "pending");
      assert.equal(isEnded(status), false);
    });
  }
});
