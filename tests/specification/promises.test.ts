import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { rows } from "./rows";

const documentName = "docs/specification.md";
const document = readFileSync(documentName, "utf8");

/** The rules of section 6, by number. */
const rules = [...document.matchAll(/^### §6\.(\d+) (.+)$/gm)].map(([, number, title = ""]) => ({
  number: Number(number),
  title,
}));

/** The sources of all tests. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".test.ts") ? [readFileSync(path, "utf8")] : [];
  });
}

const tests = sources("tests").join("\n");

describe("specification: section 6", () => {
  it("has 23 rules, numbered from 1", () => {
    assert.deepEqual(
      rules.map(({ number }) => number),
      Array.from({ length: 23 }, (_, index) => index + 1),
    );
  });

  for (const { number, title } of rules) {
    it(`has a test for ${number}: ${title}`, () => {
      // A number that ends a title's first word: the title of a test, wherever it is declared.
      assert.match(tests, new RegExp(`["\`]§6\\.${number} |, and §6\\.${number} `));
    });
  }

  it("has every rule that the title of a test refers to", () => {
    const numbers = new Set(rules.map(({ number }) => number));
    const unknown = [...tests.matchAll(/§6\.(\d+)/g)].filter(([, number]) => !numbers.has(Number(number)));
    assert.deepEqual(
      unknown.map(([tag]) => tag),
      [],
    );
  });
});

describe("specification: part 1", () => {
  it("is described row by row in the document", () => {
    const described = [...document.matchAll(/^\| (1\.\d+[^|]*?) +\|/gm)].map(([, row]) => row);
    assert.deepEqual(described, Object.values(rows).flat());
  });
});
