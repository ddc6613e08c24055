/** Whom hostile requests are sent to. */
export interface Target {
  readonly host: string;
  readonly key: string;
  /** A project, and a branch of it, that are there. */
  readonly projectId: string;
  readonly branchId: string;
}

/** One hostile request, and how it has to be answered. */
export interface HostileCase {
  readonly title: string;
  /** What is sent, byte for byte. */
  readonly bytes: (target: Target) => readonly (string | Uint8Array)[];
  /** The statuses one of which is right; none: the connection is closed without an answer, or with a 400. */
  readonly statuses: readonly number[];
}

const mebibyte = 1 << 20;
const levels = 100_000;
const deepArray = "[".repeat(levels) + "]".repeat(levels);
const deepObject = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const head = ({ host, key }: Target, line: string, headers = ""): string =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n${headers}\r\n`;

const get =
  (path: string, headers = "") =>
  (target: Target): string[] => [head(target, `GET ${placed(path, target)}`, headers)];

const placed = (path: string, { projectId, branchId }: Target): string =>
  (path.startsWith("/local") || path.startsWith("http") ? path : `/api/v2${path}`)
    .replace(":project", projectId)
    .replace(":branch", branchId);

/** A request with a body, sent whole. */
const send =
  (line: string, body: string | Uint8Array, headers = "Content-Type: application/json\r\n") =>
  (target: Target) => {
    const [method = "", path = ""] = line.split(" ");
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    return [head(target, `${method} ${placed(path, target)}`, `${headers}${length}`), body];
  };

/** A request whose headers alone are given. */
const bare = (line: string, headers: string, body: string) => (target: Target) => [head(target, line, headers) + body];

const project = "POST /projects";
const branches = "POST /projects/:project/branches";
const faults = "POST /local/faults";

const bodies: readonly HostileCase[] = [
  { title: "100,000 levels of arrays", bytes: send(project, deepArray), statuses: [400] },
  { title: "100,000 levels of objects", bytes: send(project, deepObject), statuses: [400] },
  {
    title: "100,000 levels in a member that nobody knows",
    bytes: send(project, `{"project":{"unknown":${deepArray}}}`),
    statuses: [400],
  },
  {
    title: "100,000 levels in an annotation",
    bytes: send(branches, `{"annotation_value":{"a":${deepArray}}}`),
    statuses: [400],
  },
  {
    title: "100,000 levels in the body of a fault",
    bytes: send(faults, `{"status":418,"path":"^none$","body":[${deepArray}]}`),
    statuses: [400],
  },
  { title: "half a JSON text", bytes: send(project, '{"project":{'), statuses: [400] },
  { title: "half a million members", bytes: send(project, `{${'"":0,'.repeat(200_000)}"":0}`), statuses: [400] },
  {
    title: "a name of nearly 1 MiB",
    bytes: send(project, `{"project":{"name":"${"x".repeat(mebibyte - 100)}"}}`),
    statuses: [400],
  },
  {
    title: "an address of nearly 1 MiB",
    bytes: send("POST /projects/:project/permissions", `{"email":"${"a".repeat(mebibyte - 100)}@"}`),
    statuses: [400],
  },
  {
    title: "a list of 100,000 addresses that are none",
    bytes: send(
      project,
      JSON.stringify({ project: { settings: { allowed_ips: { ips: Array.from({ length: 100_000 }, () => "no") } } } }),
    ),
    statuses: [400],
  },
  {
    title: "a number of 100,000 digits",
    bytes: send(project, `{"project":{"pg_version":${"9".repeat(100_000)}}}`),
    statuses: [400],
  },
  {
    title: "a number beyond all numbers",
    bytes: send(project, '{"project":{"history_retention_seconds":1e999}}'),
    statuses: [400],
  },
  {
    title: "bytes that are not UTF-8",
    bytes: send(
      project,
      Buffer.concat([Buffer.from('{"project":{"name":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}}')]),
    ),
    statuses: [400],
  },
  {
    title: "half of a surrogate pair",
    bytes: send(project, String.raw`{"project":{"name":"a\ud800b"}}`),
    statuses: [400],
  },
  { title: "a NUL in a name", bytes: send(branches, String.raw`{"branch":{"name":"a\u0000b"}}`), statuses: [400] },
  { title: "UTF-16", bytes: send(project, Buffer.from('{"project":{}}', "utf16le")), statuses: [400] },
  { title: "a body of GET", bytes: send("GET /projects", "{{{"), statuses: [400] },
  {
    title: "another content type",
    bytes: send(project, '{"project":{}}', "Content-Type: text/plain\r\n"),
    statuses: [415],
  },
  {
    title: "a form",
    bytes: send(project, "project=1", "Content-Type: application/x-www-form-urlencoded\r\n"),
    statuses: [415],
  },
  {
    title: "a compressed body",
    bytes: send(project, '{"project":{}}', "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"),
    statuses: [415],
  },
  { title: "2 MiB", bytes: send(project, " ".repeat(2 * mebibyte)), statuses: [413] },
  { title: "2 MiB for a local route", bytes: send(faults, " ".repeat(2 * mebibyte)), statuses: [413] },
  {
    title: "8 MiB in pieces that nobody has announced",
    bytes: (target) => [
      head(target, "POST /api/v2/projects", "Transfer-Encoding: chunked\r\n"),
      ...Array.from({ length: 8 }, () => `${mebibyte.toString(16)}\r\n${"x".repeat(mebibyte)}\r\n`),
      "0\r\n\r\n",
    ],
    statuses: [413],
  },
  {
    title: "members that are called as those of all objects",
    bytes: send(project, '{"__proto__":{"project":{}},"constructor":{"prototype":{"project":{}}}}'),
    statuses: [400],
  },
  {
    title: "a plan that is called as a member of all objects",
    bytes: send("POST /local/organizations", '{"name":"none","plan":"constructor"}'),
    statuses: [400],
  },
];

const limits = ["-1", "0", "1e9", "NaN", "Infinity", "", "99999999999999999999", "1.5", "0x10", "%EF%BC%91", "1%00"];
const cursors = ["", "%ff%fe", "%00", "W1tbW1tb", "____", "x".repeat(10_000)];

const addresses: readonly HostileCase[] = [
  ...["/projects", "/projects/:project/branches", "/projects/:project/operations"].flatMap((list) => [
    ...limits.map((limit) => ({
      title: `${list}?limit=${limit}`,
      bytes: get(`${list}?limit=${limit}`),
      statuses: [400],
    })),
    ...cursors.map((cursor) => ({
      title: `${list}?cursor=${cursor.slice(0, 20)}`,
      bytes: get(`${list}?cursor=${cursor}`),
      statuses: [400],
    })),
  ]),
  ...["%", "%zz", "%E0%A4%A", "%00", "%ed%a0%80", "..%2f..%2f", "'%20OR%201=1--", "__proto__", "constructor"].flatMap(
    (name) =>
      ["/projects/", "/projects/:project/branches/", "/projects/:project/branches/:branch/roles/"].map((list) => ({
        title: `${list}${name}`,
        bytes: get(`${list}${name}`),
        statuses: [404],
      })),
  ),
  ...["branches", "endpoints"].map((list) => ({
    title: `deleting one of the ${list} by an id that none can have`,
    bytes: (target: Target) => [head(target, `DELETE ${placed(`/projects/:project/${list}/a%20b`, target)}`)],
    statuses: [404],
  })),
  ...["9223372036854775806", "-9223372036854775808"].map((number) => ({
    title: `deleting key ${number}`,
    bytes: (target: Target) => [head(target, `DELETE ${placed(`/api_keys/${number}`, target)}`)],
    statuses: [404],
  })),
  {
    title: "thousands of query parameters",
    bytes: get(`/projects?${Array.from({ length: 1_500 }, (_, index) => `p${index}=1`).join("&")}`),
    statuses: [200],
  },
  { title: "a query of nothing but &", bytes: get(`/projects?${"&".repeat(10_000)}`), statuses: [200] },
  { title: "a query of nothing but %", bytes: get(`/projects?search=${"%".repeat(10_000)}`), statuses: [200] },
  {
    title: "parameters that are called as members of all objects",
    bytes: get("/projects?__proto__=1&constructor=2&hasOwnProperty=3"),
    statuses: [200],
  },
  { title: "a search of 10,000 characters", bytes: get(`/projects?search=${"a".repeat(10_000)}`), statuses: [200] },
  { title: "an address of 100,000 characters", bytes: get(`/projects/${"a".repeat(100_000)}`), statuses: [431] },
  {
    title: "a header of 100,000 characters",
    bytes: get("/projects", `X-A: ${"a".repeat(100_000)}\r\n`),
    statuses: [431],
  },
  {
    title: "3,000 headers",
    bytes: get("/projects", Array.from({ length: 3_000 }, (_, index) => `X${index}: 1\r\n`).join("")),
    statuses: [431],
  },
  { title: "a control character in the address", bytes: get("/projects/\u0001"), statuses: [400] },
  { title: "a path that climbs", bytes: get("/../../etc/passwd"), statuses: [404] },
];

const framing: readonly HostileCase[] = [
  {
    title: "two lengths",
    bytes: bare("POST /api/v2/projects", "Content-Length: 2\r\nContent-Length: 3\r\n", "{}"),
    statuses: [400],
  },
  {
    title: "a length and pieces",
    bytes: bare("POST /api/v2/projects", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
    statuses: [400],
  },
  { title: "a negative length", bytes: bare("POST /api/v2/projects", "Content-Length: -5\r\n", ""), statuses: [400] },
  {
    title: "a length beyond all numbers",
    bytes: bare("POST /api/v2/projects", `Content-Length: ${"9".repeat(30)}\r\n`, ""),
    statuses: [400],
  },
  {
    title: "a piece without a length",
    bytes: bare("POST /api/v2/projects", "Transfer-Encoding: chunked\r\n", "zz\r\n"),
    statuses: [400],
  },
  {
    title: "an expectation that nobody fulfils",
    bytes: bare("POST /api/v2/projects", "Expect: magic\r\nContent-Length: 2\r\n", "{}"),
    statuses: [417],
  },
  { title: "a method that is none", bytes: (target) => [head(target, "BREW /api/v2/projects")], statuses: [400] },
  { title: "TRACE", bytes: (target) => [head(target, "TRACE /api/v2/projects")], statuses: [404] },
  { title: "no host", bytes: () => ["GET /api/v2/projects HTTP/1.1\r\n\r\n"], statuses: [400] },
  {
    title: "a host that is none",
    bytes: () => ["GET /api/v2/projects HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
    statuses: [400],
  },
  { title: "the beginning of TLS", bytes: () => ["\u0016\u0003\u0001\u0002\u0000\u0001"], statuses: [400] },
  { title: "a tunnel", bytes: (target) => [head(target, `CONNECT ${target.host}`)], statuses: [] },
  {
    title: "a key of 10,000 characters",
    bytes: (target) => get("/projects")({ ...target, key: "k".repeat(10_000) }),
    statuses: [401],
  },
  { title: "a key that is no text", bytes: (target) => get("/projects")({ ...target, key: "ÿþ" }), statuses: [401] },
];

/** Requests that no well-meaning client sends; whatever a status is, it is never 500, and never none at all. */
export const hostileCases: readonly HostileCase[] = [...bodies, ...addresses, ...framing];
