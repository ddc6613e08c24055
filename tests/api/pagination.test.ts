import fc from "fast-check";
import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import {
  branches,
  HttpError,
  NeonClient,
  operations,
  organizationMembers,
  type PageOptions,
  projects,
} from "../../api/index";
import { endless, ManualClock } from "../support/clock";
import { type Received, type Reply, ScriptedServer } from "../support/scripted-server";
import { idsOf, valuesOf } from "../platform/support/responses";
import { branchSample, operationSample, projectSample } from "./samples";
import { all, apiKey, errorOf, scriptedClient } from "./scripted-client";

const queryOf = ({ url }: { readonly url: string }) => new URL(url, "http://platform.example").searchParams;
const number = (query: URLSearchParams, name: string) => Number(query.get(name) ?? 0);
const page = (from: number, count: number, total: number) =>
  Array.from({ length: Math.max(0, Math.min(count, total - from)) }, (_, index) => from + index);

const memberSample = {
  member: { id: "m", user_id: "u", org_id: "org-1", role: "member" },
  user: { email: "a@example.com" },
};

/** A list of so many entries, in pages that say where the next one begins. */
function listOf(total: number, reply: (entries: readonly number[], next: string | undefined) => unknown) {
  return (request: Received): Reply => {
    const query = queryOf(request);
    const from = number(query, "cursor");
    const entries = page(from, number(query, "limit"), total);
    return { body: reply(entries, entries.length === 0 ? undefined : `${from + entries.length}`) };
  };
}

