import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { generate } from "selfsigned";

import { suiteFolder } from "../support/folder";
import { ForwardProxy } from "../support/forward-proxy";
import { ScriptedServer } from "../support/scripted-server";
import { until } from "../support/until";

const me = { id: "u1", email: "somebody@example.com", name: "somebody" };
const host = "platform.example";
const user = "proxy-user";
const password = "pr0xy p@ssword";
const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const credentials = `${user}:${encodeURIComponent(password)}`;

/** Sends what it is asked for in a process that resolves every host name to this machine. */
const script = `
  require("node:dns").lookup = (name, options, done) =>
    options.all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
  const { inspect } = require("node:util");
  const { NeonClient, roles, users } = require("neon-pulumi/api");
  const { attemptLine } = require("./dist/provider/settings/connect.js");
  const ask = ({ apiUrl, verb }) => {
    const lines = [];
    const onAttempt = (attempt) => lines.push(attemptLine(attempt));
    const client = new NeonClient({ apiKey: "napi_only_for_tests", apiUrl, attemptTimeout: 3000, onAttempt });
    const request = verb === "change" ? roles.create("p", "b", { name: "app" }) : users.me();
    const once = () => client.send(request, verb === "retry" ? {} : { deadline: 0 });
    return once().then(once).then(
      ({ email }) => ({ email, printed: [inspect(client, { depth: 9, showHidden: true }), ...lines].join("\\n") }),
      (error) => ({
        error: { kind: error.kind, message: error.message },
        printed: [inspect(error, { depth: 99, showHidden: true }), error.stack, ...lines].join("\\n"),
      }),
    );
  };
  const own = { ...process.env };
  (async () => {
    for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
      const asked = JSON.parse(line);
      process.env = { ...own, ...asked.environment };
      console.log(JSON.stringify(await ask(asked)));
    }
  })();
`;

describe("requests through a proxy", function () {
  this.timeout(60_000);
  const certificate = join(suiteFolder("neon-pulumi-proxy-"), "certificate.pem");
  let client: ClientProcess;
  let plain: ScriptedServer;
  let secure: Server;
  let proxy: ForwardProxy;
  before(async () => {
    const { cert, private: key } = await generate([{ name: "commonName", value: host }], {
      keyType: "ec",
      extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: host }] }],
    });
    writeFileSync(certificate, cert);
    client = new ClientProcess(certificate);
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
  afterEach(async () => {
    await proxy.close();
    client.assertHidden();
  });
  after(async () => {
    await client.end();
    await plain.close();
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  });

  const httpsUrl = () => `https://${host}:${(secure.address() as AddressInfo).port}/api/v2`;
  const httpUrl = (name = host) => `http://${name}:${new URL(plain.origin).port}/api/v2`;

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
    for (const [apiUrl, variable, value] of tunnels) {
      const { email, error } = await client.ask({ apiUrl, environment: { [variable]: value } });
      assert.equal(email, me.email, error?.message);
    }
    assert.deepEqual(
      proxy.requests,
      tunnels.map(([apiUrl, , , sent]) => ({ method: "CONNECT", target: new URL(apiUrl).host, authorization: sent })),
    );
  });

  it("report the outcome of a change as unknown if the connection through a tunnel ends before the response", async () => {
    plain.answer([{ end: "reset-after" }]);
    const environment = { HTTP_PROXY: `http://${proxy.address}` };
    const { error } = await client.ask({ apiUrl: httpUrl(), environment, verb: "change" });
    assert.match(error?.message ?? "", /^POST \S+ was sent, but its outcome is unknown: no response/);
  });

  it("close a tunnel that is idle for longer than any gateway allows", async () => {
    const { email } = await client.ask({
      apiUrl: httpsUrl(),
      environment: { HTTPS_PROXY: `http://${proxy.address}` },
    });
    assert.equal(email, me.email);
    assert.equal(proxy.open, 1);
    await until(() => proxy.open === 0);
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
    const unheard = ["127.8.9.10", "[::1]", "[::ffff:127.0.0.1]"];
    for (const name of unheard) await client.ask({ apiUrl: httpUrl(name), environment });
    for (const asked of direct) {
      const { email, error } = await client.ask(asked);
      assert.equal(email, me.email, `${JSON.stringify(asked)}: ${error?.message ?? ""}`);
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
        const environment = { HTTPS_PROXY: `http://${credentials}@${proxy.address}` };
        const { error } = await client.ask({ apiUrl: httpsUrl(), environment, verb: "change" });
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
      const environment = { http_proxy: `http://${credentials}@${address}` };
      const { error } = await client.ask({ apiUrl: httpUrl(), environment, verb: "change" });
      assert.equal(
        error?.message,
        `POST /projects/p/branches/b/roles received no response: the proxy http://${address} (http_proxy) did not open a connection: connect ECONNREFUSED ${address}. Try again later.`,
      );
    });

    it("suggest correcting the proxy settings instead of the base URL", async () => {
      proxy.refusal = { status: 403, reason: "Forbidden" };
      const environment = { HTTPS_PROXY: `http://${credentials}@${proxy.address}` };
      const { error } = await client.ask({ apiUrl: httpsUrl(), environment, verb: "retry" });
      assert.equal(
        error?.message,
        `GET /users/me received no response: the proxy http://${proxy.address} (HTTPS_PROXY) did not open a connection: HTTP 403 Forbidden. Correct the proxy settings: HTTPS_PROXY, HTTP_PROXY and NO_PROXY.`,
      );
      assert.equal(error.kind, "unreachable");
    });

    it("do not keep the process alive after the attempt", async () => {
      proxy.refusal = "silence";
      const other = new ClientProcess(certificate);
      const environment = { HTTPS_PROXY: `http://${proxy.address}` };
      const { error } = await other.ask({ apiUrl: httpsUrl(), environment });
      await other.end();
      assert.equal(error?.message, "GET /users/me received no response within 3 s. Try again later.");
    });

    it("report a proxy that is not the URL of an HTTP proxy without quoting its value", async () => {
      for (const value of [`http://${credentials}@`, `socks5://${credentials}@127.0.0.1:1080`]) {
        const { error } = await client.ask({ apiUrl: httpsUrl(), environment: { HTTPS_PROXY: value } });
        assert.equal(
          error?.message,
          "GET /users/me received no response: HTTPS_PROXY must be the URL of an HTTP proxy, such as http://proxy.example:3128. Try again later.",
        );
      }
    });
  });
});

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
  readonly error?: { readonly kind: string; readonly message: string };
  /** What the process could print. */
  readonly printed: string;
}

/** A process that trusts a certificate. */
class ClientProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;
  /** Everything that it has printed, with what it could print. */
  #printed = "";

  constructor(certificate: string) {
    const env = { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: certificate, DEBUG: "*" };
    this.#child = spawn(process.execPath, ["-e", script], { env });
    this.#lines = createInterface({ input: this.#child.stdout });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (this.#printed += text));
    }
  }

  async ask(asked: Asked): Promise<Outcome> {
    const answered = once(this.#lines, "line");
    this.#child.stdin.write(`${JSON.stringify(asked)}\n`);
    const [line] = (await answered) as [string];
    return JSON.parse(line) as Outcome;
  }

  /** Waits until the process has ended by itself. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    await once(this.#child, "close");
    this.assertHidden();
  }

  assertHidden(): void {
    for (const secret of [user, password, encodeURIComponent(password), authorization, "napi_only_for_tests"]) {
      assert.ok(!this.#printed.includes(secret), `shows ${secret}: ${this.#printed}`);
    }
  }
}
