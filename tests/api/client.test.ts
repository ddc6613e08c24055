import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { setTimeout as passes } from "node:timers/promises";
import { inspect } from "node:util";
import { z } from "zod";
import { attemptLine } from "../../api/client-settings";
import {
  branches,
  type ClientOptions,
  endpoints,
  HttpError,
  isNotFound,
  operations,
  OutcomeUnknownError,
  PlatformClient,
  PlatformError,
  projects,
  type Request,
  roles,
  users,
} from "../../api/index";
import { endless, ManualClock } from "../support/clock";
import { type Reply, type Script, ScriptedServer } from "../support/scripted-server";
import { createdProjectSample, projectSample } from "./samples";
import { apiKey, errorOf, scriptedClient } from "./scripted-client";

const me = { id: "u1", email: "somebody@example.com", name: "somebody" };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A request of any kind whose answer may be anything. */
const anything: Request<unknown> = { method: "GET", path: "/anything", schema: z.unknown() };
const kindOf = (error: unknown) => (PlatformError.isInstance(error) ? error.kind : undefined);

describe("api: client over a real socket", () => {
  let server: ScriptedServer;
  before(async () => {
    server = await ScriptedServer.start();
  });
  after(() => server.close());

  /** A client of the server, which answers by this script from now on. */
  function clientOf(
    script: Script,
    options: Partial<ClientOptions> = {},
  ): { readonly client: PlatformClient; readonly clock: ManualClock } {
    server.answer(script);
    const clock = new ManualClock();
    const client = new PlatformClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless, ...options });
    return { client, clock };
  }

  /** What the only request arrived as. */
  function received(): ScriptedServer["requests"][number] {
    const [only, ...others] = server.requests;
    assert.ok(only);
    assert.equal(others.length, 0);
    return only;
  }

  /** The error of one request that is answered so. */
  async function failureOf(reply: Reply, request: Request<unknown> = users.me()): Promise<Error> {
    const { client, clock } = clientOf([reply]);
    return await errorOf(clock.run(client.send(request, { deadline: 0 })));
  }

  describe("what is sent", () => {
    it("every request bears the key, says what it wants, who asks, and has an id of its own", async () => {
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

    it("a request without a body names no content type", async () => {
      const { client } = clientOf([{ body: { endpoint: {}, operations: [] } }]);
      await errorOf(client.send(endpoints.act("p", "ep-1", "start")));
      assert.equal(received().method, "POST");
      assert.equal(received().headers["content-type"], undefined);
      assert.equal(received().body, "");
    });

    it("a body is JSON and says so", async () => {
      const { client } = clientOf([{ status: 201, body: createdProjectSample() }]);
      await client.send(projects.create({ name: "shöp" }));
      assert.equal(received().headers["content-type"], "application/json");
      assert.deepEqual(JSON.parse(received().body), { project: { name: "shöp" } });
    });

    it("the caller's user agent stands in front of ours", async () => {
      const { client } = clientOf([{ body: me }], { userAgent: "shop/1.0" });
      await client.send(users.me());
      assert.match(received().headers["user-agent"] ?? "", /^shop\/1\.0 neon-pulumi \(/);
    });

    it("query members are percent-encoded, and left out where there is nothing to say", async () => {
      const { client } = clientOf([{ body: {} }]);
      await client.send({ ...anything, query: { text: "a b&c=d/é", yes: false, number: 0, none: undefined } });
      assert.equal(received().url, "/api/v2/anything?text=a%20b%26c%3Dd%2F%C3%A9&yes=false&number=0");
    });

    for (const end of ["", "/", "///"]) {
      it(`a base URL with ${end.length} slashes at its end is the same`, async () => {
        server.answer([{ body: me }]);
        const client = new PlatformClient({ apiKey, apiUrl: server.apiUrl + end, clock: new ManualClock() });
        assert.equal(client.apiUrl, server.apiUrl);
        await client.send(users.me());
        assert.equal(received().url, "/api/v2/users/me");
      });
    }
  });

  describe("settings that cannot be right", () => {
    for (const [what, apiUrl] of [
      ["no URL", ""],
      ["a mere host", "console.neon.tech"],
      ["another protocol", "ftp://console.neon.tech/api/v2"],
      ["no version", "https://console.neon.tech/api"],
      ["a path behind the version", "https://console.neon.tech/api/v2/projects"],
      ["a query", "https://console.neon.tech/api/v2?x=1"],
      ["a fragment", "https://console.neon.tech/api/v2#x"],
      ["a user", "https://somebody@console.neon.tech/api/v2"],
    ] as const) {
      it(`a base URL with ${what} is refused before anything is sent`, () => {
        assert.throws(
          () => new PlatformClient({ apiKey, apiUrl }),
          (error) => {
            assert.equal(kindOf(error), "invalid");
            assert.equal(
              (error as Error).message,
              "The base URL must look like https://console.neon.tech/api/v2, with the version at its end.",
            );
            return true;
          },
        );
      });
    }

    for (const [what, key, message] of [
      ["empty", "", "There is no API key."],
      ["with spaces", "napi_se cret", "The API key contains white space or characters that no key has."],
      ["with a line break", "napi_secret\n", "The API key contains white space or characters that no key has."],
      ["with other characters", "napi_sécret", "The API key contains white space or characters that no key has."],
    ] as const) {
      it(`a key that is ${what} is refused in a sentence without the key`, () => {
        assert.throws(
          () => new PlatformClient({ apiKey: key }),
          (error) => {
            assert.equal(kindOf(error), "invalid");
            assert.equal((error as Error).message, message);
            assert.ok(!inspect(error, { depth: 9 }).includes("cret"));
            return true;
          },
        );
      });
    }

    it("without a base URL it is the vendor's service", () => {
      assert.equal(new PlatformClient({ apiKey }).apiUrl, "https://console.neon.tech/api/v2");
    });
  });

  describe("answers", () => {
    it("members that nobody knows are kept", async () => {
      const { client } = clientOf([{ body: { project: projectSample({ brand_new: { deep: [1] } }) } }]);
      const { project } = await client.send(projects.get("p"));
      assert.deepEqual(project["brand_new"], { deep: [1] });
    });

    it("a 204 is an empty object: a repeated delete has nothing to wait for", async () => {
      const { client } = clientOf([{ status: 204 }]);
      assert.deepEqual(await client.send(branches.delete("p", "br-1")), { operations: [] });
      assert.deepEqual(await client.send({ ...anything, schema: z.object({}) }), {});
    });

    it("an empty answer other than a 204 is not taken for one", async () => {
      const error = await failureOf({ status: 200, headers: { "x-request-id": "r1" } });
      assert.equal(kindOf(error), "unreadable");
      assert.match(
        error.message,
        /^GET \/users\/me was answered \(200\), but the answer is empty \[request r1\]\. Try again\. If that does not help, /,
      );
    });

    it("an answer that is not JSON asks whether the base URL is right", async () => {
      const error = await failureOf({
        body: "<html>Welcome</html>",
        headers: { "content-type": "text/html", "x-request-id": "r2" },
      });
      assert.equal(kindOf(error), "unreadable");
      assert.equal(
        error.message,
        "GET /users/me was answered (200), but the answer is not JSON (text/html) [request r2]. Try again. " +
          "If that does not help, see whether the base URL is right: it ends in /api/v2.",
      );
    });

    it("an answer of another shape is named by path, member and request, and its values are not told", async () => {
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
        "GET /projects/p/branches/br-1/roles was answered (200), but the answer does not have the expected shape: " +
          "roles.0.name: expected string, received number (and 1 more) [request r3]. Try again. " +
          "If that does not help, look for a newer version of this package.",
      );
      assert.ok(error.cause instanceof Error);
      assert.ok(!inspect(error, { depth: 9 }).includes("hunter2"));
    });

    it("an answer that does not repeat the request's id is named by the id that was sent", async () => {
      for (const reply of [{ body: [] }, { body: "{" }, { status: 404, body: "nothing here" }]) {
        const error = await failureOf(reply);
        assert.ok(error.message.includes(`[request ${String(received().headers["x-request-id"])}]`), error.message);
      }
    });

    it("a change whose answer cannot be read is not known to have failed, and is not sent again", async () => {
      for (const reply of [{ status: 201 }, { status: 201, body: "<html>" }, { status: 201, body: { project: {} } }]) {
        const error = await failureOf(reply, projects.create({}));
        assert.ok(OutcomeUnknownError.isInstance(error));
        assert.equal(kindOf(error.cause), "unreadable");
        assert.equal(received().method, "POST");
      }
    });

    it("the platform's time is known from its answers", async () => {
      const { client, clock } = clientOf([{ body: me, headers: { date: "Tue, 01 Jan 2030 01:00:00 GMT" } }]);
      assert.deepEqual(client.serverClock.now(), clock.date());
      await client.send(users.me());
      assert.equal(client.serverClock.now().toISOString(), "2030-01-01T01:00:00.000Z");
      await clock.advance(5000);
      assert.equal(client.serverClock.now().toISOString(), "2030-01-01T01:00:05.000Z");
    });
  });

  describe("refusals", () => {
    const plain = { request_id: "r4", code: "BRANCHES_LIMIT_EXCEEDED", message: "too many branches" };

    it("tell status, request, the platform's words and code, and what to do", async () => {
      const error = await failureOf({ status: 422, body: plain }, branches.create("p", {}));
      assert.ok(HttpError.isInstance(error));
      const { status, code, reason, requestId, method, path } = error;
      assert.deepEqual(
        { status, code, reason, requestId, method, path },
        {
          status: 422,
          code: "BRANCHES_LIMIT_EXCEEDED",
          reason: "too many branches",
          requestId: "r4",
          method: "POST",
          path: "/projects/p/branches",
        },
      );
      assert.equal(
        error.message,
        "POST /projects/p/branches was refused (422): too many branches, BRANCHES_LIMIT_EXCEEDED [request r4]. " +
          "The object's present state, or a limit of the account, stands against it: change that first.",
      );
    });

    for (const [what, reply, expected] of [
      [
        "an empty code is no code",
        { body: { request_id: "r", code: "", message: "no" } },
        { code: undefined, reason: "no", requestId: "r" },
      ],
      ["the code may be left out", { body: { message: "no" } }, { code: undefined, reason: "no" }],
      [
        "a wrapped error is unwrapped",
        { body: { error: { code: "SOME_CODE", message: "wrapped" } } },
        { code: "SOME_CODE", reason: "wrapped" },
      ],
      [
        "a wrapped error with an empty code",
        { body: { error: { code: "", message: "wrapped" } } },
        { code: undefined, reason: "wrapped" },
      ],
      [
        "a page that is not JSON gives no reason",
        { body: "<html>A time-out occurred</html>", headers: { "content-type": "text/html; charset=UTF-8" } },
        { code: undefined, reason: "no reason given (text/html; charset=UTF-8)" },
      ],
      ["an empty body gives no reason", {}, { code: undefined, reason: "no reason given (no content type)" }],
      [
        "JSON of no known shape gives no reason",
        { body: { detail: "?" } },
        { code: undefined, reason: "no reason given (application/json)" },
      ],
      [
        "the header's request id goes before the body's",
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
        assert.ok(error.message.startsWith(`GET /users/me was refused (400): ${error.reason}`), error.message);
      });
    }

    it("a gateway's page (524) is a refusal with the gateway's status", async () => {
      const page = "<!DOCTYPE html><title>524: A timeout occurred</title>";
      const error = await failureOf({ status: 524, body: page, headers: { "content-type": "text/html" } });
      assert.ok(HttpError.isInstance(error));
      assert.equal(error.status, 524);
      assert.match(
        error.message,
        /^GET \/users\/me was refused \(524\): no reason given \(text\/html\) \[request [\w-]+\]\. Try again later\.$/,
      );
    });

    it("§6.9 a 401 is an error, never an empty list", async () => {
      const { client, clock } = clientOf([{ status: 401, body: { code: "", message: "not authorized" } }]);
      const error = await errorOf(clock.run(client.list(projects.list()).next()));
      assert.ok(HttpError.isInstance(error) && error.status === 401);
      assert.match(error.message, /The API key is missing, wrong or revoked: use a valid one\./);
      assert.equal(server.requests.length, 1);
    });

    it("the platform's words become a part of a sentence, whatever they end in and however long they are", async () => {
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
          `GET /users/me was refused (401): ${said} [request r5]. The API key is missing, wrong or revoked: use a valid one.`,
        );
      }
    });

    it("what to do depends on what was asked", async () => {
      const remedy = async (request: Request<unknown>, status: number): Promise<string> =>
        (await failureOf({ status, body: { message: "no" } }, request)).message.replace(/^.*?\]\. /, "");
      assert.match(await remedy(roles.revealPassword("p", "br-1", "app"), 412), /^The project stores no passwords: /);
      assert.match(await remedy(branches.create("p", {}), 412), /^The object's present state, or a limit /);
      assert.match(
        await remedy(branches.create("p", {}), 409),
        /choose another name\. If nothing else manages it, `adopt` takes it over/,
      );
      assert.match(await remedy(branches.delete("p", "br-1"), 409), /^The object's present state, or a limit /);
      assert.match(await remedy(users.me(), 409), /^Try again\. If that does not help, ask /);
      assert.match(await remedy(users.me(), 301), /^Use the right base URL: /);
      assert.match(await remedy(branches.create("p", {}), 418), /^Mend what the platform names\. If that does not /);
      for (const status of [300, 402, 418, 451, 499, 599])
        assert.match(await remedy(users.me(), status), /^[A-Z].*\.$/);
    });

    it("only a 404 says that something is not there", async () => {
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

    it("a redirect is a refusal: nobody follows it with the key", async () => {
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
    it("requests one after the other share one", async () => {
      const { client } = clientOf([{ body: me }]);
      for (let count = 0; count < 5; count += 1) await client.send(users.me());
      assert.equal(server.requests.length, 5);
      assert.equal(server.connections, 1);
    });

    it("a refusal and an empty answer leave it open, too", async () => {
      const { client } = clientOf([{ status: 404, body: { message: "no" } }, { status: 204 }, { body: me }]);
      await errorOf(client.send(users.me()));
      await client.send({ ...anything, method: "DELETE" });
      await client.send(users.me());
      assert.equal(server.connections, 1);
    });

    it("requests at the same time do not wait for each other", async () => {
      const { client } = clientOf([{ body: me, delay: 5 }]);
      await Promise.all([client.send(users.me()), client.send(users.me()), client.send(users.me())]);
      assert.equal(server.connections, 3);
      await client.send(users.me());
      assert.equal(server.connections, 3);
    });
  });

  describe("no answer", () => {
    it("an attempt is given up after its time", async () => {
      const { client, clock, sent } = scriptedClient([{ takes: 60_000 }], { attemptTimeout: 30_000 });
      const outcome = await clock.run(client.attempt(users.me()));
      assert.equal(clock.now(), 30_000);
      assert.ok(outcome.is === "unknown");
      assert.equal(outcome.error.message, "GET /users/me got no answer within 30 s. Try again later.");
      assert.equal(sent[0]?.signal.aborted, true);
    });

    it("giving up an attempt closes its connection", async () => {
      server.answer([{ end: "silence" }]);
      const before = server.open;
      const client = new PlatformClient({ apiKey, apiUrl: server.apiUrl, attemptTimeout: 20 });
      const outcome = await client.attempt(projects.create({}));
      assert.ok(outcome.is === "unknown" && OutcomeUnknownError.isInstance(outcome.error));
      assert.match(outcome.error.message, /no answer within 0\.02 s/);
      while (server.open > before) await passes(1);
    });

    it("nobody sleeps on after the answer", async () => {
      const { client, clock } = clientOf([{ body: me }]);
      await client.send(users.me());
      assert.equal(clock.sleeping, 0);
    });

    for (const end of ["half", "reset-before", "reset-after"] as const) {
      it(`an exchange that ends with ${end} is no answer, and the connection's error is its cause`, async () => {
        const { client } = clientOf([{ body: me, end }]);
        const outcome = await client.attempt(users.me());
        assert.ok(outcome.is === "unknown");
        assert.equal(kindOf(outcome.error), "unreachable");
        assert.match(outcome.error.message, /^GET \/users\/me got no answer: \S/);
        assert.ok(outcome.error.cause instanceof Error);
      });
    }

    it("half an answer of unknown length is none", async () => {
      const { client } = clientOf([{ body: me, end: "half", headers: { "transfer-encoding": "chunked" } }]);
      const outcome = await client.attempt(users.me());
      assert.ok(outcome.is === "unknown");
      assert.equal(kindOf(outcome.error), "unreachable");
    });
  });

  describe("stopping", () => {
    const stop = new Error("stopped by the user");

    it("nothing is sent after the signal, and a change is known not to have happened", async () => {
      const { client } = clientOf([{ body: me }]);
      for (const request of [users.me(), projects.create({})] as const) {
        assert.equal(await errorOf(client.send<unknown>(request, { signal: AbortSignal.abort(stop) })), stop);
      }
      assert.equal(server.requests.length, 0);
    });

    it("a read under way ends at once with the signal's reason", async () => {
      const controller = new AbortController();
      const { client } = clientOf(() => {
        setImmediate(() => controller.abort(stop));
        return { end: "silence" };
      });
      assert.equal(await errorOf(client.send(users.me(), { signal: controller.signal })), stop);
    });

    it("a change under way ends at once, with an outcome that nobody knows", async () => {
      const controller = new AbortController();
      const { client } = clientOf(() => {
        setImmediate(() => controller.abort(stop));
        return { end: "silence" };
      });
      const error = await errorOf(client.send(projects.create({}), { signal: controller.signal }));
      assert.ok(OutcomeUnknownError.isInstance(error));
      assert.match(
        error.message,
        /^POST \/projects was sent, but its outcome is not known: no answer: stopped by the user\. Look for its result /,
      );
      assert.equal((error.cause as Error).cause, stop);
    });

    it("a pause between two attempts ends at once", async () => {
      const controller = new AbortController();
      const { client, clock } = clientOf([{ status: 503 }]);
      const failed = errorOf(
        client.send(projects.create({}), { signal: controller.signal, onRetry: () => controller.abort(stop) }),
      );
      assert.equal(await clock.run(failed), stop);
      assert.equal(clock.now(), 0);
      assert.equal(server.requests.length, 1);
    });

    it("a reason that is no error becomes the cause of one", async () => {
      const { client } = clientOf([{ body: me }]);
      const error = await errorOf(client.send(users.me(), { signal: AbortSignal.abort("enough") }));
      assert.equal(error.cause, "enough");
    });
  });

  describe("what is told", () => {
    it("one line per attempt: method, path, status, time and request id", async () => {
      const lines: string[] = [];
      const { client } = clientOf([{ body: { operations: [] } }], {
        onAttempt: (attempt) => lines.push(attemptLine(attempt)),
      });
      await client.send({ ...operations.list("p"), query: { limit: 5 } });
      const id = String(received().headers["x-request-id"]);
      assert.deepEqual(lines, [`neon: GET /projects/p/operations?limit=5 200 0 ms ${id}`]);
    });

    it("an attempt without an answer tells why", async () => {
      const lines: string[] = [];
      const { client } = clientOf([{ end: "reset-after" }], {
        onAttempt: (attempt) => lines.push(attemptLine(attempt)),
      });
      await client.attempt(users.me());
      assert.match(lines[0] ?? "", /^neon: GET \/users\/me no answer \(.+\) 0 ms [0-9a-f-]{36}$/);
    });

    it("the time is that of the attempt", async () => {
      const times: number[] = [];
      const { client, clock } = scriptedClient([{ takes: 1234.4 }], {
        onAttempt: ({ milliseconds }) => times.push(milliseconds),
      });
      await clock.run(client.attempt(anything));
      assert.deepEqual(times, [1234]);
    });

    it("§6.23 neither the key nor a body is in a line or an error, whatever happens", async () => {
      const told: string[] = [];
      const replies: readonly Reply[] = [
        { status: 201, body: { secret: "hunter2" } },
        { status: 201, body: "hunter2" },
        { status: 401, body: { message: "no" } },
        { status: 422, body: "hunter2" },
        { status: 500 },
        { status: 302, headers: { location: "https://elsewhere.example/" } },
        { body: {}, end: "half" },
        { end: "reset-before" },
        { end: "reset-after" },
      ];
      for (const reply of replies) {
        const { client, clock } = clientOf([reply], { onAttempt: (attempt) => told.push(attemptLine(attempt)) });
        for (const request of [projects.get("p"), projects.create({ name: "hunter2" })] as const) {
          const error = await errorOf(clock.run(client.send<unknown>(request, { deadline: 0 })));
          told.push(error.message, inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error));
        }
      }
      assert.equal(told.filter((text) => text.startsWith("neon: ")).length, 2 * replies.length);
      for (const text of told) assert.doesNotMatch(text, /napi_|hunter2|Bearer/);
    });
  });

  describe("errors", () => {
    it("none has a member `id`, which Pulumi's SDK would take for a created resource", async () => {
      for (const reply of [{ status: 404 }, { status: 500 }, { end: "reset-after" }, { body: "{" }] as const) {
        for (const request of [users.me(), projects.create({})] as const) {
          assert.equal("id" in (await failureOf(reply, request)), false);
        }
      }
    });

    it("are recognized when another copy of this package made them, and nothing else is", async () => {
      const error = await failureOf({ status: 404 });
      const copy = Object.defineProperty(new Error("copy"), Symbol.for("neon-pulumi.error"), { value: true });
      assert.ok(PlatformError.isInstance(error) && HttpError.isInstance(error));
      assert.ok(PlatformError.isInstance(copy) && !HttpError.isInstance(copy));
      for (const other of [new Error("no"), undefined, null, "text", {}]) {
        assert.equal(PlatformError.isInstance(other), false);
      }
      assert.equal(OutcomeUnknownError.isInstance(error), false);
    });
  });
});
