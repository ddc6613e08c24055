import { ignoreNotFound, invalid, isNotFound, summaryOf } from "../../api/core/errors";
import type { Change } from "./change";
import type { Context } from "./context";

export interface Deletion<A extends object> extends Pick<
  Change<A>,
  "what" | "project" | "request" | "applies" | "beforeResend" | "silent"
> {
  /** The object as messages name it, such as `compute ep-1`. */
  readonly object: string;
  readonly exists: () => Promise<boolean>;
  /** Whether an answer confirms the deletion. Default: every answer does. */
  readonly confirms?: (answer: A) => boolean;
  /** Replaces an error by one that explains it in terms of the object. */
  readonly explain?: (error: unknown, context: Context) => unknown;
}

/** Deletes an object. An object that the platform does not find counts as deleted once a read confirms it. */
export async function deleteObject<A extends object>(context: Context, deletion: Deletion<A>): Promise<void> {
  const { confirms = () => true, explain, ...change } = deletion;
  const exists = async (): Promise<boolean> =>
    (await deletion.exists()) && (await context.overtaken())?.by !== "object";
  const { method, path } = change.request;
  let reported: string | undefined;
  try {
    const answer = await context.change({ ...change, done: async () => !(await exists()) });
    if (answer !== undefined) {
      if (confirms(answer)) return;
      reported = `${method} ${path} did not confirm the deletion`;
    }
  } catch (error) {
    if (!isNotFound(error)) throw explain === undefined ? error : await explain(error, context);
    reported = summaryOf(error);
  }
  await confirmDeleted(context, { ...deletion, exists, reported });
}

/** An object that has to be deleted, and why that is not certain yet. */
interface Unconfirmed extends Pick<Deletion<object>, "object" | "project" | "exists"> {
  readonly reported?: string | undefined;
}

/**
 * Makes sure that an object is deleted which a request did not find. An earlier delete may still be running: if its
 * operation fails, the object exists again.
 */
export async function confirmDeleted(
  context: Context,
  { object, project, exists, reported }: Unconfirmed,
): Promise<void> {
  await ignoreNotFound(context.waitUntilIdle(project));
  if (!(await exists())) return context.assertVisible();
  const reason = reported === undefined ? "" : ` (${reported})`;
  throw invalid(`The ${object} still exists: an earlier delete may have failed${reason}`, {
    retry: "Run the same command again.",
  });
}
