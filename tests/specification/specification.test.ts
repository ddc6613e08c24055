import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rules } from "./rules";

const document = readFileSync("docs/specification.md", "utf8");

/** The titles of the tests and suites in a file, as it writes them. */
const titlesIn = (file: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(file, "utf8").matchAll(/\b(?:describe|it)\(\s*(["`])(.*?)\1,/g)].map(([, , title = ""]) => title),
  );

describe("specification: part 1", () => {
  const rowsOf = (rows: string): string[] => rows.split("; ");

  it("has tests for exactly the rows of the document", () => {
    const rows = [...document.matchAll(/^\| (1\.\d+[^|]*?) +\|/gm)].map(([, row]) => row);
    const tested = Object.values(rules).flatMap((titles) => Object.values(titles).flatMap(rowsOf));
    assert.deepEqual(new Set(tested), new Set(rows));
  });

  for (const [file, titles] of Object.entries(rules)) {
    it(`has tests in ${file}`, () => {
      const written = titlesIn(file);
      const missing = Object.keys(titles).filter((title) => !written.has(title));
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
