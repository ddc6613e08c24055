import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { files, rules } from "./rules";

const document = readFileSync("docs/specification.md", "utf8");

/** The titles of the tests and suites in a file, as it writes them. */
const titlesIn = (file: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(file, "utf8").matchAll(/\b(?:describe|it)\(\s*(["`])(.*?)\1,/g)].map(([, , title = ""]) => title),
  );

describe("specification: part 1", () => {
  const titles = Object.fromEntries(Object.values(files).map((file) => [file, titlesIn(file)]));

  it("has tests for exactly the rows of the document", () => {
    const rows = [...document.matchAll(/^\| (1\.\d+[^|]*?) +\|/gm)].map(([, row]) => row);
    assert.deepEqual(Object.keys(rules), rows);
  });

  for (const [row, tests] of Object.entries(rules)) {
    it(`names tests that exist for ${row}`, () => {
      const named = Object.entries(tests).flatMap(([file, of]) => [of].flat().map((title) => [file, title] as const));
      assert.ok(named.length > 0);
      const missing = named.filter(([file, title]) => titles[files[file as keyof typeof files]]?.has(title) !== true);
      assert.deepEqual(missing, [], "correct tests/specification/rules.ts");
    });
  }
});

describe("specification: section 6", () => {
  const numbered = [...document.matchAll(/^### §6\.(\d+) (.+)$/gm)].map(([, number = ""]) => number);
  const sources = ["tests", "platform/tests"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(name, "utf8"))
    .join("\n");

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
