import type { z } from "zod";

import type { ContentType } from "../content";
import type { Absence } from "./absence";

declare module "zod" {
  interface GlobalMeta {
    /** The name of the type in TypeScript. */
    title?: string;
    /** Instead of the description: the input or output should not be used any more, and why. */
    deprecationMessage?: string;
    /**
     * What Neon uses if the creation names no value. The reference says it, an import does not declare it, and declaring it changes
     * nothing of an object that reports no value.
     */
    default?: unknown;
    /** The output is a secret, and so is an input of its name. */
    secret?: true;
    absence?: Absence;
    /** It is one of Pulumi's files or archives. */
    content?: ContentType;
    /** What to know about the replacement that a change of this input causes. That it does is not written: its rule says so. */
    replacement?: string;
    /** A literal `true` of this input also sets Pulumi's resource option `protect`. */
    protects?: true;
    /** What other tools call the members of these inputs, and what to declare here. */
    otherNames?: Readonly<Record<string, string>>;
    /** The input is a time, so many days from now at the least and at the most. */
    daysFromNow?: { readonly least?: number; readonly most?: number };
  }
}

/** The outputs of a kind, in the order of their reference. */
export type OutputSchema<Outputs = unknown> = () => z.ZodObject & z.ZodType<Outputs>;

/** Outputs that hold inputs of these names as Neon reports them. The first sentence about an input describes both. */
export function asReported<Shape extends z.core.$ZodShape, Name extends keyof Shape & string>(
  inputs: z.ZodObject<Shape>,
  ...names: readonly Name[]
): Pick<Shape, Name> {
  return echoes(inputs, names, ({ description = "" }) => description.split(/(?<=\.) /, 1).join(""));
}

/** Outputs that hold inputs of these names as the program declares them: Neon does not report them, or others may change them. */
export function asDeclared<Shape extends z.core.$ZodShape, Name extends keyof Shape & string>(
  inputs: z.ZodObject<Shape>,
  ...names: readonly Name[]
): Pick<Shape, Name> {
  return echoes(inputs, names, () => "The declared value.");
}

function echoes<Shape extends z.core.$ZodShape, Name extends keyof Shape & string>(
  { shape }: z.ZodObject<Shape>,
  names: readonly Name[],
  words: (input: z.GlobalMeta) => string,
): Pick<Shape, Name> {
  const members = names.map((name) => {
    const input = shape[name] as unknown as z.ZodType;
    return [name, input.describe(words(input.meta() ?? {}))];
  });
  return Object.fromEntries(members) as Pick<Shape, Name>;
}

type Inferred<Schema extends OutputSchema> = z.infer<ReturnType<Schema>>;

/** The type of outputs. `Late` are those that only a read returns, not the response to the creation. */
export type OutputsOf<Schema extends OutputSchema, Late extends keyof Inferred<Schema> = never> = Readonly<
  Omit<Inferred<Schema>, Late> & { [Name in Late]?: Inferred<Schema>[Name] | undefined }
>;

const secrets = new WeakMap<OutputSchema, readonly string[]>();

/** The names of the secret outputs of a kind. */
export function secretsOf({ outputs }: { readonly outputs: OutputSchema }): readonly string[] {
  const known = secrets.get(outputs);
  if (known !== undefined) return known;
  const found = Object.entries(outputs().shape).flatMap(([name, schema]) =>
    (schema as z.ZodType).meta()?.secret === true ? [name] : [],
  );
  secrets.set(outputs, found);
  return found;
}
