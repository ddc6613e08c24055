import type { z } from "zod";

import type { ContentType } from "../content";
import type { Absence } from "./absence";

declare module "zod" {
  interface GlobalMeta {
    absence?: Absence;
    /** It is one of Pulumi's files or archives. */
    content?: ContentType;
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

/** Members with their words: inputs that outputs hold, or members of the API. */
export function only<Shape extends object, Name extends keyof Shape & string>(
  shape: Shape,
  ...names: readonly Name[]
): Pick<Shape, Name> {
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<Shape, Name>;
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
