import { failure } from "./run-error";

/**
 * Says which argument of a lookup is missing: in a program without types, or where an output comes to nothing. Left out of
 * a request, it would have the platform answer something else, or nothing that helps.
 */
export function assertNeeded<Args extends object>(lookup: string, args: Args, ...names: (keyof Args & string)[]): void {
  for (const name of names) {
    if (typeof args[name] !== "string" || args[name] === "") throw failure(`${lookup} needs \`${name}\`.`);
  }
}
