import { hasStatus, NeonError } from "../../api/errors";

/** An object of that natural key exists already; found before a request was sent that would overwrite it. */
export class AlreadyThereError extends NeonError {
  constructor(message: string) {
    super("invalid", message, undefined, { fix: "Declare another one." });
  }
}

/** Whether a creation failed because there is an object of its natural key. */
export function isConflict(error: unknown): boolean {
  return error instanceof AlreadyThereError || hasStatus(error, 409);
}
