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

/** The result of two sequential requests. */
interface Outcome {
  readonly email?: string;
  readonly error?: { readonly name: string; readonly kind: string; readonly message: string };
  /** Everything that the process printed or could print. */
  readonly printed: string;
}

/** Sends a request twice, in a process that resolves every host name to this machine. */
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

  describe("with an https: base URL", () => {
    for (const name of ["HTTPS_PROXY", "https_proxy"]) {
      it(`use one tunnel if ${name} is set`, async () => {
        const { email, error } = await ask(httpsUrl(), { [name]: `http://${proxy.address}` });
        assert.equal(email, me.email, error?.message);
        const target = new URL(httpsUrl()).host;
        assert.deepEqual(proxy.requests, [{ method: "CONNECT", target, authorization: undefined }]);
      });
    }

    it("send the proxy's credentials and log none of them", async () => {
      const { email, error } = await ask(httpsUrl(), { HTTPS_PROXY: `http://${credentials}@${proxy.address}` });
      assert.equal(email, me.email, error?.message);
      assert.equal(proxy.requests[0]?.authorization, authorization);
    });

    it("accept a proxy without a protocol", async () => {
      const { email, error } = await ask(httpsUrl(), { HTTPS_PROXY: proxy.address });
      assert.equal(email, me.email, error?.message);
      assert.equal(proxy.requests.length, 1);
    });

    it("connect directly if only HTTP_PROXY is set", async () => {
      const { email, error } = await ask(httpsUrl(), { HTTP_PROXY: `http://${proxy.address}` });
      assert.equal(email, me.email, error?.message);
      assert.deepEqual(proxy.requests, []);
    });
  });

  describe("with an http: base URL", () => {
    for (const name of ["HTTP_PROXY", "http_proxy"]) {
      it(`use one tunnel if ${name} is set`, async () => {
        const { email, error } = await ask(httpUrl(), { [name]: `http://${credentials}@${proxy.address}` });
        assert.equal(email, me.email, error?.message);
        const target = new URL(httpUrl()).host;
        assert.deepEqual(proxy.requests, [{ method: "CONNECT", target, authorization }]);
      });
    }
  });

  describe("with NO_PROXY and loopback addresses", () => {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      for (const value of [host, `.example`, `other.example, ${host}`, "*"]) {
        it(`connect directly to a host that ${name} lists as "${value}"`, async () => {
          const { email, error } = await ask(httpUrl(), { HTTP_PROXY: `http://${proxy.address}`, [name]: value });
          assert.equal(email, me.email, error?.message);
          assert.deepEqual(proxy.requests, []);
        });
      }
    }

    for (const name of ["127.0.0.1", "localhost", "LOCALHOST"]) {
      it(`connect directly to the loopback address ${name}`, async () => {
        const { email, error } = await ask(httpUrl(name), { HTTP_PROXY: `http://${proxy.address}` });
        assert.equal(email, me.email, error?.message);
        assert.deepEqual(proxy.requests, []);
      });
    }

    for (const name of ["127.8.9.10", "[::1]", "[::ffff:127.0.0.1]"]) {
      it(`connect directly to the loopback address ${name}`, async () => {
        // Nothing listens there. The test only checks that the proxy receives no request.
        await ask(httpUrl(name), { HTTP_PROXY: `http://${proxy.address}` });
        assert.deepEqual(proxy.requests, []);
      });
    }

    it("use the proxy for a host name that starts like a loopback address", async () => {
      const { email, error } = await ask(httpUrl("127.0.0.1.example"), { HTTP_PROXY: `http://${proxy.address}` });
      assert.equal(email, me.email, error?.message);
      assert.equal(proxy.requests.length, 1);
    });
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

    for (const [what, value] of [
      ["not a URL", `http://${credentials}@`],
      ["a URL of another protocol", `socks5://${credentials}@127.0.0.1:1080`],
    ] as const) {
      it(`report a proxy that is ${what} without quoting its value`, async () => {
        const { error } = await ask(httpsUrl(), { HTTPS_PROXY: value });
        assert.equal(
          error?.message,
          "GET /users/me received no response: HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128. Try again later.",
        );
      });
    }
  });
});
