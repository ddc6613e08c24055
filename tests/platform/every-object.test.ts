import Database from "libsql";
import { before, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";

import { routes } from "../../platform/routes/index";
import { databaseFileName } from "../../platform/storage/store";
import { ManualPlatformClock } from "../support/platform-clock";
import { createContents, isNamed, type Names, pathTo, readContents } from "./support/contents";
import { suitePaths } from "./support/paths";
import { withPlatform } from "./support/running";
import { day, second } from "./support/time";

/** Tables that have rows only for a moment, or of what no request creates. */
const passing = ["multipart_uploads", "removals", "trigger_deliveries"];

/** Requests that change what they name, and return it. */
const changes: Readonly<Record<string, object>> = {
  "/projects/:project_id": { project: { name: "renamed" } },
  "/projects/:project_id/branches/:branch_id": { branch: { name: "renamed" } },
  "/projects/:project_id/endpoints/:endpoint_id": { endpoint: { name: "renamed" } },
};

describe("local platform: every object", () => {
  const folder = suitePaths();
  let clock: ManualPlatformClock;
  let key: string;
  let names: Names;
  let contents: Readonly<Record<string, string>>;
  let copies = 0;
  /** The options of a platform on a copy of the folder with every object. */
  let options: { readonly data: string; readonly clock: ManualPlatformClock; readonly operationTime: string };

  before(async () => {
    clock = new ManualPlatformClock();
    const finish = () => clock.advance(10 * second);
    const filled = { data: folder("filled"), clock, operationTime: "1s" };
    await withPlatform(filled, async (platform) => {
      key = platform.apiKey;
      names = await createContents(platform, finish);
      contents = await readContents(platform, names);
    });
  });
  beforeEach(() => {
    copies += 1;
    options = { data: folder(`copy-${copies}`), clock: new ManualPlatformClock(clock.now()), operationTime: "1s" };
    cpSync(folder("filled"), options.data, { recursive: true });
  });

  /** Runs SQL in the file of the data folder. */
  const inFile = <Result>(work: (database: Database.Database) => Result): Result => {
    const database = new Database(join(options.data, databaseFileName));
    try {
      return work(database);
    } finally {
      database.close();
    }
  };
  /** The rows of each table, as texts. */
  const rows = (): Readonly<Record<string, readonly string[]>> =>
    inFile((database) => {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
        name: string;
      }[];
      const textsOf = (table: string) =>
        (database.prepare(`SELECT * FROM ${table}`).all() as object[]).map((row) => JSON.stringify(row));
      return Object.fromEntries(tables.map(({ name }) => [name, textsOf(name)]));
    });
  /** The tables with rows that name one of these ids. */
  const tablesWith = (...ids: readonly (string | undefined)[]): string[] =>
    Object.entries(rows())
      .filter(([, texts]) => texts.some((text) => ids.some((id) => id !== undefined && text.includes(id))))
      .map(([table]) => table)
      .sort();
  /** Deletes a project or branch, and lets the time pass in which it can be recovered. */
  const remove = (path: string) =>
    withPlatform(options, async (platform) => {
      const { status, body } = await platform.call("DELETE", pathTo(path, names), undefined, { key });
      assert.equal(status, 200, JSON.stringify(body));
      options.clock.advance(8 * day);
      await platform.call("GET", "/projects", undefined, { key });
    });

  it("has a row in each table", () => {
    const empty = Object.entries(rows()).filter(([table, texts]) => texts.length === 0 && !passing.includes(table));
    assert.deepEqual(
      empty.map(([table]) => table),
      [],
      "create an object of each in tests/platform/support/contents.ts",
    );
  });

  it("is returned by each route that reads it", () => {
    assert.ok(Object.keys(contents).length > 40);
    for (const [path, answer] of Object.entries(contents)) {
      // Some routes need a query, or a branch of another sort.
      if (!answer.startsWith("200 ")) assert.match(answer, /query parameter|anonymized branch|has no Data API/, path);
    }
  });

  it("is the same after a restart", async () => {
    const after = await withPlatform(options, (platform) => readContents(platform, names, { key }));
    for (const [path, answer] of Object.entries(contents)) assert.equal(after[path], answer, `GET ${path}`);
  });

  it("is returned without the columns of its row that are not public", async () => {
    const added = "internal value";
    inFile((database) => {
      for (const [table, texts] of Object.entries(rows())) {
        if (texts[0]?.includes('"body"') !== true) continue;
        database.exec(`UPDATE ${table} SET body = json_set(body, '$.added_column', '${added} of ${table}')`);
      }
    });
    await withPlatform(options, async (platform) => {
      const shown = new Map(Object.entries(await readContents(platform, names, { key, unchecked: true })));
      for (const { method, path } of routes) {
        const body = method === "PATCH" ? changes[path] : undefined;
        if (body === undefined && (method !== "GET" || !isNamed(path, names) || shown.has(path))) continue;
        const answer = await platform.call(method, pathTo(path, names), body, { key, unchecked: true });
        options.clock.advance(10 * second);
        shown.set(`${method} ${path}`, JSON.stringify(answer.body));
      }
      for (const [path, text] of shown) assert.doesNotMatch(text, new RegExp(`added_column|${added}`), path);
    });
  });

  it("is gone from every table 7 days after its branch was deleted", async () => {
    const id = names["branch_id"];
    assert.ok(tablesWith(id).length > 15);
    await remove("/projects/:project_id/branches/:branch_id");
    // Rows of the project stay.
    assert.deepEqual(tablesWith(id), ["operations", "snapshots"]);
  });

  it("is gone from every table 7 days after its project was deleted", async () => {
    await remove("/projects/:project_id");
    // A key that is revoked stays.
    assert.deepEqual(tablesWith(names["project_id"], names["branch_id"]), ["api_keys"]);
  });
});
