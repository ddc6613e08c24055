import type { TestPlatform } from "../../support/platform";
import { exchange } from "./wire";

/** The platform that hostile requests are sent to. */
export interface Target {
  readonly host: string;
  readonly key: string;
  /** An existing project and a branch of it. */
  readonly projectId: string;
  readonly branchId: string;
}

/** A hostile request. The expected status is `undefined` if the connection is closed without a response, or with a 400. */
type Row = readonly [status: number | undefined, title: string, bytes: Bytes];
type Bytes = (target: Target) => readonly (string | Uint8Array)[];

/** A platform with a project and a branch as the target. */
export async function targetOn(platform: TestPlatform): Promise<Target> {
  const { project, branch } = await platform.project();
  const { host } = new URL(platform.apiUrl);
  return { host, key: platform.apiKey, projectId: project.id, branchId: branch.id };
}

/** Sends a hostile request. @returns what is wrong with the response, if anything */
export async function attempt(expected: number | undefined, bytes: Bytes, target: Target): Promise<string | undefined> {
  const { statuses, isClosed, milliseconds } = await exchange(`http://${target.host}`, bytes(target));
  if (!isClosed) return `the connection is still open after ${Math.round(milliseconds)} ms`;
  const [status] = statuses;
  if (status === expected || (expected === undefined && status === 400)) return undefined;
  return status === undefined ? "no response" : `answered ${status}, not ${expected ?? 400}`;
}

