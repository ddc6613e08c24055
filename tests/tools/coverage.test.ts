import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { before, describe, it } from "mocha";

import { lookups } from "../../api/lookups/index";
import { kinds } from "../../provider/kinds";
import { tool } from "../support/tool";

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly documents: "both" | "older" | "newer";
}
interface Sender {
  readonly name: string;
  readonly route: string;
}
interface Reason {
  readonly word: string;
  readonly meaning: string;
  readonly of: readonly string[];
}
type PageOf = (
  all: readonly Operation[],
  served: ReadonlySet<string>,
  sent: readonly Sender[],
  why: readonly Reason[],
) => string;

describe("tools: the page of operations", () => {
  let all: readonly Operation[];
  let served: ReadonlySet<string>;
  let sent: readonly Sender[];
  let why: readonly Reason[];
  let pageOf: PageOf;
  before(async () => {
    const source = await tool<{
      operations: () => Promise<readonly Operation[]>;
      servedRoutes: () => ReadonlySet<string>;
    }>("coverage/operations.mjs");
    all = await source.operations();
    served = source.servedRoutes();
    sent = (await tool<{ senders: () => readonly Sender[] }>("coverage/senders.mjs")).senders();
    ({ reasons: why } = await tool<{ reasons: readonly Reason[] }>("coverage/reasons.mjs"));
    ({ pageOf } = await tool<{ pageOf: PageOf }>("coverage/page.mjs"));
  });

  it("in docs/coverage.md is what `npm run docs` writes now", () => {
    assert.equal(
      readFileSync("docs/coverage.md", "utf8"),
      pageOf(all, served, sent, why),
      "docs/coverage.md is not current: run `npm run docs`",
    );
  });

  it("has the operations of both published documents", () => {
    const documents = (one: Operation["documents"]) => all.filter((each) => each.documents === one);
    assert.ok(documents("both").length > 160, "most operations are in both");
    assert.deepEqual(
      documents("older").map(({ path }) => path),
      ["/projects/{project_id}/branches/{branch_id}/recover"],
    );
    assert.ok(documents("newer").some(({ path }) => path === "/projects/{project_id}/members"));
  });

  it("has a sender for every resource and every data source, and reads and removes with each resource", () => {
    const routesOf = (name: string) => sent.filter((one) => one.name === name).map(({ route }) => route);
    for (const name of [...Object.keys(kinds), ...Object.keys(lookups)]) {
      assert.ok(
        routesOf(name).some((route) => route.startsWith("GET ")),
        `${name} reads nothing`,
      );
    }
    assert.deepEqual(routesOf("ProjectPermission").sort(), [
      "DELETE /projects/{}/permissions/{}",
      "GET /projects/{}/permissions",
      "POST /projects/{}/permissions",
    ]);
    assert.deepEqual(routesOf("getSnapshots"), ["GET /projects/{}/snapshots"]);
    assert.deepEqual(routesOf("ApiKey").sort(), [
      "DELETE /api_keys/{}",
      "GET /api_keys",
      "GET /users/me",
      "POST /api_keys",
    ]);
  });

  it("fails for an operation that is not served without a reason, and for a reason without an operation", () => {
    const served = new Set(["GET /widgets"]);
    const widgets: Operation = { method: "GET", path: "/widgets", group: "Widgets", documents: "both" };
    const parts: Operation = { method: "GET", path: "/widgets/{id}/parts", group: "Widgets", documents: "newer" };
    const reason: Reason = { word: "parts", meaning: "There are no parts.", of: ["Widgets"] };
    assert.match(
      pageOf([widgets, parts], served, [], [reason]),
      /\| `GET \/widgets` \| yes \|[^]*`GET \/widgets\/\{id\}\/parts` \| no: parts \| {2}\| newer only \|/,
    );
    assert.throws(() => pageOf([widgets, parts], served, [], []), /GET \/widgets\/\{id\}\/parts .* no reason/);
    assert.throws(() => pageOf([widgets], served, [], [reason]), /the reason "parts": remove it/);
  });
});
