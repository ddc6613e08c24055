import assert from "node:assert/strict";

/** At `-v=9`, the CLI logs every value that passes through it, secret or not, in lines that begin so. */
const ofTheEngine =
  /^(Unm|M)arshaling property for RPC|^(eventSink::Debug\(<\{%reset%\}>)?RegisterResource RPC finished/;

/** Asserts that secrets of this shape are in the engine's own lines of a log of `-v=9 --logtostderr`, and in no other line. */
export function assertOnlyEngineShows(secret: RegExp, log: string): void {
  const shown = log.split("\n").filter((line) => secret.test(line));
  assert.ok(shown.length > 0, "the test looks for what is not there");
  for (const line of shown) assert.match((JSON.parse(line) as { msg: string }).msg, ofTheEngine);
}
