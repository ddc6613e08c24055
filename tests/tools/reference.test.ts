import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import * as neon from "../../sdk/index";
import { currentExamples } from "../../tools/generate/examples";
import { referencePages } from "../../tools/generate/reference";
import { descriptions } from "../../tools/generate/words";

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

  it("shows an example of each class and function in TypeScript, and in YAML if the plugin has it", () => {
    for (const [name, section] of sections) {
      if (!/^#### (Constructor|Call|Result) of \w+$/m.test(section)) continue;
      const isForNode = !descriptions().has(name);
      for (const language of isForNode ? ["ts"] : ["ts", "yaml"]) {
        assert.ok(section.includes(`\n\`\`\`${language}\n`), `${name} has no example in ${language}`);
      }
    }
  });

  it("is linked from the first table of docs/resources.md, to the page of each class", () => {
    const [, first = ""] = /\n\n(\|[^]*?)\n\n/.exec(readFileSync("docs/resources.md", "utf8")) ?? [];
    const linked = [...first.matchAll(/\[(\w+)\]\(reference\/([\w-]+\.md)\)/g)].map(([, name, page]) => [name, page]);
    const pageOf = new Map([...pages].map(([page, text]) => [/^# Reference: (\w+)$/m.exec(text)?.[1], page]));
    const classes = Object.keys(neon).filter((name) => /^[A-Z]/.test(name) && name !== "Provider");
    assert.deepEqual(
      classes.filter((name) => !linked.some(([one, page]) => one === name && page === pageOf.get(name))),
      [],
    );
  });

  it("begins each example in TypeScript with its imports", () => {
    for (const [name, section] of sections) {
      const [, first = ""] = /\n```ts\n([\s\S]*?)^```$/m.exec(section) ?? [];
      if (first !== "") assert.match(first, /^import \* as neon from "neon-pulumi";\n/, name);
    }
  });

  for (const name of Object.keys(kinds)) {
    it(`shows the constructor of ${name} in four languages, and the form of the id for an import`, () => {
      const section = sections.get(name) ?? "";
      for (const line of [
        `new neon.${name}(name: string, `,
        `neon.${name}(resource_name, `,
        `neon.New${name}(ctx *pulumi.Context, `,
        `type: neon:${name}\n`,
      ]) {
        assert.ok(section.includes(`\n${line}`), `${name} lacks ${line}`);
      }
      assert.match(section, new RegExp(`\\npulumi import neon:index:${name} \\S+ '<\\w+Id>(/<\\w+>)*'\\n`));
    });
  }
});
