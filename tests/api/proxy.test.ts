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

/** What became of two requests, one after the other. */
interface Outcome {
  readonly email?: string;
  readonly error?: { readonly name: string; readonly kind: string; readonly message: string };
  /** Everything that somebody could print, and has printed. */
  readonly printed: string;
}

/** Asks twice for the current user, in a process for which every host name leads to this machine. */
const script = `
  require("node:dns").lookup = (name, options, done) =>
    options.all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
  const { inspect } = require("node:util");
  const { PlatformClient, roles, users } = require("neon-pulumi/api");
  const { attemptLine } = require("./dist/api/client-settings.js");
  const [, apiUrl, verb] = process.argv;
  const lines = [];
  const onAttempt = (attempt) => lines.push(attemptLine(attempt));
  const client = new PlatformClient({ apiKey: "napi_only_for_tests", apiUrl, attemptTimeout: 3000, onAttempt });
  const request = verb === "change" ? roles.create("p", "b", { name: "app" }) : users.me();
  const once = () => client.send(request, verb === "retry" ? {} : { deadline: 0 });
  once().then(once).then(
    ({ email }) => ({ email, printed: [inspect(client, { depth: 9, showHidden: true }), ...lines].join("\\n") }),
    (error) => ({
      error: { name: error.name, kind: error.kind, message: error.message },
      printed: [inspect(error, { depth: 99, showHidden: true }), error.stack, ...lines].join("\\n"),
    }),
  ).then((outcome) => process.stdout.write(JSON.stringify(outcome)));
`;

