import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { generate } from "selfsigned";

import { ForwardProxy } from "../support/forward-proxy";
import { ScriptedServer } from "../support/scripted-server";

const me = { id: "u1", email: "somebody@example.com", name: "somebody" };
const host = "platform.example";
const user = "proxy-user";
const password = "pr0xy p@ssword";
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const credentials = `${user}:${encodeURIComponent(password)}`;

/** What is sent twice, one after the other, by a client of its own. */
interface Asked {
  readonly apiUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Default: a read that is not retried. */
  readonly verb?: "change" | "retry";
}

/** The result of two sequential requests. */
interface Outcome {
  readonly email?: string;
  readonly error?: { readonly name: string; readonly kind: string; readonly message: string };
  /** Everything that the process printed or could print. */
  readonly printed: string;
}

/** Sends requests in a process that resolves every host name to this machine. */
const script = `
  require("node:dns").lookup = (name, options, done) =>
    options.all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
  const { inspect } = require("node:util");
  const { PlatformClient, roles, users } = require("neon-pulumi/api");
  const { attemptLine } = require("./dist/api/connect.js");
  const ask = ({ apiUrl, verb }) => {
    const lines = [];
    const onAttempt = (attempt) => lines.push(attemptLine(attempt));
    const client = new PlatformClient({ apiKey: "napi_only_for_tests", apiUrl, attemptTimeout: 3000, onAttempt });
    const request = verb === "change" ? roles.create("p", "b", { name: "app" }) : users.me();
    const once = () => client.send(request, verb === "retry" ? {} : { deadline: 0 });
    return once().then(once).then(
      ({ email }) => ({ email, printed: [inspect(client, { depth: 9, showHidden: true }), ...lines].join("\\n") }),
      (error) => ({
        error: { name: error.name, kind: error.kind, message: error.message },
        printed: [inspect(error, { depth: 99, showHidden: true }), error.stack, ...lines].join("\\n"),
      }),
    );
  };
  const own = { ...process.env };
  (async () => {
    const outcomes = [];
    for (const asked of JSON.parse(process.argv[1])) {
      process.env = { ...own, ...asked.environment };
      outcomes.push(await ask(asked));
    }
    process.stdout.write(JSON.stringify(outcomes));
  })();
`;

