import type { z } from "zod";

import type { ContentType } from "../content";
import type { Absence } from "./absence";

declare module "zod" {
  interface GlobalMeta {
    absence?: Absence;
    /** Neon returns the secret once, so an adopted or imported object lacks it. */
    isReturnedOnce?: true;
    /** The input is a Pulumi asset or archive. */
    content?: ContentType;
    /** A literal `true` of this input also sets Pulumi's resource option `protect`. */
    protects?: true;
    /** Names that other tools use for the members of these inputs, each with what to declare here instead. */
    otherNames?: Readonly<Record<string, string>>;
    /** The input is a time: at least and at most so many days from now. */
    daysFromNow?: { readonly least?: number; readonly most?: number };
  }
}

/** The outputs of a kind, in the order of the reference documentation. */
export type OutputSchema<Outputs = unknown> = () => z.ZodObject & z.ZodType<Outputs>;

/** Picks members with their descriptions: inputs that are outputs, too, or members of the API. */
export function only<Shape extends object, Name extends keyof Shape & string>(
  shape: Shape,
  ...names: readonly Name[]
): Pick<Shape, Name> {
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<Shape, Name>;
}

type Inferred<Schema extends OutputSchema> = z.infer<ReturnType<Schema>>;

/** The type of the outputs. `Late` names those that only a read returns, not the response to the creation. */
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
