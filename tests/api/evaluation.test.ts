import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { OperationFailedError, PlatformError } from "../../api/index";
import { evaluate, type Evaluation, type PendingOperation } from "../../api/operations/evaluation";
import { operationSample } from "./samples";

const running: PendingOperation = { operation: operationSample() };
const failed = operationSample({ status: "failed", failures_count: 1 });

/** The state after a poll that leaves the operation pending. */
function pendingOf(evaluation: Evaluation): PendingOperation {
  assert.ok(evaluation.is === "pending");
  return evaluation.pending;
}

describe("evaluate", () => {
  it("does not change the previous state", () => {
    const previous = Object.freeze({ ...running, failed: Object.freeze({ since: 0, lastAttempt: 0 }) });
    evaluate(previous, failed, { now: 1000, since: 0 });
    evaluate(previous, undefined, { now: 1000, since: 0 });
    assert.deepEqual(previous, { ...running, failed: { since: 0, lastAttempt: 0 } });
  });

  it("resets the failed and 404 grace periods when the operation is pending again", () => {
    const previous = { operation: failed, notFoundSince: 0, failed: { since: 0, lastAttempt: 0 } };
    assert.deepEqual(evaluate(previous, running.operation, { now: 1000, since: 0 }), {
      is: "pending",
      pending: running,
    });
  });

  it("keeps the failed grace period through a 404", () => {
    const first = pendingOf(evaluate(running, failed, { now: 1000, since: 0 }));
    const missing = pendingOf(evaluate(first, undefined, { now: 2000, since: 0 }));
    assert.deepEqual(missing, { operation: failed, notFoundSince: 2000, failed: { since: 1000, lastAttempt: 1000 } });
    const last = evaluate(missing, failed, { now: 16_000, since: 0 });
    assert.ok(last.is === "failed" && OperationFailedError.isInstance(last.error));
  });

  it("fails after 10 s of 404", () => {
    const missing = pendingOf(evaluate(running, undefined, { now: 0, since: 0 }));
    assert.equal(evaluate(missing, undefined, { now: 9_999, since: 0 }).is, "pending");
    const last = evaluate(missing, undefined, { now: 10_000, since: 0 });
    assert.ok(last.is === "failed" && PlatformError.isInstance(last.error));
    assert.equal(last.error.kind, "operation-unknown");
  });

  it("succeeds whatever happened before", () => {
    const previous = { operation: failed, notFoundSince: 0, failed: { since: 0, lastAttempt: 0 } };
    const finished = operationSample({ status: "finished" });
    assert.deepEqual(evaluate(previous, finished, { now: 1e9, since: 0 }), { is: "finished" });
  });
});