describe("requests through a proxy", function () {
  this.timeout(60_000);
  let folder: string;
  let plain: ScriptedServer;
  let secure: Server;
  let proxy: ForwardProxy;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "neon-pulumi-proxy-"));
    const { cert, private: key } = await generate([{ name: "commonName", value: host }], {
      keyType: "ec",
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: host }] }],
    });
    writeFileSync(join(folder, "certificate.pem"), cert);
    plain = await ScriptedServer.start();
    secure = createServer({ cert, key }, (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(me));
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  });
  beforeEach(async () => {
    plain.answer([{ body: me }]);
    proxy = await ForwardProxy.start();
  });
  afterEach(() => proxy.close());
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await plain.close();
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });

  const httpsUrl = () => `https://${host}:${(secure.address() as AddressInfo).port}/api/v2`;
  const httpUrl = (name = host) => `http://${name}:${new URL(plain.origin).port}/api/v2`;

  /** Sends each of these, one after the other in one process. */
  async function askAll(asked: readonly Asked[]): Promise<readonly Outcome[]> {
    const env = { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem"), DEBUG: "*" };
    const args = ["-e", script, JSON.stringify(asked)];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
    const secrets = [user, password, encodeURIComponent(password), authorization, "napi_only_for_tests"];
    for (const each of secrets) assert.ok(!(stdout + stderr).includes(each), `shows ${each}: ${stdout}${stderr}`);
    return JSON.parse(stdout) as readonly Outcome[];
  }

  async function ask(apiUrl: string, environment: Asked["environment"], verb?: Asked["verb"]): Promise<Outcome> {
    const [outcome] = await askAll([{ apiUrl, environment, ...(verb === undefined ? {} : { verb }) }]);
    return outcome ?? assert.fail();
  }

  it("use one tunnel, with the credentials of the proxy, if the variable for the protocol of the base URL is set", async () => {
    const { address } = proxy;
    const tunnels: readonly (readonly [apiUrl: string, variable: string, value: string, authorization?: string])[] = [
      [httpsUrl(), "HTTPS_PROXY", `http://${address}`],
      [httpsUrl(), "https_proxy", `http://${address}`],
      [httpsUrl(), "HTTPS_PROXY", address],
      [httpsUrl(), "HTTPS_PROXY", `http://${credentials}@${address}`, authorization],
      [httpUrl(), "HTTP_PROXY", `http://${credentials}@${address}`, authorization],
      [httpUrl(), "http_proxy", `http://${credentials}@${address}`, authorization],
      // It only starts like a loopback address.
      [httpUrl("127.0.0.1.example"), "HTTP_PROXY", `http://${address}`],
    ];
    const outcomes = await askAll(
      tunnels.map(([apiUrl, variable, value]) => ({ apiUrl, environment: { [variable]: value } })),
    );
    for (const { email, error } of outcomes) assert.equal(email, me.email, error?.message);
    assert.deepEqual(
      proxy.requests,
      tunnels.map(([apiUrl, , , sent]) => ({ method: "CONNECT", target: new URL(apiUrl).host, authorization: sent })),
    );
  });

  it("connect directly to hosts that NO_PROXY lists, to loopback addresses, and if only the other variable is set", async () => {
    const environment = { HTTP_PROXY: `http://${proxy.address}` };
    const direct: readonly Asked[] = [
      { apiUrl: httpsUrl(), environment },
      ...["NO_PROXY", "no_proxy"].flatMap((name) =>
        [host, ".example", `other.example, ${host}`, "*"].map((value) => ({
          apiUrl: httpUrl(),
          environment: { ...environment, [name]: value },
        })),
      ),
      ...["127.0.0.1", "localhost", "LOCALHOST"].map((name) => ({ apiUrl: httpUrl(name), environment })),
    ];
    // Nothing listens there: only the proxy would answer.
    const unheard = ["127.8.9.10", "[::1]", "[::ffff:127.0.0.1]"].map((name) => ({
      apiUrl: httpUrl(name),
      environment,
    }));
    const outcomes = await askAll([...direct, ...unheard]);
    for (const [index, { email, error }] of outcomes.slice(0, direct.length).entries()) {
      assert.equal(email, me.email, `${JSON.stringify(direct[index])}: ${error?.message ?? ""}`);
    }
    assert.deepEqual(proxy.requests, []);
  });

  describe("with a proxy that fails", () => {
    for (const [what, refusal, said] of [
      [
        "wants credentials",
        { status: 407, reason: "Proxy Authentication Required" },
        "HTTP 407 Proxy Authentication Required",
      ],
      ["cannot reach the host", { status: 502, reason: "Bad Gateway" }, "HTTP 502 Bad Gateway"],
      ["closes the connection", "close", "Proxy connection ended before receiving CONNECT response"],
    ] as const) {
      it(`report the proxy without its credentials, and that nothing was sent, if it ${what}`, async () => {
        proxy.refusal = refusal;
        const { error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${credentials}@${proxy.address}` }, "change");
        assert.equal(
          error?.message,
          `POST /projects/p/branches/b/roles received no response: the proxy http://${proxy.address} (HTTPS_PROXY) did not open a connection: ${said}. Try again later.`,
        );
        assert.equal(error.kind, "unreachable");
      });
    }

    it("report the proxy if nothing listens there", async () => {
      const { address } = proxy;
      await proxy.close();
      const { error } = await ask(httpUrl(), { http_proxy: `http://${credentials}@${address}` }, "change");
      assert.equal(
        error?.message,
        `POST /projects/p/branches/b/roles received no response: the proxy http://${address} (http_proxy) did not open a connection: connect ECONNREFUSED ${address}. Try again later.`,
      );
    });

    it("suggest correcting the proxy settings instead of the base URL", async () => {
      proxy.refusal = { status: 403, reason: "Forbidden" };
      const { error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${credentials}@${proxy.address}` }, "retry");
      assert.equal(
        error?.message,
        `GET /users/me received no response: the proxy http://${proxy.address} (HTTPS_PROXY) did not open a connection: HTTP 403 Forbidden. Correct the proxy settings: HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`,
      );
      assert.equal(error.kind, "unreachable");
    });

    it("do not keep the process alive after the attempt", async () => {
      proxy.refusal = "silence";
      const { error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${proxy.address}` });
      assert.match(error?.message ?? "", /^GET \/users\/me received no response within 3 s\. /);
    });

    it("report a proxy that is not the URL of an HTTP proxy without quoting its value", async () => {
      const values = [`http://${credentials}@`, `socks5://${credentials}@127.0.0.1:1080`];
      const asked = values.map((value) => ({ apiUrl: httpsUrl(), environment: { HTTPS_PROXY: value } }));
      for (const { error } of await askAll(asked)) {
        assert.equal(
          error?.message,
          "GET /users/me received no response: HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128. Try again later.",
        );
      }
    });
  });
});
