import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import sinon from "sinon";
import {
  HttpError,
  OutcomeUnknownError,
  NeonClient,
  NeonError,
  projects,
  type Request,
  type SendOptions,
  users,
} from "../../api/index";
import { endless, ManualClock } from "../support/clock";
import { type Reply, ScriptedServer } from "../support/scripted-server";
import { valuesOf } from "../platform/support/responses";
import { createdProjectSample } from "./samples";
import {
  apiKey,
  apiUrl,
  errorOf,
  scriptedClient,
  type ScriptedResponse,
  systemError,
  timesOf,
} from "./scripted-client";

const read = users.me();
const change = projects.create({ name: "shop" });
const me = { id: "u1", email: "somebody@example.com", name: "somebody" };
/** What remains of a request that receives this response until its deadline. */
const endlessly = (request: Request<unknown>, reply: ScriptedResponse): Promise<Error> => {
  const { client, clock } = scriptedClient([reply]);
  return errorOf(clock.run(client.send(request)));
};
/** A response that both requests can parse. */
const good: Reply = { body: { ...me, ...createdProjectSample() } };

const refusal = (code: number, message: string): Reply => ({ status: code, body: { code: "", message } });
const status = (code: number, GET: Result, POST: Result): Row => ({
  what: `${code}`,
  reply: { status: code, body: { request_id: "r", code: "", message: "scripted" } },
  GET,
  POST,
});

const table: readonly Row[] = [
  ...[301, 302, 304, 400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 499].map((code) =>
    status(code, "failed", "failed"),
  ),
  ...[423, 429, 503].map((code) => status(code, "retried", "retried")),
  ...[423, 429, 503].map((code): Row => ({
    what: `${code} of a gateway`,
    reply: { status: code, body: "<html>" },
    GET: "retried",
    POST: "retried",
  })),
  ...[408, 500, 501, 502, 504, 520, 522, 524, 530, 599].map((code) => status(code, "retried", "unknown")),
  { what: "422, branch not ready yet", reply: refusal(422, "branch not ready yet"), GET: "retried", POST: "retried" },
  { what: "a gateway's HTML page (524)", reply: { status: 524, body: "<html>" }, GET: "retried", POST: "unknown" },
  {
    what: "a connection reset before the request is read",
    reply: { end: "reset-before" },
    GET: "retried",
    POST: "unknown",
  },
  {
    what: "a connection reset after the request is read",
    reply: { end: "reset-after" },
    GET: "retried",
    POST: "unknown",
  },
  { what: "an incomplete response", reply: { ...good, end: "half" }, GET: "retried", POST: "unknown" },
];

