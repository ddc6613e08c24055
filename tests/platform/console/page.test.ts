import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";

import { send } from "../../support/send";
import { until } from "../../support/until";
import type { PageState } from "../../../platform/console-server/protocol";
import { suiteProjects } from "../support/project";
import { rowsOf } from "../support/responses";

const escaped = (text: string) => text.replaceAll("<", "&lt;").replaceAll('"', "&quot;");

describe("local platform: console page", () => {
  const { clock, platform } = suiteProjects({ operationTime: "1500ms" });
  const url = (path: string) => platform().platform.consoleUrl + path;
  const page = async (path = "/") => {
    const response = await fetch(url(path));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const state = async (path = "/") =>
    (await (await fetch(url(`/console/state?path=${encodeURIComponent(path)}`))).json()) as PageState;

  it("says how a program reaches the platform while there is no project, and gives a key that works until it is revoked", async () => {
    const { text } = await page();
    assert.match(text, /No projects yet/);
    assert.ok(text.includes(`export NEON_API_HOST=${platform().apiUrl}`));
    assert.ok(!text.includes("napi_"), "the markup has a key");
    const key = async () =>
      ((await (await fetch(url("/console/key"), { method: "POST" })).json()) as { readonly key: string }).key;
    const statusWith = async (one: string) =>
      (await platform().call("GET", "/projects", undefined, { key: one, unchecked: true })).status;
    const keysOf = async () => {
      const { view } = await state("/keys");
      assert.equal(view.kind, "keys");
      return view.keys;
    };
    const before = (await keysOf()).length;
    const first = await key();
    assert.equal(await statusWith(first), 200);
    assert.equal(await key(), first);
    const keys = await keysOf();
    assert.equal(keys.length, before + 1);
    const newest = Math.max(...keys.map(({ id }) => id));
    assert.ok((await fetch(url(`/local/keys/${newest}`), { method: "DELETE" })).ok);
    assert.equal(await statusWith(first), 401);
    assert.equal(await statusWith(await key()), 200);
  });

  it("shows projects, branches, computes and operations from the server, and escapes their names [1.5 console columns; 1.5 console labels; 1.9.6]", async () => {
    const name = `<script>alert("1")</script>`;
    const { body } = await platform().call("POST", "/projects", { project: { name, branch: { name } } });
    const endpointId = body.endpoints[0]?.id ?? "";
    const { text } = await page();
    assert.ok(text.includes(escaped(name)));
    assert.ok(!text.includes("<script>alert"));
    assert.match(text, /Start compute[^]*Scheduling/);
    assert.match(text, /Create timeline[^]*In progress/);
    clock.advance(1500);
    await platform().fault({ action: "suspend_compute", end: "error" });
    clock.advance(1500);
    await platform().call("POST", `/projects/${body.project.id}/endpoints/${endpointId}/suspend`);
    clock.advance(1500);
    const { operations, projects } = await state();
    assert.deepEqual(rowsOf(operations, "action", "label", "milliseconds"), [
      ["suspend_compute", "Error", 1500],
      ["start_compute", "OK", 1500],
      ["create_timeline", "OK", 1500],
    ]);
    assert.equal(projects[0]?.name, name);
    const detail = await page(`/projects/${body.project.id}/branches/${body.branch.id}`);
    assert.ok(detail.text.includes(endpointId));
    assert.ok(detail.text.includes(`<title>${escaped(`${name} · ${name}`).replaceAll(">", "&gt;")} · Branches`));
    for (const secret of [platform().apiKey, body.roles[0]?.password ?? "none"]) {
      assert.ok(!text.includes(secret));
      assert.ok(!detail.text.includes(secret));
    }
  });

  it("shows each of its pages, and a 404 for an object that does not exist", async () => {
    for (const path of ["/operations", "/timeline", "/sql", "/requests", "/faults", "/keys", "/people"]) {
      assert.equal((await page(path)).status, 200, path);
    }
    for (const path of ["/projects/none", "/projects/none/branches/none/functions", "/timeline/none"])
      assert.equal((await page(path)).status, 404, path);
    for (const before of ["99999999999999999", "soon"]) {
      assert.equal((await page(`/console/operations?before=${before}`)).status, 200, before);
    }
  });

  it("answers an address that does not exist with a page in a browser, and with JSON elsewhere", async () => {
    for (const path of [
      "/nothing",
      "/nothing/at/all",
      "/keys/1",
      "/operations/",
      "/projects/a/b",
      "/projects/a/branches/b/functions/c",
      "/local/x",
    ]) {
      const { status, text } = await send(url(path), { method: "GET", headers: { accept: "text/html,*/*" } });
      assert.equal(status, 404, path);
      assert.match(text, /<h1>Not found<\/h1>/, path);
      assert.ok(text.includes(`There is no page ${path}.`), path);
      assert.deepEqual(await (await fetch(url(path))).json(), { code: "", message: "this route does not exist" }, path);
    }
    const foreign = { accept: "text/html", host: "attacker.example" };
    assert.equal((await send(url("/nothing"), { method: "GET", headers: foreign })).status, 403);
    const api = await fetch(`${platform().apiUrl}/nothing`, { headers: { accept: "text/html" } });
    assert.equal(api.headers.get("content-type"), "application/json");
  });

  it("says in red that a compute and a branch have failed to start, with the reason", async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "failures" } });
    clock.advance(10_000);
    const branches = `/projects/${body.project.id}/branches`;
    const failing = async (action: string, name: string) => {
      await platform().fault({ action, end: "error" });
      await platform().call("POST", branches, { branch: { name }, endpoints: [{ type: "read_write" }] });
      clock.advance(10_000);
      const { text } = await page(`/projects/${body.project.id}`);
      return text;
    };
    const text = await failing("start_compute", "no-start");
    assert.match(text, /no-start[^]*?class="state bad"><span class="dot bad"><\/span>start failed</);
    assert.match(text, /class="problem">start_compute did not succeed/);
    assert.match(await failing("create_branch", "no-data"), /class="badge bad">creation failed</);
  });

  it("tells projects of the same name apart", async () => {
    const { body } = await platform().call("POST", "/projects", { project: { name: "failures" } });
    clock.advance(10_000);
    const { text } = await page(`/projects/${body.project.id}`);
    assert.match(text, new RegExp(`failures · aws-[a-z0-9-]+ · 1 branch · just now · ${body.project.id}<`));
  });

  it("has words for lists without rows", async () => {
    assert.match((await page("/requests")).text, /role="row"/);
    await platform().clearRequests();
    assert.match((await page("/requests")).text, /No requests since this platform has started/);
  });

  it("allows no script and no style but its own, and no page around it", async () => {
    const { headers, text } = await page();
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(!policy.includes("unsafe"));
    assert.ok(!/ style="/.test(text), "the markup has a style");
    assert.ok(!/<script(?! type="application\/json")[^>]*>(?!<\/script>)/.test(text), "the markup has a script");
  });

  it("is sent with at most 250 kB of scripts in all", () => {
    const folder = join(process.cwd(), "dist/platform/console");
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js.gz"));
    const bytes = scripts.reduce((total, name) => total + statSync(join(folder, name)).size, 0);
    assert.ok(bytes > 10_000 && bytes <= 250_000, `${bytes} bytes`);
  });

  it("sends twenty open pages nothing but a sign of life while nothing happens", async () => {
    const received: string[] = [];
    const streams = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const stream = get(url("/console/events"));
        const [response] = (await once(stream, "response")) as [IncomingMessage];
        received[index] = "";
        response.setEncoding("utf8").on("data", (piece: string) => (received[index] = `${received[index]}${piece}`));
        return stream;
      }),
    );
    const all = (condition: (text: string) => boolean) => until(() => Promise.resolve(received.every(condition)));
    for (let beat = 1; beat <= 3; beat += 1) {
      clock.advance(20_000);
      await all((text) => text.split(": here\n\n").length === beat + 1);
    }
    await platform().fault({ action: "start_compute", end: "error" });
    clock.advance(60);
    await all((text) => text.includes("stale"));
    for (const text of received) {
      assert.match(
        text,
        /^data: \{"type":"hello"[^\n]*\n\n(: here\n\n){3}data: \{"type":"stale","views":\["faults"\],"branches":\[\]\}\n\n$/,
      );
    }
    for (const stream of streams) stream.destroy();
    await platform().clearFaults();
  });

  it("is for this machine only: another host or origin gets nothing", async () => {
    const host = new URL(url("/")).host;
    for (const headers of [
      { host: `attacker.example:${new URL(url("/")).port}` },
      { origin: "https://attacker.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ]) {
      for (const path of [
        "/",
        "/console/state",
        "/local/connection_uri?branch_id=br-a",
        "/console/events",
        "/console/object?branch=br-a",
      ]) {
        const { status } = await send(url(path), { method: "GET", headers });
        assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`);
      }
    }
    // Its own pages have an origin as well, and need the token for what changes anything.
    const own = { origin: `http://${host}` };
    assert.equal((await send(url("/console/state"), { method: "GET", headers: own })).status, 200);
    const withoutToken = await send(url("/local/keys"), { method: "POST", headers: own, body: `{"name":"a"}` });
    assert.equal(withoutToken.status, 403);
    const token = /name="console-token" content="([^"]+)"/.exec((await page()).text)?.[1] ?? "";
    const withToken = await send(url("/local/keys"), {
      method: "POST",
      headers: { ...own, "x-console-token": token },
      body: `{"name":"a"}`,
    });
    assert.equal(withToken.status, 201);
  });
});
