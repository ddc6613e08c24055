import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { attempt, hostileRequests, type Target, targetOn } from "./support/hostile-requests";
import { suitePlatform } from "../support/platform";
import { exchange, open } from "./support/wire";
import { assertMembers } from "./support/responses";

describe("local platform: hostile requests", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let target: Target;
  before(async () => {
    target = await targetOn(platform());
  });

  for (const [status, title, bytes] of hostileRequests) {
    it(`${title}: ${status ?? "closed"}`, async () => {
      assert.equal(await attempt(status, bytes, target), undefined);
    });
  }

  it("50 pipelined requests on one connection are answered in order", async () => {
    const request = (id: number, last = "") =>
      `GET /api/v2/regions HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${target.key}\r\nX-Request-Id: id-${id}\r\n${last}\r\n`;
    const all = Array.from({ length: 50 }, (_, id) => request(id, id === 49 ? "Connection: close\r\n" : "")).join("");
    const { text, statuses } = await exchange(`http://${target.host}`, [all]);
    assert.deepEqual(new Set(statuses), new Set([200]));
    const ids = [...text.matchAll(/x-neon-ret-request-id: (\S+)/g)].map(([, id]) => id);
    assert.deepEqual(
      ids,
      ids.map((_, index) => `id-${index}`),
    );
    assert.equal(ids.length, 50);
  });

  it("an incomplete request changes nothing", async () => {
    const { body: before } = await platform().call("GET", "/projects?limit=400");
    const head = `POST /api/v2/projects HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${target.key}\r\n`;
    for (const half of [
      "POST",
      head,
      `${head}Content-Length: 14\r\n\r\n{"project"`,
      `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"pr`,
    ]) {
      const socket = await open(`http://${target.host}`);
      await new Promise((resolve) => socket.write(half, resolve));
      socket.destroy();
      await exchange(`http://${target.host}`, [half], { end: true });
    }
    const { body: afterwards } = await platform().call("GET", "/projects?limit=400");
    assert.equal(afterwards.projects.length, before.projects.length);
  });

  it("members named like those of Object.prototype do not change prototypes", async () => {
    const sent = '{"branch":{"name":"odd"},"annotation_value":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const path = `/projects/${target.projectId}/branches`;
    const { status, body } = await platform().call("POST", path, sent);
    assert.equal(status, 201, body.message);
    await platform().settled(target.projectId);
    const { body: read } = await platform().call("GET", `${path}/${body.branch.id}`);
    const { value } = read.annotation as unknown as { value: Record<string, unknown> };
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.values(value).slice(-2), ["b", "c"]);
    assert.equal(({} as Record<string, unknown>)["a"], undefined);
  });
});

describe("local platform: slow requests", () => {
  const platform = suitePlatform({ requestTimeoutMs: 400 });
  const senders = {
    "sends nothing": ["", ""],
    "sends headers slowly": ["GET /api/v2/projects HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n"],
    "sends a body byte by byte": ["POST /api/v2/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n", "x"],
    "sends chunks slowly": [
      "POST /local/faults HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "1\r\nx\r\n",
    ],
  } as const;
  for (const [what, [first, bytes]] of Object.entries(senders)) {
    it(`a client that ${what} gets 408 and loses its connection`, async () => {
      assertMembers(await exchange(platform().apiUrl, [first], { drip: { bytes, every: 20 } }), {
        statuses: [408],
        isClosed: true,
      });
    });
  }

  it("a client that sends an endless body loses its connection", async () => {
    const head = "POST /api/v2/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const piece = `100000\r\n${"x".repeat(1 << 20)}\r\n`;
    const { isClosed } = await exchange(platform().apiUrl, [head, ...Array.from({ length: 64 }, () => piece)]);
    assert.ok(isClosed);
  });
});