describe("NeonClient.list", () => {
  let server: ScriptedServer;
  let client: NeonClient;
  before(async () => {
    server = await ScriptedServer.start();
    client = new NeonClient({ apiKey, apiUrl: server.apiUrl, clock: new ManualClock(), attemptTimeout: endless });
  });
  after(() => server.close());

  const urls = () => server.requests.map(({ url }) => url);
  const limits = () => server.requests.map((request) => number(queryOf(request), "limit"));

  describe("cursors", () => {
    it("§6.21 reads all pages of projects by `pagination.cursor` [1.12.13]", async () => {
      server.answer(
        listOf(250, (entries, cursor) => ({
          projects: entries.map((entry) => projectSample({ id: `p-${entry}` })),
          pagination: cursor === undefined ? undefined : { cursor },
        })),
      );
      const found = await all(client.list(projects.list({ search: "a b", orgId: "org-1" })));
      assert.deepEqual(
        idsOf(found),
        page(0, 250, 250).map((entry) => `p-${entry}`),
      );
      assert.deepEqual(
        urls(),
        ["", "&cursor=100", "&cursor=200", "&cursor=250"].map(
          (cursor) => `/api/v2/projects?search=a%20b&org_id=org-1&limit=100${cursor}`,
        ),
      );
    });

    it("reads all pages of operations by a percent-encoded timestamp cursor [1.8 cursor; 1.8 rule 2; 1.8 rule 3; 1.8 rule 5]", async () => {
      const cursor = "2022-12-07T00:45:05.262011Z";
      server.answer([
        { body: { operations: [operationSample({ id: "o-1" })], pagination: { cursor } } },
        { body: { operations: [operationSample({ id: "o-2" })] } },
      ]);
      const found = await all(client.list(operations.list("p/1")));
      assert.deepEqual(idsOf(found), ["o-1", "o-2"]);
      assert.deepEqual(urls(), [
        "/api/v2/projects/p%2F1/operations?limit=100",
        "/api/v2/projects/p%2F1/operations?limit=100&cursor=2022-12-07T00%3A45%3A05.262011Z",
      ]);
    });

    it("reads all pages of branches by `pagination.next`, sorted by creation time", async () => {
      server.answer([
        {
          body: {
            branches: [branchSample({ id: "br-1" })],
            annotations: { "br-1": { value: { team: "shop" } } },
            pagination: { next: "a+b/c=", sort_by: "created_at", sort_order: "DESC" },
          },
        },
        { body: { branches: [branchSample({ id: "br-2" })], annotations: {}, pagination: {} } },
      ]);
      const found = await all(client.list(branches.list("p")));
      assert.deepEqual(
        found.map(({ branch, annotations }) => [branch.id, annotations]),
        [
          ["br-1", { team: "shop" }],
          ["br-2", {}],
        ],
      );
      assert.deepEqual(
        urls(),
        ["", "&cursor=a%2Bb%2Fc%3D"].map(
          (cursor) => `/api/v2/projects/p/branches?sort_by=created_at&limit=100${cursor}`,
        ),
      );
    });
  });

  describe("end of the list", () => {
    const entry = projectSample();
    const branch = branchSample();
    for (const [what, replies] of [
      ["a page without pagination", [{ projects: [entry] }]],
      ["pagination without a cursor", [{ projects: [entry], pagination: {} }]],
      ["an empty cursor", [{ projects: [entry], pagination: { cursor: "" } }]],
      ["an empty page, although it has a cursor", [{ projects: [], pagination: { cursor: "x" } }]],
      [
        "the cursor that was just sent",
        [
          { projects: [entry], pagination: { cursor: "x" } },
          { projects: [entry], pagination: { cursor: "x" } },
        ],
      ],
      [
        "a cursor that was sent earlier",
        [
          { projects: [entry], pagination: { cursor: "x" } },
          { projects: [entry], pagination: { cursor: "y" } },
          { projects: [entry], pagination: { cursor: "x" } },
        ],
      ],
    ] as const) {
      it(`ends at ${what} [1.8 rule 5; 1.12.5; 1.13 GET /projects; 1.13 last page]`, async () => {
        // A request for another page fails.
        server.answer([...replies.map((body) => ({ body })), { status: 404, body: { message: "asked for too much" } }]);
        const found = await all(client.list(projects.list()));
        assert.equal(server.requests.length, replies.length);
        assert.equal(found.length, replies.flatMap((reply) => reply.projects).length);
      });
    }

    it("ends at a second page without items that has a cursor of its own, if the page after it has none, either", async () => {
      const empty = { projects: [], pagination: { cursor: "y" } };
      server.answer([
        { body: { projects: [entry], pagination: { cursor: "x" } } },
        { body: empty },
        { body: { projects: [] } },
      ]);
      assert.equal((await all(client.list(projects.list()))).length, 1);
      assert.equal(server.requests.length, 3);
    });

    it("goes on after a second page without items, if the page after it has some", async () => {
      server.answer([
        { body: { projects: [entry], pagination: { cursor: "x" } } },
        { body: { projects: [], pagination: { cursor: "y" } } },
        { body: { projects: [entry] } },
      ]);
      assert.equal((await all(client.list(projects.list()))).length, 2);
    });

    it("goes on after a page of which all projects are unavailable", async () => {
      server.answer([
        { body: { projects: [], unavailable_project_ids: ["slow"], pagination: { cursor: "x" } } },
        { body: { projects: [entry] } },
      ]);
      assert.equal((await all(client.list(projects.list()))).length, 1);
    });

    for (const [what, replies] of [
      ["the first page", [{ branches: [], pagination: { next: "x" } }, { branches: [branch] }]],
      [
        "a later page",
        [
          { branches: [branch], pagination: { next: "x" } },
          { branches: [], pagination: { next: "y" } },
          { branches: [] },
        ],
      ],
      [
        "the last page, whose cursor was just sent,",
        [
          { branches: [branch], pagination: { next: "x" } },
          { branches: [], pagination: { next: "x" } },
        ],
      ],
    ] as const) {
      it(`reads a list of branches to its end if ${what} has a cursor and no items`, async () => {
        server.answer(replies.map((body) => ({ body })));
        assert.equal((await all(client.list(branches.list("p")))).length, 1);
        assert.equal(server.requests.length, replies.length);
      });
    }

    const full = Array.from({ length: 100 }, () => entry);
    for (const [what, list, replies] of [
      [
        "branches: the cursor that was just sent is repeated",
        () => client.list(branches.list("p")),
        [
          { branches: [branch], pagination: { next: "x" } },
          { branches: [branch], pagination: { next: "x" } },
        ],
      ],
      [
        "members of an organization: an earlier cursor is repeated",
        () => client.list(organizationMembers.list("org-1")),
        ["x", "y", "x"].map((next) => ({ members: [memberSample], pagination: { next } })),
      ],
      [
        "projects: a full page repeats a cursor",
        () => client.list(projects.list()),
        [
          { projects: full, pagination: { cursor: "x" } },
          { projects: full, pagination: { cursor: "x" } },
        ],
      ],
    ] as const) {
      it(`fails instead of returning a part of a list: ${what}`, async () => {
        server.answer([...replies.map((body) => ({ body })), { status: 404, body: { message: "asked for too much" } }]);
        const error = await errorOf(all<unknown>(list()));
        assert.match(error.message, /^GET \/\S+ returned .*: the list is incomplete\. Try again\./);
        assert.equal(server.requests.length, replies.length);
      });
    }

    it("returns what was asked for of a list that ends too early after it", async () => {
      server.answer([
        { body: { branches: [branch], pagination: { next: "x" } } },
        { body: { branches: [branch], pagination: { next: "x" } } },
      ]);
      assert.equal((await all(client.list(branches.list("p"), { limit: 2 }))).length, 2);
    });

    it("always ends if the platform repeats a limited number of cursors", async () => {
      const cursors = ["a", "b", "c", "2022-12-07T00:45:05.262011Z"];
      const replies = fc.record({
        cursor: fc.oneof(
          { weight: 9, arbitrary: fc.constantFrom(...cursors) },
          { weight: 1, arbitrary: fc.constantFrom("", undefined) },
        ),
        size: fc.nat(9),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.infiniteStream(replies),
          fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
          async (stream, limit) => {
            const {
              client: hostile,
              clock,
              sent,
            } = scriptedClient(() => {
              const reply = stream.next();
              assert.ok(reply.done !== true);
              const { cursor, size } = reply.value;
              return {
                body: {
                  projects: Array.from({ length: size }, () => projectSample()),
                  pagination: cursor === undefined ? undefined : { cursor },
                },
              };
            });
            const found = await clock.run(all(hostile.list(projects.list(), { limit })));
            assert.ok(sent.length <= cursors.length + 1, `${sent.length} requests`);
            assert.ok(found.length <= (limit ?? Infinity));
          },
        ),
        { numRuns: 200 },
      );
    });

    it("throws an error after the items of the pages before it", async () => {
      server.answer([
        { body: { projects: [entry], pagination: { cursor: "x" } } },
        { status: 403, body: { message: "no" } },
      ]);
      const list = client.list(projects.list());
      assert.equal((await list.next()).done, false);
      const error = await errorOf(list.next());
      assert.ok(HttpError.isInstance(error) && error.status === 403);
    });

    it("sends no further request when the reader stops", async () => {
      server.answer(
        listOf(1000, (entries, cursor) => ({ projects: entries.map(() => entry), pagination: { cursor } })),
      );
      let read = 0;
      for await (const _ of client.list(projects.list())) if ((read += 1) === 150) break;
      assert.equal(server.requests.length, 2);
    });
  });

  describe("page size and limit", () => {
    const entries = (count: number) => ({
      projects: Array.from({ length: count }, () => projectSample()),
      operations: Array.from({ length: count }, () => operationSample()),
      branches: Array.from({ length: count }, () => branchSample()),
    });

    for (const [what, most, list] of [
      ["projects", 400, (options: PageOptions) => client.list(projects.list(), options)],
      ["operations", 1000, (options: PageOptions) => client.list(operations.list("p"), options)],
      ["branches", 10_000, (options: PageOptions) => client.list(branches.list("p"), options)],
    ] as const) {
      it(`requests at most ${most} ${what} per page`, async () => {
        server.answer([{ body: entries(1) }]);
        await all<unknown>(list({ pageSize: 1_000_000 }));
        assert.deepEqual(limits(), [most]);
      });
    }

    it("requests 100 items per page, or the given page size [1.10 limit]", async () => {
      server.answer([{ body: entries(1) }]);
      await all(client.list(operations.list("p")));
      await all(client.list(operations.list("p"), { pageSize: 7 }));
      await all(client.list(operations.list("p"), { pageSize: 0 }));
      assert.deepEqual(limits(), [100, 7, 1]);
    });

    for (const [limit, asked] of [
      [0, []],
      [1, [1]],
      [100, [100]],
      [101, [100, 1]],
      [250, [100, 100, 50]],
    ] as const) {
      it(`requests pages of ${asked.join(", ") || "nothing"} for a limit of ${limit}`, async () => {
        server.answer(listOf(1000, (found, next) => ({ ...entries(found.length), pagination: { cursor: next } })));
        assert.equal((await all(client.list(operations.list("p"), { limit }))).length, limit);
        assert.deepEqual(limits(), asked);
      });
    }

    it("fails for a list that has another cursor after each of a thousand pages", async () => {
      let pages = 0;
      const scripted = scriptedClient(() => ({
        body: { ...entries(1), pagination: { cursor: `c-${(pages += 1)}` } },
      }));
      const error = await errorOf(scripted.clock.run(all(scripted.client.list(operations.list("p")))));
      assert.match(
        error.message,
        /^GET \/projects\/p\/operations returned more than 1000 pages: the list is incomplete/,
      );
      assert.equal(scripted.sent.length, 1000);
    });

    it("truncates a page that is longer than requested", async () => {
      server.answer([{ body: { ...entries(5), pagination: { cursor: "x" } } }]);
      assert.equal((await all(client.list(operations.list("p"), { limit: 3 }))).length, 3);
      assert.equal(server.requests.length, 1);
    });

    it("retries the request for a page", async () => {
      const {
        client: tried,
        clock,
        sent,
      } = scriptedClient([
        { body: { ...entries(1), pagination: { cursor: "x" } } },
        { status: 503 },
        { body: entries(1) },
      ]);
      assert.equal((await clock.run(all(tried.list(operations.list("p"))))).length, 2);
      assert.deepEqual(
        valuesOf(sent, "path"),
        ["", "&cursor=x", "&cursor=x"].map((cursor) => `/projects/p/operations?limit=100${cursor}`),
      );
    });
  });
});
