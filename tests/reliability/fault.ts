import type { Values } from "../support/provider-server";

/** What decides whether a fault suits a moment. */
interface Moment {
  readonly method: string;
  readonly isPoll: boolean;
}

/** A fault as it is ordered from the local platform, without the place where it strikes. */
export interface Fault {
  /** Its name in the matrix and in the names of cases. */
  readonly title: string;
  readonly order: Values;
  /** Whether it suits this request. Default: it suits all. */
  readonly suits?: (moment: Moment) => boolean;
  /** Whether waiting for it takes long in real time. */
  readonly isSlow?: (moment: Moment) => boolean;
}

const changes = ({ method }: Moment): boolean => method !== "GET" && method !== "HEAD";
const polls = ({ isPoll }: Moment): boolean => isPoll;

const answering = (status: number): Fault => ({ title: String(status), order: { status } });

/** Responses without meaning. */
const nonsense: readonly Fault[] = [
  {
    title: "no JSON",
    order: { status: 200, body: "<html>welcome to the gateway</html>", headers: { "content-type": "text/html" } },
  },
  { title: "JSON of another shape", order: { status: 200, body: { welcome: [1, { to: null }] } } },
  { title: "empty 200", order: { status: 200, body: "" } },
];
const gateways = [500, 502, 504].map(answering);

/** The same response to a change that was performed. */
function thoughPerformed({ title, order }: Fault): Fault {
  return { title: `${title}, though performed`, order: { ...order, perform: true }, suits: changes };
}

/** Texts in responses that no message may repeat. The key stands for the one of the account. */
export const planted = { key: "THE-KEY-OF-THE-ACCOUNT", password: "npg_p4ssw0rd/of+nobody" };

const { key, password } = planted;
const unreadable = { role: { password, name: 5 }, connection_uris: [{ connection_uri: password }], key: [password] };
const echo = { code: "", message: `this arrived: {"authorization":"Bearer ${key}"}` };

/** Responses with secrets in unexpected places. */
const echoes: readonly Fault[] = [
  ...[400, 423, 500].map((status) => ({ title: `${status} that sends the key back`, order: { status, body: echo } })),
  { title: "a gateway's page that sends the key back", order: { status: 502, body: `<p>Bearer ${key}</p>` } },
  { title: "a password in JSON of another shape", order: { status: 200, body: unreadable } },
  { title: "a password in broken JSON", order: { status: 200, body: JSON.stringify(unreadable).slice(1) } },
];

const resets: readonly Fault[] = ["before", "after"].map((reset) => ({ title: `reset ${reset}`, order: { reset } }));

/** What can happen to one request. */
export const requestFaults: readonly Fault[] = [
  ...[400, 401, 403, 404, 409, 412, 422].map(answering),
  { title: "423 three times", order: { status: 423, times: 3 } },
  {
    title: "423 for longer than the budget",
    order: { status: 423, times: 10_000 },
    // Before the first change there is no budget: a read is retried for two minutes.
    isSlow: (moment) => !changes(moment) && !moment.isPoll,
  },
  { title: "429", order: { status: 429 } },
  { title: "429 that asks to wait", order: { status: 429, headers: { "retry-after": "1" } } },
  ...gateways,
  { title: "503 twice", order: { status: 503, times: 2 } },
  ...resets,
  // This is longer than the client waits, so the change is performed after the client has given up.
  { title: "no answer", order: { delayMs: 31_000 }, isSlow: () => true },
  { title: "half a body", order: { truncate: true }, suits: ({ method }) => method !== "HEAD" },
  ...nonsense,
  ...echoes,
  ...[...gateways, answering(503), ...nonsense].map(thoughPerformed),
  { title: "404 for ever", order: { status: 404, times: 10_000 }, suits: polls },
];

/** What can happen to one operation. */
export const operationFaults: readonly Fault[] = [
  "failed",
  "failed-then-finished",
  "error",
  "cancelled",
  "stuck",
  "unknown",
].map((end) => ({ title: end, order: { end } }));
