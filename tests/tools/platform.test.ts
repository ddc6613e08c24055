import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, beforeEach, describe, it } from "mocha";
import { tool } from "../support/tool";

/** Keeps the contract of the real one: the key is made once, and only the first start can show it. */
const standIn = `
const { createServer } = require("node:http");
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const data = option("--data");
mkdirSync(data, { recursive: true });
const first = !existsSync(data + "/key");
if (first) writeFileSync(data + "/key", "napi_first_" + Math.random());
const key = readFileSync(data + "/key", "utf8");
const listed = (list) => existsSync(data + "/" + list) ? JSON.parse(readFileSync(data + "/" + list, "utf8")) : [];
const server = createServer((request, response) => {
  if (request.url === "/local/status") return response.end(JSON.stringify({ projects: listed("projects") }));
  if (request.url === "/local/keys") return response.end(JSON.stringify({ keys: [{}, ...listed("keys")] }));
  if (request.url === "/local/organizations") return response.end(JSON.stringify({ organizations: [{}, ...listed("organizations")] }));
  response.statusCode = request.headers.authorization === "Bearer " + key ? 200 : 401;
  response.end("{}");
});
server.on("error", (error) => { console.error(error.message); process.exit(1); });
server.listen(Number(option("--port")), "127.0.0.1", () => {
  const consoleUrl = "http://127.0.0.1:" + server.address().port;
  console.log(JSON.stringify({ apiUrl: consoleUrl + "/api/v2", consoleUrl, apiKey: first ? key : "napi_another" }));
});
`;

describe("tools: the local platform between two commands", () => {
  let step: PlatformStep;
  let place: Place;
  before(async () => {
    step = await tool<PlatformStep>("steps/platform.mjs");
  });
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "neon-place-"));
    place = { folder: join(folder, "state"), main: join(folder, "stand-in.cjs") };
    writeFileSync(place.main, standIn);
  });
  afterEach(async () => {
    await stop();
    rmSync(join(place.folder, ".."), { recursive: true, force: true });
  });

  const ensure = (note: (text: string) => void = () => undefined) => step.ensurePlatform(note, place);
  const stop = () => step.stopPlatform(place);
  const memoryPath = () => join(place.folder, "platform.json");
  const memory = () => JSON.parse(readFileSync(memoryPath(), "utf8")) as Memory;
  const remember = (changed: object) => {
    writeFileSync(memoryPath(), JSON.stringify(changed));
  };

  it("uses the running one again", async () => {
    const first = await ensure();
    const { pid } = memory();
    const notes: string[] = [];
    const second = await ensure((text) => notes.push(text));
    assert.deepEqual({ ...second }, { ...memory() });
    assert.equal(second.apiKey, first.apiKey);
    assert.equal(memory().pid, pid);
    assert.match(notes.join(), /runs at/);
  });

  it("keeps the key for the user alone", async () => {
    await ensure();
    for (const name of ["platform.json", "platform.log"]) {
      assert.equal(statSync(join(place.folder, name)).mode & 0o077, 0, name);
    }
  });

  it("starts a killed one again on the same port, with the key of its first start", async () => {
    const first = await ensure();
    const { pid } = memory();
    process.kill(pid, "SIGKILL");
    const second = await ensure();
    assert.notEqual(memory().pid, pid);
    assert.deepEqual(second, first);
  });

  it("finds the key again when it was interrupted before it could remember it", async () => {
    const first = await ensure();
    const { pid, port } = memory();
    remember({ pid, port });
    assert.deepEqual(await ensure(), first);
  });

  it("stops the process it has started, and only once", async () => {
    await ensure();
    assert.equal(await stop(), true);
    assert.equal(await stop(), false);
  });

  /** Removes the platform after other programs have put something into it. Returns what is left. */
  async function removed(others: Readonly<Record<string, readonly object[]>>, data?: boolean) {
    const { consoleUrl } = await ensure();
    for (const [list, items] of Object.entries(others)) {
      writeFileSync(join(place.folder, "platform", list), JSON.stringify(items));
    }
    const notes: string[] = [];
    const left = await step.removePlatform((text) => notes.push(text), { place, ...(data === true && { data }) });
    return { left, notes, consoleUrl };
  }

  it("is stopped and removed when nothing is in it", async () => {
    const { left, notes } = await removed({});
    assert.deepEqual([left, notes], [undefined, ["stopped"]]);
    assert.equal(existsSync(place.folder), false);
  });

  for (const [list, items, what] of [
    ["projects", [{ name: "shop" }, { name: "blog" }], "2 projects (shop, blog)"],
    ["keys", [{}], "1 more API key"],
    ["organizations", [{}], "1 more organization"],
  ] as const) {
    it(`runs on with its data when other programs have ${list} in it, and is removed with them only on demand`, async () => {
      const { left, notes, consoleUrl } = await removed({ [list]: items });
      assert.equal(
        left,
        `The local platform stays. At ${consoleUrl}, it has ${what}.\n\`npm run destroy -- --data\` stops the platform and deletes everything in it.`,
      );
      assert.deepEqual(notes, ["still runs"]);
      assert.equal((await fetch(`${consoleUrl}/local/status`)).status, 200);
      assert.ok(existsSync(join(place.folder, "platform", list)));
      assert.equal((await removed({}, true)).left, undefined);
      assert.equal(existsSync(place.folder), false);
    });
  }

  it("keeps its data when it does not run, so that nobody can say what is in it", async () => {
    await ensure();
    await stop();
    const left = await step.removePlatform(() => undefined, { place });
    assert.match(left ?? "", new RegExp(`${join(place.folder, "platform")} still has its data`));
    assert.ok(existsSync(join(place.folder, "platform", "key")));
  });

  it("leaves alone a process that got the same id later", async () => {
    await ensure();
    const mine = memory();
    await stop();
    remember({ ...mine, pid: process.pid });
    assert.equal(await stop(), false);
  });

  it("says so when its port is taken by another program", async () => {
    await ensure();
    await stop();
    const mine = memory();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    try {
      remember({ ...mine, port });
      await assert.rejects(ensure(), new RegExp(`Port ${port} is taken by another program`));
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });

  it("does not show the key when the start fails", async () => {
    const { apiKey } = await ensure();
    await stop();
    const { port } = memory();
    writeFileSync(place.main, `console.log('{"apiKey": "${apiKey}"'); throw new Error("broken");`);
    remember({ port });
    await assert.rejects(ensure(), (error: Error & { detail: string }) => {
      assert.match(error.detail, /broken/);
      assert.ok(!error.detail.includes(apiKey), error.detail);
      return true;
    });
    assert.ok(existsSync(join(place.folder, "platform")));
  });
});

interface Running {
  apiUrl: string;
  consoleUrl: string;
  apiKey: string;
}

interface Place {
  folder: string;
  main: string;
}

interface PlatformStep {
  ensurePlatform: (note: (text: string) => void, place: Place) => Promise<Running>;
  stopPlatform: (place: Place) => Promise<boolean>;
  removePlatform: (
    note: (text: string) => void,
    options: { readonly data?: boolean; readonly place: Place },
  ) => Promise<string | undefined>;
}

interface Memory extends Partial<Running> {
  pid: number;
  port: number;
}
