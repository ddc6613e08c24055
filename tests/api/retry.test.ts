import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import sinon from "sinon";
import {
  HttpError,
  OutcomeUnknownError,
  PlatformClient,
  PlatformError,
  projects,
  type Request,
  type SendOptions,
  users,
} from "../../api/index";
import { endless, ManualClock } from "../support/clock";
import { type Reply, ScriptedServer } from "../support/scripted-server";
import { createdProjectSample } from "./samples";
import { apiKey, apiUrl, errorOf, scriptedClient, systemFault } from "./scripted-client";

const read = users.me();
const change = projects.create({ name: "shop" });
const me = { id: "u1", email: "somebody@example.com", name: "somebody" };
/** Answers that both requests can read. */
const good: Reply = { body: { ...me, ...createdProjectSample() } };

/** What is to become of a request whose first attempt went so, and whose second would be answered well. */
type Fate = "sent again" | "refused" | "unknown";

interface Row {
  readonly what: string;
  readonly reply: Reply;
  readonly GET: Fate;
  readonly POST: Fate;
}

const status = (code: number, GET: Fate, POST: Fate): Row => ({
  what: `${code}`,
  reply: { status: code, body: { request_id: "r", code: "", message: "scripted" } },
  GET,
  POST,
});

const table: readonly Row[] = [
  ...[301, 302, 304, 400, 401, 402, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 499].map((code) =>
    status(code, "refused", "refused"),
  ),
  ...[423, 429, 503].map((code) => status(code, "sent again", "sent again")),
  ...[408, 500, 501, 502, 504, 520, 522, 524, 530, 599].map((code) => status(code, "sent again", "unknown")),
  { what: "a gateway's page (524)", reply: { status: 524, body: "<html>" }, GET: "sent again", POST: "unknown" },
  { what: "a reset before it is read", reply: { end: "reset-before" }, GET: "sent again", POST: "unknown" },
  { what: "a reset after it is read", reply: { end: "reset-after" }, GET: "sent again", POST: "unknown" },
  { what: "half an answer", reply: { ...good, end: "half" }, GET: "sent again", POST: "unknown" },
];

