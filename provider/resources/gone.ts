import { isNotFound, PlatformError } from "../../api/errors";
import type { Context } from "../context";

/** What a request answers, or undefined where it says that there is no such object. */
export async function present<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * An object that a delete did not find can be on its way out by an earlier one, whose operation may yet end badly: then it
 * is there again.
 */
export async function confirmGone(
  context: Context,
  projectId: string,
  what: string,
  isThere: () => Promise<boolean>,
): Promise<void> {
  await present(context.settle(projectId));
  if (!(await isThere())) return;
  throw new PlatformError(
    "invalid",
    `The ${what} is there again: an earlier attempt to delete it ended badly. Run the same command again.`,
    undefined,
  );
}
