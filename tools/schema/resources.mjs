// The resources: inputs from the kinds, outputs from the classes in `sdk/resources`.
import { ArrayType, IntrinsicType, LiteralType, ReferenceType, ReflectionKind, UnionType } from "typedoc";
import { z } from "zod";
import { Failure } from "../base/failure.mjs";
import { exported } from "./reflection.mjs";
import { numberType, sorted } from "./types.mjs";

/** @typedef {import("./reflection.mjs").Declaration} Declaration */
/** @typedef {import("./reflection.mjs").Program} Program */
/** @typedef {import("./reflection.mjs").Type} Type */
/** @typedef {import("./texts.mjs").Texts} Texts */
/** @typedef {import("./types.mjs").Types} Types */
/** @typedef {import("./types.mjs").JsonSchema} JsonSchema */
/** @typedef {import("./types.mjs").Property} Property */
/** @typedef {import("./types.mjs").PulumiType} PulumiType */

/**
 * @typedef {object} Kind
 * @property {import("zod").ZodType} inputs
 * @property {Readonly<Record<string, true>>} secrets
 */

/**
 * @param {Readonly<Record<string, Kind>>} kinds
 * @param {Program} sdk
 * @param {Types} types
 * @param {Texts} texts
 */
export function resourcesOf(kinds, sdk, types, texts) {
  const resources = Object.entries(kinds).map(([name, { inputs, secrets }]) => {
    const schema = /** @type {JsonSchema} */ (z.toJSONSchema(inputs, { io: "input", unrepresentable: "any" }));
    const declared = types.shapeOf(schema, exported(sdk, `${name}Args`), name);
    const owner = exported(sdk, name);
    const outputs = outputsOf(owner).map((output) => {
      const { values, required } = valueOf(output);
      /** @type {Property} */
      const property = { ...(typeIn(declared.properties, output.name) ?? typeOf(values, output)), ...texts.of(output) };
      if (secrets[output.name]) property.secret = true;
      return { name: output.name, property, required };
    });
    const resource = {
      ...texts.of(owner),
      inputProperties: withSecrets(declared.properties, secrets),
      requiredInputs: declared.required,
      properties: sorted(Object.fromEntries(outputs.map((output) => [output.name, output.property]))),
      required: outputs.flatMap((output) => (output.required ? [output.name] : [])).sort(),
      // A stack that was made with the classes of `sdk/` has its resources under this type.
      aliases: [{ type: `pulumi-nodejs:dynamic/neon:${name}` }],
    };
    return [`neon:index:${name}`, resource];
  });
  return sorted(Object.fromEntries(resources));
}

/**
 * Inputs that have the names of secret outputs are secret, too.
 *
 * @param {Readonly<Record<string, Property>>} properties
 * @param {Readonly<Record<string, true>>} secrets
 */
function withSecrets(properties, secrets) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      secrets[name] ? { ...property, secret: true } : property,
    ]),
  );
}

/**
 * The outputs of a class, those of its base classes included.
 *
 * @param {Declaration} owner
 */
function outputsOf(owner) {
  return (owner.children ?? []).filter(({ kind }) => kind === ReflectionKind.Property);
}

/**
 * The types that the value of an output can have, and whether there always is one.
 *
 * @param {Declaration} output
 */
function valueOf({ name, parent, type }) {
  const value = type instanceof ReferenceType ? type.typeArguments?.[0] : undefined;
  if (value === undefined) throw new Failure(`${parent?.name}.${name} in sdk/ is no output.`);
  const all = value instanceof UnionType ? value.types : [value];
  const values = all.filter((one) => !(one instanceof IntrinsicType && one.name === "undefined"));
  return { values, required: values.length === all.length };
}

/**
 * An output that is an input, too, has the type of the input.
 *
 * @param {Readonly<Record<string, Property>>} inputs
 * @param {string} name
 * @returns {PulumiType | undefined}
 */
function typeIn(inputs, name) {
  if (inputs[name] === undefined) return undefined;
  const { description: _, deprecationMessage: __, ...type } = inputs[name];
  return type;
}

/**
 * The type of any other output.
 *
 * @param {readonly Type[]} values
 * @param {Declaration} output
 * @returns {PulumiType}
 */
function typeOf(values, output) {
  const [value] = values;
  if (value instanceof ArrayType) return { type: "array", items: typeOf([value.elementType], output) };
  if (value instanceof IntrinsicType && value.name === "number") return { type: numberType(output.name) };
  if (value instanceof IntrinsicType && ["string", "boolean"].includes(value.name)) return { type: value.name };
  if (values.every((one) => one instanceof LiteralType && typeof one.value === "string")) return { type: "string" };
  throw new Failure(`${output.parent?.name}.${output.name}: this type of an output has no type in Pulumi yet.`);
}
