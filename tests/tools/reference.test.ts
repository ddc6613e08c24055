import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { describe, it } from "mocha";

import * as neon from "../../sdk/index";
import { currentExamples } from "../../tools/generate/examples";
import { referencePages } from "../../tools/generate/reference";
import { anchorsOf } from "../support/markdown";

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

  it("says of every property what it is", () => {
    const rows = [...pages].flatMap(([name, text]) =>
      [...text.matchAll(/^\| <a id=.*$/gm)].map(([row]) => ({ name, cells: row.split(/(?<!\\)\|/) })),
    );
    assert.ok(rows.length > 0);
    for (const { name, cells } of rows) {
      const [, property = "", type = "", description = ""] = cells;
      assert.match(type, /\S/, `${name}:${property}`);
      assert.match(description, /\w/, `${name}:${property}`);
    }
  });

  it("shows arguments before outputs", () => {
    for (const [name, section] of sections) {
      const [before = "", after] = section.split(`#### Outputs of ${name}\n`, 2);
      if (after !== undefined) assert.match(before, new RegExp(`^#### Arguments of ${name}$`, "m"), name);
    }
  });

  it("shows an example of each class and function, in four languages", () => {
    for (const [name, section] of sections) {
      if (!/^#### (Outputs|Result) of \w+$/m.test(section)) continue;
      for (const language of ["ts", "yaml", "python", "go"]) {
        assert.ok(section.includes(`\n\`\`\`${language}\n`), `${name} has no example in ${language}`);
      }
    }
  });

  it("says of each class what replaces a resource, and in which order", () => {
    assert.match(sections.get("ApiKey") ?? "", /^Any change replaces the API key\. The new API key is created before/m);
    assert.match(
      sections.get("Endpoint") ?? "",
      /^A change of `projectId`, .* or `regionId` replaces the compute\. .* deleted first if .* and `type` is `read_write`/m,
    );
    assert.match(
      sections.get("Database") ?? "",
      /^A change of `projectId` or `branchId` replaces the database\. The new database is created before/m,
    );
  });

  it("says why an output can be absent", () => {
    assert.match(
      sections.get("Branch") ?? "",
      /`host\?` \| string \| .* Absent if the branch has no read-write compute\. Declare one/,
    );
    assert.match(
      sections.get("NeonAuthOauthProvider") ?? "",
      /`clientSecret\?` \| string \| The declared value\. Secret\. Absent if the program declares none\./,
    );
  });

  it("has no link that leads nowhere", () => {
    const anchors = new Map([...pages].map(([name, text]) => [name, anchorsOf(text)]));
    for (const [name, text] of pages) {
      for (const [, page = "", anchor] of text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
        if (/^https?:/.test(page)) continue;
        const outside = join("docs", "reference", page);
        const target =
          anchors.get(page === "" ? name : page) ??
          (dirname(page) !== "." && existsSync(outside) ? anchorsOf(readFileSync(outside, "utf8")) : undefined);
        assert.ok(target, `${name} links to ${page}`);
        assert.ok(anchor === undefined || target.has(anchor), `${name} links to ${page}#${anchor ?? ""}`);
      }
    }
  });
});
