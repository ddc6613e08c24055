import type { Values } from "../support/dynamic-server";

/** What a fault has to know of a moment to tell whether it suits. */
interface Moment {
  readonly method: string;
  readonly isPoll: boolean;
}

/** Something that goes wrong, as the local platform takes the order for it; where it strikes is added. */
export interface Fault {
  /** As it stands in the matrix, and in the name of a case. */
  readonly title: string;
  readonly order: Values;
  /** Whether it is meant for this request; default: for all. */
  readonly suits?: (moment: Moment) => boolean;
  /** Whether waiting for it takes long in real time. */
  readonly isSlow?: (moment: Moment) => boolean;
}

const changes = ({ method }: Moment): boolean => method !== "GET";
const polls = ({ isPoll }: Moment): boolean => isPoll;

const answering = (status: number): Fault => ({ title: String(status), order: { status } });

/** Answers that nobody can make sense of. */
const nonsense: readonly Fault[] = [
  {
    title: "no JSON",
    order: { status: 200, body: "<html>welcome to the gateway</html>", headers: { "content-type": "text/html" } },
  },
  { title: "JSON of another shape", order: { status: 200, body: { welcome: [1, { to: null }] } } },
  { title: "empty 200", order: { status: 200, body: "" } },
];
const gateways = [500, 502, 504].map(answering);

/** The same answer to a change that was performed all the same. */
function thoughPerformed({ title, order }: Fault): Fault {
  return { title: `${title}, though performed`, order: { ...order, perform: true }, suits: changes };
}

/** What can happen to one request. */
export const requestFaults: readonly Fault[] = [
  ...[400, 401, 403, 404, 409, 412, 422].map(answering),
  { title: "423 three times", order: { status: 423, times: 3 } },
  {
    title: "423 for longer than the budget",
    order: { status: 423, times: 10_000 },
    // Before anything is changed no budget has begun: a look is tried again for two minutes.
    isSlow: ({ method, isPoll }) => method === "GET" && !isPoll,
  },
  { title: "429", order: { status: 429 } },
  { title: "429 that asks to wait", order: { status: 429, headers: { "retry-after": "1" } } },
  ...gateways,
  { title: "503 twice", order: { status: 503, times: 2 } },
  { title: "reset before", order: { reset: "before" } },
  { title: "reset after", order: { reset: "after" } },
  // Longer than the client waits for an answer: a change is performed when nobody listens any more.
  { title: "no answer", order: { delayMs: 31_000 }, isSlow: () => true },
  { title: "half a body", order: { truncate: true } },
  ...nonsense,
  ...[...gateways, ...nonsense].map(thoughPerformed),
  { title: "404 for ever", order: { status: 404, times: 10_000 }, suits: polls },
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
