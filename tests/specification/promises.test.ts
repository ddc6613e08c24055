import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

/** What users of other tools suffer, as the design counts it. */
const sufferings: readonly string[] = [
  "an operation that failed is reported as created",
  "a poll that answers 404 is polled for ever",
  "a 500 on a later read sends the create again",
  "503 on a create fails at once",
  "Retry-After is ignored",
  "a reset connection loses what was created",
  "projects that store no passwords break every plan",
  "a kill loses the id",
  "data sources turn 401 into emptiness",
  "changing one setting crashes",
  "a changed parent sends nothing and differs for ever",
  "a refused delete counts as deleted",
  "parallel creates meet locked projects",
  "a long operation costs hundreds of polls",
  "a plan without changes reads everything",
  "an unrelated change replaces the project",
  "a provider's default breaks the first program",
  "what was deleted by others is an error for ever",
  "hidden inputs show up as changes",
  "409 with no way to take over",
  "only the first page is read",
  "a lookup falls back to the main branch",
  "passwords are printed",
];

/** The sources of all tests. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith(".test.ts") ? [readFileSync(path, "utf8")] : [];
  });
}

describe("what users of other tools suffer has a test here by its number", () => {
  const all = sources("tests").join("\n");
  for (const [index, suffering] of sufferings.entries()) {
    it(`${index + 1}: ${suffering}`, () => {
      // A number that ends a title's first word: the title of a test, wherever it is declared.
      assert.match(all, new RegExp(`["\`]§6\\.${index + 1} |, and §6\\.${index + 1} `));
    });
  }
});
