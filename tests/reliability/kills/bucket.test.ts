import assert from "node:assert/strict";
import { request } from "node:http";

import { describe, it } from "mocha";

import { suite } from "../../support/suite";
import { Bucket } from "./bucket";

const bucket = suite(
  () => Bucket.open(20),
  (opened) => opened.close(),
);

const state = ".pulumi/stacks/shop/dev.json";

describe("Bucket", () => {
  it("stores, lists, copies and deletes objects", async () => {
    assert.equal((await send("GET", state)).status, 404);
    assert.equal((await send("PUT", state, "{}")).status, 200);
    assert.equal((await send("PUT", `${state}.bak`, "", { "x-amz-copy-source": `state/${state}` })).status, 200);
    assert.equal(await (await send("GET", `${state}.bak`)).text(), "{}");
    assert.equal((await send("PUT", ".pulumi/locks/a&b/1.json", "1")).status, 200);
    assert.deepEqual(await listed(".pulumi/"), [".pulumi/locks/", ".pulumi/stacks/"]);
    assert.deepEqual(await listed(".pulumi/locks/"), [".pulumi/locks/a&amp;b/"]);
    assert.deepEqual(await listed(".pulumi/stacks/shop/"), [state, `${state}.bak`]);
    assert.equal((await send("DELETE", `${state}.bak`)).status, 204);
    assert.deepEqual(await listed(".pulumi/stacks/shop/"), [state]);
  });

  it("does not store a state whose sender is killed meanwhile, and stores all others", async () => {
    await send("PUT", state, stateWith(1));
    const { hostname, port } = endpoint();
    const sender = request({ hostname, port, path: `/state/${state}`, method: "PUT" });
    const closed = new Promise((resolve) => sender.on("error", () => undefined).once("close", resolve));
    const act = async (): Promise<void> => {
      sender.destroy();
      await closed;
    };
    bucket().intercept({ number: 1, addsOnly: true, place: "before it is stored", act });
    await send("PUT", state, stateWith(1));
    sender.end(stateWith(2));
    await closed;
    bucket().intercept(undefined);
    await send("PUT", `${state}.other.json`, "{}");
    assert.equal(await (await send("GET", state)).text(), stateWith(1));
  });

  it("refuses what it does not implement", async () => {
    for (const response of [
      await send("POST", state, "x"),
      await send("PUT", state, "x", { "content-encoding": "aws-chunked" }),
    ]) {
      assert.equal(response.status, 501);
    }
  });
});

function stateWith(resources: number): string {
  return JSON.stringify({
    checkpoint: {
      latest: {
        resources: Array.from({ length: resources }, (_, id) => ({
          type: "pulumi-nodejs:dynamic/neon:Role",
          id: String(id),
        })),
      },
    },
  });
}

function endpoint(): URL {
  return new URL(new URL(bucket().url).searchParams.get("endpoint") ?? "");
}

async function send(
  method: string,
  key: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(new URL(`/state/${encodeURI(key).replaceAll("&", "%26")}`, endpoint()), {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** The keys and the common prefixes that a list returns. */
async function listed(prefix: string): Promise<string[]> {
  const response = await fetch(
    new URL(`/state?list-type=2&delimiter=/&prefix=${encodeURIComponent(prefix)}`, endpoint()),
  );
  const text = await response.text();
  return [...text.matchAll(/<(?:Key|CommonPrefixes><Prefix)>([^<]*)</g)].map(([, key]) => key ?? "").sort();
}
