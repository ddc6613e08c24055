import type { Context } from "../../kind/context";

/** What tells two objects of one name apart. */
type Identity = { readonly createdAt: string } | { readonly number: number };

/** Warns that an object is not deleted, because it only has the name of the one in the state. */
export function warnOfNamesake(context: Context, object: string, saved: Identity, present: Identity): void {
  context.warn(
    `The ${object} was not deleted: it is not the one in the state (${described(saved)}), but another one of the same name (${described(present)}). Delete it if nothing manages it.`,
  );
}

function described(identity: Identity): string {
  return "number" in identity ? `number ${identity.number}` : `created at ${identity.createdAt}`;
}
