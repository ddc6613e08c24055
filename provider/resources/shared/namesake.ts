import { invalid, type PlatformError } from "../../../api/errors";
import type { Context } from "../../kind/context";

/** What tells two objects of one name apart. */
type Identity = { readonly createdAt: string } | { readonly number: number };

/** Warns that an object is not deleted, because it only has the name of the one in the state. */
export function warnOfNamesake(context: Context, object: string, saved: Identity, present: Identity): void {
  context.warn(
    `The ${object} was not deleted: it is not the one in the state (${described(saved)}), but another one of the same name (${described(present)}). Delete it if nothing manages it.`,
  );
}

/** Warns that from now on the state holds another object than before. */
export function warnOfAnother(context: Context, object: string, saved: Identity, present: Identity): void {
  context.warn(
    `The ${object} is not the one that was in the state (${described(saved)}), but another one of the same name (${described(present)}). The state holds this one now. If another stack manages it, remove the resource with \`pulumi state delete\`.`,
  );
}

/** The error of a change to an object that only has the name of the one in the state. */
export function notTheSame(object: string, saved: Identity, present: Identity): PlatformError {
  return invalid(
    `The ${object} is not the one in the state (${described(saved)}), but another one of the same name (${described(present)})`,
    {
      fix: "If no other stack manages it, run `pulumi refresh`, and then `pulumi up`. Otherwise declare another name.",
    },
  );
}

function described(identity: Identity): string {
  return "number" in identity ? `number ${identity.number}` : `created at ${identity.createdAt}`;
}
