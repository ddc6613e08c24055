// The JSON schemas that zod writes.
import type { ContentType } from "../../provider/content";
import type { Absence } from "../../provider/kind/absence";

/** A JSON schema, as far as the schemas in this repository need it, with the metadata of `provider/kind/outputs.ts`. */
export interface JsonSchema {
  readonly description?: string | undefined;
  readonly deprecationMessage?: string;
  readonly note?: string;
  readonly omitted?: string;
  readonly absent?: string;
  readonly change?: string;
  readonly default?: unknown;
  readonly secret?: true;
  readonly protects?: true;
  readonly absence?: Absence;
  readonly content?: ContentType;
  /** The title and description of the type itself. `description` may hold those of a member instead. */
  readonly own?: { readonly title?: string; readonly description?: string };
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: JsonSchema | false;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly string[];
  readonly const?: string;
}

/** The members of an object. */
export function membersOf({ properties = {} }: JsonSchema): readonly (readonly [name: string, schema: JsonSchema])[] {
  return Object.entries(properties);
}
