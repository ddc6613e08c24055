/** The ends of an operation that a fault can cause. */
export const operationEnds: readonly (readonly [end: string, title: string, effect: string])[] = [
  ["error", "Error", "It runs, and ends with the status error."],
  ["failed", "Failed, held", "It fails, and stays so until the faults are deleted."],
  ["failed-then-finished", "Failed, then finished", "It fails once; the platform tries again and succeeds."],
  ["cancelled", "Cancelled", "It runs, and is cancelled."],
  ["stuck", "Stuck", "It runs until the faults are deleted."],
  ["stuck-then-error", "Stuck, then error", "It runs until the faults are deleted, and ends with the status error."],
  ["unknown", "Unknown status", "It gets a status that no client knows, until the faults are deleted."],
  ["skipped", "Skipped", "It does nothing, and counts as a success."],
];

/** The effects of a fault on a request. */
export const requestEffects: readonly (readonly [title: string, effect: string, members: object])[] = [
  ["500", "Not performed; the answer is an internal error.", { status: 500 }],
  ["503", "Not performed; the service is unavailable.", { status: 503 }],
  ["429", "Not performed; the rate limit is exceeded for 2 seconds.", { status: 429, headers: { "retry-after": "2" } }],
  ["423", "Not performed; another change is in progress.", { status: 423 }],
  ["502, performed", "Performed, but the answer is a bad gateway.", { status: 502, perform: true }],
  ["Delay of 3 s", "The answer is late.", { delayMs: 3000 }],
  ["Reset before", "The connection is reset, and nothing is performed.", { reset: "before" }],
  ["Reset after", "Performed, and the connection is reset before the answer.", { reset: "after" }],
  ["Truncated", "Performed; the answer ends in the middle.", { truncate: true }],
];

/** Whether a pending fault has these members, among others. */
export function hasMembers(fault: unknown, members: object): boolean {
  if (typeof fault !== "object" || fault === null) return false;
  return Object.entries(members).every(
    ([name, value]) => JSON.stringify((fault as Record<string, unknown>)[name]) === JSON.stringify(value),
  );
}

/** A pending fault in words. */
export function faultText(fault: unknown): { readonly what: string; readonly effect: string; readonly times: string } {
  const { action, end, method, path, times, skip, ...effect } = fault as Record<string, unknown>;
  const after = typeof skip === "number" && skip > 0 ? `, after ${skip} others` : "";
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return {
    what:
      action === undefined
        ? `${text(method) || "any method"} ${text(path).replaceAll("\\/", "/") || "any path"}`
        : text(action),
    effect: action === undefined ? JSON.stringify(effect) : text(end),
    times: `${String(times)}×${after}`,
  };
}