describe("NeonClient.send", () => {
  let server: ScriptedServer;
  before(async () => {
    server = await ScriptedServer.start();
  });
  after(() => server.close());

  describe("over a real socket [1.10 HTTP errors; 1.12.10]", () => {
    for (const { what, reply, ...results } of table) {
      for (const [request, result] of [
        [read, results.GET],
        [change, results.POST],
      ] as const) {
        it(`${request.method} is ${result === "unknown" ? "not retried, with an unknown outcome," : result} after ${what}`, async () => {
          const arrived: string[] = [];
          server.answer(({ method }) => (arrived.push(method) === 1 ? reply : good));
          const clock = new ManualClock();
          const client = new NeonClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless });
          const sent = clock.run(client.send<unknown>(request));
          if (result === "retried") {
            assert.ok(await sent);
            assert.deepEqual(arrived, [request.method, request.method]);
            return;
          }
          const error = await errorOf(sent);
          assert.deepEqual(arrived, [request.method]);
          if (result === "unknown") {
            assert.ok(OutcomeUnknownError.isInstance(error), error.message);
            assert.ok(error.cause instanceof Error);
            const observed = reply.status === undefined ? "no response" : `HTTP ${reply.status}, `;
            assert.ok(error.message.includes(`outcome is unknown: ${observed}`), error.message);
          } else {
            assert.ok(HttpError.isInstance(error) && error.status === reply.status, error.message);
          }
        });
      }
    }

    it("§6.3 retries a read after a 500 without sending the earlier mutation again", async () => {
      let reads = 0;
      server.answer(({ method }) => {
        if (method === "POST") return { status: 201, body: createdProjectSample() };
        reads += 1;
        return reads <= 3
          ? { status: 500, body: { message: "no" } }
          : { body: { project: createdProjectSample()["project"] } };
      });
      const clock = new ManualClock();
      const client = new NeonClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless });
      const { project } = await clock.run(client.send(change));
      await clock.run(client.send(projects.get(project.id)));
      assert.deepEqual(valuesOf(server.requests, "method"), ["POST", "GET", "GET", "GET", "GET"]);
    });

    it("gives up after three seconds if the base URL has never returned a response", async () => {
      const gone = await ScriptedServer.start();
      const { apiUrl: nowhere } = gone;
      await gone.close();
      for (const request of [read, change] as const) {
        const clock = new ManualClock();
        const attempts: (string | undefined)[] = [];
        const client = new NeonClient({
          apiKey,
          apiUrl: nowhere,
          clock,
          attemptTimeout: endless,
          onAttempt: (attempt) => attempts.push(attempt.error),
        });
        const error = await errorOf(clock.run(client.send<unknown>(request)));
        assert.ok(NeonError.isInstance(error));
        assert.match(error.message, new RegExp(`^${request.method} .+ received no response: .*ECONNREFUSED`));
        assert.ok(
          error.message.endsWith(`. ${nowhere} has never returned a response. Check the base URL.`),
          error.message,
        );
        assert.ok(attempts.length >= 3, `${attempts.length} attempts`);
        assert.ok(clock.now() >= 3000 && clock.now() < 4500, `${clock.now()} ms`);
      }
    });
  });

  describe("network errors", () => {
    for (const code of [
      ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "CERT_HAS_EXPIRED"],
      ...["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ]) {
      it(`retries a mutation that was never sent because of ${code}, wrapped or not`, async () => {
        for (const error of [systemError(code, "connect"), new Error("wrapped", { cause: systemError(code) })]) {
          const { client, clock, sent } = scriptedClient([{ error }, good]);
          await clock.run(client.send(change));
          assert.equal(sent.length, 2);
        }
      });
    }

    for (const [code, syscall] of [
      ...["ECONNRESET", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"].map((code) => [code, undefined] as const),
      // The host became unreachable after the request was sent.
      ["EHOSTUNREACH", "read"],
      ["EHOSTUNREACH", "write"],
    ] as const) {
      it(`reports an unknown outcome of a mutation after ${syscall ?? ""} ${code}`, async () => {
        const { client, clock, sent } = scriptedClient([{ error: systemError(code, syscall) }, good]);
        const error = await errorOf(clock.run(client.send(change)));
        assert.ok(OutcomeUnknownError.isInstance(error));
        assert.equal(sent.length, 1);
      });
    }

    it("retries a read after a timeout, but not a mutation", async () => {
      const { client, clock, sent } = scriptedClient([good, { takes: 60_000 }, good, { takes: 60_000 }, good], {
        attemptTimeout: 30_000,
      });
      await clock.run(client.send(read));
      await clock.run(client.send(read));
      assert.equal(sent.length, 3);
      const began = clock.now();
      const error = await errorOf(clock.run(client.send(change)));
      assert.equal(clock.now(), began + 30_000);
      assert.ok(OutcomeUnknownError.isInstance(error));
      assert.match(
        error.message,
        /^POST \/projects .*outcome is unknown: no response within 30 s\. Check the current state before /,
      );
      assert.equal(sent.length, 4);
    });

    it("retries until the deadline if the base URL has returned a response before", async () => {
      const { client, clock, sent } = scriptedClient((one) =>
        one.at === 0 ? good : { error: systemError("ECONNREFUSED", "connect") },
      );
      await clock.run(client.send(read));
      await clock.advance(1000);
      const error = await errorOf(clock.run(client.send(read, { deadline: 61_000 })));
      assert.doesNotMatch(error.message, /base URL/);
      assert.ok(sent.length > 20, `${sent.length} attempts`);
      assert.ok(clock.now() > 55_000 && clock.now() <= 61_000, `${clock.now()} ms`);
    });
  });

  describe("deadline", () => {
    const attemptsOf = async (request: Request<unknown>, options: SendOptions | undefined) => {
      const { client, clock, sent } = scriptedClient([
        { status: 423, body: { request_id: "r", code: "", message: "running" } },
      ]);
      const error = await errorOf(clock.run(client.send(request, options)));
      return { error, sent, end: clock.now() };
    };

    it("is two minutes by default", async () => {
      const byDefault = await attemptsOf(change, undefined);
      assert.ok(byDefault.end > 110_000 && byDefault.end <= 120_000, `${byDefault.end} ms`);
      const given = await attemptsOf(change, { deadline: 5000 });
      assert.ok(given.end > 3500 && given.end <= 5000, `${given.end} ms`);
      assert.ok((given.sent.at(-1)?.at ?? Infinity) <= 5000);
    });

    it("allows one attempt if it has already passed", async () => {
      const { sent, end, error } = await attemptsOf(change, { deadline: -1 });
      assert.equal(sent.length, 1);
      assert.equal(end, 0);
      assert.doesNotMatch(error.message, /attempt/);
    });

    it("ends with the last HTTP error, the number of attempts and the time", async () => {
      const { error, sent, end } = await attemptsOf(change, { deadline: 20_000 });
      assert.ok(HttpError.isInstance(error));
      assert.equal(error.status, 423);
      assert.equal(error.reason, "running");
      const often = `(${sent.length} attempts in ${Math.round(end / 1000)} s)`;
      assert.ok(
        error.message.startsWith("POST /projects failed with HTTP 423: running [request ") &&
          error.message.endsWith(
            ` ${often}. Other operations on the project are still running. Try again when they have finished.`,
          ),
        `${error.message}, but ${sent.length} in ${end} ms`,
      );
    });

    it("is approached with a growing backoff of at most 5.25 s", async () => {
      const { sent } = await attemptsOf(change, undefined);
      const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
      assert.ok((pauses[0] ?? Infinity) <= 210);
      assert.ok(Math.max(...pauses) <= 5250 && Math.max(...pauses) >= 4750, `${Math.max(...pauses)} ms`);
    });

    it("leaves time for retries, and onRetry receives the reason of each", async () => {
      const reasons: string[] = [];
      const { client, clock } = scriptedClient([
        { status: 503, body: { message: "first" } },
        { status: 429, body: { message: "second" } },
        good,
      ]);
      await clock.run(
        client.send(change, {
          onRetry: (error) => reasons.push(HttpError.isInstance(error) ? error.reason : error.message),
        }),
      );
      assert.deepEqual(reasons, ["first", "second"]);
    });

    for (const [what, reply, isCertain] of [
      ["the platform's 423", { status: 423, body: { request_id: "r", message: "running" } }, true],
      [
        "the platform's 429",
        { status: 429, headers: { "x-neon-ret-request-id": "r" }, body: { message: "slow" } },
        true,
      ],
      ["a gateway's 429", { status: 429, body: { message: "slow" } }, false],
      ["a gateway's 423", { status: 423, body: "<html>" }, false],
      ["a 503", { status: 503, body: { request_id: "r", code: "", message: "later" } }, false],
    ] as const) {
      const told = isCertain ? "was not performed" : "may have been performed";
      it(`tells before a retry that a mutation ${told} after ${what}, and a read was not performed`, async () => {
        for (const request of [read, change]) {
          const reasons: Error[] = [];
          const { client, clock } = scriptedClient([reply, good]);
          await clock.run(
            client.send<unknown>(request, { beforeRetry: (reason) => Promise.resolve(reasons.push(reason)) }),
          );
          assert.deepEqual(
            reasons.map((reason) => OutcomeUnknownError.isInstance(reason)),
            [request === change && !isCertain],
          );
          const last = await endlessly(request, reply);
          assert.equal(OutcomeUnknownError.isInstance(last), request === change && !isCertain);
        }
      });
    }

    it("§6.4 leaves time to retry a mutation after a 503", async () => {
      const { client, clock, sent } = scriptedClient((one) => (one.at < 60_000 ? { status: 503 } : good));
      await clock.run(client.send(change));
      assert.ok(sent.length > 10);
      assert.deepEqual(new Set(sent.map(({ method }) => method)), new Set(["POST"]));
      assert.equal(new Set(sent.map(({ body }) => body)).size, 1);
    });
  });

  describe("Retry-After [1.10 rate limits; 1.12.11]", () => {
    const limited = (retryAfter: string, code = 429) => ({
      status: code,
      headers: { "retry-after": retryAfter },
      body: { request_id: "r", message: "slow down" },
    });
    const started = "Tue, 01 Jan 2030 00:00:00 GMT";
    before(() => sinon.replace(Math, "random", () => 0.5));
    after(() => sinon.restore());

    for (const [what, header, headers, second] of [
      ["a number of seconds", "7", {}, 7000],
      ["a number between spaces", " 7 ", {}, 7000],
      ["a date", "Tue, 01 Jan 2030 00:00:09 GMT", {}, 9000],
      [
        "a date on the platform's clock",
        "Tue, 01 Jan 2030 06:00:09 GMT",
        { date: "Tue, 01 Jan 2030 06:00:00 GMT" },
        9000,
      ],
      ["a date in the past", "Mon, 31 Dec 2029 00:00:00 GMT", { date: started }, 200],
      ["zero", "0", {}, 200],
      ["malformed", "soon", {}, 200],
    ] as const) {
      it(`delays the retry by ${second} ms, and says so, if it is ${what}`, async () => {
        const delays: number[] = [];
        const response = limited(header);
        const { client, clock, sent } = scriptedClient([
          { ...response, headers: { ...response.headers, ...headers } },
          good,
        ]);
        await clock.run(client.send(change, { onRetry: (_, delay) => delays.push(delay) }));
        assert.deepEqual([timesOf(sent), delays], [[0, second], [second]]);
      });
    }

    it("holds all requests of the process after a 429", async () => {
      const { client, clock, sent } = scriptedClient((one) => (one.at < 30_000 ? limited("30") : good));
      const first = client.send(read);
      await clock.advance(1000);
      assert.equal(sent.length, 1);
      await clock.run(Promise.all([first, client.send(change), client.send(read)]));
      // Afterwards they are sent with a gap.
      assert.deepEqual(timesOf(sent).map(Math.round), [0, 30_000, 30_089, 30_177]);
    });

    it("holds only the same request after a 423 or 503", async () => {
      for (const code of [423, 503]) {
        const { client, clock, sent } = scriptedClient((one) =>
          one.method === "POST" && one.at < 20_000 ? limited("20", code) : good,
        );
        const held = client.send(change);
        await clock.advance(1);
        await clock.run(client.send(read));
        assert.ok(clock.now() < 1000);
        await clock.run(held);
        assert.deepEqual(timesOf(sent), [0, 1, 20_000]);
      }
    });

    it("fails the request immediately if it ends after the deadline", async () => {
      const { client, clock, sent } = scriptedClient([limited("3600")]);
      const error = await errorOf(clock.run(client.send(change, { deadline: 60_000 })));
      assert.ok(HttpError.isInstance(error) && error.status === 429);
      assert.match(
        error.message,
        /\(Neon asks to wait 3600 s\)\. The account exceeded its rate limit for longer than this/,
      );
      assert.equal(clock.now(), 0);
      assert.equal(sent.length, 1);
    });

    it("fails another request, without sending it, if it ends after that one's deadline", async () => {
      for (const options of [{ deadline: 60_000 }, {}]) {
        const { client, clock, sent } = scriptedClient([limited("3600")]);
        await errorOf(clock.run(client.send(change)));
        const error = await errorOf(clock.run(client.send(read, options)));
        assert.ok(NeonError.isInstance(error));
        assert.match(
          error.message,
          /^GET \/users\/me was not sent: .* asks to wait 3600 s, longer than this request may take/,
        );
        assert.equal(clock.now(), 0);
        assert.equal(sent.length, 1);
      }
    });

    it("does not hold a request after it has ended, even if the deadline has passed", async () => {
      const { client, clock, sent } = scriptedClient([limited("30"), good]);
      await errorOf(clock.run(client.send(change, { deadline: 20_000 })));
      await clock.advance(40_000);
      await clock.run(client.send(read, { deadline: 20_000 }));
      assert.deepEqual(timesOf(sent), [0, 40_000]);
    });

    it("does not hold requests of another account", async () => {
      const mine = scriptedClient([limited("30"), good]);
      const theirs = new NeonClient({
        apiKey: "napi_other",
        apiUrl,
        clock: mine.clock,
        attemptTimeout: endless,
        transport: () => Promise.resolve({ status: 200, header: () => undefined, body: JSON.stringify(me) }),
      });
      const held = mine.client.send(read);
      await mine.clock.advance(0);
      await mine.clock.run(theirs.send(read));
      assert.equal(mine.clock.now(), 0);
      await mine.clock.run(held);
    });
  });
});

/** What happens to a request whose first attempt ends this way, and whose second one would succeed. */
type Result = "retried" | "failed" | "unknown";

interface Row {
  readonly what: string;
  readonly reply: Reply;
  readonly GET: Result;
  readonly POST: Result;
}
