import assert from "node:assert/strict";

import { after, before, beforeEach, describe, it } from "mocha";

import { branches, NeonClient } from "../../api/index";
import type { Collection } from "../../provider/call/collection";
import { readAlone } from "../../provider/call/collection";
import { Lists } from "../../provider/call/lists";
import type { KindName } from "../../provider/frozen-entry";
import { branchSample } from "../api/samples";
import { apiKey } from "../api/scripted-client";
import { endless, ManualClock } from "../support/clock";
import { codeOf, stringAsset } from "../support/contents";
import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { type Received, type Reply, ScriptedServer } from "../support/scripted-server";
import { concurrently, type Stage, suiteStage } from "../support/stage";

/** Refreshes like the engine: a few resources at a time. */
async function refreshAll(resources: readonly EngineResource[], atOnce = 8): Promise<string[]> {
  const waiting = resources.entries();
  const steps: string[] = [];
  const refreshNext = async (): Promise<void> => {
    for (const [index, resource] of waiting) steps[index] = await resource.refresh();
  };
  await Promise.all(Array.from({ length: atOnce }, refreshNext));
  return steps;
}

/** What a step reads below a project, with `…` instead of each id. */
async function readsBy(stage: Stage, projectId: string, step: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = (await stage.requests(projectId)).length;
  await step();
  const counts: Record<string, number> = {};
  for (const { method, path } of (await stage.requests(projectId)).slice(before)) {
    const place = path
      .replaceAll(/^.*\/projects\/[^/]+|\?.*$/g, "")
      .replaceAll(/(branches|endpoints|roles|databases)\/[^/]+/g, "$1/…");
    const line = `${method} ${place}`;
    counts[line] = (counts[line] ?? 0) + 1;
  }
  return counts;
}