describe("api: requests through a proxy", function () {
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

  async function ask(
    apiUrl: string,
    environment: Readonly<Record<string, string>>,
    verb: "read" | "change" | "retry" = "read",
  ): Promise<Outcome> {
    const env = {
      PATH: process.env["PATH"],
      NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem"),
      DEBUG: "*",
      ...environment,
    };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["-e", script, apiUrl, verb], { env });
    const outcome = JSON.parse(stdout) as Outcome;
    const printed = outcome.printed + stderr;
    const secrets = [user, password, encodeURIComponent(password), authorization, "napi_only_for_tests"];
    for (const each of secrets) assert.ok(!printed.includes(each), `shows ${each}: ${printed}`);
    return { ...outcome, printed };
  }

  describe("an https: base URL", () => {
    for (const name of ["HTTPS_PROXY", "https_proxy"]) {
      it(`is reached through a tunnel, opened once, when ${name} is set`, async () => {
        const { email, error } = await ask(httpsUrl(), { [name]: `http://${proxy.address}` });
        assert.equal(email, me.email, error?.message);
        const target = new URL(httpsUrl()).host;
        assert.deepEqual(proxy.requests, [{ method: "CONNECT", target, authorization: undefined }]);
      });
    }

    it("is reached with the proxy's credentials, which no log shows", async () => {
      const { email, error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${credentials}@${proxy.address}` });
      assert.equal(email, me.email, error?.message);
      assert.equal(proxy.requests[0]?.authorization, authorization);
    });

    it("is reached through a proxy that is given without a protocol", async () => {
      const { email, error } = await ask(httpsUrl(), { HTTPS_PROXY: proxy.address });
      assert.equal(email, me.email, error?.message);
      assert.equal(proxy.requests.length, 1);
    });

    it("is reached directly when only HTTP_PROXY is set", async () => {
      const { email, error } = await ask(httpsUrl(), { HTTP_PROXY: `http://${proxy.address}` });
      assert.equal(email, me.email, error?.message);
      assert.deepEqual(proxy.requests, []);
    });
  });

  describe("an http: base URL", () => {
    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      it(`is reached through a tunnel, opened once, when ${name} is set`, async () => {
        const { email, error } = await ask(httpUrl(), { [name]: `http://${credentials}@${proxy.address}` });
        assert.equal(email, me.email, error?.message);
        const target = new URL(httpUrl()).host;
        assert.deepEqual(proxy.requests, [{ method: "CONNECT", target, authorization }]);
      });
    }
  });

  describe("no proxy is used", () => {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      for (const value of [host, `.example`, `other.example, ${host}`, "*"]) {
        it(`for a host that ${name} lists as "${value}"`, async () => {
          const { email, error } = await ask(httpUrl(), { HTTP_PROXY: `http://${proxy.address}`, [name]: value });
          assert.equal(email, me.email, error?.message);
          assert.deepEqual(proxy.requests, []);
        });
      }
    }

    for (const name of ["127.0.0.1", "localhost", "LOCALHOST"]) {
      it(`for the loopback address ${name}`, async () => {
        const { email, error } = await ask(httpUrl(name), { HTTP_PROXY: `http://${proxy.address}` });
        assert.equal(email, me.email, error?.message);
        assert.deepEqual(proxy.requests, []);
      });
    }

    for (const name of ["127.8.9.10", "[::1]", "[::ffff:127.0.0.1]"]) {
      it(`for the loopback address ${name}`, async () => {
        // Nothing listens there: it matters only that the proxy is not asked.
        await ask(httpUrl(name), { HTTP_PROXY: `http://${proxy.address}` });
        assert.deepEqual(proxy.requests, []);
      });
    }

    it("but a host that only begins like a loopback address is asked for at the proxy", async () => {
      const { email, error } = await ask(httpUrl("127.0.0.1.example"), { HTTP_PROXY: `http://${proxy.address}` });
      assert.equal(email, me.email, error?.message);
      assert.equal(proxy.requests.length, 1);
    });
  });

  describe("a proxy that fails", () => {
    for (const [what, refusal, said] of [
      [
        "wants credentials",
        { status: 407, reason: "Proxy Authentication Required" },
        "it answered 407 Proxy Authentication Required",
      ],
      ["cannot reach the host", { status: 502, reason: "Bad Gateway" }, "it answered 502 Bad Gateway"],
      ["closes the connection", "close", "Proxy connection ended before receiving CONNECT response"],
    ] as const) {
      it(`is named without its credentials when it ${what}, and nothing counts as sent`, async () => {
        proxy.refusal = refusal;
        const { error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${credentials}@${proxy.address}` }, "change");
        assert.equal(
          error?.message,
          `POST /projects/p/branches/b/roles got no answer: the proxy http://${proxy.address} (HTTPS_PROXY) opened no connection: ${said}. Try again later.`,
        );
        assert.equal(error.kind, "unreachable");
      });
    }

    it("is named when nobody listens there", async () => {
      const { address } = proxy;
      await proxy.close();
      const { error } = await ask(httpUrl(), { http_proxy: `http://${credentials}@${address}` }, "change");
      assert.equal(
        error?.message,
        `POST /projects/p/branches/b/roles got no answer: the proxy http://${address} (http_proxy) opened no connection: connect ECONNREFUSED ${address}. Try again later.`,
      );
    });

    it("is what has to be corrected, and not the base URL, while nothing has answered", async () => {
      proxy.refusal = { status: 403, reason: "Forbidden" };
      const { error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${credentials}@${proxy.address}` }, "retry");
      assert.equal(
        error?.message,
        `GET /users/me got no answer: the proxy http://${proxy.address} (HTTPS_PROXY) opened no connection: it answered 403 Forbidden. Correct the proxy settings: HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`,
      );
      assert.equal(error.kind, "unreachable");
    });

    it("does not keep the process alive once the attempt is over", async () => {
      proxy.refusal = "silence";
      const { error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${proxy.address}` });
      assert.match(error?.message ?? "", /^GET \/users\/me got no answer within 3 s\. /);
    });

    for (const [what, value] of [
      ["no URL", `http://${credentials}@`],
      ["of another protocol", `socks5://${credentials}@127.0.0.1:1080`],
    ] as const) {
      it(`is refused without a word of its value when it is ${what}`, async () => {
        const { error } = await ask(httpsUrl(), { HTTPS_PROXY: value });
        assert.equal(
          error?.message,
          "GET /users/me got no answer: HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128. Try again later.",
        );
      });
    }
  });
});
