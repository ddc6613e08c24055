import { before, describe, it } from "mocha";
import assert from "node:assert/strict";

import type { View } from "../../../platform/console-server/protocol";
import { suitePlatform } from "../../support/platform";
import { ManualPlatformClock } from "../../support/platform-clock";
import { until } from "../../support/until";
import { deployed, waitForBuild } from "../support/function";
import { assertMembers } from "../support/responses";

const minute = 60_000;

/** A function that keeps the requests of triggers, and tells them to whoever asks. */
const recording = {
  "index.mjs": `const received = [];
    export default async (request) => {
      if (request.method === "GET") return Response.json(received);
      received.push({ path: new URL(request.url).pathname, headers: Object.fromEntries(request.headers), body: await request.json() });
      return new Response("no", { status: 500 });
    };`,
};

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly version: number;
    readonly invocation_id: string;
    readonly trigger: { readonly type: string; readonly id: string; readonly name: string };
    readonly data: Readonly<Record<string, string>>;
  };
}

/** The console's page of the triggers of a branch. */
type TriggersView = Extract<View, { readonly kind: "triggers" }>;

describe("local platform: triggers invoke functions", () => {
  const clock = new ManualPlatformClock();
  const platform = suitePlatform({ clock, operationTime: "1s", postgres: false });
  let branch: string;
  let project: string;
  let url: string;
  before(async () => {
    const { status, body } = await platform().call("POST", "/projects", { project: {} });
    assert.equal(status, 201);
    clock.advance(minute);
    project = `/projects/${body.project.id}`;
    branch = `${project}/branches/${body.branch.id}`;
    await deployed(platform(), `${branch}/functions/api`, { files: recording });
    clock.advance(minute);
    ({ invocation_url: url } = await waitForBuild(platform(), `${branch}/functions/api`));
  });

  const create = async (trigger: object, at = branch): Promise<string> => {
    const { status, body } = await platform().call("POST", `${at}/triggers`, { function_slug: "api", ...trigger });
    assert.equal(status, 201, body.message);
    return body.trigger.trigger_id;
  };
  /** The requests that triggers with this name have sent so far. */
  const received = async (name: string): Promise<readonly Received[]> => {
    const all = (await (await fetch(url)).json()) as readonly Received[];
    return all.filter(({ body }) => body.trigger.name === name);
  };
  const upload = async (bucket: string, key: string): Promise<void> => {
    const path = `${branch}/buckets/${bucket}/objects/${encodeURIComponent(key)}/presign`;
    const { url: signed, method } = (await platform().call("POST", path, { operation: "upload" })).body;
    assert.ok((await fetch(signed, { method, body: "content" })).ok);
  };

  it("a schedule invokes its function each time that it is due, until it is disabled", async () => {
    const every = { type: "schedule", name: "every", schedule: { cron: "*/10 * * * *" }, function_path: "/tick" };
    const id = await create(every);
    await create({ ...every, name: "off", enabled: false });
    clock.advance(20 * minute);
    await until(async () => (await received("every")).length === 2);
    const [first, second] = await received("every");
    assert.ok(first && second);
    const { path, headers, body } = first;
    assert.equal(path, "/tick");
    assertMembers(body, { version: 1, trigger: { type: "schedule", id, name: "every" } });
    assert.match(body.data["scheduled_at"] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d0:00Z$/);
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["x-neon-trigger-invocation-id"], body.invocation_id);
    assert.match(headers["traceparent"] ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    assert.equal(headers["x-neon-internal"], undefined);
    assert.notEqual(second.body.invocation_id, body.invocation_id);
    await platform().call("PATCH", `${branch}/triggers/${id}`, { type: "schedule", enabled: false });
    clock.advance(20 * minute);
    await create({ ...every, name: "later", schedule: { cron: "* * * * *" } });
    clock.advance(minute);
    await until(async () => (await received("later")).length === 1);
    assert.deepEqual([(await received("every")).length, (await received("off")).length], [2, 0]);
  });

  it("an upload invokes the functions whose triggers match its bucket and the start of its key", async () => {
    for (const name of ["photos", "others"]) await platform().call("POST", `${branch}/buckets`, { name });
    const uploads = {
      type: "storage_object_created",
      storage_object_created: { bucket_name: "photos", prefix: "in/" },
    };
    const id = await create({ ...uploads, name: "matching", function_path: "/thumbnail" });
    await create({ ...uploads, name: "all", storage_object_created: { bucket_name: "photos" } });
    await create({ ...uploads, name: "disabled", enabled: false });
    await upload("photos", "out/a.jpg");
    await upload("others", "in/a.jpg");
    await upload("photos", "in/a b.jpg");
    await until(async () => (await received("all")).length === 2 && (await received("matching")).length === 1);
    const [only] = await received("matching");
    assert.equal(only?.path, "/thumbnail");
    assert.deepEqual(only.body.trigger, { type: "storage_object_created", id, name: "matching" });
    assert.deepEqual(only.body.data, { bucket_name: "photos", object_key: "in/a b.jpg" });
    assert.deepEqual(await received("disabled"), []);
  });

  it("an invocation beyond the limit of the account counts as not answered, so it is repeated", async () => {
    const hold = "new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1)) }))";
    await deployed(platform(), `${branch}/functions/hold`, {
      files: { "index.mjs": `export default ({ method }) => method === "GET" ? ${hold} : new Response("ok");` },
    });
    clock.advance(minute);
    const { invocation_url: holding } = await waitForBuild(platform(), `${branch}/functions/hold`);
    const ends = new AbortController();
    await Promise.all(Array.from({ length: 100 }, () => fetch(holding, { signal: ends.signal })));
    await create({ type: "schedule", name: "hold", function_slug: "hold", schedule: { cron: "* * * * *" } });
    const view = `${platform().platform.consoleUrl}/console/state?path=${encodeURIComponent(`${branch}/triggers`)}`;
    const results = async (): Promise<readonly (number | null)[]> => {
      const { triggers } = ((await (await fetch(view)).json()) as { readonly view: TriggersView }).view;
      return triggers.find(({ name }) => name === "hold")?.results.map(({ status }) => status) ?? [];
    };
    clock.advance(minute);
    await until(async () => {
      clock.advance(1000);
      return (await results()).length > 0;
    });
    assert.equal((await results()).at(-1), null);
    ends.abort();
    clock.advance(minute);
    await until(async () => {
      clock.advance(1000);
      return (await results())[0] === 200;
    });
  });

  it("a function whose answer breaks off is invoked", async () => {
    const answer = 'new Response("longer than said", { headers: { "content-length": "5" } })';
    await deployed(platform(), `${branch}/functions/short`, {
      files: { "index.mjs": `export default () => ${answer};` },
    });
    clock.advance(minute);
    await waitForBuild(platform(), `${branch}/functions/short`);
    await create({ type: "schedule", name: "short", function_slug: "short", schedule: { cron: "* * * * *" } });
    clock.advance(minute);
    await until(async () => {
      const { body } = await platform().call("POST", `${branch}/logs/query`, { body_contains: "end POST" });
      return JSON.stringify(body).includes("neon-function/short");
    });
  });
});
