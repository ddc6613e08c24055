// Finds the texts that the packages can show to a user: every string of the product's code that has a word and a space.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../base/paths.mjs";

/**
 * A text in the code.
 *
 * @typedef {object} Text
 * @property {string} file The source file, from the repository's root.
 * @property {string} text With `…` in place of each value.
 */

const folders = ["api", "provider", "sdk", "platform"];

/** What is no source of the product, what is generated, and what is no message: the page of the console, and its timelines. */
const others = /^(platform\/(dist|node_modules|tests|console|timeline)|sdk\/(resources|data-sources))\//;

/** Sources whose texts are data, pages or statements, not messages. */
const silent = new Set([
  "platform/console-server/live.ts",
  "platform/console-server/page.ts",
  "platform/console-server/routes.ts",
  "platform/console-server/state.ts",
  "platform/console-server/views.ts",
  "platform/main.ts",
  "platform/model/projects/preload-library.ts",
  "platform/model/projects/region.ts",
  "platform/data-plane/schema-only.ts",
  "platform/model/tables.ts",
  "platform/postgres/template-sql.ts",
  "platform/proxy/sql-over-http/session-pool.ts",
  "platform/storage/ids.ts",
  "platform/storage/table.ts",
]);

/** What no user reads: values that are compared, headers, names of new objects, SQL. */
const internal = [
  /^not performed$/,
  /^(Bearer|Basic) …$/,
  /^neon-pulumi \(node/,
  /^(text\/plain;|default-src |console sign-in$|the key of this data$|Local organization$)/,
  /^(SELECT|INSERT|UPDATE|DELETE|WITH|PRAGMA|BEGIN|CREATE|VACUUM|ORDER BY|LIMIT|NOT NULL$|(… )?AND) ?/,
  /^(ALTER|DROP|GRANT|REASSIGN|SET|REVOKE|STRATEGY) [A-Z_]/,
  /^(GRANT …|exec 3<|cd "|cp …|host=…|stop …$|restore_command = |local all all trust)/,
  /^…\nprimary_conninfo/,
  /^--\s/,
  /^((Client|Server) Key|neon-platform local CA|OPTIONS, POST|ISOLATION LEVEL …|REPEATABLE READ|READ (UN)?COMMITTED|READ ONLY)$/,
  /^(HTTP\/1\.1 400 Bad Request|Authorization, Neon-Connection-String)/,
];

/** @returns {Text[]} */
export function texts() {
  return sources().flatMap((file) =>
    textsIn(file, readFileSync(join(root, file), "utf8")).map((text) => ({ file, text })),
  );
}

/**
 * The texts of one source file, in their order, without repetitions.
 *
 * @param {string} file
 * @param {string} code
 */
export function textsIn(file, code) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isDescription(node)) return;
    const text = textOf(node);
    if (text !== undefined && isProse(text)) found.add(text.replaceAll(/…( ?…)+/g, "…"));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return [...found];
}

/**
 * Whether this describes a property: that is in the reference.
 *
 * @param {ts.Node} node
 */
function isDescription(node) {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isVariableDeclaration(parent)) return parent.name.getText() === "settingDescriptions";
  if (!ts.isStringLiteralLike(node)) return false;
  if (ts.isPropertyAssignment(parent)) {
    return /^(description|replacement|deprecationMessage)$/.test(parent.name.getText());
  }
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === "describe"
  );
}

/** @param {ts.Node} node */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text.trim();
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
  return parts
    .map(({ text }) => text)
    .join("…")
    .trim();
}

/** @param {string} text */
function isProse(text) {
  return /\s/.test(text) && /\p{L}{2}/u.test(text) && !internal.some((pattern) => pattern.test(text));
}

function sources() {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((file) => !others.test(file) && !silent.has(file))
      .sort(),
  );
}