describe("lists › reads of many objects of one collection", () => {
  const stage = suiteStage({ operationTime: "1ms" });
  const test = concurrently();

  /** Branches of one project, created by this stack. */
  async function managed(count: number, own: Values = {}) {
    const { id: projectId } = await stage().project();
    const resources = Array.from({ length: count }, () => stage().resource("Branch"));
    await Promise.all(resources.map((resource) => resource.up({ projectId, ...own })));
    return { projectId, resources };
  }
  const one = (resources: readonly EngineResource[], index: number): EngineResource => {
    const resource = resources[index];
    assert.ok(resource);
    return resource;
  };
  const branchPath = ({ outputs }: EngineResource): string =>
    `/projects/${String(outputs["projectId"])}/branches/${String(outputs["branchId"])}`;

  test("reads the branch back after its creation, but not the compute, which the response has described", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const reads = await readsBy(stage(), projectId, () => branch.up({ projectId, compute: {} }));
    const others = Object.entries(reads).filter(([line]) => !line.startsWith("GET /operations"));
    const expected = { "GET /branches": 1, "POST /branches": 1, "GET /branches/…": 1, "GET ": 1 };
    assert.deepEqual(Object.fromEntries(others), expected);
    assert.equal(await branch.refresh(), "same");
  });

  test("reads the compute of a created branch if the same call has changed something after the creation", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const reads = await readsBy(stage(), projectId, () => branch.up({ projectId, compute: {}, default: true }));
    assert.equal(reads["GET /branches/…/endpoints"], 1);
  });

  test("refreshes 20 branches with computes with two requests of each sort, and branches without computes, too", async () => {
    const { projectId, resources } = await managed(10, { compute: {} });
    const without = Array.from({ length: 10 }, () => stage().resource("Branch"));
    await Promise.all(without.map((resource) => resource.up({ projectId })));
    const all = [...resources, ...without];
    const reads = await readsBy(stage(), projectId, async () => {
      assert.deepEqual(new Set(await refreshAll(all)), new Set(["same"]));
    });
    assert.deepEqual(reads, {
      "GET /branches/…": 1,
      "GET /branches": 1,
      "GET /branches/…/endpoints": 1,
      "GET /endpoints": 1,
      "GET /operations": 1,
    });
  });

  test("refreshes 10 roles and 10 databases of a branch with four requests, and reveals no password", async () => {
    const { id: projectId, branchId } = await stage().project();
    const roles = Array.from({ length: 10 }, () => stage().resource("Role"));
    const databases = Array.from({ length: 10 }, () => stage().resource("Database"));
    await Promise.all(roles.map((role) => role.up({ projectId, branchId })));
    await Promise.all(databases.map((database) => database.up({ projectId, branchId, ownerName: "neondb_owner" })));
    const reads = await readsBy(stage(), projectId, () => refreshAll([...roles, ...databases]));
    assert.deepEqual(reads, {
      "GET /branches/…/roles/…": 1,
      "GET /branches/…/roles": 1,
      "GET /branches/…/databases/…": 1,
      "GET /branches/…/databases": 1,
    });
  });

  test("refreshes three functions, triggers, custom domains and objects of a branch with one list of each", async () => {
    const { id: projectId, branchId } = await stage().project();
    const home = { projectId, branchId };
    const resources: EngineResource[] = [];
    const created = async (kind: KindName, args: Values): Promise<EngineResource> => {
      const resource = stage().resource(kind);
      await resource.up({ ...home, ...args });
      return resource;
    };
    const bucketName = stage().name("files");
    await created("Bucket", { name: bucketName });
    for (const slug of ["one", "two", "three"]) {
      const code = codeOf("export default { fetch: () => new Response('Hello') };");
      resources.push(
        await created("Function", { slug, code }),
        await created("Trigger", { functionSlug: slug, schedule: { cron: "0 3 1 1 *" } }),
        await created("CustomDomain", { domain: `${stage().name(slug)}.example.com`, entityId: slug }),
        await created("BucketObject", { bucketName, source: stringAsset(slug) }),
      );
    }
    const before = await stage().platform.latestRequest();
    assert.deepEqual(new Set(await refreshAll(resources)), new Set(["same"]));
    const paths = (await stage().requests(projectId, before)).map(({ path }) => path);
    // A prefix is the request that reads one object.
    const lists = ["functions", "triggers", "custom-domains", "objects"].map(
      (name) => paths.filter((path) => new RegExp(`/${name}(\\?(?!.*prefix=)|$)`).test(path)).length,
    );
    assert.deepEqual(lists, [1, 1, 1, 1], paths.join("\n"));
    assert.ok(paths.length <= 12, paths.join("\n"));
  });

  test("takes over ten branches of a lost state with at most 25 requests that name one of them", async () => {
    const { projectId, resources } = await managed(10);
    const adopt = async (step: (branch: EngineResource) => Promise<unknown>): Promise<void> => {
      const server = await stage().anotherServer({ config: { adopt: "true" } });
      await Promise.all(resources.map(({ name }) => step(stage().resourceOf(server, "Branch", name))));
      await server.stop();
    };
    const reads = await readsBy(stage(), projectId, async () => {
      await adopt((branch) => branch.preview({ projectId }));
      await adopt(async (branch) => assert.equal(await branch.up({ projectId }), "create"));
    });
    assert.equal(reads["POST /branches"], undefined);
    const named = Object.entries(reads).filter(([line]) => line.includes("/branches/…"));
    const count = named.reduce((sum, [, one]) => sum + one, 0);
    assert.ok(count <= 25, JSON.stringify(reads));
  });

  test("finds what was changed and deleted by hand", async () => {
    const { projectId, resources } = await managed(5, { protected: false });
    await stage().platform.call("PATCH", branchPath(one(resources, 2)), { branch: { protected: true } });
    await stage().platform.call("DELETE", branchPath(one(resources, 3)));
    await stage().settled(projectId);
    const reads = await readsBy(stage(), projectId, async () => {
      // The first one is read alone: which one that is must not depend on the order in which calls arrive.
      assert.equal(await one(resources, 0).refresh(), "same");
      assert.deepEqual(await refreshAll(resources.slice(1)), ["same", "changed", "gone", "same"]);
    });
    // The first one, the changed one, and the missing one twice.
    assert.equal(reads["GET /branches/…"], 4);
    assert.equal(one(resources, 2).present.inputs["protected"], true);
  });

  test("reads an object again that is read a second time", async () => {
    const { resources } = await managed(3, { protected: false });
    await refreshAll(resources);
    await stage().platform.call("PATCH", branchPath(one(resources, 2)), { branch: { protected: true } });
    await refreshAll(resources);
    assert.equal(one(resources, 2).present.inputs["protected"], true);
  });

  test("does not use a list from before a change of its own", async () => {
    const { projectId, resources } = await managed(4, { protected: false });
    await refreshAll(resources.slice(0, 3));
    await one(resources, 0).up({ projectId, protected: true });
    await stage().platform.call("PATCH", branchPath(one(resources, 3)), { branch: { protected: true } });
    await refreshAll(resources.slice(3));
    assert.equal(one(resources, 3).present.inputs["protected"], true);
  });

  test("confirms what a list says differently, or does not contain, with one request of the object", async () => {
    const { projectId, resources } = await managed(4, { protected: false });
    const { body: former } = await stage().platform.call("GET", `/projects/${projectId}/branches`);
    await one(resources, 1).up({ projectId, protected: true });
    const lagging = {
      ...former,
      branches: former.branches.filter(({ id }) => id !== one(resources, 2).outputs["branchId"]),
    };
    await stage().platform.fault({ method: "GET", path: `${projectId}/branches(\\?|$)`, status: 200, body: lagging });
    const reads = await readsBy(stage(), projectId, async () => {
      assert.deepEqual(await refreshAll(resources, 1), ["same", "same", "same", "same"]);
    });
    assert.equal(reads["GET /branches"], 1);
    // The first one, the changed one and the missing one.
    assert.equal(reads["GET /branches/…"], 3);
  });

  test("reads objects alone if their list cannot be read", async () => {
    const { projectId, resources } = await managed(4);
    const path = `${projectId}/branches(\\?|$)`;
    await stage().platform.fault({ method: "GET", path, status: 403, body: { code: "", message: "not for you" } });
    const reads = await readsBy(stage(), projectId, async () => {
      assert.deepEqual(new Set(await refreshAll(resources)), new Set(["same"]));
    });
    assert.deepEqual([reads["GET /branches"], reads["GET /branches/…"]], [1, 4]);
  });

  test("previews the adoption of ten branches with two requests of each sort", async () => {
    const { id: projectId } = await stage().project();
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      ids.push((await stage().branch(projectId, { branch: { name: stage().name("found") } })).id);
    }
    const reads = await readsBy(stage(), projectId, async () => {
      await Promise.all(ids.map((id) => stage().resource("Branch").preview({ projectId, adopt: id })));
    });
    assert.deepEqual([reads["GET /branches"], reads["GET /branches/…"]], [1, 1]);
  });
});

