import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { attempt, targetOn } from "../../tests/reliability/hostile/attempt";
import { hostileCases, type Target } from "../../tests/reliability/hostile/cases";
import { startTestPlatform, suitePlatform, type TestPlatform } from "../../tests/support/platform";
import { exchange, open } from "../../tests/support/wire";
import { type LoggedRequest, RequestLog } from "../http/request-log";

describe("platform: hostile requests", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  let target: Target;
  before(async () => {
    target = await targetOn(platform());
  });

  for (const one of hostileCases) {
    it(`${one.title}: ${one.statuses.join(" or ") || "closed"}`, async () => {
      assert.equal(await attempt(one, target), undefined);
    });
  }

  it("50 requests at once on one connection are answered in their order", async () => {
    const request = (id: number, last = "") =>
      `GET /api/v2/regions HTTP/1.1\r\nHost: ${target.host}\r\nAuthorization: Bearer ${target.key}\r\nX-Request-Id: id-${id}\r\n${last}\r\n`;
    const all = Array.from({ length: 50 }, (_, id) => request(id, id === 49 ? "Connection: close\r\n" : "")).join("");
    const { text, statuses } = await exchange(`http://${target.host}`, [all]);
    assert.deepEqual(new Set(statuses), new Set([200]));
    const ids = [...text.matchAll(/x-request-id: (\S+)/g)].map(([, id]) => id);
    assert.deepEqual(
      ids,
      ids.map((_, index) => `id-${index}`),
    );
    assert.equal(ids.length, 50);
  });

  it("what is half sent and then left changes nothing, and is not waited for", async () => {
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

  it("members that are called as those of all objects are kept as what they are, or not at all", async () => {
    const sent = '{"branch":{"name":"odd"},"annotation_value":{"__proto__":"a","constructor":"b","toString":"c"}}';
    const path = `/projects/${target.projectId}/branches`;
    const { status, body } = await platform().call("POST", path, sent);
    assert.equal(status, 201, body.message);
    await platform().settled(target.projectId);
    const { body: read } = await platform().call("GET", `${path}/${body.branch.id}`);
    const { value } = read.annotation as unknown as { value: Record<string, unknown> };
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(
      Object.entries(value)
        .slice(-2)
        .map(([, text]) => text),
      ["b", "c"],
    );
    assert.equal(({} as Record<string, unknown>)["a"], undefined);
  });
});

describe("platform: slow senders", () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startTestPlatform({ requestTimeoutMs: 400 });
  });
  after(async () => {
    await platform.close();
  });
  const senders = {
    "say nothing": ["", ""],
    "send one header after the other": ["GET /api/v2/projects HTTP/1.1\r\nHost: x\r\n", "X-A: b\r\n"],
    "send a body byte by byte": ["POST /api/v2/projects HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n", "x"],
    "send one piece after the other": [
      "POST /local/faults HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
      "1\r\nx\r\n",
    ],
  } as const;
  for (const [what, [first, bytes]] of Object.entries(senders)) {
    it(`that ${what} are answered 408, and lose the connection`, async () => {
      const { statuses, isClosed } = await exchange(platform.apiUrl, [first], { drip: { bytes, every: 20 } });
      assert.deepEqual([statuses, isClosed], [[408], true]);
    });
  }

  it("and one who never ends is not listened to for ever", async () => {
    const head = "POST /api/v2/projects HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const piece = `100000\r\n${"x".repeat(1 << 20)}\r\n`;
    const { isClosed } = await exchange(platform.apiUrl, [head, ...Array.from({ length: 64 }, () => piece)]);
    assert.ok(isClosed);
  });
});

describe("platform: what it keeps in memory", () => {
  const entry = (path: string): LoggedRequest => ({ time: "", method: "GET", path, status: 200, requestId: "" });

  it("is the latest requests only: at most 40,000, and at most 32 MiB", () => {
    const many = new RequestLog();
    for (let count = 0; count < 100_000; count += 1) many.add(entry(`/${count}`));
    assert.ok(many.list().length <= 40_000);
    assert.equal(many.list().at(-1)?.path, "/99999");

    const long = new RequestLog();
    for (let count = 0; count < 20_000; count += 1) {
      long.addBody(long.add(entry(`/${count}`)), { bytes: 10_000, value: { number: count } });
    }
    assert.ok(long.list().length * 10_000 <= 32 << 20, `${long.list().length} are kept`);
    assert.deepEqual(long.list().at(-1)?.body, { number: 19_999 });
  });

  it("is no body that is very long", () => {
    const log = new RequestLog();
    log.addBody(log.add(entry("/")), { bytes: 100_000, value: { name: "x".repeat(100_000) } });
    assert.equal(log.list()[0]?.body, "[too long]");
  });

  it("is so many faults", async () => {
    const platform = await startTestPlatform();
    try {
      const { consoleUrl } = platform.platform;
      const order = async () =>
        (await fetch(`${consoleUrl}/local/faults`, { method: "POST", body: '{"path":"^none$","status":418}' })).status;
      const statuses = new Set<number>();
      while (statuses.size < 2)
        for (const status of await Promise.all(Array.from({ length: 100 }, order))) statuses.add(status);
      assert.deepEqual(statuses, new Set([201, 422]));
    } finally {
      await platform.close();
    }
  });
});
