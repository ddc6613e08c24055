// What a newer document changes in the requests that this repository sends or serves, and in their responses.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { built } from "../base/paths.mjs";
import { bodyOf } from "./read.mjs";

/** @typedef {import("./read.mjs").Document} Document */
/** @typedef {import("./read.mjs").Part} Part */

/** What is said of a value besides its members. */
const remarks = ["format", "nullable", "enum", "pattern", "minimum", "maximum", "minLength", "maxLength"].concat([
  "minItems",
  "maxItems",
  "maxProperties",
  "default",
  "deprecated",
]);

/**
 * What has changed from one document to another: for each operation that is sent or served, its differences; of the
 * others, only which ones have changed.
 *
 * @param {Document} before
 * @param {Document} after
 * @param {Uses} [uses]
 */
export function changesOf(before, after, uses = usesOf()) {
  const [old, current] = [before, after].map((document) => document.operations);
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const others = [];
  for (const route of new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])) {
    const found = differences(factsOf(before, old?.get(route)), factsOf(after, current?.get(route)));
    if (found.length === 0) continue;
    const used = Object.entries(uses).flatMap(([use, is]) => (is(route) ? [use] : []));
    const what = !old?.has(route) ? "is new" : !current?.has(route) ? "is gone" : undefined;
    if (used.length === 0) others.push(what === undefined ? route : `${route} ${what}`);
    else if (what === "is gone") lines.push(`${route} (${used.join(", ")}) is gone`);
    else lines.push(`${route} (${used.join(", ")})`, ...found.map((line) => `  ${line}`));
  }
  return [
    `From ${before.name} to ${after.version}:`,
    ...(lines.length === 0 ? ["nothing that is sent or served has changed."] : lines),
    ...(others.length === 0 ? [] : [`Neither sent nor served: ${others.join("; ")}.`]),
  ];
}

/** Says of a route whether this repository has it to do with it in some way. @typedef {Record<string, (route: string) => boolean>} Uses */

/** The routes that the client sends and those that the local platform serves, from the build. @returns {Uses} */
function usesOf() {
  const require = createRequire(import.meta.url);
  /** @type {{ routes: { method: string, path: string }[] }} */
  const { routes } = require(built("platform", "routes", "index.js"));
  const served = new Set(routes.map(({ method, path }) => shapeOf(`${method} ${path}`)));
  const modules = readdirSync(built("api", "schemas")).filter((name) => name.endsWith(".js"));
  const sent = modules.flatMap((name) => Object.values(require(built("api", "schemas", name))).flatMap(requestsIn));
  return {
    sent: (route) => sent.some((one) => isSent(one, route)),
    served: (route) => served.has(shapeOf(route)),
  };
}

/** A route without the names of its variables. @param {string} route */
const shapeOf = (route) => route.replaceAll(/\{\w+\}|:\w+/g, "{}");

/** Stands for whatever a request is made with. @type {any} */
const anything = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => "{}" : name === Symbol.iterator ? undefined : anything),
  apply: () => anything,
});

/** The routes of a group of requests, such as \`branches\`: its functions are called. @param {unknown} group @returns {string[]} */
function requestsIn(group) {
  if (typeof group !== "object" || group === null || Object.getPrototypeOf(group) !== Object.prototype) return [];
  return Object.values(group).flatMap((make) => {
    if (typeof make !== "function") return [];
    const { method, path } = make(anything, anything, anything, anything);
    return typeof method === "string" && typeof path === "string" ? [`${method} ${decodeURIComponent(path)}`] : [];
  });
}

/** Whether a request, whose variables are all \`{}\`, is one of a route. @param {string} sent @param {string} route */
function isSent(sent, route) {
  const shape = shapeOf(route);
  if (sent === shape) return true;
  // An action is a variable of the client and a word of the document.
  return /\/\{\}$/.test(sent) && /\/(start|suspend|restart)$/.test(shape) && shape.startsWith(sent.slice(0, -2));
}

/** Everything that a document says of an operation: by where it is. @param {Document} document @param {Part} [operation] */
function factsOf(document, operation) {
  /** @type {Map<string, string>} */
  const facts = new Map();
  if (operation === undefined) return facts;
  for (const { in: place, name, required, schema } of operation.parameters) {
    addFacts(document, facts, `${place} ${name}`, schema, required === true);
  }
  const body = bodyOf(document, operation);
  if (body) addFacts(document, facts, "body", body.schema, body.isRequired);
  for (const [status, given] of Object.entries(/** @type {Record<string, Part>} */ (operation.responses))) {
    const schema = document.resolved(given).content?.["application/json"]?.schema;
    facts.set(`response ${status}`, schema === undefined ? "without a body" : "");
    if (schema !== undefined && status.startsWith("2")) addFacts(document, facts, `response ${status}`, schema, true);
  }
  return facts;
}

/** @param {Document} document @param {Map<string, string>} facts @param {string} where @param {Part} given @param {boolean} isRequired */
function addFacts(document, facts, where, given, isRequired, above = /** @type {Part[]} */ ([])) {
  const schema = document.resolved(given);
  if (above.includes(schema)) return;
  const { type = "", properties = {}, required = [], items, additionalProperties, allOf = [], oneOf = [] } = schema;
  const said = remarks
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${JSON.stringify(schema[name])}`);
  const fact = [type, isRequired ? "required" : "optional", ...said].filter((text) => text !== "").join(", ");
  // Parts of one place say different things of it.
  facts.set(where, [facts.get(where), fact].filter((text) => text !== undefined && text !== "").join("; "));
  const inside = [...above, schema];
  for (const [name, inner] of Object.entries(/** @type {Record<string, Part>} */ (properties))) {
    addFacts(document, facts, `${where}.${name}`, inner, required.includes(name), inside);
  }
  if (items !== undefined) addFacts(document, facts, `${where}[]`, items, true, inside);
  if (typeof additionalProperties === "object")
    addFacts(document, facts, `${where}.*`, additionalProperties, true, inside);
  for (const part of [...allOf, ...oneOf]) addFacts(document, facts, where, part, isRequired, inside);
}

/** @param {Map<string, string>} before @param {Map<string, string>} after */
function differences(before, after) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((where) => {
    const [old, current] = [before.get(where), after.get(where)];
    if (old === current) return [];
    if (old === undefined) return [`+ ${where}: ${current}`];
    return current === undefined ? [`- ${where}: ${old}`] : [`~ ${where}: ${old} → ${current}`];
  });
}
