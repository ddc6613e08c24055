import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { suiteFolder } from "../support/folder";
import { suiteGenerator } from "../support/languages";

/** Writes the schema of a package with one resource, and returns its file. */
function writeSchema(folder: string, properties: unknown): string {
  const file = join(folder, "schema.json");
  const resources = { "shop:index:Shelf": { inputProperties: properties, properties, required: ["size"] } };
  const go = { importBasePath: "example.com/shop/sdk" };
  writeFileSync(file, JSON.stringify({ name: "shop", version: "1.2.3", resources, language: { go } }));
  return file;
}

const size = { size: { type: "integer" } };

describe("generate-sdk", () => {
  const generateSdk = suiteGenerator();
  const folder = suiteFolder("neon-pulumi-sdk-");

  const cases = [
    ["nodejs", "shelf.ts", "pulumi.Output<number>"],
    ["python", join("pulumi_shop", "shelf.py"), "pulumi.Output[_builtins.int]"],
    ["go", join("sdk", "shelf.go"), "pulumi.IntOutput"],
  ] as const;
  for (const [language, file, type] of cases) {
    it(`writes a schema's classes for ${language}`, async () => {
      const written = join(folder, language);
      await generateSdk(language, writeSchema(folder, size), written);
      assert.ok(readFileSync(join(written, file), "utf8").includes(type));
    });
  }

  it("writes nothing of a schema with an error, and says where it is", async () => {
    const written = join(folder, "nothing");
    const schema = writeSchema(folder, { size: { $ref: "#/types/shop:index:Size" } });
    await assert.rejects(generateSdk("nodejs", schema, written), /resources\/shop:index:Shelf\/properties\/size/);
    assert.ok(!existsSync(written));
  });
});
