import { HttpError, isNotFound, PlatformError } from "../../../api/errors";

/** What a read returns, or `undefined` if the platform answers 404. */
export async function ignoreNotFound<Answer>(read: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether the platform refused a request with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is HttpError {
  return HttpError.isInstance(error) && statuses.includes(error.status);
}

/** The error of a refused request, in terms of the object: what failed and why, the platform's words, what to do. */
export function explained(what: string, error: HttpError, fix: string): PlatformError {
  return new PlatformError("invalid", `${what} (${error.summary})`, error, { fix });
}
