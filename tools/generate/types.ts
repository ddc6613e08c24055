// Types of the Pulumi schema, and descriptions without references to TypeScript.
import { type JsonSchema, membersOf } from "./json-schema";

interface PulumiType {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: PulumiType;
  readonly additionalProperties?: PulumiType;
  readonly oneOf?: readonly PulumiType[];
}

export interface ObjectType {
  readonly properties: Readonly<Record<string, PulumiType & { readonly description: string; readonly secret?: true }>>;
  readonly required: readonly string[];
}

/** The types of properties. Objects in them are named by their path, such as `BranchCompute`. */
export class Types {
  private readonly named = new Map<string, object>();

  /** The named types, by their tokens. */
  all(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.named].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** The properties of an object. */
  shapeOf(
    schema: JsonSchema,
    name: string,
    secrets: readonly string[] = [],
    use: "input" | "output" = "input",
  ): ObjectType {
    const members = membersOf(schema).map(([member, one]) => {
      const path = `${name}${member.charAt(0).toUpperCase()}${member.slice(1)}`;
      const { description, ...rest } = words(one, path);
      const property = {
        ...this.typeOf(one, path),
        description: use === "input" ? withValues(description, one) : description,
        ...rest,
        ...(secrets.includes(member) ? { secret: true as const } : {}),
      };
      return [member, property] as const;
    });
    const properties = Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
    return { properties, required: [...(schema.required ?? [])].sort() };
  }

  private typeOf(schema: JsonSchema, name: string): PulumiType {
    const { anyOf, items, properties, additionalProperties, content } = schema;
    if (content !== undefined) return { $ref: `pulumi.json#/${content === "asset" ? "Asset" : "Archive"}` };
    if (anyOf !== undefined) return { oneOf: anyOf.map((one) => this.typeOf(one, name)) };
    // Items are named in singular: one of the `branches` is a branch, and one of the `settings` a setting.
    if (items !== undefined)
      return { type: "array", items: this.typeOf(items, name.replace(/(?<=ch)es$|(?<=[^s])s$/, "")) };
    if (properties !== undefined) {
      const token = `neon:index:${name}`;
      // Outputs share some types with inputs. Keep the input's description, which also says how to declare the value.
      if (!this.named.has(token))
        this.named.set(token, { type: "object", ...words(schema.own ?? {}, name), ...this.shapeOf(schema, name) });
      return { $ref: `#/types/${token}` };
    }
    if (additionalProperties) return { type: "object", additionalProperties: this.typeOf(additionalProperties, name) };
    // Pulumi has no `null`: such a member is absent.
    const [type = "", ...others] = [schema.type].flat().filter((one) => one !== "null");
    if (others.length === 0 && ["string", "boolean", "integer", "number"].includes(type)) return { type };
    throw new Error(`${name}: a value of the type ${JSON.stringify(schema.type)} has no type in Pulumi.`);
  }
}

/** Matches text that makes sense in TypeScript only. */
const typeScript = /\b(pulumi|neon)\.[a-z]|=>|\bawait\b|\w<|\w(Output|Args)\b|\b[Pp]romise\b|`\{\}`/;

/** A description for all languages, without links, with each paragraph on one line. */
export function words(
  { description = "", deprecationMessage }: Pick<JsonSchema, "description" | "deprecationMessage">,
  name: string,
) {
  if (description === "") {
    const place = name.includes(".") ? "in its schema" : `below \`## ${name}\` in the .md beside its kind or lookup`;
    throw new Error(`${name} has no description: write it ${place}.`);
  }
  const text = description
    .replaceAll(/\{@link (\w+)\}/g, "`$1`")
    .replaceAll(/(?<!\n)\n(?![\n-])/g, " ")
    .trim();
  if (typeScript.test(text)) throw new Error(`${name}: "${text}" is for programs in TypeScript only.`);
  return { description: text, ...(deprecationMessage === undefined ? {} : { deprecationMessage }) };
}

/** Appends the allowed values of a text. The type stays a string, because the platform may add values. */
function withValues(description: string, { enum: values, const: only }: JsonSchema): string {
  const names = (values ?? (only === undefined ? [] : [only])).map((value) => `\`${value}\``);
  if (names.every((name) => description.includes(name))) return description;
  return `${description} Must be ${names.join(", ").replace(/, (?=[^,]+$)/, " or ")}.`;
}
