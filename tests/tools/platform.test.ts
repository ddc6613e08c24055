import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, before, beforeEach, describe, it } from "mocha";

import { makeFastFolder } from "../support/postgres-files";
import { tool } from "../support/tool";

describe("tools: the local platform of the quickstart", () => {
  let step: PlatformStep;
  let folder: string;
  before(async () => {
    step = await tool<PlatformStep>("steps/platform.mjs");
  });
  beforeEach(() => {
    folder = makeFastFolder("neon-quickstart-");
  });
  afterEach(() => step.removePlatform(() => undefined, { folder, data: true }));

  /** Puts something into the platform, and removes the platform. */
  async function removed(others: Readonly<Record<string, object>>) {
    const { consoleUrl, apiUrl, apiKey } = await step.ensurePlatform(() => undefined, folder);
    for (const [path, body] of Object.entries(others)) {
      const url = path.startsWith("/local") ? `${consoleUrl}${path}` : `${apiUrl}${path}`;
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
      const { status } = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
      assert.equal(status, 201, path);
    }
    const notes: string[] = [];
    const left = await step.removePlatform((text) => notes.push(text), { folder });
    return { left, notes, consoleUrl };
  }

  it("runs on between two commands, with the same key", async () => {
    const notes: string[] = [];
    const first = await step.ensurePlatform((text) => notes.push(text), folder);
    assert.deepEqual(await step.ensurePlatform((text) => notes.push(text), folder), first);
    assert.deepEqual(notes, [`started at ${first.consoleUrl}`, `runs at ${first.consoleUrl}`]);
  });

  it("is stopped and removed when nothing is in it", async () => {
    const { left, notes } = await removed({});
    assert.deepEqual([left, notes], [undefined, ["stops with its databases", "stopped"]]);
    assert.equal(existsSync(folder), false);
  });

  for (const [path, body, what] of [
    ["/projects", { project: { name: "shop" } }, "1 project (shop)"],
    ["/local/keys", { name: "of another program" }, "1 more API key"],
    ["/local/organizations", { name: "Another organization" }, "1 more organization"],
  ] as const) {
    it(`runs on with its data when it has ${what} of another program`, async () => {
      const { left, notes, consoleUrl } = await removed({ [path]: body });
      assert.equal(
        left,
        `The local platform stays. At ${consoleUrl}, it has ${what}.\n\`npm run destroy -- --data\` stops the platform and deletes everything in it.`,
      );
      assert.deepEqual(notes, ["still runs"]);
      assert.equal((await fetch(`${consoleUrl}/local/status`)).status, 200);
    });
  }

  it("keeps its data when it does not run, because nobody can say what is in it", async () => {
    const { consoleUrl } = await step.ensurePlatform(() => undefined, folder);
    const { pid } = JSON.parse(readFileSync(join(folder, "platform", "running.json"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    await assert.rejects(async () => {
      for (;;) await fetch(consoleUrl);
    });
    const left = await step.removePlatform(() => undefined, { folder });
    assert.match(left ?? "", new RegExp(`${join(folder, "platform")} still has its data`));
    assert.ok(existsSync(join(folder, "platform")));
    rmSync(folder, { recursive: true, force: true });
  });
});

interface Running {
  readonly apiUrl: string;
  readonly consoleUrl: string;
  readonly apiKey: string;
}

interface PlatformStep {
  ensurePlatform: (note: (text: string) => void, folder: string) => Promise<Running>;
  removePlatform: (
    note: (text: string) => void,
    options: { readonly data?: boolean; readonly folder: string },
  ) => Promise<string | undefined>;
}
