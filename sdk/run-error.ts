import * as pulumi from "@pulumi/pulumi";

/**
 * An error that Pulumi shows to the user as its message alone. It has no stack: with one, Pulumi's runtime spends up to a
 * minute formatting everything reachable from the rejected output, and then discards the text.
 */
export function runError(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = "";
  return error;
}
