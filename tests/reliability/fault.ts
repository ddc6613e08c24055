import type { Values } from "../support/dynamic-server";

/** Something that goes wrong, as the local platform takes the order for it; where it strikes is added. */
export interface Fault {
  /** As it stands in the matrix, and in the name of a case. */
  readonly title: string;
  readonly order: Values;
  /** Whether it is meant for this request; default: for all. */
  readonly suits?: (point: { readonly method: string; readonly isPoll: boolean }) => boolean;
  /** Whether waiting for it takes so long in real time that it is left to the long run. */
  readonly isSlow?: true;
}

const refusals = [400, 401, 403, 404, 409, 412, 422] as const;
const gateways = [500, 502, 504] as const;
const html = { body: "<html>welcome to the gateway</html>", headers: { "content-type": "text/html" } };

/** What can happen to one request. */
export const requestFaults: readonly Fault[] = [
  ...[...refusals, ...gateways].map((status) => ({ title: String(status), order: { status } })),
  { title: "423 three times", order: { status: 423, times: 3 } },
  {
    title: "423 for longer than the budget",
    order: { status: 423, times: 10_000 },
    // A look before any change may take two minutes: that belongs to the client's own tests.
    suits: ({ method, isPoll }) => method !== "GET" || isPoll,
  },
  { title: "429", order: { status: 429 } },
  { title: "429 that asks to wait", order: { status: 429, headers: { "retry-after": "1" } } },
  { title: "503 twice", order: { status: 503, times: 2 } },
  { title: "reset before", order: { reset: "before" } },
  { title: "reset after", order: { reset: "after" } },
  // Longer than the client waits for an answer: a change is performed when nobody listens any more.
  { title: "no answer", order: { delayMs: 31_000 }, isSlow: true },
  { title: "half a body", order: { truncate: true } },
  { title: "no JSON", order: { status: 200, ...html } },
  { title: "JSON of another shape", order: { status: 200, body: { welcome: [1, { to: null }] } } },
  { title: "empty 200", order: { status: 200, body: "" } },
  { title: "404 for ever", order: { status: 404, times: 10_000 }, suits: ({ isPoll }) => isPoll },
];

/** What can become of one operation. */
export const operationFaults: readonly Fault[] = [
  "failed",
  "failed-then-finished",
  "error",
  "cancelled",
  "stuck",
  "unknown",
].map((end) => ({ title: end, order: { end } }));
