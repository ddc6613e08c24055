import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { promisify } from "node:util";
import { before, describe, it } from "mocha";
import { filesIn } from "../support/files";
import { suiteFolder } from "../support/folder";

const generator = join("tools", "site", "node_modules", "vitepress", "bin", "vitepress.js");

describe("tools: the site", function () {
  this.timeout(300_000);
  const folder = suiteFolder("neon-pulumi-site-");
  let pages: ReadonlyMap<string, string>;
  before(async function () {
    if (!existsSync(generator)) {
      console.log("tools: the site: skipped; `npm run site` installs the generator");
      this.skip();
    }
    const args = [generator, "build", "tools/site", "--outDir", folder];
    await promisify(execFile)(process.execPath, args);
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

  it("has no link and no picture that leads nowhere", () => {
    const dead: string[] = [];
    for (const [page, text] of pages) {
      for (const [, address = ""] of text.matchAll(/<(?:a|img)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
        if (/^\w+:/.test(address)) continue;
        const [path = "", anchor] = address.split("#");
        const target =
          path === "" ? page : posix.join(path.startsWith("/") ? "" : dirname(page), path).replace(/^\.?\//, "");
        const file = target === "" || target.endsWith("/") ? `${target}index.html` : target;
        const isThere =
          existsSync(join(folder, file)) &&
          (!anchor || page === "404.html" || (pages.get(file) ?? "").includes(`id="${decodeURIComponent(anchor)}"`));
        if (!isThere) dead.push(`${page}: ${address}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  it("finds words of the reference and of the documents by its search", () => {
    const index = filesIn(folder).find((file) => /localSearchIndex.*\.js$/.test(file));
    assert.ok(index);
    const words = readFileSync(index, "utf8");
    for (const word of ["autoscalinglimitmincu", "recovered"]) assert.ok(words.includes(word), word);
  });
});
