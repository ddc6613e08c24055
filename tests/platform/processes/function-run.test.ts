import type { NeonFunction } from "@neon/sdk";
import { strToU8, zipSync } from "fflate";
import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import { suitePlatform, TestPlatform } from "../../support/platform";
import { createPosted } from "../../support/samples";
import { spawnPlatform } from "../../support/platform-process";
import { until } from "../../support/until";
import { BranchLogs } from "../../../platform/model/branches/branch-logs";
import { isAlive } from "../../../platform/postgres/is-alive";
import { answering, type Deployment, deployed, waitForBuild } from "../support/function";
import { suitePaths } from "../support/paths";
import { withPlatform } from "../support/running";
import { assertMembers } from "../support/responses";

/** A function that answers with what a request and its process are. */
const telling = {
  "index.mjs": `export default { fetch: async (request) => Response.json({
    url: request.url, method: request.method, body: await request.text(),
    headers: Object.fromEntries(request.headers), environment: process.env, pid: process.pid }) };`,
};

interface Told {
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly pid: number;
}

describe("local platform: functions run", () => {
  const platform = suitePlatform({ operationTime: "5ms" });
  const folder = suitePaths();
  let branch: string;
  let projectPath: string;
  before(async () => {
    const { project, branch: main } = await platform().project();
    projectPath = `/projects/${project.id}`;
    branch = `${projectPath}/branches/${main.id}`;
  });

  /** Deploys a function, and waits for the end of its build. */
  async function put(slug: string, deployment: Deployment, at = branch): Promise<NeonFunction> {
    await deployed(platform(), `${at}/functions/${slug}`, deployment);
    return await waitForBuild(platform(), `${at}/functions/${slug}`);
  }

  /** The URL of a function that was built. */
  async function urlOf(slug: string, deployment: Deployment): Promise<string> {
    const { current_deployment: current, invocation_url: url } = await put(slug, deployment);
    assert.equal(current?.status, "completed", current?.error);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    return url;
  }

  /** The messages in the log of the branch that have a text. */
  async function logOf(text: string): Promise<readonly string[]> {
    const { body } = await platform().call("POST", `${branch}/logs/query`, { body_contains: text });
    return body.logs.map(({ message }) => message);
  }

  const ask = async (url: string, init?: RequestInit): Promise<Told> => (await (await fetch(url, init)).json()) as Told;
  const textOf = async (url: string): Promise<string> => await (await fetch(url)).text();

  it("a function gets the request as the client sent it, without headers that only the platform may send", async () => {
    const url = await urlOf("request", { files: telling });
    const headers = { "x-neon-trigger-invocation-id": "forged", "x-neon-internal": "forged", "x-own": "1" };
    const told = await ask(`${url}in/a?b=%20c`, { method: "POST", body: "content", headers });
    assertMembers(told, { url: `${url}in/a?b=%20c`, method: "POST", body: "content" });
    assert.equal(told.headers["x-own"], "1");
    assert.deepEqual(
      Object.keys(told.headers).filter((name) => name.startsWith("x-neon-")),
      [],
    );
  });

  it("an account has at most 100 invocations at a time in all of its functions, and further ones get a 429", async () => {
    const stream = `new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("begun")) })`;
    const code = `export default () => new Response(${stream});
      export const upgrade = (request, socket) => {
        socket.write("HTTP/1.1 101 Switching Protocols\\r\\nconnection: upgrade\\r\\nupgrade: own\\r\\n\\r\\n");
        socket.resume().once("end", () => socket.end());
      };`;
    const holding = await urlOf("hold", { files: { "index.mjs": code } });
    const sibling = await urlOf("sibling", { files: answering("Hello") });
    const organization = await platform().project({ org_id: await platform().firstOrganization() });
    const elsewhere = `/projects/${organization.project.id}/branches/${organization.branch.id}`;
    const apart = await put("apart", { files: answering("Hello") }, elsewhere);
    const ends = new AbortController();
    const begun = await Promise.all(Array.from({ length: 99 }, () => fetch(holding, { signal: ends.signal })));
    assert.deepEqual(new Set(begun.map(({ status }) => status)), new Set([200]));
    const upgraded = () => get(holding, { headers: { connection: "upgrade", upgrade: "own" } });
    const [, last] = (await once(upgraded(), "upgrade")) as [IncomingMessage, Socket];
    const [late] = (await once(upgraded(), "response")) as [IncomingMessage];
    assert.deepEqual([late.statusCode, await text(late)], [429, "per-account concurrency limit reached"]);
    const refused = await fetch(holding);
    assert.deepEqual(
      [refused.status, await refused.text(), refused.headers.get("retry-after")],
      [429, "per-account concurrency limit reached", "1"],
    );
    const statusOf = async (url: string): Promise<number> => {
      const answer = await fetch(url);
      await answer.text();
      return answer.status;
    };
    await until(async () => (await statusOf(sibling)) === 429);
    assert.equal(await statusOf(apart.invocation_url), 200);
    last.destroy();
    await until(async () => (await statusOf(sibling)) === 200);
    ends.abort();
  });

  it("a function has its own host in a request to a custom domain, and the domain in x-forwarded-host", async () => {
    const url = await urlOf("domain", { files: telling });
    const { host } = new URL(url);
    const sent = get(`${url}a`, { headers: { host: "api.example.com", "x-forwarded-host": "forged.example.com" } });
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const told = JSON.parse(await text(response)) as Told;
    assert.deepEqual([told.url, told.headers["host"]], [`${url}a`, host]);
    assert.equal(told.headers["x-forwarded-host"], "api.example.com");
    assert.equal((await ask(url)).headers["x-forwarded-host"], undefined);
  });

  it("a function has the variables of its branch and its own, which win, and nothing else of this machine", async () => {
    const url = await urlOf("variables", { files: telling, environment: { TOKEN: "t", NEON_BRANCH: "mine" } });
    const { environment } = await ask(url);
    const gateway = ["NEON_AI_GATEWAY_BASE_URL", "NEON_AI_GATEWAY_TOKEN"];
    const names = ["DATABASE_URL", "DATABASE_URL_UNPOOLED", ...gateway, "NEON_BRANCH", "TOKEN"];
    const certificate = platform().platform.caFile === null ? [] : ["NODE_EXTRA_CA_CERTS"];
    assert.deepEqual(Object.keys(environment).sort(), [...names, ...certificate].sort());
    assert.deepEqual([environment["TOKEN"], environment["NEON_BRANCH"]], ["t", "mine"]);
    assert.match(environment["DATABASE_URL"] ?? "", /^postgresql:\/\/neondb_owner:/);
    assert.equal(
      (await put("variables", { environment: { NEON_BRANCH: "" } })).current_deployment?.status,
      "completed",
    );
    assert.equal((await ask(url)).environment["NEON_BRANCH"], "main");
  });

  it("the variables follow the services of the branch and its passwords", async () => {
    const url = await urlOf("services", { files: telling });
    const before = (await ask(url)).environment;
    await platform().call("POST", `${branch}/auth`, { auth_provider: "better_auth" });
    await platform().call("POST", `${branch}/data-api/neondb`, {});
    await platform().call("POST", `${branch}/buckets`, { name: "uploads" });
    await platform().settled(projectPath.replace("/projects/", ""));
    const [, projectId, branchId] = branch.split(/\/projects\/|\/branches\//);
    await createPosted(platform(), { projectId, branchId });
    await platform().settled(projectPath.replace("/projects/", ""));
    await platform().call("POST", `${branch}/roles/neondb_owner/reset_password`);
    await platform().settled(projectPath.replace("/projects/", ""));
    const after = (await ask(url)).environment;
    const added = Object.keys(after).filter((name) => !(name in before));
    assert.deepEqual(added.sort(), [
      "AWS_ACCESS_KEY_ID",
      "AWS_ENDPOINT_URL_S3",
      "AWS_REGION",
      "AWS_SECRET_ACCESS_KEY",
      "NEON_AUTH_BASE_URL",
      "NEON_AUTH_JWKS_URL",
      "NEON_DATA_API_URL",
      "NEON_REALTIME_SECRET",
      "NEON_REALTIME_URL",
    ]);
    assert.notEqual(after["DATABASE_URL"], before["DATABASE_URL"]);
  });

  it("a function has the default credentials of its branch, until one is revoked", async () => {
    const url = await urlOf("credentials", { files: telling });
    await platform().call("POST", `${branch}/buckets`, { name: "own" });
    const { body } = await platform().call("GET", `${branch}/credentials`);
    const [gateway, storage] = body.credentials;
    const revealed = await platform().call("POST", `${branch}/credentials/${gateway?.token_id ?? ""}/reveal`);
    const before = (await ask(url)).environment;
    const keys = await platform().call("POST", `${branch}/credentials/${storage?.token_id ?? ""}/reveal`);
    assert.deepEqual(
      [before["AWS_ACCESS_KEY_ID"], before["AWS_SECRET_ACCESS_KEY"]],
      [storage?.token_id, keys.body.s3_secret_access_key],
    );
    assert.equal(before["NEON_AI_GATEWAY_TOKEN"], revealed.body.api_token);
    await platform().call("POST", `${branch}/credentials/${gateway?.token_id ?? ""}/rotate`);
    const after = (await ask(url)).environment;
    assert.notEqual(after["NEON_AI_GATEWAY_TOKEN"], before["NEON_AI_GATEWAY_TOKEN"]);
    await platform().call("DELETE", `${branch}/credentials/${storage?.token_id ?? ""}`);
    const { environment } = await ask(url);
    assert.deepEqual([environment["AWS_ACCESS_KEY_ID"], typeof environment["AWS_REGION"]], [undefined, "string"]);
  });

  for (const [form, name, code] of [
    [
      "a default object with fetch",
      "index.mjs",
      "export default { text: 'ok', fetch() { return new Response(this.text); } };",
    ],
    ["a default function", "index.mjs", "export default () => new Response('ok');"],
    ["a module in CommonJS", "index.js", "module.exports = { fetch: () => new Response('ok') };"],
    [
      "a compiled module in CommonJS",
      "index.js",
      "exports.__esModule = true; exports.default = () => new Response('ok');",
    ],
    ["a module with a file beside it", "index.mjs", "export { default } from './lib/handler.mjs';"],
  ] as const) {
    it(`a handler can be ${form}`, async () => {
      const lib = { "lib/handler.mjs": "export default () => new Response('ok');" };
      assert.equal(await textOf(await urlOf("forms", { files: { [name]: code, ...lib } })), "ok");
    });
  }

  it("an upgrade is passed to the function", async () => {
    const code = `export const upgrade = (request, socket) => socket.end("HTTP/1.1 101 Switching Protocols\\r\\n\\r\\nhello");
      export default () => new Response();`;
    const url = new URL(await urlOf("upgrade", { files: { "index.mjs": code } }));
    const socket = connect(Number(url.port), "127.0.0.1");
    socket.write(`GET / HTTP/1.1\r\nhost: ${url.host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(socket, "end");
    assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 101 [^]*hello$/);
  });

  for (const [problem, files, error] of [
    ["no entry", { "main.mjs": "export default () => 1;" }, /no index\.mjs or index\.js at its root/],
    ["no entry at its root", { "dist/index.mjs": "export default () => 1;" }, /no index\.mjs or index\.js at its root/],
    ["a syntax error", { "index.mjs": "export default {" }, /SyntaxError/],
    ["an error while it is loaded", { "index.mjs": "throw new TypeError('not now');" }, /TypeError: not now/],
    ["a missing module", { "index.mjs": "import 'no-such-package';" }, /no-such-package/],
    ["no handler", { "index.mjs": "export const fetch = 1;" }, /no request handler found/],
    ["a process that ends", { "index.mjs": "process.exit(3);" }, /ended with code 3/],
  ] as const) {
    it(`a build fails with ${problem}, and the version before answers on`, async () => {
      const url = await urlOf("failing", { files: answering("before") });
      const { current_deployment: current } = await put("failing", { files });
      assert.equal(current?.status, "failed");
      assert.match(current.error ?? "", error);
      assert.equal(await textOf(url), "before");
    });
  }

  it("a build fails with an invalid archive, and with one that leaves its folder", async () => {
    const { current_deployment: current } = await put("archive", { zip: new TextEncoder().encode("no archive") });
    assert.match(current?.error ?? "", /the archive cannot be read/);
    const escaping = await put("archive", { files: { ...answering("one"), "../escaped.txt": "" } });
    assert.match(escaping.current_deployment?.error ?? "", /outside of its root: "..\/escaped.txt"/);
  });

  for (const [damage, change] of [
    ["another content", (bytes) => bytes.write("expart", bytes.indexOf("export"))],
    ["another checksum", (bytes) => bytes.writeUInt32LE(1, bytes.lastIndexOf("PK\x01\x02") + 16)],
    ["another size", (bytes) => bytes.writeUInt32LE(9, bytes.lastIndexOf("PK\x01\x02") + 24)],
  ] satisfies readonly (readonly [string, (bytes: Buffer) => unknown])[]) {
    it(`a build fails with an archive that has ${damage} than it says`, async () => {
      const code = { "index.mjs": strToU8("export default () => new Response('ok');") };
      const zip = Buffer.from(zipSync(code, { level: 0 }));
      change(zip);
      const { current_deployment: current } = await put("damaged", { zip: new Uint8Array(zip) });
      assert.match(current?.error ?? "", /^the archive is damaged: the size or the checksum of "index\.mjs" is wrong$/);
    });
  }

  it("the code is read-only for a function, and the folder for temporary files is not", async () => {
    const code = `import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
      const at = (name) => new URL(name, import.meta.url);
      const modeOf = (name) => (statSync(at(name)).mode & 0o777).toString(8);
      const write = (name) => { try { writeFileSync(name, ""); return "written"; } catch ({ code }) { return code; } };
      export default () => {
        const folder = mkdtempSync("/tmp/neon-function-test-");
        const temporary = write(folder + "/file");
        rmSync(folder, { recursive: true });
        return Response.json({
          modes: [".", "index.mjs", "lib", "lib/data.txt"].map(modeOf),
          writes: ["new.txt", "lib/new.txt", "lib/data.txt"].map((name) => write(at(name))),
          temporary }); };`;
    const url = await urlOf("readonly", { files: { "index.mjs": code, "lib/data.txt": "data" } });
    const written = process.getuid?.() === 0 ? "written" : "EACCES";
    assert.deepEqual(JSON.parse(await textOf(url)), {
      modes: ["555", "444", "555", "444"],
      writes: [written, written, written],
      temporary: "written",
    });
  });

  it("code that changes its own files changes no other process, and no other function with the same code", async () => {
    const code = `import { chmodSync, writeFileSync } from "node:fs";
      export default ({ url }) => {
        if (!url.endsWith("/change")) return new Response("as deployed");
        for (const name of [".", "index.mjs"]) chmodSync(new URL(name, import.meta.url), 0o755);
        for (const name of ["index.mjs", "../code/index.mjs", "lib.mjs"])
          writeFileSync(new URL(name, import.meta.url), "export default () => new Response('changed');");
        setTimeout(() => process.exit(0), 20);
        return new Response("done"); };`;
    const urls = [await urlOf("rewrites", { files: { "index.mjs": code } })];
    urls.push(await urlOf("twin", { files: { "index.mjs": code } }));
    await (await fetch(`${urls[0]}change`, { headers: { connection: "close" } })).text();
    for (const url of urls) await until(async () => (await textOf(url).catch(() => "")) === "as deployed");
    await put("rewrites", { environment: { A: "1" } });
    assert.equal(await textOf(urls[0] ?? ""), "as deployed");
  });

  for (const [what, value] of [
    ["undefined", "undefined"],
    ["null", "null"],
    ["string", "'text'"],
    ["object", "{ status: 200 }"],
  ] as const) {
    it(`a handler that returns ${what} instead of a response is a 500, and the log says why`, async () => {
      const url = await urlOf("returns", { files: { "index.mjs": `export default () => (${value});` } });
      const answer = await fetch(url);
      assert.deepEqual([answer.status, await answer.text()], [500, "Internal Server Error"]);
      await until(async () => (await logOf(`the handler returned ${what}: it must return a Response`)).length > 0);
    });
  }

  it("a handler may return a response of another class", async () => {
    const code = `export default () => fetch("data:,native");`;
    assert.equal(await textOf(await urlOf("native", { files: { "index.mjs": code } })), "native");
  });

  it("a new version answers from its completion on, also on connections that are open", async () => {
    const url = await urlOf("versions", { files: answering("one") });
    assert.equal(await textOf(url), "one");
    await put("versions", { files: answering("two") });
    assert.equal(await textOf(url), "two");
  });

  it("an error of the handler is a 500 that does not show it", async () => {
    const code = `export default () => { throw new Error("secret cause"); };`;
    const thrown = await fetch(await urlOf("errors", { files: { "index.mjs": code } }));
    assert.deepEqual([thrown.status, await thrown.text()], [500, "Internal Server Error"]);
  });

  it("a process that ends is started again, and the next request is served", async () => {
    const code = `export default ({ url }) => url.endsWith("/exit") ? process.exit(1) : new Response("ok");`;
    const url = await urlOf("ending", { files: { "index.mjs": code } });
    // No connection stays open, because the client may not have noticed its end.
    const headers = { connection: "close" };
    // Often enough to meet the moment in which the platform does not know of the end of the process yet.
    for (let round = 0; round < 20; round += 1) {
      await assert.rejects(fetch(`${url}exit`, { headers }));
      assert.equal(await (await fetch(url, { headers })).text(), "ok");
    }
  });

  it("a request that meets changes of the variables while the code is loaded is served with the last ones", async () => {
    const file = folder("loads");
    const code = `import { appendFileSync, existsSync } from "node:fs";
      appendFileSync("${file}.started", "x");
      while (!existsSync("${file}.go")) await new Promise((resolve) => setTimeout(resolve, 5));
      export default () => new Response(process.env.DATABASE_URL);`;
    const hasStarted = (times: number) =>
      until(() => existsSync(`${file}.started`) && readFileSync(`${file}.started`).length === times);
    writeFileSync(`${file}.go`, "");
    const url = await urlOf("loading", { files: { "index.mjs": code } });
    rmSync(`${file}.go`);
    const answer = textOf(url);
    let password = "";
    for (let change = 0; change < 3; change += 1) {
      await hasStarted(2 + change);
      const { body } = await platform().call("POST", `${branch}/roles/neondb_owner/reset_password`);
      password = body.role.password ?? "";
    }
    await hasStarted(5);
    writeFileSync(`${file}.go`, "");
    assert.equal(new URL(await answer).password, password);
  });

  it("a function that was never built answers 404, and one that was deleted does not answer", async () => {
    const { invocation_url: url } = await put("broken", { files: { "index.mjs": "export default {" } });
    const response = await fetch(url);
    assert.deepEqual([response.status, await response.text()], [404, "no deployment of this function has completed\n"]);
    await platform().call("DELETE", `${branch}/functions/broken`);
    await until(() =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
  });

  it("a child serves the functions of its parent at other URLs, with its own database and name", async () => {
    const url = await urlOf("inherited", { files: telling, environment: { OWN: "1" } });
    const { body } = await platform().call("POST", `${projectPath}/branches`, {
      branch: { name: "child" },
      endpoints: [{ type: "read_write" }],
    });
    await platform().settled(body.branch.project_id);
    const path = `${projectPath}/branches/${body.branch.id}/functions/inherited`;
    const { invocation_url: other } = await waitForBuild(platform(), path);
    assert.notEqual(other, url);
    const [parents, childs] = [(await ask(url)).environment, (await ask(other)).environment];
    assert.deepEqual([childs["NEON_BRANCH"], childs["OWN"]], ["child", "1"]);
    assert.notEqual(childs["DATABASE_URL"], parents["DATABASE_URL"]);
  });

  it("logs have what a function writes, and when its requests begin and end", async () => {
    const code = `export default (request) => {
      console.log("hello %s", "you", { a: 1 }); console.error(new Error("broken")); process.stdout.write("direct\\n");
      return new Response("ok"); };`;
    const url = await urlOf("logs", { files: { "index.mjs": code } });
    const trace = "0af7651916cd43dd8448eb211c80319c";
    await (await fetch(`${url}run`, { headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })).text();
    const query = async (filters: object) => {
      const { body } = await platform().call("POST", `${branch}/logs/query`, { sort_order: "asc", ...filters });
      return body as unknown as { logs: Record<string, unknown>[]; next_cursor?: string; is_truncated: boolean };
    };
    const ours = { service_name: "neon-function/logs" };
    await until(async () => (await query(ours)).logs.length >= 5);
    const { logs } = await query({ trace_id: trace });
    assert.deepEqual(
      logs.map((line) => [line["scope_name"], line["severity_text"], String(line["message"]).split("\n")[0]]),
      [
        ["neon.function.request", "info", "begin GET /run"],
        ["neon.function.app", "info", "hello you { a: 1 }"],
        ["neon.function.app", "error", "Error: broken"],
        ["neon.function.request", "info", String(logs[3]?.["message"])],
      ],
    );
    assert.match(String(logs[3]?.["message"]), /^end GET \/run 200 \d+ ms$/);
    assert.equal(logs[2]?.["severity_number"], 17);
    const messages = async (filters: object) =>
      (await query({ ...ours, ...filters })).logs.map(({ message }) => message);
    assert.deepEqual(await messages({ body_contains: "direct" }), ["direct"]);
    assert.deepEqual(await messages({ minimum_severity: "error" }), [logs[2]["message"]]);
    const first = await query({ ...ours, limit: 2 });
    assert.equal(first.is_truncated, true);
    const rest = await query({ ...ours, limit: 1000, cursor: first.next_cursor });
    assert.equal(first.logs.length + rest.logs.length, (await query(ours)).logs.length);
    assert.deepEqual((await query({ logql: '{service_name="neon-function/logs"} |= "direct"' })).logs.length, 1);
    const { body: fields } = await platform().call("GET", `${branch}/logs/fields`);
    const all = ["source", "entity_id", "service_name", "scope_name", "severity_text", "trace_id"];
    assert.deepEqual((fields as unknown as { fields: string[] }).fields, all);
    const { body: values } = await platform().call("GET", `${branch}/logs/fields/scope_name/values`);
    assert.deepEqual(values, { values: ["neon.function.app", "neon.function.request"], is_truncated: false });
  });

  it("logs have what a function writes when its process ends", async () => {
    const code = `process.on("exit", () => console.log("the last line")); export default () => process.exit(1);`;
    const url = await urlOf("leaving", { files: { "index.mjs": code } });
    await assert.rejects(fetch(url));
    await until(async () => {
      return (await logOf("the last line")).length === 1;
    });
  });

  // Each ends the platform, or fills its memory, if anything that a function writes is trusted.
  for (const [what, code] of [
    ["a message that is no object", `for (const at of [3, 4]) attempt(() => writeSync(at, "null\\n"))`],
    [
      "a message that is no JSON",
      `for (const at of [3, 4]) attempt(() => writeSync(at, Buffer.from([0, 255, 10, 123, 10])))`,
    ],
    [
      "messages of other forms",
      `for (const message of [1, [], {}, { type: "log" }, { type: "log", lines: [null] }, { type: "failed" },
      { type: "taken" }, { type: "ready" }, { type: "drained" }, { type: "log", lines: [{ scope: {}, message: 1 }] }])
      attempt(() => writeSync(4, JSON.stringify(message) + "\\n"))`,
    ],
    [
      "a handle of Node's own channel",
      `for (const at of [3, 4]) for (const cmd of ["NODE_HANDLE", "NODE_HANDLE_ACK", "NODE_x"])
      attempt(() => writeSync(at, JSON.stringify({ cmd, type: "net.Nothing", msg: null }) + "\\n"))`,
    ],
    [
      "calls of Node's own channel",
      `for (const name of ["send", "_send"]) attempt(() => process[name](null));
      attempt(() => process.disconnect())`,
    ],
    [
      "a message without an end",
      `const part = "x".repeat(1 << 20); for (let at = 0; at < 8; at += 1) writeSync(4, part); writeSync(4, "\\n")`,
    ],
    [
      "what is read from the platform",
      `const worker = new Worker("require('node:fs').readSync(3, Buffer.alloc(1))", { eval: true }); worker.unref()`,
    ],
    ["bytes on its standard input", `setImmediate(() => attempt(() => writeSync(0, "x".repeat(1000))))`],
    ["closed descriptors", `for (const at of [1, 2, 4]) attempt(() => closeSync(at))`],
    ["a closed lifeline", `attempt(() => closeSync(0))`],
    ["a closed channel", `attempt(() => closeSync(3))`],
    [
      "other bytes on its socket",
      `attempt(() => { const { prototype } = Socket; const { write } = prototype;
      prototype.write = function (chunk, ...rest) { return write.call(this, Buffer.from("no"), ...rest); }; })`,
    ],
    ["an answer with long headers", `headers = { long: "x".repeat(4 << 20) }`],
    ["an answer with no end", `body = new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1 << 16)) })`],
  ] as const) {
    it(`a function writes ${what}: the platform and other functions answer as before`, async () => {
      const source = `import { closeSync, writeSync } from "node:fs"; import { Socket } from "node:net"; import { Worker } from "node:worker_threads";
        const attempt = (act) => { try { act(); } catch {} };
        export default () => { let headers = {}; let body = "ok"; ${code}; return new Response(body, { headers }); };`;
      const other = await urlOf("other", { files: answering("as before") });
      const url = await urlOf("hostile", { files: { "index.mjs": source } });
      for (let round = 0; round < 2; round += 1) {
        const request = get(url, { agent: false });
        await new Promise((resolve) => request.once("response", resolve).once("error", resolve).once("close", resolve));
        request.destroy();
      }
      assert.equal(await textOf(other), "as before");
      assert.equal((await platform().call("GET", projectPath)).status, 200);
    });
  }

  it("a line of the log has its first 65,536 characters, whatever wrote it", async () => {
    const code = `const line = (first) => first + "x".repeat((3 << 20) - 1);
      export default () => {
        console.log(line("1")); process.stdout.write(line("2") + "\\n"); process.stderr.write(line("3") + "\\nlast words\\n");
        return new Response("ok"); };`;
    await textOf(await urlOf("long", { files: { "index.mjs": code } }));
    await until(async () => (await logOf("last words")).length === 1);
    const lines = await logOf("xxxx");
    assert.deepEqual(lines.map((line) => line[0]).sort(), ["1", "2", "3"]);
    for (const line of lines) assert.equal(line.slice(65_536), `… (${(3 << 20) - 65_536} more characters)`);
  });

  it("the lines of all logs have a limited length together", () => {
    const logs = new BranchLogs();
    const message = "x".repeat(65_536);
    const place = { branch_id: "br-1", at: 0, source: "function", entity_id: "f", service_name: "f" } as const;
    for (let line = 0; line < 2_000; line += 1) {
      logs.add({ ...place, message: `${message}${line}`, scope_name: "app", severity_text: "info" });
    }
    const kept = logs.of("br-1");
    assert.ok(kept.length >= 255 && kept.length <= 512, String(kept.length));
    assert.equal(kept.at(-1)?.message, `${message}1999`);
  });

  it("a function that writes without end holds up nobody else", async () => {
    const code = `import { writeSync } from "node:fs";
      export default () => { setImmediate(() => { for (;;) { writeSync(1, "\\n".repeat(9999)); console.log("x"); } }); return new Response("ok"); };`;
    const url = await urlOf("endless", { files: { "index.mjs": code } });
    await textOf(url);
    const other = await urlOf("beside", { files: answering("ok") });
    for (let round = 0; round < 50; round += 1) assert.equal(await textOf(other), "ok");
    await platform().call("DELETE", `${branch}/functions/endless`);
  });

  for (const [reason, filters] of [
    ["conflicting_time_range", { since: "1h", start_time: "2026-01-01T00:00:00Z" }],
    ["invalid_time_range", { start_time: "2026-01-02T00:00:00Z", end_time: "2026-01-01T00:00:00Z" }],
    ["time_range_too_large", { since: "8d" }],
    ["invalid_cursor", { cursor: "none" }],
    ["conflicting_filters", { logql: '{source="function"}', source: "function" }],
    ["invalid_logql", { logql: 'sum(rate({source="function"}[5m]))' }],
  ] as const) {
    it(`a query of logs with ${reason} is refused with that reason`, async () => {
      const { status, body } = await platform().call("POST", `${branch}/logs/query`, filters);
      assert.deepEqual([status, body.reason], [400, reason]);
    });
  }

  it("an unknown field of logs, and logs of no branch, are refused with a reason", async () => {
    const unknown = await platform().call("GET", `${branch}/logs/fields/none/values`);
    assert.deepEqual([unknown.status, unknown.body.reason], [400, "unknown_field"]);
    const missing = await platform().call("POST", `${projectPath}/branches/br-none/logs/query`, {});
    assert.deepEqual([missing.status, missing.body.reason], [404, "branch_not_found"]);
  });
});

describe("local platform: processes of functions", () => {
  const folder = suitePaths();
  const code = `import { spawn } from "node:child_process";
    import { writeSync } from "node:fs";
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 60_000)"], { stdio: "ignore" });
    const write = (until) => { while (Date.now() < until) writeSync(1, "."); };
    export default (request) => {
      if (request.url.endsWith("/block")) for (;;);
      if (request.url.endsWith("/write")) setInterval(() => write(Date.now() + 20));
      return Response.json([process.pid, child.pid]); };`;

  /** Deploys the function on a new project. Returns its path. */
  async function place(platform: TestPlatform, source = code): Promise<string> {
    const { project, branch } = await platform.project();
    const path = `/projects/${project.id}/branches/${branch.id}/functions/api`;
    await deployed(platform, path, { files: { "index.mjs": source } });
    return path;
  }

  const pidsOf = async (url: string): Promise<number[]> => (await (await fetch(url)).json()) as number[];
  const areGone = (pids: readonly number[]) => () => !pids.some(isAlive);

  it("start with the first request, and end with the platform and with what they have started", async () => {
    let pids: number[] = [];
    await withPlatform({ operationTime: "5ms" }, async (platform) => {
      const { invocation_url: url } = await waitForBuild(platform, await place(platform));
      pids = await pidsOf(url);
      assert.deepEqual(await pidsOf(url), pids);
      assert.ok(pids.every(isAlive));
    });
    await until(areGone(pids));
  });

  it("do not hold up the end of the platform if what they have started left their group with their output", async () => {
    const leaving = `import { spawn } from "node:child_process";
      export default () => {
        const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "inherit" });
        return Response.json([process.pid, pid]); };`;
    const [pid = 0, left = 0] = await withPlatform({ operationTime: "5ms" }, async (platform) => {
      const { invocation_url: url } = await waitForBuild(platform, await place(platform, leaving));
      return await pidsOf(url);
    });
    assert.deepEqual([isAlive(pid), isAlive(left)], [false, true]);
    process.kill(left);
  });

  /** Has a function do something, and kills the platform meanwhile. */
  async function killDuring(work: (url: string) => void | Promise<void>): Promise<void> {
    const { child, platform: address } = await spawnPlatform(["--operation-time", "5ms"]);
    let pids: number[] = [];
    try {
      const platform = new TestPlatform(address);
      const { invocation_url: url } = await waitForBuild(platform, await place(platform));
      pids = await pidsOf(url);
      await work(url);
    } finally {
      child.kill("SIGKILL");
    }
    await until(areGone(pids));
  }

  it("end when the platform is killed, also in a loop without end", async () => {
    await killDuring((url) => {
      void fetch(`${url}block`).catch(() => undefined);
    });
  });

  it("end with what they have started when the platform is killed while they write", async () => {
    await killDuring(async (url) => {
      await pidsOf(`${url}write`);
    });
  });

  it("a restart serves the functions of the data folder at the same URLs", async () => {
    const options = { operationTime: "5ms", data: folder("restart") };
    const first = await withPlatform(options, async (platform) => {
      const path = await place(platform);
      const { invocation_url: url } = await waitForBuild(platform, path);
      return { path, url, key: platform.apiKey };
    });
    await withPlatform(options, async (platform) => {
      const { body } = await platform.call("GET", first.path, undefined, { key: first.key });
      assert.equal(body.function.invocation_url, first.url);
      await until(async () => (await fetch(first.url).catch(() => undefined))?.status === 200);
    });
  });
});
