// One Markdown file as HTML, and as the sections that the search finds.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { root } from "../base/paths.mjs";

/**
 * The part of markdown-it that is used here.
 *
 * @typedef {object} Token
 * @property {string} type
 * @property {string} tag
 * @property {string} content
 * @property {Token[] | null} children
 * @property {(name: string) => string | null} attrGet
 * @property {(name: string, value: string) => void} attrSet
 */
/** @typedef {{ parse(text: string, env: object): Token[], renderer: { render(tokens: Token[], options: object, env: object): string }, options: object }} MarkdownIt */

/**
 * A heading with the text below it.
 *
 * @typedef {object} Section
 * @property {string} anchor
 * @property {string} title
 * @property {string} text
 */

/** @type {new (options: object) => MarkdownIt} */
const Parser = createRequire(import.meta.url)("markdown-it");
const parser = new Parser({ html: true });

/** Where a Markdown file is on the site. A folder's page is its README. @param {string} path */
export const addressOf = (path) => path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html");

/**
 * @param {string} path Of the file, from the repository's root.
 * @param {string} text
 * @param {ReadonlySet<string>} pages The paths of all files that are pages.
 */
export function pageOf(path, text, pages) {
  const tokens = parser.parse(text, {});
  /** @type {Section[]} */
  const sections = [];
  /** @type {Set<string>} */
  const images = new Set();
  const count = new Map();
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const title = textOf(tokens[index + 1]);
      const slug = slugOf(title);
      const seen = count.get(slug) ?? 0;
      count.set(slug, seen + 1);
      const anchor = seen === 0 ? slug : `${slug}-${seen}`;
      token.attrSet("id", anchor);
      sections.push({ anchor, title, text: "" });
    } else {
      const section = sections.at(-1);
      if (section !== undefined) section.text += ` ${textOf(token)}`;
    }
    leadLinks(path, token.children ?? [], pages, images);
  }
  return { html: parser.renderer.render(tokens, parser.options, {}), sections, images };
}

/** As GitHub names headings. @param {string} title */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** @param {Token | undefined} token @returns {string} */
function textOf(token) {
  if (token?.children) return token.children.map(textOf).join("");
  return token === undefined || token.type.startsWith("html") ? "" : token.content;
}

/**
 * Leads links between Markdown files to their pages, and takes away those to files that are no pages.
 *
 * @param {string} path
 * @param {readonly Token[]} tokens
 * @param {ReadonlySet<string>} pages
 * @param {Set<string>} images
 */
function leadLinks(path, tokens, pages, images) {
  let isPlain = false;
  for (const token of tokens) {
    if (token.type === "image") images.add(posix.join(posix.dirname(path), token.attrGet("src") ?? ""));
    if (isPlain && token.type === "link_close") {
      Object.assign(token, { type: "text", content: "" });
      isPlain = false;
    }
    if (token.type !== "link_open") continue;
    const [target = "", anchor] = (token.attrGet("href") ?? "").split("#");
    if (target === "" || /^\w+:/.test(target)) continue;
    const found = posix.join(posix.dirname(path), decodeURI(target));
    const file = existsSync(join(root, found, "README.md")) ? posix.join(found, "README.md") : found;
    if (pages.has(file)) {
      const address = posix.relative(posix.dirname(addressOf(path)), addressOf(file));
      token.attrSet("href", anchor === undefined ? address : `${address}#${anchor}`);
    } else if (/\.(svg|webp|png)$/.test(file)) {
      images.add(file);
    } else {
      Object.assign(token, { type: "text", content: "" });
      isPlain = true;
    }
  }
}
