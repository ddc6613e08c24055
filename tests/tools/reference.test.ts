import assert from "node:assert/strict";
import { basename } from "node:path";

import { describe, it } from "mocha";

import * as neon from "../../sdk/index";
import { currentExamples } from "../../tools/generate/examples";
import { referencePages } from "../../tools/generate/reference";

describe("tools: the reference", () => {
  const pages = new Map(referencePages(currentExamples()).map(([path, text]) => [basename(path), text]));

  /** The sections of all pages, by their titles. */
  const sections = new Map(
    [...pages.values()].flatMap((text) =>
      text.split(/^(?=###? )/m).flatMap((section) => {
        const [, name] = /^### (\w+)$/m.exec(section) ?? [];
        return name === undefined ? [] : [[name, section] as const];
      }),
    ),
  );

  it("describes every class and function that a program can import, or leads to where they are described", () => {
    const exported = Object.keys(neon).filter((name) => name !== "default" && !name.endsWith("Output"));
    const index = pages.get("README.md") ?? "";
    assert.ok(exported.length > 0);
    assert.deepEqual(
      exported.filter((name) => !sections.has(name) && !index.includes(`[\`${name}\`]`)),
      [],
    );
  });

  it("shows an example of each class and function in TypeScript and YAML", () => {
    for (const [name, section] of sections) {
      if (!/^#### (Outputs|Result) of \w+$/m.test(section)) continue;
      for (const language of ["ts", "yaml"]) {
        assert.ok(section.includes(`\n\`\`\`${language}\n`), `${name} has no example in ${language}`);
      }
    }
  });
});
