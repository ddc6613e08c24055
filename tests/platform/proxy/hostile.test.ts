import assert from "node:assert/strict";

import fc from "fast-check";
import { afterEach, describe, it } from "mocha";
import { Client } from "pg";

import { ManualPlatformClock } from "../../support/platform-clock";
import { until } from "../../support/until";
import { wireMessage, messageTypes } from "../../../platform/proxy/wire-protocol";
import { query } from "../support/sql";
import { database, password, proxySuite, role } from "./support/proxied-compute";
import { RawClient } from "./support/raw-client";
import { cases, bytes, damaged, startup, saslResponse, damagedStart } from "./damaged";

describe("proxy: hostile input", () => {
  const clock = new ManualPlatformClock();
  const suite = proxySuite(clock);

  /** Whatever was sent: all connections end by themselves, within the time limits, and others are served. */
  const assertAllClosed = async (): Promise<void> => {
    const { proxy } = suite();
    await until(() => {
      clock.advance(20_000);
      // A session ends when its compute has closed, too.
      return proxy.connections === 0 && proxy.sessions === 0;
    });
  };
  afterEach(async () => {
    await assertAllClosed();
    const { uri, own } = suite();
    assert.deepEqual(await query({ connectionString: uri(own) }, "select 1 as one"), [{ one: 1 }]);
  });

  /** Sends pieces on a connection of its own, and waits until the proxy closes it. */
  const send = async (pieces: readonly Buffer[]): Promise<void> => {
    const client = await RawClient.open(suite().own);
    for (const piece of pieces) client.write(piece);
    client.stream.resume();
    await assertAllClosed();
    client.close();
  };

  it("damaged start packets end their connection only", async () => {
    await fc.assert(fc.asyncProperty(fc.array(damagedStart, { minLength: 1, maxLength: 3 }), send), cases);
  });

  it("damaged password messages end their connection only", async () => {
    const response = fc.oneof(
      damaged(saslResponse),
      bytes(64).map((body) => wireMessage(messageTypes.passwordMessage, body)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(response, { minLength: 1, maxLength: 2 }), (responses) =>
        send([startup, ...responses]),
      ),
      cases,
    );
  });

  it("damaged messages after the login end their session only", async () => {
    await fc.assert(
      fc.asyncProperty(bytes(64), async (garbage) => {
        const client = new Client({ ...suite().own, user: role, password, database });
        client.on("error", () => undefined);
        await client.connect();
        const { connection } = client as unknown as {
          connection: { stream: { write(data: Buffer): void; end(): void } };
        };
        connection.stream.write(garbage);
        connection.stream.end();
        await assertAllClosed();
      }),
      { ...cases, numRuns: 10 },
    );
  });

  it("damaged HTTP requests are refused, and never answered with a result", async () => {
    const { own, uri } = suite();
    const body = JSON.stringify({ query: "select 1", params: [[1, "a", { b: null }]] });
    const head = [
      "POST /sql HTTP/1.1",
      "Host: a",
      `Content-Length: ${body.length}`,
      `Neon-Connection-String: ${uri(own).replace(encodeURIComponent(password), "wrong")}`,
      "Neon-Array-Mode: true",
    ];
    const whole = Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
    await fc.assert(
      fc.asyncProperty(damaged(whole), async (request) => {
        const client = await RawClient.open(own);
        client.write(request);
        const closed = client.closed();
        await assertAllClosed();
        const answer = (await closed).toString("latin1");
        assert.doesNotMatch(answer, / 200 /);
        assert.doesNotMatch(answer, / 500 /);
      }),
      cases,
    );
  });

  it("any body gets an answer: the result of a query, or what is wrong with it", async () => {
    const { own, uri } = suite();
    const text = fc.constantFrom("select $1::text as a", "select 1", "selec", "", "begin", "\0");
    const requestShape = fc.record(
      {
        query: fc.oneof(text, fc.jsonValue()),
        params: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
        arrayMode: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      requestShape,
      fc.record({ queries: fc.array(requestShape, { maxLength: 3 }) }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(body, async (json) => {
        const response = await fetch(`http://${own.host}:${own.port}/sql`, {
          method: "POST",
          headers: { "neon-connection-string": uri(own), connection: "close" },
          body: JSON.stringify(json),
        });
        assert.ok([200, 400].includes(response.status), String(response.status));
        const answer = (await response.json()) as { readonly message?: string };
        assert.equal(response.status === 400, typeof answer.message === "string");
      }),
      cases,
    );
  });

  it("damaged WebSocket frames end their connection only", async () => {
    const upgrade = [
      "GET /v2 HTTP/1.1",
      "Host: a",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ];
    const handshake = Buffer.from(`${upgrade.join("\r\n")}\r\n\r\n`);
    // A binary frame, masked with zeros.
    const frame = Buffer.concat([Buffer.from([0x82, 0x80 | startup.length, 0, 0, 0, 0]), startup]);
    const input = fc.oneof(
      damaged(frame).map((damagedFrame) => [handshake, damagedFrame]),
      bytes(64).map((garbage) => [handshake, garbage]),
      damaged(handshake).map((damagedHandshake) => [damagedHandshake]),
    );
    await fc.assert(fc.asyncProperty(input, send), cases);
  });
});
