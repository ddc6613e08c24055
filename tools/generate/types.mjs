// Pulumi's types, from JSON schemas.
import { Failure } from "../base/failure.mjs";

/** @typedef {import("./model.mjs").JsonSchema} JsonSchema */

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

const plain = ["string", "boolean", "integer", "number"];

/** The types of properties. Objects in them are named by their path, such as `BranchCompute`. */
export class Types {
  /** The named types, by their tokens. @type {Record<string, ObjectShape & { type: "object", description: string }>} */
  named = {};

  /** @param {import("./texts.mjs").Texts} texts */
  constructor(texts) {
    this.texts = texts;
  }

  /**
   * The properties of an object.
   *
   * @param {JsonSchema} schema
   * @param {string} name
   * @returns {ObjectShape}
   */
  shapeOf({ properties = {}, required = [] }, name) {
    const members = Object.entries(properties).map(([member, schema]) => {
      const path = pathOf(name, member);
      const { description, ...rest } = this.words(schema, path);
      return [
        member,
        { ...this.typeOf(schema, path), description: withValues(description, valuesOf(schema)), ...rest },
      ];
    });
    return { properties: sorted(Object.fromEntries(members)), required: [...required].sort() };
  }

  /**
   * @param {JsonSchema} schema
   * @param {string} name
   * @returns {PulumiType}
   */
  typeOf(schema, name) {
    const { anyOf, items, properties, additionalProperties } = schema;
    if (anyOf !== undefined) return { oneOf: anyOf.map((one) => this.typeOf(one, name)) };
    if (items !== undefined) return { type: "array", items: this.typeOf(items, singular(name)) };
    if (properties !== undefined) return this.reference(schema, name);
    if (additionalProperties) return { type: "object", additionalProperties: this.typeOf(additionalProperties, name) };
    // Pulumi has no `null`: such a member is absent.
    const [type, ...others] = [schema.type].flat().filter((one) => one !== "null");
    if (others.length === 0 && type !== undefined && plain.includes(type)) return { type };
    throw new Failure(`${name}: a value of the type ${JSON.stringify(schema.type)} has no type in Pulumi.`);
  }

  /**
   * @param {JsonSchema} schema
   * @param {string} name
   */
  reference(schema, name) {
    const token = `neon:index:${name}`;
    this.named[token] = { type: "object", ...this.words(schema.own ?? {}, name), ...this.shapeOf(schema, name) };
    return { $ref: `#/types/${token}` };
  }

  /**
   * @param {JsonSchema} schema
   * @param {string} name
   * @returns {{ description: string, deprecationMessage?: string }}
   */
  words({ description = "", deprecationMessage }, name) {
    if (description === "") throw new Failure(`${name} has no description.`);
    return {
      description: this.texts.neutral(description),
      ...(deprecationMessage === undefined ? {} : { deprecationMessage: this.texts.neutral(deprecationMessage) }),
    };
  }
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
 * @param {string} description
 * @param {readonly string[]} values
 */
function withValues(description, values) {
  if (values.every((value) => description.includes(`\`${value}\``))) return description;
  const names = values.map((value) => `\`${value}\``);
  return `${description} Must be ${names.join(", ").replace(/, (?=[^,]+$)/, " or ")}.`;
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