describe("api: one retry rule", () => {
  let server: ScriptedServer;
  before(async () => {
    server = await ScriptedServer.start();
  });
  after(() => server.close());

  describe("over a real socket", () => {
    for (const { what, reply, ...fates } of table) {
      for (const [request, fate] of [
        [read, fates.GET],
        [change, fates.POST],
      ] as const) {
        it(`${what}, ${request.method}: ${fate}`, async () => {
          const arrived: string[] = [];
          server.answer(({ method }) => (arrived.push(method) === 1 ? reply : good));
          const clock = new ManualClock();
          const client = new PlatformClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless });
          const answered = clock.run(client.send<unknown>(request));
          if (fate === "sent again") {
            assert.ok(await answered);
            assert.deepEqual(arrived, [request.method, request.method]);
            return;
          }
          const error = await errorOf(answered);
          assert.deepEqual(arrived, [request.method]);
          if (fate === "unknown") {
            assert.ok(OutcomeUnknownError.isInstance(error), error.message);
            assert.ok(error.cause instanceof Error);
          } else {
            assert.ok(HttpError.isInstance(error) && error.status === reply.status, error.message);
          }
        });
      }
    }

    it("§6.3 a 500 on a later read never sends the change again", async () => {
      let reads = 0;
      server.answer(({ method }) => {
        if (method === "POST") return { status: 201, body: createdProjectSample() };
        reads += 1;
        return reads <= 3
          ? { status: 500, body: { message: "no" } }
          : { body: { project: createdProjectSample()["project"] } };
      });
      const clock = new ManualClock();
      const client = new PlatformClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless });
      const { project } = await clock.run(client.send(change));
      await clock.run(client.send(projects.get(project.id)));
      assert.deepEqual(
        server.requests.map(({ method }) => method),
        ["POST", "GET", "GET", "GET", "GET"],
      );
    });

    it("at an address where nothing listens, three seconds are enough: the base URL is named", async () => {
      const gone = await ScriptedServer.start();
      const { apiUrl: nowhere } = gone;
      await gone.close();
      for (const request of [read, change] as const) {
        const clock = new ManualClock();
        const attempts: (string | undefined)[] = [];
        const client = new PlatformClient({
          apiKey,
          apiUrl: nowhere,
          clock,
          attemptTimeout: endless,
          onAttempt: ({ fault }) => attempts.push(fault),
        });
        const error = await errorOf(clock.run(client.send<unknown>(request)));
        assert.ok(PlatformError.isInstance(error));
        assert.match(error.message, new RegExp(`^${request.method} .+ got no answer: .*ECONNREFUSED`));
        assert.ok(error.message.endsWith(`Nothing has ever answered at ${nowhere}: is the base URL right?`));
        assert.ok(attempts.length >= 3, `${attempts.length} attempts`);
        assert.ok(clock.now() >= 3000 && clock.now() < 4500, `${clock.now()} ms`);
      }
    });
  });

  describe("faults of the connection", () => {
    for (const code of ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH", "CERT_HAS_EXPIRED"]) {
      it(`${code}: a change was never sent, so it is sent again`, async () => {
        const { client, clock, sent } = scriptedClient([{ fault: systemFault(code, "connect") }, good]);
        await clock.run(client.send(change));
        assert.equal(sent.length, 2);
      });

      it(`${code} is seen through the transport's own error`, async () => {
        const fault = new Error("request failed", { cause: systemFault(code) });
        const { client, clock, sent } = scriptedClient([{ fault }, good]);
        await clock.run(client.send(change));
        assert.equal(sent.length, 2);
      });
    }

    for (const code of ["ECONNRESET", "EPIPE", "ETIMEDOUT", "ERR_STREAM_PREMATURE_CLOSE"]) {
      it(`${code}: nobody knows whether a change was performed`, async () => {
        const { client, clock, sent } = scriptedClient([{ fault: systemFault(code) }, good]);
        const error = await errorOf(clock.run(client.send(change)));
        assert.ok(OutcomeUnknownError.isInstance(error));
        assert.equal(sent.length, 1);
      });
    }

    it("a host that gets out of reach while the answer is waited for may have performed the change", async () => {
      for (const syscall of ["read", "write"]) {
        const { client, clock, sent } = scriptedClient([{ fault: systemFault("EHOSTUNREACH", syscall) }, good]);
        const error = await errorOf(clock.run(client.send(change)));
        assert.ok(OutcomeUnknownError.isInstance(error), syscall);
        assert.equal(sent.length, 1);
      }
    });

    it("a time-out of an attempt: a read is sent again, a change is not", async () => {
      const { client, clock, sent } = scriptedClient([good, { takes: 60_000 }, good, { takes: 60_000 }, good], {
        attemptTimeout: 30_000,
      });
      await clock.run(client.send(read));
      await clock.run(client.send(read));
      assert.equal(sent.length, 3);
      const error = await errorOf(clock.run(client.send(change)));
      assert.ok(OutcomeUnknownError.isInstance(error));
      assert.match(
        error.message,
        /^POST \/projects .*outcome is not known: no answer within 30 s\. Look for its result before /,
      );
      assert.equal(sent.length, 4);
    });

    it("an address that has answered once is tried until the deadline", async () => {
      const { client, clock, sent } = scriptedClient((one) =>
        one.at === 0 ? good : { fault: systemFault("ECONNREFUSED", "connect") },
      );
      await clock.run(client.send(read));
      await clock.advance(1000);
      const error = await errorOf(clock.run(client.send(read, { deadline: 61_000 })));
      assert.doesNotMatch(error.message, /base URL/);
      assert.ok(sent.length > 20, `${sent.length} attempts`);
      assert.ok(clock.now() > 55_000 && clock.now() <= 61_000, `${clock.now()} ms`);
    });
  });

  describe("until when", () => {
    const attemptsOf = async (request: Request<unknown>, options: SendOptions | undefined) => {
      const { client, clock, sent } = scriptedClient([{ status: 423, body: { code: "", message: "running" } }]);
      const error = await errorOf(clock.run(client.send(request, options)));
      return { error, sent, end: clock.now() };
    };

    it("two minutes, unless a deadline is given", async () => {
      const byDefault = await attemptsOf(change, undefined);
      assert.ok(byDefault.end > 110_000 && byDefault.end <= 120_000, `${byDefault.end} ms`);
      const given = await attemptsOf(change, { deadline: 5000 });
      assert.ok(given.end > 3500 && given.end <= 5000, `${given.end} ms`);
      assert.ok((given.sent.at(-1)?.at ?? Infinity) <= 5000);
    });

    it("a deadline that is over leaves one attempt", async () => {
      const { sent, end, error } = await attemptsOf(change, { deadline: -1 });
      assert.equal(sent.length, 1);
      assert.equal(end, 0);
      assert.doesNotMatch(error.message, /attempt/);
    });

    it("the last refusal is thrown, with how often and how long it was tried", async () => {
      const { error, sent, end } = await attemptsOf(change, { deadline: 20_000 });
      assert.ok(HttpError.isInstance(error));
      assert.equal(error.status, 423);
      assert.equal(error.reason, "running");
      const often = `(${sent.length} attempts in ${Math.round(end / 1000)} s)`;
      assert.ok(
        error.message.startsWith("POST /projects was refused (423): running [request ") &&
          error.message.endsWith(` ${often}. Other operations were still running: try again when they are done.`),
        `${error.message}, but ${sent.length} in ${end} ms`,
      );
    });

    it("the pauses grow, and never beyond 5.25 s", async () => {
      const { sent } = await attemptsOf(change, undefined);
      const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
      assert.ok((pauses[0] ?? Infinity) <= 210);
      assert.ok(Math.max(...pauses) <= 5250 && Math.max(...pauses) >= 4750, `${Math.max(...pauses)} ms`);
    });

    it("each retry is told, with its reason", async () => {
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

    it("§6.4 a 503 on a change is waited out", async () => {
      const { client, clock, sent } = scriptedClient((one) => (one.at < 60_000 ? { status: 503 } : good));
      await clock.run(client.send(change));
      assert.ok(sent.length > 10);
      assert.deepEqual(new Set(sent.map(({ method }) => method)), new Set(["POST"]));
      assert.equal(new Set(sent.map(({ body }) => body)).size, 1);
    });
  });

  describe("5. `Retry-After`", () => {
    const limited = (retryAfter: string, code = 429) => ({
      status: code,
      headers: { "retry-after": retryAfter },
      body: { message: "slow down" },
    });
    const started = "Tue, 01 Jan 2030 00:00:00 GMT";
    before(() => sinon.replace(Math, "random", () => 0.5));
    after(() => sinon.restore());

    for (const [what, header, headers, second] of [
      ["seconds", "7", {}, 7000],
      ["a date", "Tue, 01 Jan 2030 00:00:09 GMT", {}, 9000],
      [
        "a date by the platform's own clock",
        "Tue, 01 Jan 2030 06:00:09 GMT",
        { date: "Tue, 01 Jan 2030 06:00:00 GMT" },
        9000,
      ],
      ["a date that is over", "Mon, 31 Dec 2029 00:00:00 GMT", { date: started }, 200],
      ["nothing to wait for", "0", {}, 200],
      ["nonsense", "soon", {}, 200],
    ] as const) {
      it(`${what}: the next attempt comes after ${second} ms`, async () => {
        const answer = limited(header);
        const { client, clock, sent } = scriptedClient([
          { ...answer, headers: { ...answer.headers, ...headers } },
          good,
        ]);
        await clock.run(client.send(change));
        assert.deepEqual(
          sent.map(({ at }) => at),
          [0, second],
        );
      });
    }

    it("holds back every caller of the process, not only the one who met it", async () => {
      const { client, clock, sent } = scriptedClient((one) => (one.at < 30_000 ? limited("30") : good));
      const first = client.send(read);
      await clock.advance(1000);
      assert.equal(sent.length, 1);
      await clock.run(Promise.all([first, client.send(change), client.send(read)]));
      // And none of them rushes then.
      assert.deepEqual(
        sent.map(({ at }) => Math.round(at)),
        [0, 30_000, 30_089, 30_177],
      );
    });

    it("is honoured on a 503 and a 423, too, by the one who met it", async () => {
      for (const code of [423, 503]) {
        const { client, clock, sent } = scriptedClient((one) =>
          one.method === "POST" && one.at < 20_000 ? limited("20", code) : good,
        );
        const held = client.send(change);
        await clock.advance(1);
        await clock.run(client.send(read));
        assert.ok(clock.now() < 1000);
        await clock.run(held);
        assert.deepEqual(
          sent.map(({ at }) => at),
          [0, 1, 20_000],
        );
      }
    });

    it("beyond the deadline is not waited for", async () => {
      const { client, clock, sent } = scriptedClient([limited("3600")]);
      const error = await errorOf(clock.run(client.send(change, { deadline: 60_000 })));
      assert.ok(HttpError.isInstance(error) && error.status === 429);
      assert.match(error.message, /rate limit was exceeded for longer than this request could wait/);
      assert.equal(clock.now(), 0);
      assert.equal(sent.length, 1);
    });

    it("beyond the deadline of another caller is not waited for by that one either, and nothing is sent", async () => {
      for (const options of [{ deadline: 60_000 }, {}]) {
        const { client, clock, sent } = scriptedClient([limited("3600")]);
        await errorOf(clock.run(client.send(change)));
        const error = await errorOf(clock.run(client.send(read, options)));
        assert.ok(PlatformError.isInstance(error));
        assert.match(
          error.message,
          /^GET \/users\/me was not sent: .* asks to wait 3600 s, longer than this request may take/,
        );
        assert.equal(clock.now(), 0);
        assert.equal(sent.length, 1);
      }
    });

    it("that is over holds back nobody, not even one whose deadline is over, too", async () => {
      const { client, clock, sent } = scriptedClient([limited("30"), good]);
      await errorOf(clock.run(client.send(change, { deadline: 20_000 })));
      await clock.advance(40_000);
      await clock.run(client.send(read, { deadline: 20_000 }));
      assert.deepEqual(
        sent.map(({ at }) => at),
        [0, 40_000],
      );
    });

    it("does not hold back another account", async () => {
      const mine = scriptedClient([limited("30"), good]);
      const theirs = new PlatformClient({
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
