import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { before, describe, it } from "mocha";

import { tool } from "../support/tool";

interface Text {
  readonly file: string;
  readonly text: string;
}

interface Topic {
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  readonly from: readonly (string | readonly [file: string, pattern: RegExp])[];
}

interface Texts {
  readonly texts: () => readonly Text[];
  readonly textsIn: (file: string, code: string) => readonly string[];
}

interface Page {
  readonly pageOf: (topics: readonly Topic[], texts: readonly Text[]) => string;
}

describe("tools: the page of messages", () => {
  let textsIn: Texts["textsIn"];
  let texts: readonly Text[];
  let pageOf: Page["pageOf"];
  let topics: readonly Topic[];
  before(async () => {
    const source = await tool<Texts>("messages/texts.mjs");
    textsIn = source.textsIn;
    texts = source.texts();
    ({ pageOf } = await tool<Page>("messages/page.mjs"));
    ({ topics } = await tool<{ topics: readonly Topic[] }>("messages/topics.mjs"));
  });

  it("in docs/messages.md is what `npm run docs` writes now", () => {
    const current = pageOf(topics, texts);
    assert.equal(
      readFileSync("docs/messages.md", "utf8"),
      current,
      "docs/messages.md is not current: run `npm run docs`",
    );
  });

  it("has texts of the client, the lookups, the provider, the program's side and the local platform", () => {
    for (const [file, text] of [
      ["api/remediation.ts", "The API key is invalid or revoked. Use a valid API key."],
      ["provider/lifecycle/recovery.ts", "An interrupted run created the …. It was recovered."],
      ["platform/model/branches/branch.ts", "cannot delete protected branch; unprotect it first"],
      ["api/lookups/branch.ts", 'There is no branch named "…" in project ….'],
      ["sdk/data-source.ts", "The option `provider` of a data source must be a `neon.Provider`."],
    ]) {
      assert.ok(
        texts.some((one) => one.file === file && one.text === text),
        text,
      );
    }
  });

  it("finds the strings and templates with words in a source file, but no types, imports and comments", () => {
    const code = `
      import { one } from "some module";
      // a comment with words
      type Way = "one way" | "another way";
      const name = "word";
      throw invalid(\`The \${noun} \${id} is gone\${reason === undefined ? "" : \` since \${reason}\`}.\`);
      warn("Delete it " + (isKey ? "or revoke it" : "now"));
    `;
    assert.deepEqual(textsIn("some.ts", code), ["The … is gone….", "since …", "Delete it", "or revoke it"]);
  });

  it("is refused while a text has no topic", () => {
    const added = { file: "provider/lifecycle/new.ts", text: "The moon is full." };
    assert.throws(() => pageOf(topics, [...texts, added]), /No topic selects "The moon is full\."/);
  });

  it("is refused while a topic selects texts that do not exist", () => {
    const stale: Topic = { title: "Moon", cause: "", remedy: "", from: [["api/errors.ts", /the moon is full/]] };
    assert.throws(() => pageOf([...topics, stale], texts), /Moon: .* selects nothing/);
  });
});
