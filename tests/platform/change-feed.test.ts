import { afterEach, beforeEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import sinon from "sinon";

import { ManualPlatformClock } from "../support/platform-clock";
import type { Change } from "../../platform/storage/change-feed";
import { DataFolder } from "../../platform/storage/data-folder";
import { storageError } from "../../platform/storage/storage-error";
import { Store } from "../../platform/storage/store";
import type { TableDefinition } from "../../platform/storage/table";
import { second } from "./support/time";

interface Row {
  id: string;
  value: number;
}

const things: TableDefinition<Row> = { name: "things", columns: ["id"], indexes: [] };

describe("local platform: feed of changes", () => {
  let clock: ManualPlatformClock;
  let store: Store;
  let rows: ReturnType<typeof openRows>;
  const openRows = () => store.table(things);
  beforeEach(() => {
    clock = new ManualPlatformClock();
    store = new Store(undefined, new DataFolder(undefined, clock), clock);
    rows = openRows();
  });
  afterEach(() => {
    store.feed.close();
    store.close();
    sinon.restore();
  });

  const heard = (): Change[][] => {
    const all: Change[][] = [];
    store.feed.subscribe([things], (changes) => all.push([...changes]));
    return all;
  };

  it("tells of all changes of a transaction once, after it is stored", () => {
    const all = heard();
    store.transaction(() => {
      rows.put({ id: "a", value: 1 });
      store.transaction(() => rows.put({ id: "b", value: 2 }));
      rows.delete({ id: "a" });
      assert.deepEqual(all, []);
    });
    assert.deepEqual(all, [
      [
        { topic: things, row: { id: "a", value: 1 } },
        { topic: things, row: { id: "b", value: 2 } },
        { topic: things, deleted: { id: "a" } },
      ],
    ]);
  });

  it("tells nothing of a transaction that is rolled back, or that changes nothing", () => {
    const all = heard();
    assert.throws(() =>
      store.transaction(() => {
        rows.put({ id: "a", value: 1 });
        throw new Error("no");
      }),
    );
    store.transaction(() => rows.delete({ id: "none" }));
    assert.deepEqual(all, []);
  });

  it("tells a subscriber of its topics only, and of nothing after it has ended", () => {
    const other = sinon.spy();
    const ended = sinon.spy();
    store.feed.subscribe([{ name: "things" }], other);
    store.feed.subscribe([things], ended)();
    rows.put({ id: "a", value: 1 });
    sinon.assert.notCalled(other);
    sinon.assert.notCalled(ended);
  });

  it("keeps the order of changes that a subscriber makes while it hears of others", () => {
    const seen: string[] = [];
    const idOf = ([change]: readonly Change[]) => (change?.row as Row | undefined)?.id ?? "";
    store.feed.subscribe([things], (changes) => {
      const id = idOf(changes);
      if (id === "a") rows.put({ id: "b", value: 2 });
      seen.push(`first ${id}`);
    });
    store.feed.subscribe([things], (changes) => void seen.push(`second ${idOf(changes)}`));
    rows.put({ id: "a", value: 1 });
    assert.deepEqual(seen, ["first a", "second a", "first b", "second b"]);
  });

  it("tells a subscriber again, later, that could not read the data folder", () => {
    const all: string[][] = [];
    let isBroken = true;
    store.feed.subscribe([things], (changes) => {
      if (isBroken) throw storageError("full", "the folder");
      all.push(changes.map(({ row }) => (row as Row).id));
    });
    rows.put({ id: "a", value: 1 });
    rows.put({ id: "b", value: 2 });
    isBroken = false;
    clock.advance(10 * second);
    assert.deepEqual(all, [["a", "b"]]);
  });

  it("tells the others of a change that one subscriber has failed on", () => {
    const logged = sinon.stub(console, "error");
    store.feed.subscribe([things], () => {
      throw new Error("a bug");
    });
    const all = heard();
    rows.put({ id: "a", value: 1 });
    assert.equal(all.length, 1);
    sinon.assert.calledOnce(logged);
  });
});
