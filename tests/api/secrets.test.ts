import assert from "node:assert/strict";
import { inspect } from "node:util";

import { after, before, describe, it } from "mocha";

import { functions, NeonClient, projects, roles, type Attempt } from "../../api/index";
import { attemptLine } from "../../provider/settings/connect";
import { ScriptedServer, type Reply } from "../support/scripted-server";
import { leakText, SecretSearch } from "../support/secret-search";
import { errorOf } from "./scripted-client";

/** All texts that printing a value can produce. */
function printed(value: unknown): string {
  const all = { depth: Infinity, showHidden: true, maxArrayLength: Infinity, maxStringLength: Infinity };
  return [inspect(value, all), inspect(value), String(value), JSON.stringify(value)].join("\n");
}

describe("secrets of a NeonClient", () => {
  const secrets = new SecretSearch();
  const key = "napi_k3y-of/the+account=0123456789";
  const password = "npg_p4ssw0rd/0123";
  /** Sent in the body of a request. */
  const name = "r0le-of-the-request";
  const uri = `postgresql://app:${encodeURIComponent(password)}@ep-1.example/shop`;
  const attempts: Attempt[] = [];
  let server: ScriptedServer;
  let client: NeonClient;
  /** For responses that never arrive. */
  let impatient: NeonClient;
  before(async () => {
    secrets.add("the key", key);
    secrets.addUri("a connection URI", uri);
    secrets.add("a body", name);
    server = await ScriptedServer.start();
    const options = { apiKey: key, apiUrl: server.apiUrl, onAttempt: (attempt: Attempt) => attempts.push(attempt) };
    client = new NeonClient(options);
    impatient = new NeonClient({ ...options, attemptTimeout: 200 });
  });
  after(async () => {
    await server.close();
  });

  function assertHidden(where: string, text: string): void {
    assert.deepEqual(secrets.search(where, text).map(leakText), []);
  }

  const soon = () => ({ deadline: client.clock.now() + 1 });

  it("are hidden when the client is printed", async () => {
    server.answer([{ body: { projects: [], pagination: {} } }]);
    assertHidden("a new client", printed(client));
    await client.send(projects.list({}));
    assertHidden("a used client", printed(client));
  });

  it("are hidden in diagnostic reports of Node.js", async () => {
    server.answer([{ status: 401, body: { code: "", message: `no: ${key}` } }]);
    const error = await errorOf(client.send(projects.list({}), soon()));
    const report = JSON.stringify(process.report.getReport(error));
    assert.ok(report.includes("failed with HTTP 401"), "the report is not about the error");
    assertHidden("the report", report);
  });

  const echo = { code: "", message: `what arrived was {"authorization":"Bearer ${key}"}` };
  const unreadable = { role: { password, name: 5 }, connection_uris: [{ connection_uri: uri }], operations: "none" };
  const replies: readonly (readonly [title: string, reply: Reply])[] = [
    ...[400, 401, 403, 404, 409, 412, 422, 423, 429, 500, 502, 503, 504].map(
      (status) => [`an HTTP ${status} that echoes the request`, { status, body: echo }] as const,
    ),
    ["a redirect", { status: 302, headers: { location: "https://elsewhere.example/" } }],
    ["a gateway's HTML page that echoes the request", { status: 502, body: `<p>Bearer ${key}</p>` }],
    ["a response with an unexpected shape", { body: unreadable }],
    ["a response that is not JSON", { body: JSON.stringify(unreadable).slice(1) }],
    ["an incomplete response", { body: unreadable, end: "half" }],
    ["a missing response", { end: "silence" }],
    ["a connection reset before the request is read", { end: "reset-before" }],
    ["a connection reset after the request is read", { end: "reset-after" }],
  ];
  for (const [title, reply] of replies) {
    it(`§6.23 are hidden in errors and logs of ${title}`, async () => {
      const sender = reply.end === "silence" ? impatient : client;
      const verbs = [
        (): Promise<unknown> => sender.send(roles.create("shop-1", "br-1", { name }), soon()),
        (): Promise<unknown> => sender.send(roles.revealPassword("shop-1", "br-1", "app"), soon()),
      ];
      for (const verb of verbs) {
        server.answer([reply]);
        const error = await errorOf(verb());
        assert.ok(error.message.length > 20);
        assertHidden(error.message, `${printed(error)}\n${String(error.stack)}`);
      }
      assertHidden("what is logged", [printed(attempts), ...attempts.map(attemptLine)].join("\n"));
    });
  }

  it("are hidden in errors that quote them as JSON does, or another server's JSON", async () => {
    const token = '<s3cret> & "quoted"\nsecond-line';
    const inJson = JSON.stringify({ token });
    const inGo = inJson.replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
    const goText = inGo.slice('{"token":'.length, -1);
    for (const message of [JSON.stringify(token), goText, JSON.stringify(inJson), JSON.stringify(inGo)]) {
      server.answer([{ status: 400, body: `{"message":${message}}` }]);
      const error = await errorOf(client.send(functions.deploy("p", "br-1", "api", { environment: { token } })));
      assert.ok(error.message.includes("[secret]"), error.message);
      assert.doesNotMatch(error.message, /s3cret|second-line/);
    }
  });
});
