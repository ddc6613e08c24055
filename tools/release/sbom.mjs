// What users get with the packages, in the format of CycloneDX. `npm sbom --omit dev` leaves out what development needs as well.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../base/paths.mjs";
import { nodeVersion } from "./node.mjs";

/**
 * @typedef {object} Locked
 * @property {string} version
 * @property {string} [integrity]
 * @property {string} [license]
 * @property {Readonly<Record<string, string>>} [dependencies]
 */

/** @returns {string} */
export function billOfMaterials() {
  /** @type {{ packages: Readonly<Record<string, Locked>> }} */
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const paths = new Set([""]);
  const dependencies = [];
  // A set goes on to the paths that are added on the way.
  for (const path of paths) {
    const needed = Object.keys(packages[path]?.dependencies ?? {}).map((name) => placeOf(packages, path, name));
    for (const one of needed) paths.add(one);
    dependencies.push({ ref: referenceOf(packages, path), dependsOn: needed.map((one) => referenceOf(packages, one)) });
  }
  const [product, ...components] = [...paths].map((path) => componentOf(packages, path));
  const node = { type: "platform", name: "node", version: nodeVersion, purl: `pkg:generic/node@${nodeVersion}` };
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: product },
    // In the executables for Linux.
    components: [...components.toSorted((one, other) => (one.purl < other.purl ? -1 : 1)), node],
    dependencies: dependencies.toSorted((one, other) => (one.ref < other.ref ? -1 : 1)),
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/**
 * Where Node finds a package that another one needs.
 *
 * @param {Readonly<Record<string, Locked>>} packages
 * @param {string} from
 * @param {string} name
 * @returns {string}
 */
function placeOf(packages, from, name) {
  const path = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  return packages[path] || from === ""
    ? path
    : placeOf(packages, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}

/** @param {Readonly<Record<string, Locked>>} packages @param {string} path */
function componentOf(packages, path) {
  const { license, integrity } = /** @type {Locked} */ (packages[path]);
  const { name, version } = identityOf(packages, path);
  const purl = referenceOf(packages, path);
  const content = integrity && Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    purl,
    ...(license && { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(content && { hashes: [{ alg: "SHA-512", content }] }),
  };
}

/** @param {Readonly<Record<string, Locked>>} packages @param {string} path */
function referenceOf(packages, path) {
  const { name, version } = identityOf(packages, path);
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** @param {Readonly<Record<string, Locked>>} packages @param {string} path */
function identityOf(packages, path) {
  const { version, ...entry } = /** @type {Locked & { name?: string }} */ (packages[path]);
  return { name: entry.name ?? path.replace(/^.*node_modules\//, ""), version };
}
