import assert from "node:assert/strict";

/** The beginnings of lines in which the CLI logs all values at `-v=9`, including secrets. */
const ofTheEngine =
  /^(Unm|M)arshaling property for RPC|^Planner decided to update |^(eventSink::Debug\(<\{%reset%\}>)?RegisterResource RPC finished/;

/** Asserts that a log of `-v=9 --logtostderr` has secrets of this shape in the engine's own lines only, and has some there. */
export function assertOnlyEngineShows(secret: RegExp, log: string): void {
  const shown = log.split("\n").filter((line) => secret.test(line));
  assert.ok(shown.length > 0, "the test looks for what is not there");
  for (const line of shown) assert.match(messageIn(line), ofTheEngine);
}

/**
 * The message of a log line: a member of JSON, or, with older CLIs, the text after level, time, process and place. The line
 * can begin with the dots by which the CLI shows that it still works.
 */
function messageIn(shown: string): string {
  const line = shown.replace(/^@ \w+\.+/, "");
  return line.startsWith("{") ? (JSON.parse(line) as { msg: string }).msg : line.replace(/^[IWE]\d{4} [^\]]*\] /, "");
}
