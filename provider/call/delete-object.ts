import { ignoreNotFound, invalid, isNotFound, summaryOf } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import { type Change, type Overtaken, projectOf } from "./change";

export interface Deletion<A extends object> extends Pick<
  Change<A>,
  "what" | "project" | "applies" | "beforeResend" | "silent"
> {
  /** Undefined if nothing has to be sent: the call only confirms that the object does not exist. */
  readonly request?: Request<A> | undefined;
  /** The object as messages name it, such as `compute ep-1`. */
  readonly object: string;
  readonly exists: () => Promise<boolean>;
  /** Whether an answer confirms the deletion. Default: every answer does. */
  readonly confirms?: (answer: A) => boolean;
  /** Replaces an error by one that explains it in terms of the object. */
  readonly explain?: (error: unknown) => unknown;
}

/** The running call, as far as a deletion needs it. */
interface DeletingContext {
  readonly change: <Response extends object>(change: Change<Response>) => Promise<Response | undefined>;
  readonly waitUntilIdle: (project: string | undefined) => Promise<unknown>;
  readonly overtaken: () => Promise<Overtaken | undefined>;
  /** Makes sure that an object that was not found is gone, and not only invisible to this key. */
  readonly assertVisible: () => Promise<void>;
}

/**
 * Deletes an object. If the platform does not find the object, it counts as deleted only once a read confirms that: an
 * earlier delete may still be running, and if its operation fails, the object exists again.
 */
export async function deleteObject<A extends object>(context: DeletingContext, deletion: Deletion<A>): Promise<void> {
  const { object, confirms = () => true, explain, request, ...change } = deletion;
  const exists = async (): Promise<boolean> =>
    (await deletion.exists()) && (await context.overtaken())?.by !== "object";
  let reported: string | undefined;
  try {
    const answer = request && (await context.change({ ...change, request, done: async () => !(await exists()) }));
    if (request !== undefined && answer !== undefined) {
      if (confirms(answer)) return;
      reported = `${request.method} ${request.path} did not confirm the deletion`;
    }
  } catch (error) {
    if (!isNotFound(error)) throw explain === undefined ? error : await explain(error);
    reported = summaryOf(error);
  }
  await ignoreNotFound(context.waitUntilIdle(projectOf(deletion)));
  if (!(await exists())) return context.assertVisible();
  const reason = reported === undefined ? "" : ` (${reported})`;
  throw invalid(`The ${object} still exists: an earlier delete may have failed${reason}`, {
    retry: "Run the same command again.",
  });
}
