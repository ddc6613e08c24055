import * as pulumi from "@pulumi/pulumi";

/**
 * An error for the user of a program, shown as its message. It has no stack, which nobody is shown: with one, Pulumi's
 * runtime spends up to a minute on printing all that hangs on the rejected output, only to throw it away.
 */
export function failure(message: string): pulumi.RunError {
  const error = new pulumi.RunError(message);
  error.stack = "";
  return error;
}