describe("lists", () => {
  let server: ScriptedServer;
  let clock: ManualClock;
  let client: NeonClient;
  let reads: Lists;
  /** How many branches the project has. */
  let total: number;
  before(async () => {
    server = await ScriptedServer.start();
  });
  beforeEach(() => {
    server.requests.length = 0;
    total = 10_000;
    clock = new ManualClock();
    client = new NeonClient({ apiKey, apiUrl: server.apiUrl, clock, attemptTimeout: endless });
    reads = new Lists(client);
    server.answer(answer);
  });
  after(() => server.close());

  const urlOf = ({ url }: Received): URL => new URL(url, "http://platform.example");
  const isList = (request: Received): boolean => urlOf(request).pathname.endsWith("/branches");
  function answer(request: Received): Reply {
    if (!isList(request)) {
      return { body: { branch: branchSample({ id: urlOf(request).pathname.split("/").at(-1) ?? "" }) } };
    }
    const { searchParams } = urlOf(request);
    const from = Number(searchParams.get("cursor") ?? 0);
    const end = Math.min(total, from + Number(searchParams.get("limit")));
    const found = Array.from({ length: end - from }, (_, index) => branchSample({ id: `br-${from + index}` }));
    return { body: { branches: found, pagination: end < total ? { next: String(end) } : undefined } };
  }
  const collection: Collection<string> = {
    name: "branches",
    projectId: "p",
    pages: async function* (reader) {
      for await (const { items, isLast } of reader.pages(branches.list("p"))) {
        yield { items: items.map(({ branch }) => branch.id), isLast };
      }
    },
    keyOf: (id) => id,
    get: async (reader, id) => (await reader.read(branches.get("p", id))).branch.id,
  };
  const reader = {
    read: (request: Parameters<NeonClient["send"]>[0]) => client.send(request),
    pages: () => assert.fail("reads alone by list"),
  } as unknown as Parameters<typeof readAlone>[0];
  const read = async (number: number): Promise<string | undefined> => {
    const id = `br-${number}`;
    const listed = await reads.read(collection, id);
    return listed === undefined ? readAlone(reader, collection, id) : listed.item;
  };
  const sent = (): { readonly pages: number; readonly alone: number } => {
    const pages = server.requests.filter(isList).length;
    return { pages, alone: server.requests.length - pages };
  };

  it("never sends more than twice the requests of reading each object alone", async () => {
    // Spread over all pages, the last ones first: the worst order.
    const wanted = Array.from({ length: 10 }, (_, index) => 9_999 - index * 1_000);
    for (const number of wanted) assert.equal(await read(number), `br-${number}`);
    assert.ok(server.requests.length <= 2 * wanted.length, JSON.stringify(sent()));
  });

  it("reads 1,000 of 1,000 objects with three pages and one request", async () => {
    total = 1_000;
    for (let number = 0; number < 1_000; number += 1) await read(number);
    assert.deepEqual(sent(), { pages: 3, alone: 1 });
  });

  it("reads one object alone", async () => {
    await read(7);
    assert.deepEqual(sent(), { pages: 0, alone: 1 });
  });

  it("reads the list again after ten seconds, and not the first object alone again", async () => {
    total = 100;
    for (const number of [1, 2, 3]) await read(number);
    await clock.advance(10_001);
    for (const number of [4, 5]) await read(number);
    assert.deepEqual(sent(), { pages: 2, alone: 1 });
  });

  it("reads the rest alone if a later page cannot be read", async () => {
    total = 1_000;
    server.answer((request) =>
      urlOf(request).searchParams.has("cursor")
        ? { status: 404, body: { code: "", message: "gone" } }
        : answer(request),
    );
    const wanted = [900, 901, 902, 100];
    assert.deepEqual(
      await Promise.all(wanted.map(read)),
      wanted.map((number) => `br-${number}`),
    );
    assert.deepEqual(sent(), { pages: 2, alone: 3 });
  });

  it("starts over once something has changed", async () => {
    total = 100;
    for (const number of [1, 2]) await read(number);
    reads.forget("p");
    await read(3);
    assert.deepEqual(sent(), { pages: 1, alone: 2 });
  });
});
