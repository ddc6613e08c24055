import { isNotFound, PlatformError, summaryOf } from "../../../api/errors";
import type { Context } from "../../kind/context";
import type { Change } from "../../kind/mutation";

/** What a request answers, or undefined where it says that there is no such object. */
export async function present<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** How an object is removed. */
export interface Deletion<A extends object> extends Pick<Change<A>, "project" | "request" | "applies" | "silent"> {
  /** What is removed, as messages name it, such as `compute ep-1`. */
  readonly object: string;
  /** What is being done. Default: `delete` and what is removed. */
  readonly what?: string;
  readonly isThere: () => Promise<boolean>;
  /** Whether an answer tells that this request has removed it. Default: any does. */
  readonly tells?: (answer: A) => boolean;
  /** Says better why the platform has refused it. */
  readonly explained?: (error: unknown) => unknown;
}

/** Removes an object. That the platform does not find it is all right, once a look has shown the same. */
export async function deleteObject<A extends object>(context: Context, removal: Deletion<A>): Promise<void> {
  const { object, what = `delete ${object}`, isThere, tells = () => true, explained, ...change } = removal;
  const { method, path } = change.request;
  let seen: string | undefined;
  const answer = await context
    .change({ ...change, what, done: async () => !(await isThere()) })
    .catch(async (error: unknown) => {
      if (!isNotFound(error)) throw explained === undefined ? error : await explained(error);
      seen = summaryOf(error);
      return undefined;
    });
  if (answer !== undefined && tells(answer)) return;
  if (answer !== undefined) seen = `${method} ${path} was answered as if it were not there`;
  await confirmGone(context, { ...removal, seen });
}

/**
 * An object that a delete did not find can be on its way out by an earlier one, whose operation may yet end badly: then it
 * is there again.
 */
export async function confirmGone(context: Context, { object, project, isThere, seen }: Confirmation): Promise<void> {
  await present(context.waitUntilIdle(project));
  if (!(await isThere())) return context.assertVisible();
  throw new PlatformError(
    "invalid",
    `The ${object} is there again: an earlier attempt to delete it may have ended badly${seen === undefined ? "" : `. (${seen})`}`,
    undefined,
    { retry: "Run the same command again." },
  );
}

/** What has to be gone, and what the platform has said of it. */
interface Confirmation extends Pick<Deletion<object>, "object" | "project" | "isThere"> {
  readonly seen?: string | undefined;
}
