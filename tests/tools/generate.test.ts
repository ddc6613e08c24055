import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";

import { before, describe, it } from "mocha";

import { tool } from "../support/tool";

const advice = "run `npm run generate`";

describe("tools: what is generated from the kinds and lookups", () => {
  let files: ReadonlyMap<string, string>;
  let folders: readonly string[];
  before(async () => {
    const generator = await tool<Generator>("generate/files.mjs");
    folders = generator.folders;
    files = await generator.generatedFiles();
  });

  it("is what `npm run generate` writes now", () => {
    const stale = [...files].filter(([path, text]) => !existsSync(path) || readFileSync(path, "utf8") !== text);
    assert.deepEqual(
      stale.map(([path]) => path),
      [],
      advice,
    );
  });

  it("is all that its folders hold", () => {
    const found = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
    assert.deepEqual(
      found.filter((path) => !files.has(path)),
      [],
      advice,
    );
  });
});

interface Generator {
  readonly folders: readonly string[];
  readonly generatedFiles: () => Promise<ReadonlyMap<string, string>>;
}
