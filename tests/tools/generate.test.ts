import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";

import { before, describe, it } from "mocha";

import { untranslated } from "../../tools/generate/examples";
import { folders, generatedFiles } from "../../tools/generate/files";

const advice = "run `npm run generate`";

describe("tools: what is generated from the kinds and lookups", () => {
  let files: ReadonlyMap<string, string>;
  before(async () => {
    files = await generatedFiles();
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

  it("has each example in Python and Go, made from its YAML", () => {
    assert.deepEqual([...untranslated().keys()], [], "run `npm run examples`");
  });
});
