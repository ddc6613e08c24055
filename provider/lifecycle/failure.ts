import { HttpError, isNotFound, PlatformError, summaryOf } from "../../api/errors";
import type { Kind } from "../kind/kind";

/** The effect of a call that failed before the platform accepted anything. */
const unchanged = {
  create: "Nothing was created.",
  update: "Nothing was changed.",
  read: "The state was not changed.",
  delete: "Nothing was deleted.",
} as const;

/** Adds to the error of a call before whose failure nothing was accepted that nothing has changed. */
export function nothingDone(error: unknown, verb: keyof typeof unchanged): unknown {
  if (!isOfExchange(error) || isDenied(error)) return error;
  // A run that was killed before it recorded a deletion can have deleted what the object was to be created in.
  const isParentGone = verb === "create" && isNotFound(error);
  const next = isParentGone
    ? { next: "If the program declares the missing object, run `pulumi refresh` and then `pulumi up`." }
    : {};
  return new Error(error.describe({ state: unchanged[verb], ...next }), { cause: error });
}

/** Whether an error is about a request that only reads, or that was not performed. */
export function isOfExchange(error: unknown): error is PlatformError {
  return PlatformError.isInstance(error) && ["http", "unreachable", "unreadable"].includes(error.kind);
}

/** Whether the API key was refused: every other request would be, too. */
export function isDenied(error: unknown): boolean {
  return HttpError.isInstance(error) && (error.status === 401 || error.status === 403);
}

/** The object in the state is gone: there is nothing to update. */
export class GoneError extends PlatformError {}

export function goneError({ noun }: Pick<Kind<never, never>, "noun">, id: string, cause?: unknown): GoneError {
  const reason = cause === undefined ? "" : ` (${summaryOf(cause)})`;
  return new GoneError(
    "invalid",
    `The ${noun} ${id} no longer exists${reason}. Run \`pulumi refresh\`; the next \`pulumi up\` then creates a new one.`,
    cause,
  );
}

export function missingAfterCreate({ noun }: Pick<Kind<never, never>, "noun">, id: string): PlatformError {
  return new PlatformError(
    "outcome-unknown",
    `The platform reported that it created the ${noun} ${id}, but it cannot be found`,
    undefined,
    { fallback: "If it stays missing, run `pulumi refresh`; the next `pulumi up` then creates a new one." },
  );
}
