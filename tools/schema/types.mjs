// Pulumi's types, from the JSON schemas that zod writes.
import { Failure } from "../base/failure.mjs";
import { interfaceIn, memberOf } from "./reflection.mjs";

/** @typedef {import("./reflection.mjs").Declaration} Declaration */
/** @typedef {import("./texts.mjs").Texts} Texts */

/** @typedef {"string" | "boolean" | "integer" | "number" | "array" | "object" | "null"} JsonType */

/**
 * A JSON schema, as far as zod's schemas in this repository need it.
 *
 * @typedef {object} JsonSchema
 * @property {JsonType | readonly JsonType[]} [type]
 * @property {Readonly<Record<string, JsonSchema>>} [properties]
 * @property {readonly string[]} [required]
 * @property {JsonSchema | false} [additionalProperties]
 * @property {JsonSchema} [items]
 * @property {readonly JsonSchema[]} [anyOf]
 * @property {readonly string[]} [enum]
 * @property {string} [const]
 */

/**
 * @typedef {object} PulumiType
 * @property {string} [type]
 * @property {string} [$ref]
 * @property {PulumiType} [items]
 * @property {PulumiType} [additionalProperties]
 * @property {readonly PulumiType[]} [oneOf]
 */

/** @typedef {PulumiType & { description?: string, deprecationMessage?: string, secret?: true }} Property */

/** @typedef {{ properties: Record<string, Property>, required: readonly string[] }} ObjectShape */

/** The types of properties. Objects in them are named by their path, such as `BranchCompute`. */
export class Types {
  /** The named types, by their tokens. @type {Record<string, ObjectShape & { type: "object", description: string }>} */
  named = {};

  /** @param {Texts} texts */
  constructor(texts) {
    this.texts = texts;
  }

  /**
   * The properties of an object that an interface in `sdk/` describes.
   *
   * @param {JsonSchema} schema
   * @param {Declaration} description
   * @param {string} name
   * @returns {ObjectShape}
   */
  shapeOf(schema, description, name) {
    const properties = Object.entries(schema.properties ?? {}).map(([property, type]) => {
      const member = memberOf(description, property);
      const value = this.typeOf(type, interfaceIn(member.type), pathOf(name, property));
      return [property, { ...value, ...this.texts.of(member, valuesOf(type)) }];
    });
    return { properties: sorted(Object.fromEntries(properties)), required: [...(schema.required ?? [])].sort() };
  }

  /**
   * @param {JsonSchema} schema
   * @param {Declaration | undefined} description What describes its members, if it is an object or contains one.
   * @param {string} name
   * @returns {PulumiType}
   */
  typeOf(schema, description, name) {
    if (schema.anyOf !== undefined) return { oneOf: schema.anyOf.map((one) => this.typeOf(one, description, name)) };
    if (schema.items !== undefined) {
      return { type: "array", items: this.typeOf(schema.items, description, singular(name)) };
    }
    if (schema.properties !== undefined) return this.reference(schema, description, name);
    if (schema.additionalProperties) {
      return { type: "object", additionalProperties: this.typeOf(schema.additionalProperties, description, name) };
    }
    // Pulumi has no `null`: such a member is absent.
    const [type, ...others] = [schema.type].flat().filter((one) => one !== "null");
    if (type === "number") return { type: numberType(name) };
    if (others.length === 0 && (type === "string" || type === "boolean" || type === "integer")) return { type };
    throw new Failure(`${name}: a value of the type ${JSON.stringify(schema.type)} has no type in Pulumi.`);
  }

  /**
   * @param {JsonSchema} schema
   * @param {Declaration | undefined} description
   * @param {string} name
   */
  reference(schema, description, name) {
    if (description === undefined) throw new Failure(`${name}: no interface in sdk/ describes this object.`);
    const token = `neon:index:${name}`;
    this.named[token] = {
      type: "object",
      ...this.texts.of(description),
      ...this.shapeOf(schema, description, name),
    };
    return { $ref: `#/types/${token}` };
  }
}

/**
 * Numbers are whole, except sizes in compute units.
 *
 * @param {string} name
 */
export function numberType(name) {
  return /Cu$|MaxAutoscalingLimit$/.test(name) ? "number" : "integer";
}

/**
 * The only values of a text, if it is closed. Its type is still a string: the platform adds values.
 *
 * @param {JsonSchema} schema
 */
function valuesOf({ enum: values, const: only }) {
  return values ?? (only === undefined ? [] : [only]);
}

/**
 * The name of what is in a member.
 *
 * @param {string} owner
 * @param {string} member
 */
export function pathOf(owner, member) {
  return `${owner}${member.charAt(0).toUpperCase()}${member.slice(1)}`;
}

/**
 * The name of an item of a list.
 *
 * @param {string} list
 */
function singular(list) {
  return list.replace(/(?<=ch)es$|(?<=[^s])s$/, "");
}

/**
 * @template T
 * @param {Readonly<Record<string, T>>} record
 * @returns {Record<string, T>}
 */
export function sorted(record) {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}
