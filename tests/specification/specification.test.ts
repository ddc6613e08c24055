import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const document = readFileSync("docs/internals/specification.md", "utf8");

/** The texts of all test files. */
const sources = readdirSync("tests", { recursive: true, encoding: "utf8" })
  .map((name) => join("tests", name))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(name, "utf8"))
  .join("\n");

describe("specification: part 1", () => {
  it("has tests for exactly the rows of the document, which their titles name in brackets", () => {
    const rows = [...document.matchAll(/^\| (1\.\d+[^|]*?) +\|/gm)].map(([, row]) => row);
    const named = [...sources.matchAll(/ \[(1\.\d+[^\]]*)\](?=["`'])/g)].flatMap(([, all = ""]) => all.split("; "));
    assert.deepEqual(new Set(named), new Set(rows));
  });
});

describe("specification: section 6", () => {
  const numbered = [...document.matchAll(/^### §6\.(\d+) (.+)$/gm)].map(([, number = ""]) => number);
  it("has 23 rules, numbered from 1", () => {
    assert.deepEqual(
      numbered,
      Array.from({ length: 23 }, (_, index) => `${index + 1}`),
    );
  });

  it("has a test for every rule, and a rule for every tag in a title", () => {
    const starts = [...sources.matchAll(/(?:["`]|, and | › )§6\.(\d+) /g)].map(([, number]) => number);
    assert.deepEqual(new Set(starts), new Set(numbered));
    const tags = [...sources.matchAll(/§6\.(\d+)/g)].map(([, number]) => number);
    assert.deepEqual(new Set(tags), new Set(numbered));
  });
});
