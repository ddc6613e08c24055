// The site that `npm run site` makes of the repository's Markdown files, with a search in all of them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { defineConfig } from "vitepress";
import { root } from "../../base/paths.mjs";

/** @param {string} path @returns {string} The first heading of a page. */
const titleOf = (path) => /^# (.+)$/m.exec(readFileSync(join(root, path), "utf8"))?.[1]?.replaceAll("`", "") ?? path;

/** @param {readonly string[]} paths */
const links = (paths) => paths.map((path) => ({ text: titleOf(path), link: `/${path.replace(/(README)?\.md$/, "")}` }));

/** @param {string} folder */
const pagesIn = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `${folder}/${name}`);

/** The pages that the tables of docs/README.md lead to, by the row in bold above them. */
function questions() {
  const index = readFileSync(join(root, "docs", "README.md"), "utf8");
  return index
    .split(/^\| \*\*/m)
    .slice(1)
    .map((part) => {
      const text = part.split("*", 1)[0] ?? "";
      const targets = [...part.matchAll(/\]\(([\w/.-]+\.md)/g)].map(([, target = ""]) => posix.join("docs", target));
      const pages = [...new Set(targets)].filter((path) => path.startsWith("docs/") && !path.includes("/reference/"));
      return { text: text.charAt(0).toUpperCase() + text.slice(1), collapsed: false, items: links(pages) };
    });
}

/** @typedef {{ type: string, content: string, attrGet(name: string): string | null, attrSet(name: string, value: string): void }} Token */

/**
 * Leads links to folders to their README, and takes away those to files that are no pages: the site has only pages.
 *
 * @param {{ relativePath?: string }} env
 * @param {readonly Token[]} tokens
 */
function followLinks({ relativePath = "" }, tokens) {
  let isPlain = false;
  for (const token of tokens) {
    if (isPlain && token.type === "link_close") {
      Object.assign(token, { type: "text", content: "" });
      isPlain = false;
    }
    if (token.type !== "link_open") continue;
    const [target = "", anchor] = (token.attrGet("href") ?? "").split("#");
    if (target === "" || /^(\w+:|\/)/.test(target)) continue;
    const path = posix.join(posix.dirname(relativePath), decodeURI(target));
    const folder = target.endsWith("README.md") ? posix.dirname(target) : target;
    if (target.endsWith("README.md") || existsSync(join(root, path, "README.md"))) {
      token.attrSet("href", `${folder}/${anchor === undefined ? "" : `#${anchor}`}`);
    } else if (!path.endsWith(".md") || path === "AGENTS.md" || path.startsWith("tests/")) {
      Object.assign(token, { type: "text", content: "" });
      isPlain = true;
    }
  }
}

export default defineConfig({
  title: "neon-pulumi",
  description: "Neon serverless Postgres with Pulumi",
  srcDir: root,
  outDir: join(root, ".state", "site"),
  cacheDir: join(root, "node_modules", ".cache", "site"),
  srcExclude: ["**/node_modules/**", "dist/**", "tests/**", "tools/**", "etc/**", "AGENTS.md", "LICENSE.md"],
  // A page of a folder is its README, as on GitHub.
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, "$1index.md"),
  cleanUrls: false,
  markdown: {
    // As GitHub names headings.
    anchor: {
      slugify: (heading) =>
        heading
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .replaceAll(/\s/g, "-"),
    },
    config: (md) => {
      md.core.ruler.push("links-to-sources", ({ tokens, env }) => {
        for (const { children } of tokens) followLinks(env, children ?? []);
      });
    },
  },
  // The pages are Markdown, not templates of Vue: `{{ … }}` in them is text.
  vue: { template: { compilerOptions: { delimiters: ["\u0001", "\u0002"] } } },
  vite: { publicDir: false, build: { chunkSizeWarningLimit: 5000, reportCompressedSize: false } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Start", link: "/" },
      { text: "Reference", link: "/docs/reference/" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
    sidebar: [
      { text: "Documentation", items: links(["README.md", "docs/README.md", "examples/README.md"]) },
      ...questions(),
      { text: "Reference", collapsed: true, items: links(pagesIn("docs/reference")) },
      {
        text: "Contribute",
        collapsed: true,
        items: links(["CONTRIBUTING.md", "docs/internals/architecture.md", "docs/internals/testing.md", "docs/internals/specification.md"]),
      },
      { text: "Decisions", collapsed: true, items: links(pagesIn("docs/internals/decisions")) },
    ],
  },
});
