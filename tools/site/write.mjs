// Writes the site: a page for each Markdown file that users and contributors read.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { addressOf, pageOf } from "./markdown.mjs";

const parts = ["style.css", "search.js"];

/** The Markdown files that are pages, from the repository's root. */
function sources() {
  const atRoot = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "platform/README.md"];
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules")),
  );
  return [...atRoot, ...below.sort()];
}

/** @param {string} folder It is replaced. */
export function writeSite(folder) {
  const paths = sources();
  const known = new Set(paths);
  const pages = paths.map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const { html, sections, images } = pageOf(path, text, known);
    return { path, address: addressOf(path), html, sections, images, title: sections[0]?.title ?? path };
  });
  const groups = groupsOf(pages);
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) write(folder, page.address, layout(page, groups));
  for (const image of new Set(pages.flatMap(({ images }) => [...images]))) {
    if (!/^\w+:/.test(image)) cpSync(join(root, image), join(folder, image));
  }
  const entries = pages.flatMap(({ address, title, sections }) =>
    sections.map((section) => [
      `${address}#${section.anchor}`,
      title,
      section.title,
      section.text.replaceAll(/\s+/g, " "),
    ]),
  );
  write(folder, "index.js", `window.sections = ${JSON.stringify(entries)};\n`);
  for (const part of parts) cpSync(join(import.meta.dirname, part), join(folder, part));
  const dead = deadLinks(new Map(pages.map(({ address }) => [address, readFileSync(join(folder, address), "utf8")])));
  if (dead.length > 0) throw new Failure(["Links that lead nowhere:", ...dead].join("\n"));
}

/** @typedef {{ path: string, address: string, html: string, title: string }} Page */
/** @typedef {{ title: string, pages: readonly Page[] }} Group */

/**
 * The pages in the order of docs/README.md, by the row in bold above them; then the rest.
 *
 * @param {readonly Page[]} pages
 * @returns {Group[]}
 */
function groupsOf(pages) {
  const index = readFileSync(join(root, "docs", "README.md"), "utf8");
  const pageAt = (/** @type {string} */ path) => pages.filter((page) => page.path === path);
  const questions = index
    .split(/^\| \*\*/m)
    .slice(1)
    .map((part) => {
      const targets = [...part.matchAll(/\]\(([\w/.-]+\.md)/g)].map(([, target = ""]) => posix.join("docs", target));
      const title = part.split("*", 1)[0] ?? "";
      return { title: title.charAt(0).toUpperCase() + title.slice(1), pages: [...new Set(targets)].flatMap(pageAt) };
    });
  const below = (/** @type {string} */ folder) => pages.filter(({ path }) => path.startsWith(folder));
  return [
    { title: "Documentation", pages: ["README.md", "docs/README.md", "examples/README.md"].flatMap(pageAt) },
    ...questions.map(({ title, pages: all }) => ({
      title,
      pages: all.filter(({ path }) => /^docs\/[^/]+$|^examples\/[^/]+\//.test(path)),
    })),
    { title: "Reference", pages: below("docs/reference/") },
    { title: "Contribute", pages: [...pageAt("CONTRIBUTING.md"), ...below("docs/internals/")] },
  ];
}

/** @param {Page} page @param {readonly Group[]} groups */
function layout({ address, html, title }, groups) {
  const to = (/** @type {string} */ target) => posix.relative(posix.dirname(address), target);
  const link = (/** @type {Page} */ page) =>
    `<a href="${to(page.address)}"${page.address === address ? ' aria-current="page"' : ""}>${escaped(page.title)}</a>`;
  const navigation = groups.map(
    (group) =>
      `<details${group.pages.some((page) => page.address === address) ? " open" : ""}><summary>${escaped(group.title)}</summary>${group.pages.map(link).join("")}</details>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${to("style.css")}">
</head>
<body data-root="${to(".") || "."}">
<nav>
<input id="search" type="search" placeholder="Search" aria-label="Search">
<div id="found"></div>
${navigation.join("\n")}
</nav>
<main>
${html}</main>
<script src="${to("index.js")}"></script>
<script src="${to("search.js")}"></script>
</body>
</html>
`;
}

/** @param {string} folder @param {string} address @param {string} text */
function write(folder, address, text) {
  mkdirSync(join(folder, dirname(address)), { recursive: true });
  writeFileSync(join(folder, address), text);
}

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/**
 * Links of the pages to pages and headings that do not exist.
 *
 * @param {ReadonlyMap<string, string>} pages By address.
 */
function deadLinks(pages) {
  return [...pages].flatMap(([address, text]) =>
    [...text.matchAll(/<a\b[^>]*? href="([^"]*)"/g)].flatMap(([, link = ""]) => {
      if (/^\w+:/.test(link)) return [];
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? address : posix.join(posix.dirname(address), path);
      if (/\.(svg|webp|png)$/.test(target)) return [];
      const page = pages.get(target);
      const isThere = page !== undefined && (!anchor || page.includes(`id="${decodeURIComponent(anchor)}"`));
      return isThere ? [] : [`${address}: ${link}`];
    }),
  );
}
