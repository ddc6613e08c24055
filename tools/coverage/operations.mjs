// The operations of Neon's API, from its two published documents, and which of them the local platform serves.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { raw } from "@neon/sdk";
import yaml from "js-yaml";
import { built, installed } from "../base/paths.mjs";

/**
 * An operation of Neon's API.
 *
 * @typedef {object} Operation
 * @property {string} method In upper case.
 * @property {string} path With `{name}` for each variable segment.
 * @property {string} group The noun that the older document puts it under; for others, the one of the operation before it.
 * @property {"both" | "older" | "newer"} documents
 */

/** The packages that hold the documents. */
const packages = { older: "@neondatabase/api-client", newer: "@neon/sdk" };
const methods = /** @type {const} */ (["get", "post", "put", "patch", "delete"]);

/** The documents, by what is said of an operation that only one of them has. */
export const versions = {
  older: `${packages.older} ${versionOf(packages.older)}`,
  newer: `${packages.newer} ${versionOf(packages.newer)}`,
};

/** A route without the names of its variables. @param {string} route */
export const shapeOf = (route) => route.replaceAll(/\{\w+\}|:\w+/g, "{}");

/**
 * All operations: those of the older document in its order, then those that only the newer one has.
 *
 * @returns {Promise<Operation[]>}
 */
export async function operations() {
  const newer = await newerRoutes();
  const older = olderRoutes();
  const known = new Set(newer.map(shapeOf));
  const shapes = new Set(older.map(({ route }) => shapeOf(route)));
  const added = newer.filter((route) => !shapes.has(shapeOf(route)));
  return [
    ...older.map(({ route, group }) =>
      operation(route, group, known.has(shapeOf(route)) ? /** @type {const} */ ("both") : "older"),
    ),
    ...added.map((route) => operation(route, groupOf(route), "newer")),
  ];
}

/** The routes of the local platform, as `GET /projects/{}`. @returns {Set<string>} */
export function servedRoutes() {
  const { routes } = createRequire(import.meta.url)(built("platform", "routes", "index.js"));
  return new Set(
    routes.map((/** @type {{ method: string, path: string }} */ { method, path }) => shapeOf(`${method} ${path}`)),
  );
}

/** @param {string} route @param {string} group @param {Operation["documents"]} documents @returns {Operation} */
function operation(route, group, documents) {
  const [method = "", path = ""] = route.split(" ");
  return { method, path, group, documents };
}

/** The routes of the OpenAPI document. */
function olderRoutes() {
  const file = installed(...packages.older.split("/"), "public-v2-for-users.gen.yaml");
  // The document repeats some keys, which `json` allows.
  const document = /** @type {{ paths: Record<string, Record<string, { tags?: string[] }>> }} */ (
    yaml.load(readFileSync(file, "utf8"), { json: true, schema: yaml.CORE_SCHEMA })
  );
  return Object.entries(document.paths).flatMap(([path, members]) =>
    methods
      .filter((method) => Object.hasOwn(members, method))
      .map((method) => ({
        route: `${method.toUpperCase()} ${path}`,
        group: members[method]?.tags?.at(-1) ?? "",
      })),
  );
}

/** The routes of the typed client: each of its functions is called with a client that records what it is given. */
async function newerRoutes() {
  /** @type {Set<string>} */
  const routes = new Set();
  const client = Object.fromEntries(
    methods.map((method) => [
      method,
      (/** @type {{ url: string }} */ { url }) => {
        routes.add(`${method.toUpperCase()} ${url}`);
        return Promise.resolve({});
      },
    ]),
  );
  for (const send of Object.values(/** @type {Record<string, unknown>} */ (raw))) {
    if (typeof send === "function") await /** @type {(options: object) => unknown} */ (send)({ client });
  }
  return [...routes];
}

/** The noun of an operation that the older document does not have: its last segment but ids. @param {string} route */
function groupOf(route) {
  const [, rest = ""] = /^\w+ \/projects\/\{\w+\}\/(?:branches\/\{\w+\}\/)?([\w-]+)/.exec(route) ?? [];
  return newGroups[rest] ?? "Project";
}

/** @type {Record<string, string>} */
const newGroups = {
  auth: "Auth",
  credentials: "Credentials",
  logs: "Logs",
  members: "Project",
  triggers: "Functions",
  "custom-domains": "Functions",
};

/** @param {string} name */
function versionOf(name) {
  return JSON.parse(readFileSync(installed(...name.split("/"), "package.json"), "utf8")).version;
}
