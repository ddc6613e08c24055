import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

import { before, describe, it } from "mocha";

import { tool } from "../support/tool";

const advice = "run `npm run generate`";

describe("tools: what is generated from the kinds and lookups", () => {
  let files: ReadonlyMap<string, string>;
  before(async () => {
    const generator = await tool<Generator>("generate/files.mjs");
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
});

interface Generator {
  readonly generatedFiles: () => Promise<ReadonlyMap<string, string>>;
}