const mebibyte = 1 << 20;
const levels = 100_000;
const deepArray = "[".repeat(levels) + "]".repeat(levels);
const deepObject = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const head = ({ host, key }: Target, line: string, headers = ""): string =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${headers}\r\n`;

/** A request line of the API, with the ids of the target; other paths stay as they are. */
const placed = (line: string, { projectId, branchId }: Target): string =>
  line
    .replace(/^(\S+) (?!\/local|http)/, "$1 /api/v2")
    .replace(":project", projectId)
    .replace(":branch", branchId);

/** A request without a body. */
const ask =
  (line: string, headers = "") =>
  (target: Target): string[] => [head(target, placed(line, target), headers)];

const get = (path: string, headers = "") => ask(`GET ${path}`, headers);

const json = "Content-Type: application/json\r\n";

/** A request with a body, sent whole. */
const send =
  (line: string, body: string | Uint8Array, headers = json) =>
  (target: Target) => [...ask(line, `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`)(target), body];

/** A creation of a project with these headers only. */
const framed = (headers: string, body: string) => (target: Target) => [ask(project, headers)(target).join("") + body];

const project = "POST /projects";
const branches = "POST /projects/:project/branches";
const permissions = "POST /projects/:project/permissions";
const faults = "POST /local/faults";
const organizations = "POST /local/organizations";

const manyAddresses = { project: { settings: { allowed_ips: { ips: Array.from({ length: 100_000 }, () => "no") } } } };
const notUtf8 = Buffer.concat([Buffer.from('{"project":{"name":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}}')]);
const prototypes = '{"__proto__":{"project":{}},"constructor":{"prototype":{"project":{}}}}';

const bodies: readonly Row[] = [
  [400, "100,000 levels of arrays", send(project, deepArray)],
  [400, "100,000 levels of objects", send(project, deepObject)],
  [400, "100,000 levels in a member that nobody knows", send(project, `{"project":{"unknown":${deepArray}}}`)],
  [400, "100,000 levels in an annotation", send(branches, `{"annotation_value":{"a":${deepArray}}}`)],
  [400, "100,000 levels in the body of a fault", send(faults, `{"status":418,"path":"^none$","body":[${deepArray}]}`)],
  [400, "half a JSON text", send(project, '{"project":{')],
  [400, "half a million members", send(project, `{${'"":0,'.repeat(200_000)}"":0}`)],
  [400, "a name of nearly 1 MiB", send(project, `{"project":{"name":"${"x".repeat(mebibyte - 100)}"}}`)],
  [400, "an address of nearly 1 MiB", send(permissions, `{"email":"${"a".repeat(mebibyte - 100)}@"}`)],
  [400, "a list of 100,000 addresses that are none", send(project, JSON.stringify(manyAddresses))],
  [400, "a number of 100,000 digits", send(project, `{"project":{"pg_version":${"9".repeat(100_000)}}}`)],
  [400, "a number beyond all numbers", send(project, '{"project":{"history_retention_seconds":1e999}}')],
  [400, "bytes that are not UTF-8", send(project, notUtf8)],
  [400, "half of a surrogate pair", send(project, String.raw`{"project":{"name":"a\ud800b"}}`)],
  [400, "a NUL in a name", send(branches, String.raw`{"branch":{"name":"a\u0000b"}}`)],
  [400, "UTF-16", send(project, Buffer.from('{"project":{}}', "utf16le"))],
  [400, "a body of GET", send("GET /projects", "{{{")],
  [415, "another content type", send(project, '{"project":{}}', "Content-Type: text/plain\r\n")],
  [415, "a form", send(project, "project=1", "Content-Type: application/x-www-form-urlencoded\r\n")],
  [415, "a compressed body", send(project, '{"project":{}}', `${json}Content-Encoding: gzip\r\n`)],
  [413, "2 MiB", send(project, " ".repeat(2 * mebibyte))],
  [413, "2 MiB for a local route", send(faults, " ".repeat(2 * mebibyte))],
  [
    413,
    "8 MiB in pieces that nobody has announced",
    (target) => [
      ...ask(project, "Transfer-Encoding: chunked\r\n")(target),
      ...Array.from({ length: 8 }, () => `${mebibyte.toString(16)}\r\n${"x".repeat(mebibyte)}\r\n`),
      "0\r\n\r\n",
    ],
  ],
  [400, "members that are called as those of all objects", send(project, prototypes)],
  [
    400,
    "a plan that is called as a member of all objects",
    send(organizations, '{"name":"none","plan":"constructor"}'),
  ],
];

const limits = ["-1", "0", "1e9", "NaN", "Infinity", "", "99999999999999999999", "1.5", "0x10", "%EF%BC%91", "1%00"];
const cursors = ["", "%ff%fe", "%00", "W1tbW1tb", "____", "x".repeat(10_000)];

const addresses: readonly Row[] = [
  ...["/projects", "/projects/:project/branches", "/projects/:project/operations"].flatMap((list) => [
    ...limits.map((limit): Row => [400, `${list}?limit=${limit}`, get(`${list}?limit=${limit}`)]),
    ...cursors.map((cursor): Row => [400, `${list}?cursor=${cursor.slice(0, 20)}`, get(`${list}?cursor=${cursor}`)]),
  ]),
  ...["%", "%zz", "%E0%A4%A", "%00", "%ed%a0%80", "..%2f..%2f", "'%20OR%201=1--", "__proto__", "constructor"].flatMap(
    (name) =>
      ["/projects/", "/projects/:project/branches/", "/projects/:project/branches/:branch/roles/"].map((list): Row => [
        404,
        `${list}${name}`,
        get(`${list}${name}`),
      ]),
  ),
  [404, "deleting one of the branches by an id that none can have", ask("DELETE /projects/:project/branches/a%20b")],
  [404, "deleting one of the endpoints by an id that none can have", ask("DELETE /projects/:project/endpoints/a%20b")],
  [404, "deleting key 9223372036854775806", ask("DELETE /api_keys/9223372036854775806")],
  [404, "deleting key -9223372036854775808", ask("DELETE /api_keys/-9223372036854775808")],
  [
    200,
    "thousands of query parameters",
    get(`/projects?${Array.from({ length: 1_500 }, (_, index) => `p${index}=1`).join("&")}`),
  ],
  [200, "a query of nothing but &", get(`/projects?${"&".repeat(10_000)}`)],
  [200, "a query of nothing but %", get(`/projects?search=${"%".repeat(10_000)}`)],
  [
    200,
    "parameters that are called as members of all objects",
    get("/projects?__proto__=1&constructor=2&hasOwnProperty=3"),
  ],
  [200, "a search of 10,000 characters", get(`/projects?search=${"a".repeat(10_000)}`)],
  [431, "an address of 100,000 characters", get(`/projects/${"a".repeat(100_000)}`)],
  [431, "a header of 100,000 characters", get("/projects", `X-A: ${"a".repeat(100_000)}\r\n`)],
  [431, "3,000 headers", get("/projects", Array.from({ length: 3_000 }, (_, index) => `X${index}: 1\r\n`).join(""))],
  [400, "a control character in the address", get("/projects/\u0001")],
  [404, "a path that climbs", get("/../../etc/passwd")],
];

const framing: readonly Row[] = [
  [400, "two lengths", framed("Content-Length: 2\r\nContent-Length: 3\r\n", "{}")],
  [400, "a length and pieces", framed("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")],
  [400, "a negative length", framed("Content-Length: -5\r\n", "")],
  [400, "a length beyond all numbers", framed(`Content-Length: ${"9".repeat(30)}\r\n`, "")],
  [400, "a piece without a length", framed("Transfer-Encoding: chunked\r\n", "zz\r\n")],
  [417, "an expectation that nobody fulfils", framed("Expect: magic\r\nContent-Length: 2\r\n", "{}")],
  [400, "a method that is none", ask("BREW /projects")],
  [404, "TRACE", ask("TRACE /projects")],
  [400, "no host", () => ["GET /api/v2/projects HTTP/1.1\r\n\r\n"]],
  [400, "a host that is none", () => ["GET /api/v2/projects HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"]],
  [400, "the beginning of TLS", () => ["\u0016\u0003\u0001\u0002\u0000\u0001"]],
  [undefined, "a tunnel", (target) => [head(target, `CONNECT ${target.host}`)]],
  [401, "a key of 10,000 characters", (target) => get("/projects")({ ...target, key: "k".repeat(10_000) })],
  [401, "a key that is no text", (target) => get("/projects")({ ...target, key: "ÿþ" })],
];

/** Requests that no well-behaved client sends. None is answered with 500. */
export const hostileRequests: readonly Row[] = [...bodies, ...addresses, ...framing];
