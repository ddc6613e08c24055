import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, createServer as listener, type Server } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as passes } from "node:timers/promises";
import { inspect } from "node:util";

import { generate } from "selfsigned";
import { z } from "zod";
import {
  branches,
  bucketObjects,
  type ClientOptions,
  endpoints,
  functions,
  HttpError,
  isNotFound,
  operations,
  OutcomeUnknownError,
  NeonClient,
  NeonError,
  projects,
  type Request,
  roles,
  type Transport,
  users,
} from "../../api/index";
import { systemClock } from "../../api/core/clock";
import { downloadFile } from "../../api/http/file-transfer";
import { IdleLimit } from "../../api/http/idle-limit";
import { fetchTransport } from "../../api/http/transport";
import { attemptLine } from "../../provider/settings/connect";
import { endless, ManualClock } from "../support/clock";
import { type Reply, type Script, ScriptedServer } from "../support/scripted-server";
import { until } from "../support/until";
import { createdProjectSample, projectSample } from "./samples";
import { apiKey, errorOf, scriptedClient } from "./scripted-client";

const me = { id: "u1", email: "somebody@example.com", name: "somebody" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A request that accepts any response. */
const anything: Request<unknown> = { method: "GET", path: "/anything", schema: z.unknown() };
const kindOf = (error: unknown) => (NeonError.isInstance(error) ? error.kind : undefined);

describe("NeonClient over a real socket", () => {
  let server: ScriptedServer;
  before(async () => {
    server = await ScriptedServer.start();
  });
  after(() => server.close());

  /** A client of the server, which responds by this script from now on. */
  function clientOf(
    script: Script,
    options: Partial<ClientOptions> = {},
  ): { readonly client: NeonClient; readonly clock: ManualClock } {
    server.answer(script);
    const clock = new ManualClock();
    const client = new NeonClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless, ...options });
    return { client, clock };
  }

  /** The only request that the server received. */
  function received(): ScriptedServer["requests"][number] {
    const [only, ...others] = server.requests;
    assert.ok(only);
    assert.equal(others.length, 0);
    return only;
  }

  /** The error of a request with this response. */
  async function failureOf(reply: Reply, request: Request<unknown> = users.me()): Promise<Error> {
    const { client, clock } = clientOf([reply]);
    return await errorOf(clock.run(client.send(request, { deadline: 0 })));
  }

  describe("requests", () => {
    it("sends the API key, the accepted type, the user agent and a unique request id [1.1.3; 1.2 rule 1; 1.8 headers; 1.9.1; 1.12.12]", async () => {
      const { client } = clientOf([{ body: me }]);
      await client.send(users.me());
      await client.send(users.me());
      const [first, second] = server.requests;
      assert.ok(first && second);
      assert.equal(first.method, "GET");
      assert.equal(first.url, "/api/v2/users/me");
      assert.equal(first.headers.authorization, `Bearer ${apiKey}`);
      assert.equal(first.headers.accept, "application/json");
      assert.match(first.headers["user-agent"] ?? "", /^neon-pulumi \(node \d+\.\d+\.\d+; \w+ \w+\)$/);
      assert.match(String(first.headers["x-request-id"]), uuid);
      assert.notEqual(first.headers["x-request-id"], second.headers["x-request-id"]);
    });

    it("sends the body as JSON with its content type, and no content type without a body", async () => {
      const { client: another } = clientOf([{ body: { endpoint: {}, operations: [] } }]);
      await errorOf(another.send(endpoints.act("p", "ep-1", "start")));
      assert.equal(received().method, "POST");
      assert.equal(received().headers["content-type"], undefined);
      assert.equal(received().body, "");
      const { client } = clientOf([{ status: 201, body: createdProjectSample() }]);
      await client.send(projects.create({ name: "shöp" }));
      assert.equal(received().headers["content-type"], "application/json");
      assert.deepEqual(JSON.parse(received().body), { project: { name: "shöp" } });
    });

    it("sends a form with its files, and without the members that are undefined, and sends it again whole", async () => {
      const deployment = { id: 1, status: "pending", runtime: "nodejs24", created_at: "2030-01-01T00:00:00Z" };
      const { client, clock } = clientOf([{ status: 503 }, { status: 201, body: { deployment } }]);
      const zip = Buffer.from("the archive");
      await clock.run(client.send(functions.deploy("p", "br-1", "api", { zip, environment: { GREETING: "Grüße" } })));
      assert.equal(server.requests.length, 2);
      for (const { headers, body, url } of server.requests) {
        assert.equal(url, "/api/v2/projects/p/branches/br-1/functions/api/deployments");
        const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1];
        assert.ok(boundary);
        assert.deepEqual(body.trimEnd().replaceAll(boundary, "boundary").split("\r\n"), [
          "--boundary",
          'Content-Disposition: form-data; name="zip"; filename="bundle.zip"',
          "Content-Type: application/zip",
          "",
          "the archive",
          "--boundary",
          'Content-Disposition: form-data; name="environment"',
          "",
          '{"GREETING":"Grüße"}',
          "--boundary--",
        ]);
      }
    });

    it("prefixes the user agent with the caller's", async () => {
      const { client } = clientOf([{ body: me }], { userAgent: "shop/1.0" });
      await client.send(users.me());
      assert.match(received().headers["user-agent"] ?? "", /^shop\/1\.0 neon-pulumi \(/);
    });

    it("percent-encodes query parameters and omits undefined ones", async () => {
      const { client } = clientOf([{ body: {} }]);
      await client.send({ ...anything, query: { text: "a b&c=d/é", yes: false, number: 0, none: undefined } });
      assert.equal(received().url, "/api/v2/anything?text=a%20b%26c%3Dd%2F%C3%A9&yes=false&number=0");
    });

    for (const end of ["", "/", "///"]) {
      it(`accepts a base URL with ${end.length} trailing slashes [1.1.7; 1.11 base URL]`, async () => {
        server.answer([{ body: me }]);
        const client = new NeonClient({ apiKey, apiUrl: server.apiUrl + end, clock: new ManualClock() });
        assert.equal(client.apiUrl, server.apiUrl);
        await client.send(users.me());
        assert.equal(received().url, "/api/v2/users/me");
      });
    }
  });

  describe("constructor", () => {
    for (const [what, apiUrl] of [
      ["no text", ""],
      ["a host only", "console.neon.tech"],
      ["another protocol", "ftp://console.neon.tech/api/v2"],
      ["no version", "https://console.neon.tech/api"],
      ["a path after the version", "https://console.neon.tech/api/v2/projects"],
      ["a query", "https://console.neon.tech/api/v2?x=1"],
      ["a fragment", "https://console.neon.tech/api/v2#x"],
      ["a user", "https://somebody@console.neon.tech/api/v2"],
    ] as const) {
      it(`rejects a base URL with ${what} [1.1.7; 1.11 base URL]`, () => {
        assert.throws(() => new NeonClient({ apiKey, apiUrl }), {
          kind: "invalid",
          message: "The base URL is invalid. It must include the version, such as https://console.neon.tech/api/v2.",
        });
      });
    }

    for (const [what, key, message] of [
      ["empty", "", "The API key is missing."],
      ["with spaces", "napi_se cret", "The API key contains whitespace or characters that are not allowed."],
      ["with a line break", "napi_secret\n", "The API key contains whitespace or characters that are not allowed."],
      ["with other characters", "napi_sécret", "The API key contains whitespace or characters that are not allowed."],
    ] as const) {
      it(`rejects an API key that is ${what}, without quoting it`, () => {
        assert.throws(
          () => new NeonClient({ apiKey: key }),
          (error) => {
            assert.equal(kindOf(error), "invalid");
            assert.equal((error as Error).message, message);
            assert.ok(!inspect(error, { depth: 9 }).includes("cret"));
            return true;
          },
        );
      });
    }

    it("uses the public service by default [1.11 base URL]", () => {
      assert.equal(new NeonClient({ apiKey }).apiUrl, "https://console.neon.tech/api/v2");
    });
  });

  describe("responses", () => {
    it("keeps unknown members [1.11 policy]", async () => {
      const { client } = clientOf([{ body: { project: projectSample({ brand_new: { deep: [1] } }) } }]);
      const { project } = await client.send(projects.get("p"));
      assert.deepEqual(project["brand_new"], { deep: [1] });
    });

    it("parses a 204 as an empty object", async () => {
      const { client } = clientOf([{ status: 204 }]);
      assert.deepEqual(await client.send(branches.delete("p", "br-1")), { operations: [] });
      assert.deepEqual(await client.send({ ...anything, schema: z.object({}) }), {});
    });

    it("rejects an empty response that is not a 204", async () => {
      const error = await failureOf({ status: 200, headers: { "x-request-id": "r1" } });
      assert.equal(kindOf(error), "unreadable");
      assert.match(
        error.message,
        /^GET \/users\/me returned HTTP 200, but the response is empty \[request r1\]\. Try again\. If the error persists, /,
      );
    });

    it("suggests checking the base URL if a response is not JSON", async () => {
      const error = await failureOf({
        body: "<html>Welcome</html>",
        headers: { "content-type": "text/html", "x-request-id": "r2" },
      });
      assert.equal(kindOf(error), "unreadable");
      assert.equal(
        error.message,
        "GET /users/me returned HTTP 200, but the response is not JSON (text/html) [request r2]. Try again. " +
          "If the error persists, check the base URL. It must end in /api/v2.",
      );
    });

    it("reports the path, member and request id of a response with an unexpected shape, but not its values", async () => {
      const error = await failureOf(
        {
          body: { roles: [{ branch_id: "br-1", name: 7, password: "hunter2" }] },
          headers: { "x-request-id": "r3" },
        },
        roles.list("p", "br-1"),
      );
      assert.equal(kindOf(error), "unreadable");
      assert.equal(
        error.message,
        "GET /projects/p/branches/br-1/roles returned HTTP 200, but the response does not have the expected shape: " +
          "roles.0.name: expected string, received number (and 1 more) [request r3]. Try again. " +
          "If the error persists, check for a newer version of this package.",
      );
      assert.ok(error.cause instanceof Error);
      assert.ok(!inspect(error, { depth: 9 }).includes("hunter2"));
    });

    for (const [what, body, shape] of [
      ["is no object", [], "the whole body: expected object, received array"],
      ["lacks a member", { id: "u1", name: "somebody" }, "email: expected string, received no value"],
    ] as const) {
      it(`reports that a response ${what}`, async () => {
        const { message } = await failureOf({ body });
        assert.match(message, new RegExp(` does not have the expected shape: ${shape} \\[request `));
      });
    }

    it("reports the request id that was sent if the response has none", async () => {
      for (const reply of [{ body: [] }, { body: "{" }, { status: 404, body: "nothing here" }]) {
        const error = await failureOf(reply);
        assert.ok(error.message.includes(`[request ${String(received().headers["x-request-id"])}]`), error.message);
      }
    });

    it("reports an unknown outcome, without a retry, if the response to a mutation is unreadable", async () => {
      for (const reply of [{ status: 201 }, { status: 201, body: "<html>" }, { status: 201, body: { project: {} } }]) {
        const error = await failureOf(reply, projects.create({}));
        assert.ok(OutcomeUnknownError.isInstance(error));
        assert.match(error.message, /outcome is unknown: HTTP 201, but the response (is|does) /);
        assert.equal(kindOf(error.cause), "unreadable");
        assert.equal(received().method, "POST");
      }
    });

    it("treats null like a missing member", async () => {
      const { client, clock } = clientOf([
        { body: { ...me, last_name: null, plan: null } },
        { body: { ...me, email: null } },
        { status: 403, body: { message: "not allowed", code: null, request_id: null } },
      ]);
      assert.deepEqual(await clock.run(client.send(users.me())), me);
      await assert.rejects(clock.run(client.send(users.me())), /email/);
      await assert.rejects(clock.run(client.send(users.me())), /not allowed/);
    });
  });

  describe("HTTP errors [1.10 HTTP errors; 1.12.10]", () => {
    const plain = { request_id: "r4", code: "BRANCHES_LIMIT_EXCEEDED", message: "too many branches" };

    it("report the status, request, platform message, code and remediation [1.13 project-scoped keys]", async () => {
      const error = await failureOf({ status: 422, body: plain }, branches.create("p", {}));
      assert.ok(HttpError.isInstance(error));
      const { status, code, reason, requestId, method, path, message } = error;
      assert.deepEqual(
        { status, code, reason, requestId, method, path, message },
        {
          status: 422,
          code: plain.code,
          reason: plain.message,
          requestId: plain.request_id,
          method: "POST",
          path: "/projects/p/branches",
          message:
            "POST /projects/p/branches failed with HTTP 422: too many branches, BRANCHES_LIMIT_EXCEEDED [request r4]. " +
            "The request conflicts with the object's state or an account limit. Resolve that first.",
        },
      );
    });

    for (const [what, reply, expected] of [
      [
        "ignore an empty code",
        { body: { request_id: "r", code: "", message: "no" } },
        { code: undefined, reason: "no", requestId: "r" },
      ],
      ["accept a missing code", { body: { message: "no" } }, { code: undefined, reason: "no" }],
      [
        "unwrap a wrapped error",
        { body: { error: { code: "SOME_CODE", message: "wrapped" } } },
        { code: "SOME_CODE", reason: "wrapped" },
      ],
      [
        "unwrap a wrapped error with an empty code",
        { body: { error: { code: "", message: "wrapped" } } },
        { code: undefined, reason: "wrapped" },
      ],
      [
        "report no reason for a body that is not JSON",
        { body: "<html>A time-out occurred</html>", headers: { "content-type": "text/html; charset=UTF-8" } },
        { code: undefined, reason: "no reason given (text/html; charset=UTF-8)" },
      ],
      ["report no reason for an empty body", {}, { code: undefined, reason: "no reason given (no content type)" }],
      ...(
        [
          [{ reasons: [{ code: "integration", message: "remove it" }] }, "remove it (integration)"],
          [{ limits: [{ name: "projects", expected: "10", actual: 11 }] }, "name: projects, expected: 10, actual: 11"],
          [{ errors: [{ message: "one" }, "two", { msg: "three" }, { message: "one" }] }, "one; two; three"],
          [{ error: "forbidden", error_description: "no scope" }, "no scope: forbidden"],
          [{ error: { errors: { name: ["is taken"] } } }, "is taken"],
          [{ detail: "?" }, "?"],
          [{ detail: [{ loc: ["body"], msg: "field required" }] }, "field required; body"],
          [{ type: "about:blank", title: "Out of credit", status: 403, detail: "0 left" }, "Out of credit: 0 left"],
          [{ message: "", fault: { faultstring: "no route", detail: { errorcode: "x" } } }, "errorcode: x"],
          [[{ message: "in a list" }], "in a list"],
          ["a text", "a text"],
          [{ ok: false }, "ok: false"],
          [{ limits: [{ name: "keys", apiKey: "hidden", connection_uri: "hidden" }] }, "name: keys"],
          [{ code: 7, request_id: "r", message: "no" }, "no"],
          [{ message: null, items: [], code: "", request_id: "r" }, "no reason given (application/json)"],
          [JSON.parse(`${"[".repeat(900)}"deep"${"]".repeat(900)}`) as unknown, "no reason given (application/json)"],
        ] as const
      ).map(
        ([body, reason]) =>
          [
            `find the reason in ${JSON.stringify(body).slice(0, 60)}`,
            { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
            { reason },
          ] as const,
      ),
      [
        "prefer the request id that Neon returns to the one that a proxy sets",
        { headers: { "x-request-id": "proxy", "x-neon-ret-request-id": "neon" } },
        { requestId: "neon" },
      ],
      [
        "prefer the request id of the header to the one in the body",
        { body: { request_id: "body", message: "no" }, headers: { "x-request-id": "header" } },
        { requestId: "header" },
      ],
    ] as const) {
      it(what, async () => {
        const error = await failureOf({ status: 400, ...reply });
        assert.ok(HttpError.isInstance(error));
        const shown = Object.fromEntries(
          Object.keys(expected).map((key) => [key, error[key as "code" | "reason" | "requestId"]]),
        );
        assert.deepEqual(shown, expected);
        assert.ok(error.message.startsWith(`GET /users/me failed with HTTP 400: ${error.reason}`), error.message);
      });
    }

    for (const [what, reply] of [
      ["which the platform does not know", { body: { code: "", message: "this route does not exist" } }],
      [
        "that a web server answers with a page",
        { body: "<html>Not found</html>", headers: { "content-type": "text/html" } },
      ],
    ] as const) {
      it(`distinguish a route ${what} from an object that does not exist`, async () => {
        const error = await failureOf({ status: 404, ...reply });
        assert.ok(NeonError.isInstance(error) && error.kind === "unknown-route");
        assert.ok(!isNotFound(error));
        assert.match(
          error.message,
          /^GET \/users\/me failed with HTTP 404: .*\. Neon does not know this route\. Check the base URL, which must end in \/api\/v2\. If it does, check for a newer version of this package\.$/,
        );
      });
    }

    it("§6.9 report a 401 for a list instead of returning no items [1.9.2]", async () => {
      const { client, clock } = clientOf([{ status: 401, body: { code: "", message: "not authorized" } }]);
      const error = await errorOf(clock.run(client.list(projects.list()).next()));
      assert.ok(HttpError.isInstance(error) && error.status === 401);
      assert.match(error.message, /The API key is invalid or revoked\. Use a valid API key\./);
      assert.equal(server.requests.length, 1);
    });

    it("quote the platform message on one line, shortened, without a final full stop", async () => {
      for (const [message, said] of [
        ["not authorized", "not authorized"],
        ["not authorized.", "not authorized"],
        ["not authorized!", "not authorized!"],
        ["not authorized (key 7)", "not authorized (key 7)"],
        ["not\n  authorized [7]\n", "not authorized [7]"],
        ["no ".repeat(1000), `${"no ".repeat(200).slice(0, 500)}…`],
      ] as const) {
        const error = await failureOf({ status: 401, body: { message }, headers: { "x-request-id": "r5" } });
        assert.equal(
          error.message,
          `GET /users/me failed with HTTP 401: ${said} [request r5]. The API key is invalid or revoked. Use a valid API key.`,
        );
      }
    });

    const conflict = /^The request conflicts with the object's state or an account limit/;
    for (const [status, request, remedy] of [
      [412, roles.revealPassword("p", "br-1", "app"), /^The project does not store passwords\. /],
      [412, branches.create("p", {}), conflict],
      [409, branches.create("p", {}), /^The object already exists\. Choose another name\.$/],
      [409, branches.delete("p", "br-1"), conflict],
      [409, users.me(), /^Try again\. If the error persists, contact Neon support /],
      [301, users.me(), /^Correct the base URL\. /],
      [418, branches.create("p", {}), /^Fix the problem reported above\. If the error persists, /],
      [524, users.me(), /^Try again later\.$/],
      ...[300, 402, 418, 451, 499, 599].map((other) => [other, users.me(), /^[A-Z].*\.$/] as const),
    ] as const) {
      it(`choose the remediation of a ${status} to ${request.method} ${request.path}`, async () => {
        const error = await failureOf({ status, body: { message: "no" } }, request);
        const failed = OutcomeUnknownError.isInstance(error) ? error.cause : error;
        assert.ok(HttpError.isInstance(failed) && failed.status === status);
        assert.match(error.message.replace(/^.*?\]\. /, ""), remedy);
      });
    }

    it("are recognized by isNotFound only for a 404", async () => {
      for (const [status, gone] of [
        [404, true],
        [401, false],
        [403, false],
        [410, false],
      ] as const) {
        assert.equal(isNotFound(await failureOf({ status, body: { message: "no" } })), gone, `${status}`);
      }
      assert.equal(isNotFound(new Error("404")), false);
    });

    it("report a redirect instead of following it with the API key", async () => {
      const elsewhere = await ScriptedServer.start([{ body: me }]);
      try {
        for (const status of [301, 302, 303, 307, 308]) {
          const error = await failureOf({ status, headers: { location: `${elsewhere.apiUrl}/users/me` } });
          assert.ok(HttpError.isInstance(error) && error.status === status);
          assert.equal(server.requests.length, 1);
        }
        assert.equal(elsewhere.requests.length, 0);
      } finally {
        await elsewhere.close();
      }
    });
  });

  describe("connections", () => {
    it("are reused after responses, HTTP errors and empty responses", async () => {
      const { client } = clientOf([
        { body: me },
        { status: 404, body: { message: "no" } },
        { status: 204 },
        { body: me },
      ]);
      await client.send(users.me());
      await errorOf(client.send(users.me()));
      await client.send({ ...anything, method: "DELETE" });
      await client.send(users.me());
      assert.equal(server.requests.length, 4);
      assert.equal(server.connections, 1);
    });

    it("are opened for concurrent requests", async () => {
      const { client } = clientOf([{ body: me, delay: 5 }]);
      await Promise.all([client.send(users.me()), client.send(users.me()), client.send(users.me())]);
      assert.equal(server.connections, 3);
      await client.send(users.me());
      assert.equal(server.connections, 3);
    });
  });

  it("closes a connection that is idle for longer than any gateway allows, and opens another one", async () => {
    const { client } = clientOf([{ body: me }]);
    await client.send(users.me());
    await until(() => server.open === 0);
    await client.send(projects.create({})).catch(() => undefined);
    assert.deepEqual([server.requests.length, server.connections], [2, 2]);
  });

  describe("a response that is larger than 32 MB", () => {
    const body = JSON.stringify("x".repeat(34_000_000));
    for (const [what, request, status, expected] of [
      ["a read", users.me(), 200, /^GET \/users\/me returned HTTP 200, but the response is larger than 33 MB/],
      [
        "a mutation",
        projects.create({}),
        201,
        /its outcome is unknown: HTTP 201, but the response is larger than 33 MB/,
      ],
      ["an error", users.me(), 400, /failed with HTTP 400: no reason given/],
    ] as const) {
      it(`is not read to its end, and is a short error: ${what}`, async () => {
        const { client } = clientOf([{ status, body }]);
        const error = await errorOf(client.send<unknown>(request));
        assert.match(error.message, expected);
        assert.ok(error.message.length < 400);
        await until(() => server.open === 0);
      });
    }
  });

  it("reads an error response of exactly 1 MB", async () => {
    const { client } = clientOf([{ status: 400, body: JSON.stringify({ message: "no room" }).padEnd(1 << 20) }]);
    assert.match((await errorOf(client.send(users.me()))).message, /failed with HTTP 400: no room/);
  });

  describe("what was never sent", () => {
    let secure: ReturnType<typeof createServer>;
    let silent: Server;
    before(async () => {
      const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" });
      secure = createServer({ cert, key }, (_, response) => response.end());
      silent = listener((socket) => socket.on("error", () => undefined).resume());
      await Promise.all([secure, silent].map((one) => once(one.listen(0, "127.0.0.1"), "listening")));
    });
    after(() => {
      secure.close();
      silent.close();
    });
    const urlOf = (one: Server, origin = "https://127.0.0.1"): string =>
      `${origin}:${(one.address() as AddressInfo).port}/api/v2`;
    const presigned = { url: "http://127.0.0.1:9", method: "PUT", expires_at: "2030-01-01T00:00:00Z" };
    const file = { upload: () => Promise.resolve({ size: 1, open: () => Promise.resolve(Readable.from("x")) }) };
    const put = bucketObjects.put("p", "br-1", "files", "a", file);

    const cases: Readonly<
      Record<string, [is: string, text: RegExp, options: () => Partial<ClientOptions>, body?: object]>
    > = {
      "to a port without TLS": [
        "not performed",
        /no TLS connection \(wrong version number\): the server does not speak TLS on this port\./,
        () => ({ apiUrl: server.apiUrl.replace("http:", "https:") }),
      ],
      "to a server whose certificate is not trusted": [
        "not performed",
        /no response: self-signed certificate/,
        () => ({ apiUrl: urlOf(secure) }),
      ],
      "to a server that does not answer the TLS handshake": [
        "not performed",
        /no response within 0\.05 s/,
        () => ({ apiUrl: urlOf(silent), attemptTimeout: 50, clock: systemClock }),
      ],
      "to an unknown host": [
        "not performed",
        /the host name (is unknown|cannot be resolved now)/,
        () => ({ apiUrl: "https://no-such-host.invalid/api/v2" }),
      ],
      "with a header that HTTP does not allow": [
        "final",
        /^(POST|DELETE) \S+ was not sent: Invalid character in header content \["user-agent"\]/,
        () => ({ userAgent: "a\nb" }),
      ],
      "with a header of a file that HTTP does not allow": [
        "final",
        /^PUT \S+ was not sent: Invalid character in header content \["content-type"\]/,
        () => ({}),
        { ...presigned, headers: { "content-type": "a\nb" } },
      ],
      "to a malformed URL for a file": [
        "final",
        /^PUT \S+ was not sent: Invalid URL/,
        () => ({}),
        { ...presigned, url: "nowhere" },
      ],
      "to a port for a file where nothing listens": [
        "not performed",
        /ECONNREFUSED/,
        () => ({}),
        { ...presigned, headers: {} },
      ],
    };
    for (const [what, [is, text, options, body]] of Object.entries(cases)) {
      it(`is not called unknown: ${what}`, async () => {
        for (const request of body === undefined ? [projects.create({}), projects.delete("p")] : [put]) {
          const { client } = clientOf([{ body }], options());
          const outcome = await client.attempt<unknown>(request);
          assert.equal(outcome.is, is);
          const { message } = outcome.is === "succeeded" ? assert.fail() : outcome.error;
          assert.match(message, text);
          assert.doesNotMatch(message, /unknown: |SSL routines|127\.0\.0\.1:9\//);
        }
      });
    }
  });

  describe("attempt", () => {
    it("closes the connection at its timeout", async () => {
      const before = server.open;
      const { client, clock } = clientOf([{ end: "silence" }], { attemptTimeout: 20 });
      const attempt = client.attempt(projects.create({}));
      await until(() => server.requests.length === 1);
      await clock.advance(20);
      const outcome = await attempt;
      assert.ok(outcome.is === "unknown" && OutcomeUnknownError.isInstance(outcome.error));
      assert.match(outcome.error.message, /no response within 0\.02 s/);
      while (server.open > before) await passes(1);
    });

    it("is final if the content to send cannot be read", async () => {
      const unreadable = () => Promise.reject(new Error("ENOENT, open './dist'"));
      const { client } = clientOf([
        { body: { url: server.origin, method: "PUT", expires_at: "2030-01-01T00:00:00Z" } },
      ]);
      for (const request of [
        functions.deploy("p", "br-1", "api", { zip: unreadable }),
        bucketObjects.put("p", "br-1", "files", "a", { upload: unreadable }),
      ]) {
        const outcome = await client.attempt<unknown>(request);
        assert.ok(outcome.is === "final");
        assert.match(outcome.error.message, /was not sent: its content cannot be read: ENOENT, open '.\/dist'\.$/);
      }
      assert.match(received().url, /presign$/);
    });

    it("starts its timeout again with each part of a file that is sent", async () => {
      let parts = 0;
      const transport: Transport = async ({ onProgress, signal }) => {
        for (; parts > 0; parts -= 1) await clock.sleep(25_000, signal).then(onProgress);
        return await clock.sleep(31_000, signal).then(() => assert.fail("was not ended"));
      };
      const { client, clock } = clientOf([{}], { attemptTimeout: 30_000, transport });
      const { signal } = new AbortController();
      const body = Buffer.alloc(40_000, "x");
      const onProgress = () => (parts += 1);
      await fetchTransport()({ method: "POST", url: server.apiUrl, headers: {}, signal, body, onProgress });
      assert.deepEqual([received().body.length, received().headers["content-length"], parts], [40_000, "40000", 3]);
      const outcome = await clock.run(client.attempt(projects.create({})));
      assert.ok(outcome.is === "unknown" && outcome.error.message.includes("no response within 30 s"));
      assert.equal(clock.now(), 3 * 25_000 + 30_000);
    });

    it("clears its timeout after the response", async () => {
      const { client, clock } = clientOf([{ body: me }]);
      await client.send(users.me());
      assert.equal(clock.sleeping, 0);
    });

    for (const [what, reply] of [
      ["half a response", { end: "half" }],
      ["half a response of unknown length", { end: "half", headers: { "transfer-encoding": "chunked" } }],
      ["a reset before the request is read", { end: "reset-before" }],
      ["a reset after the request is read", { end: "reset-after" }],
    ] as const) {
      it(`reports the network error and its cause when the connection ends with ${what}`, async () => {
        const { client } = clientOf([{ body: me, ...reply }]);
        const outcome = await client.attempt(users.me());
        assert.ok(outcome.is === "unknown");
        assert.equal(kindOf(outcome.error), "unreachable");
        assert.match(outcome.error.message, /^GET \/users\/me received no response: \S/);
        assert.ok(outcome.error.cause instanceof Error);
      });
    }
  });

  describe("abort signal", () => {
    const stop = new Error("stopped by the user");

    it("sends nothing and throws the reason if the signal has already fired", async () => {
      const { client } = clientOf([{ body: me }]);
      for (const request of [users.me(), projects.create({})] as const) {
        assert.equal(await errorOf(client.send<unknown>(request, { signal: AbortSignal.abort(stop) })), stop);
      }
      assert.equal(server.requests.length, 0);
    });

    /** Aborts while a request is being sent, which is answered with this unless the client ends it. */
    const aborted = async (request: Request<unknown>, response: Reply) => {
      const controller = new AbortController();
      const { client, clock } = clientOf(() => {
        controller.abort(stop);
        return response;
      });
      return await clock.run(
        client.send(request, { signal: controller.signal }).then(
          () => undefined,
          (error: unknown) => error,
        ),
      );
    };

    it("ends a read that is being sent", async () => {
      assert.equal(await aborted(users.me(), { end: "silence" }), stop);
    });

    it("completes a mutation that is being sent, and returns its response", async () => {
      assert.equal(await aborted(projects.create({}), { body: createdProjectSample() }), undefined);
      assert.equal(server.requests.length, 1);
    });

    it("does not retry a mutation that was being sent", async () => {
      assert.equal(await aborted(projects.create({}), { status: 503 }), stop);
      assert.equal(server.requests.length, 1);
    });

    it("reports an unknown outcome of a mutation that was being sent", async () => {
      const error = await aborted(projects.create({}), { status: 500 });
      assert.ok(OutcomeUnknownError.isInstance(error));
    });

    it("ends the queue for the rate limit", async () => {
      const { client, clock } = clientOf([{ status: 429, headers: { "retry-after": "60" } }]);
      const first = errorOf(client.send(users.me(), { deadline: 1000 }));
      await clock.run(first);
      const controller = new AbortController();
      const queued = errorOf(client.send(projects.create({}), { signal: controller.signal }));
      await clock.advance(10_000);
      controller.abort(stop);
      assert.equal(await queued, stop);
      assert.equal(server.requests.length, 1);
      assert.equal(clock.sleeping, 0);
    });

    it("ends the backoff between two attempts", async () => {
      const controller = new AbortController();
      const { client, clock } = clientOf([{ status: 503 }]);
      const failed = errorOf(
        client.send(projects.create({}), { signal: controller.signal, onRetry: () => controller.abort(stop) }),
      );
      assert.equal(await clock.run(failed), stop);
      assert.equal(clock.now(), 0);
      assert.equal(server.requests.length, 1);
    });

    it("ends the wait for the operations of a 423, and reaches it", async () => {
      const controller = new AbortController();
      const { client, clock } = clientOf([{ status: 423 }]);
      let given: AbortSignal | undefined;
      const failed = errorOf(
        client.send(projects.create({}), {
          signal: controller.signal,
          untilUnlocked: async (_, signal) => {
            given = signal;
            setImmediate(() => controller.abort(stop));
            return await new Promise<never>(() => undefined);
          },
        }),
      );
      assert.equal(await clock.run(failed), stop);
      assert.equal(given, controller.signal);
      assert.equal(server.requests.length, 1);
    });

    it("wraps a reason that is not an error", async () => {
      const { client } = clientOf([{ body: me }]);
      const error = await errorOf(client.send(users.me(), { signal: AbortSignal.abort("enough") }));
      assert.equal(error.cause, "enough");
    });
  });

  describe("downloads of files", () => {
    const endless = { body: "x".repeat(100), headers: { "content-length": "200" } };
    for (const [title, scheme, reply, expected] of [
      ["a server that never answers", "http:", { end: "silence" }, /^the server sent nothing within 0\.05 s$/],
      ["a server that stops sending", "http:", endless, /^the server sent nothing within 0\.05 s$/],
      ["an HTTP error", "http:", { ...endless, status: 403 }, /^the server answered with HTTP 403$/],
      ["a loop", "http:", { status: 302, headers: { location: "/?secret" } }, /^maximum redirect reached/],
      ["another scheme", "s3:", {}, /URL scheme "s3" is not supported/],
    ] as const satisfies readonly (readonly [string, string, Reply, RegExp])[]) {
      it(`end with ${title}, with no URL in the error and no connection left`, async () => {
        server.answer([reply]);
        const before = server.open;
        const limit = new IdleLimit(systemClock, title.startsWith("a server") ? 50 : 30_000, "the server sent nothing");
        const error = await errorOf(
          downloadFile(`${server.origin.replace("http:", scheme)}/?secret`, limit).then(text),
        );
        assert.match(error.message, expected);
        assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /secret/);
        while (server.open > before) await passes(1);
      });
    }
  });

  describe("onAttempt", () => {
    it("receives the method, path, status, time and request id of each attempt", async () => {
      const lines: string[] = [];
      const { client } = clientOf([{ body: { operations: [] } }], {
        onAttempt: (attempt) => lines.push(attemptLine(attempt)),
      });
      await client.send({ ...operations.list("p"), query: { limit: 5 } });
      const id = String(received().headers["x-request-id"]);
      assert.deepEqual(lines, [`neon: GET /projects/p/operations?limit=5 200 0 ms ${id}`]);
    });

    it("receives the network error of an attempt without a response", async () => {
      const lines: string[] = [];
      const { client } = clientOf([{ end: "reset-after" }], {
        onAttempt: (attempt) => lines.push(attemptLine(attempt)),
      });
      await client.attempt(users.me());
      assert.match(lines[0] ?? "", /^neon: GET \/users\/me no response \(.+\) 0 ms [0-9a-f-]{36}$/);
    });

    it("receives the rounded duration of the attempt", async () => {
      const times: number[] = [];
      const { client, clock } = scriptedClient([{ takes: 1234.4 }], {
        onAttempt: ({ milliseconds }) => times.push(milliseconds),
      });
      await clock.run(client.attempt(anything));
      assert.deepEqual(times, [1234]);
    });
  });

  describe("error classes", () => {
    it("have no member `id`, which Pulumi's SDK would treat as a created resource", async () => {
      for (const reply of [{ status: 404 }, { status: 500 }, { end: "reset-after" }, { body: "{" }] as const) {
        for (const request of [users.me(), projects.create({})] as const) {
          assert.equal("id" in (await failureOf(reply, request)), false);
        }
      }
    });

    it("are recognized by isInstance across copies of this package", async () => {
      const error = await failureOf({ status: 404 });
      const copy = Object.defineProperty(new Error("copy"), Symbol.for("neon-pulumi.error"), { value: true });
      assert.ok(NeonError.isInstance(error) && HttpError.isInstance(error));
      assert.ok(NeonError.isInstance(copy) && !HttpError.isInstance(copy));
      for (const other of [new Error("no"), undefined, null, "text", {}]) {
        assert.equal(NeonError.isInstance(other), false);
      }
      assert.equal(OutcomeUnknownError.isInstance(error), false);
    });
  });
});
