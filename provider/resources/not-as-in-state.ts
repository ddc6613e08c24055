import { invalid, type NeonError } from "../../api/errors";

/** The error of a change to an object without an identity that is not as the state holds it. */
export function notAsInState(object: string): NeonError {
  return invalid(`The ${object} is not as in the state any more: another program may have set it`, {
    fix: "If no other stack manages it, run `pulumi refresh`, and then the same command again. Otherwise remove the resource with `pulumi state delete`.",
  });
}
