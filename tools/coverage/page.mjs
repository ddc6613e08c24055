// Joins the operations of Neon's API, the routes of the local platform and what sends them, as docs/coverage.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { operations, servedRoutes, shapeOf, versions } from "./operations.mjs";
import { reasons } from "./reasons.mjs";
import { senders } from "./senders.mjs";

/** @typedef {import("./operations.mjs").Operation} Operation */
/** @typedef {import("./senders.mjs").Sender} Sender */
/** @typedef {import("./reasons.mjs").Reason} Reason */

/** Where the page is checked in. */
export const page = join(root, "docs", "coverage.md");

export async function writePage(file = page) {
  writeFileSync(file, pageOf(await operations(), servedRoutes(), senders(), reasons));
}

/**
 * The page; fails if an operation is neither served nor has a reason, or if a reason is of no use.
 *
 * @param {readonly Operation[]} all
 * @param {ReadonlySet<string>} served
 * @param {readonly Sender[]} sent
 * @param {readonly Reason[]} why
 */
export function pageOf(all, served, sent, why) {
  const isServed = (/** @type {Operation} */ one) => served.has(shapeOf(routeOf(one)));
  const missing = all.filter((one) => !isServed(one));
  const unexplained = missing.filter((one) => reasonOf(one, why) === undefined);
  const unused = why.filter((reason) => !missing.some((one) => reasonOf(one, why) === reason));
  const problems = [
    ...unexplained.map((one) => `${routeOf(one)} is not served and has no reason.`),
    ...unused.map(({ word }) => `No operation is left for the reason "${word}": remove it.`),
  ];
  if (problems.length > 0) throw new Failure(["tools/coverage/reasons.mjs:", ...problems].join("\n"));
  const groups = [...new Set(all.map(({ group }) => group))];
  return [
    preface(all, isServed),
    ...why.map(({ word, meaning }) => `- \`${word}\`: ${meaning}`),
    "",
    ...groups.map((group) =>
      section(
        group,
        all
          .filter((one) => one.group === group)
          .map((one) => [
            `\`${routeOf(one)}\``,
            isServed(one) ? "yes" : `no: ${reasonOf(one, why)?.word ?? ""}`,
            sendersOf(one, all, sent)
              .map((name) => `\`${name}\``)
              .join(", "),
            since[one.documents],
          ]),
      ),
    ),
  ].join("\n");
}

/** @type {Readonly<Record<Operation["documents"], string>>} */
const since = { both: "both", older: "older only", newer: "newer only" };

/** @param {readonly Operation[]} all @param {(one: Operation) => boolean} isServed */
function preface(all, isServed) {
  const older = all.filter(({ documents }) => documents !== "newer");
  const newer = all.filter(({ documents }) => documents === "newer");
  const count = (/** @type {readonly Operation[]} */ some) => `${some.filter(isServed).length} of ${some.length}`;
  return `# Coverage of Neon's API

Every operation of Neon's published API: whether the [local platform](local-platform.md) serves it, and which resource
or data source sends it, or else which function of the [API client](api-client.md).

Two documents describe the API: the OpenAPI file in \`${versions.older}\`, and the typed client \`${versions.newer}\`,
which is newer. The last column says which of them have the operation. The local platform serves **${count(older)}** operations
of the older document, and ${count(newer)} of those that only the newer one has.

\`npm run docs\` writes this page from both documents and from the code.

For an operation that is not served, the local platform returns 404 \`unknown route\`. The reasons:
`;
}

/** @param {string} group @param {readonly (readonly string[])[]} rows */
function section(group, rows) {
  return [
    `## ${group}`,
    "",
    "| Operation | Served | Sent by | Document |",
    "| --- | --- | --- | --- |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}

/**
 * The resources and data sources that send an operation; if there are none, the functions of the client.
 *
 * @param {Operation} one
 * @param {readonly Operation[]} all
 * @param {readonly Sender[]} sent
 */
function sendersOf(one, all, sent) {
  const shape = shapeOf(routeOf(one));
  const names = sent
    .filter(({ route }) => route === shape || (!isOperation(route, all) && matches(route, shape)))
    .map(({ name }) => name);
  const declared = names.filter((name) => !name.includes("."));
  return [...new Set(declared.length > 0 ? declared : names)];
}

/** @param {string} route @param {readonly Operation[]} all */
const isOperation = (route, all) => all.some((one) => shapeOf(routeOf(one)) === route);

/** Whether a request with a variable segment can be this operation, as \`…/{}\` can be \`…/start\`. @param {string} route @param {string} shape */
function matches(route, shape) {
  const [one, other] = [route.split("/"), shape.split("/")];
  return one.length === other.length && one.every((part, index) => part === "{}" || part === other[index]);
}

/** @param {Operation} operation */
const routeOf = ({ method, path }) => `${method} ${path}`;

/** @param {Operation} one @param {readonly Reason[]} why */
const reasonOf = (one, why) => why.find(({ of }) => of.includes(one.path) || of.includes(one.group));
