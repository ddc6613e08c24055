// The functions: arguments and answers from the lookups, descriptions from `sdk/data-sources`.
import { z } from "zod";
import { Failure } from "../base/failure.mjs";
import { exported, interfaceIn } from "./reflection.mjs";
import { pathOf, sorted } from "./types.mjs";

/** @typedef {import("./reflection.mjs").Program} Program */
/** @typedef {import("./reflection.mjs").Type} Type */
/** @typedef {import("./texts.mjs").Texts} Texts */
/** @typedef {import("./types.mjs").Types} Types */
/** @typedef {import("./types.mjs").JsonSchema} JsonSchema */
/** @typedef {import("./types.mjs").ObjectShape} ObjectShape */

/**
 * @typedef {object} Lookup
 * @property {import("zod").ZodType} args
 * @property {import("zod").ZodType} answer What the function answers: an object.
 * @property {string | undefined} list The only member of the answer, if the data source returns a list.
 * @property {readonly string[]} secrets Members of the answer that are secret.
 */

/**
 * @param {Readonly<Record<string, Lookup>>} lookups
 * @param {Program} sdk
 * @param {Types} types
 * @param {Texts} texts
 */
export function functionsOf(lookups, sdk, types, texts) {
  const functions = Object.entries(lookups).map(([name, lookup]) => {
    const declaration = exported(sdk, name);
    const [signature] = declaration.signatures ?? [];
    const path = pathOf("", name);
    const described = texts.of(declaration);
    const args = schemaOf(lookup.args);
    const inputs =
      Object.keys(args.properties ?? {}).length > 0
        ? objectOf(types.shapeOf(args, descriptionIn(signature?.parameters?.[0]?.type, `${name}: its arguments`), path))
        : undefined;
    const result = descriptionIn(signature?.type, `${name}: its result`);
    const answer = schemaOf(lookup.answer);
    const outputs =
      lookup.list === undefined
        ? types.shapeOf(answer, result, path)
        : listShape(lookup.list, types.typeOf(memberIn(answer, lookup.list), result, pathOf(path, lookup.list)));
    for (const secret of lookup.secrets) Object.assign(memberIn(outputs, secret), { secret: true });
    return [`neon:index:${name}`, { ...described, ...(inputs && { inputs }), outputs: objectOf(outputs) }];

    /**
     * @param {string} member
     * @param {import("./types.mjs").PulumiType} type
     * @returns {ObjectShape}
     */
    function listShape(member, type) {
      return { properties: { [member]: { ...type, description: listed(described.description) } }, required: [member] };
    }
  });
  return sorted(Object.fromEntries(functions));
}

/** @param {import("zod").ZodType} schema */
function schemaOf(schema) {
  return /** @type {JsonSchema} */ (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

/**
 * @param {Type | undefined} type
 * @param {string} what
 */
function descriptionIn(type, what) {
  const found = interfaceIn(type);
  if (found === undefined) throw new Failure(`${what} have no interface in sdk/ that describes them.`);
  return found;
}

/**
 * @template Member
 * @param {{ readonly properties?: Readonly<Record<string, Member>> }} shape
 * @param {string} name
 * @returns {Member}
 */
function memberIn({ properties = {} }, name) {
  const member = properties[name];
  if (member === undefined) throw new Failure(`A lookup names the member ${name}, but its answer does not have it.`);
  return member;
}

/** @param {ObjectShape} shape */
function objectOf({ properties, required }) {
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

/**
 * What a list holds: `The roles of a branch.` of the function that `Lists the roles of a branch.`
 *
 * @param {string} description
 */
function listed(description) {
  const [, what = ""] = /^Lists t(he .+?\.)(?=\s|$)/.exec(description) ?? [];
  if (what === "") throw new Failure(`"${description}" does not begin with what the function lists.`);
  return `T${what}`;
}
