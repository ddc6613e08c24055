// The OpenAPI document that the vendor publishes.
import { readFileSync } from "node:fs";
import yaml from "js-yaml";
import { installed } from "../base/paths.mjs";

/** The package that holds the document, and its file there. */
const packageName = "@neondatabase/api-client";
const fileName = "public-v2-for-users.gen.yaml";

/**
 * A part of the document: a schema, an operation, a parameter.
 *
 * @typedef {Record<string, any>} Part
 */

/** The HTTP methods, which are the keys of operations in a path. */
const methods = /** @type {const} */ (["get", "post", "put", "patch", "delete"]);

export class Document {
  /** @type {Part} */
  #root;

  constructor() {
    const text = readFileSync(installed(packageName, fileName), "utf8");
    // The document repeats some keys, which `json` allows.
    this.#root = /** @type {Part} */ (yaml.load(text, { json: true, schema: yaml.CORE_SCHEMA }));
  }

  /** The source of the document, as part of a sentence. */
  get name() {
    const { version } = JSON.parse(readFileSync(installed(packageName, "package.json"), "utf8"));
    return `${fileName} of ${packageName} ${version}`;
  }

  /**
   * All operations, by method and path such as `GET /projects/{project_id}`. Each includes the parameters of its path.
   * @returns {Map<string, Part>}
   */
  get operations() {
    return new Map(
      Object.entries(/** @type {Record<string, Part>} */ (this.#root.paths)).flatMap(([path, item]) =>
        methods
          .filter((method) => method in item)
          .map((method) => {
            const parameters = [...(item.parameters ?? []), ...(item[method].parameters ?? [])];
            return /** @type {const} */ ([
              `${method.toUpperCase()} ${path}`,
              { ...item[method], parameters: parameters.map((one) => this.resolved(one)) },
            ]);
          }),
      ),
    );
  }

  /** The target of a reference, or the part itself. @param {Part} part @returns {Part} */
  resolved(part) {
    return part.$ref === undefined ? part : this.resolved(this.#at(part.$ref));
  }

  /** @param {string} reference @returns {Part} */
  #at(reference) {
    return reference
      .split("/")
      .slice(1)
      .reduce((part, name) => part[name], this.#root);
  }
}

/** The body of an operation, if it has one. @param {Document} document @param {Part} operation */
export function bodyOf(document, { requestBody }) {
  if (requestBody === undefined) return undefined;
  const { required = false, content } = document.resolved(requestBody);
  const schema = /** @type {Part | undefined} */ (content["application/json"]?.schema);
  return schema && { isRequired: /** @type {boolean} */ (required), schema };
}

/** The name of the component that a part refers to. @param {Part} part */
export function componentOf({ $ref }) {
  return /** @type {string} */ ($ref).split("/").at(-1) ?? "";
}
