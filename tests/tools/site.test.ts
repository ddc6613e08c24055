import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { before, describe, it } from "mocha";
import { suiteBrowser } from "../support/browser";
import { filesIn } from "../support/files";
import { suiteFolder } from "../support/folder";
import { tool } from "../support/tool";

describe("tools: the site", function () {
  this.timeout(300_000);
  const folder = suiteFolder("neon-pulumi-site-");
  let pages: ReadonlyMap<string, string>;
  before(async () => {
    const { writeSite } = await tool<{ writeSite: (folder: string) => void }>("site/write.mjs");
    writeSite(folder);
    const files = filesIn(folder).filter((file) => file.endsWith(".html"));
    pages = new Map(files.map((file) => [relative(folder, file).replaceAll("\\", "/"), readFileSync(file, "utf8")]));
  });

  it("has the README as its first page, and a page for each document and record", () => {
    assert.match(pages.get("index.html") ?? "", /<h1[^>]*>neon-pulumi/);
    for (const source of filesIn("docs").filter((file) => file.endsWith(".md"))) {
      const page = source
        .replaceAll("\\", "/")
        .replace(/README\.md$|\.md$/, (end) => (end === ".md" ? ".html" : "index.html"));
      assert.ok(pages.has(page), page);
    }
  });

  it("has no link, picture, style or script that leads nowhere", () => {
    const dead: string[] = [];
    for (const [page, text] of pages) {
      for (const [, address = ""] of text.matchAll(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
        if (/^\w+:/.test(address)) continue;
        const [path = "", anchor] = address.split("#");
        const file = path === "" ? page : posix.join(dirname(page), path);
        const isThere =
          existsSync(join(folder, file)) &&
          (!anchor || (pages.get(file) ?? "").includes(`id="${decodeURIComponent(anchor)}"`));
        if (!isThere) dead.push(`${page}: ${address}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  describe("without a server", () => {
    const openPage = suiteBrowser();

    it("finds a property of the reference, and a word of a document", async () => {
      const { page, problems } = await openPage();
      await page.goto(pathToFileURL(join(folder, "docs", "reference", "branch.html")).href);
      const search = async (words: string): Promise<string[]> => {
        await page.evaluate('document.getElementById("search").value = ""');
        await page.type("#search", words);
        return (await page.evaluate('[...document.querySelectorAll("#found a")].map(({ href }) => href)')) as string[];
      };
      for (const [words, expected] of [
        ["autoscalinglimitmincu", "docs/reference/branch.html#arguments-of-endpoint"],
        ["killed run", "docs/recovery.html"],
      ] as const) {
        const found = await search(words);
        assert.ok(
          found.some((link) => link.includes(expected)),
          found.join("\n"),
        );
      }
      await page.click("#found a");
      await page.waitForSelector("main h1");
      assert.deepEqual(problems, []);
    });
  });
});
