import { describeError, isNotFound, NeonError, OutcomeUnknownError, summaryOf } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import { isEnded } from "../../api/operations/status";
import type { Operation } from "../../api/schemas/operation";
import type { Values } from "../values";
import { projectIn } from "./collection";
import type { Progress } from "./progress";
import type { Requests } from "./requests";

/** A request that changes or deletes an object. */
export interface Change<Response extends object> {
  /** The action in messages, such as `resize compute`. */
  readonly what: string;
  /** The project whose operations the change can start. Default: the one in the path of the request. */
  readonly project?: string | undefined;
  readonly request: Request<Response>;
  /** Paths of the inputs that the change applies. They are applied again if its operations fail. */
  readonly applies?: readonly string[];
  /**
   * Outputs that only the response reports. They are recorded before its operations are waited for. The response is
   * undefined if it was lost and the change was found to be done.
   */
  readonly outputs?: (response: Response | undefined) => Values;
  /** Waits for effects of the change beyond its operations. Until then, the inputs do not count as applied. */
  readonly finish?: () => Promise<void>;
  /**
   * Whether the change is done. Called if the response was lost or is empty. `isSince` tells whether a time of the
   * platform can be after the request was sent.
   */
  readonly done: (isSince: (time: string | undefined) => boolean) => Promise<boolean>;
  /**
   * Evidence for the state that tells later whether the change has been made: `before` is recorded when it is sent,
   * `after` once it is made.
   */
  readonly evidence?: { readonly before: Values; readonly after: () => Promise<Values> };
  /** Called before the change is sent again. */
  readonly beforeResend?: () => Promise<unknown>;
  /**
   * The compute whose configuration the change sets. If it already is as wanted, the response names no operation,
   * although one may still be running.
   */
  readonly configures?: string;
  /** The response is empty and names no operation, so only a read tells whether the change was performed. */
  readonly silent?: true;
}

/** Why a change must not be sent again. */
export interface Overtaken {
  /**
   * `object`: another object has the id of the object. `setting`: another program has set the setting that is to be
   * deleted.
   */
  readonly by: "object" | "setting";
  readonly error: Error;
}

/** The running call, as far as a change needs it. */
interface ChangeContext {
  /** Why this call may no longer change the object; undefined if it may. */
  readonly overtaken: () => Promise<Overtaken | undefined>;
  readonly requests: Requests;
  readonly progress: Progress;
  readonly mutate: Requests["mutate"];
  readonly unfinishedSince: (
    project: string | undefined,
    outputs: Values,
    sentAt: () => Date,
  ) => Promise<readonly Operation[]>;
  readonly waitFor: (operations: readonly Operation[], applies: readonly string[]) => Promise<void>;
}

/**
 * Makes a change: sends it, records it and waits for it, in this order. If anything fails after the platform has
 * accepted the change, the call's progress is already recorded. Returns undefined if the response was lost.
 */
export async function makeChange<Response extends object>(
  context: ChangeContext,
  change: Change<Response>,
): Promise<Response | undefined> {
  const { what, applies = [], outputs, silent, evidence } = change;
  const project = projectOf(change);
  const { progress, requests } = context;
  const { serverClock } = requests.client;
  const sentAt = serverClock.capture();
  const isDone = async (): Promise<boolean> => {
    const isSince = (time = ""): boolean => Date.parse(time) >= serverClock.earliestTimestamp(sentAt());
    return (await requests.search(async () => ((await change.done(isSince)) ? true : undefined))) ?? false;
  };
  requests.show(what);
  if (evidence !== undefined) progress.evidence = evidence.before;
  const response = await send(context, change, isDone);
  progress.accepted(applies, outputs?.(response));
  const operations =
    response === undefined
      ? await context.unfinishedSince(project, progress.object?.outputs ?? {}, sentAt)
      : await startedBy(context, response, project, change.configures);
  await context.waitFor(operations, applies);
  if (silent === true && response !== undefined && !(await isDone())) {
    await assertResendable(context, change);
    throw notDone(change);
  }
  await change.finish?.();
  progress.succeeded(applies);
  if (evidence !== undefined) progress.evidence = await evidence.after();
  return response;
}

/** The project whose operations a change or a deletion can start. */
export function projectOf(of: {
  readonly project?: string | undefined;
  readonly request?: Request<unknown> | undefined;
}): string | undefined {
  return "project" in of || of.request === undefined ? of.project : projectIn(of.request);
}

/**
 * The operations that a response names. If it names none, those of the same change that a killed run has started and
 * that are still running.
 */
async function startedBy(
  context: ChangeContext,
  response: object,
  project: string | undefined,
  configures: string | undefined,
): Promise<readonly Operation[]> {
  const named = operationsOf(response);
  if (named.length > 0 || configures === undefined || project === undefined) return named;
  const latest = await context.requests.operations.latest(project, 20);
  return latest.filter(
    ({ action, endpoint_id: id, status }) => action === "apply_config" && id === configures && !isEnded(status),
  );
}

/** Sends a change until a response arrives, or the change is found to be done. */
async function send<Response extends object>(
  context: ChangeContext,
  change: Change<Response>,
  isDone: () => Promise<boolean>,
): Promise<Response | undefined> {
  const { what, request, applies = [] } = change;
  for (;;) {
    try {
      return await context.mutate(request, () => assertResendable(context, change));
    } catch (error) {
      if (!OutcomeUnknownError.isInstance(error)) throw error;
      context.progress.sent(applies);
      context.requests.show(`${what}: the response was lost, checking the result`);
      const found = await isDone().catch((cause: unknown) => {
        // A 404 is a result, too: the object is gone.
        throw isNotFound(cause) ? cause : unknownOutcome(error, checkFailed(cause), runAgain, cause);
      });
      if (found) return undefined;
      context.requests.assertTime(unknownOutcome(error, "Nothing has changed so far", runAgain));
      await assertResendable(context, change);
    }
  }
}

async function assertResendable(
  context: ChangeContext,
  { beforeResend }: Pick<Change<object>, "beforeResend">,
): Promise<void> {
  await assertNotOvertaken(context);
  await beforeResend?.();
}

/** @throws Error that says why the change must not be sent */
export async function assertNotOvertaken(context: Pick<ChangeContext, "overtaken">): Promise<void> {
  const overtaken = await context.overtaken();
  if (overtaken !== undefined) throw overtaken.error;
}

/** The operations that a response names, if it has such a member. */
export function operationsOf(response: { readonly operations?: unknown }): readonly Operation[] {
  // If the platform documents the member, the response's schema has already parsed it.
  return (response.operations as readonly Operation[] | undefined) ?? [];
}

const runAgain = "Run the same command again.";

function notDone({ what, request: { method, path } }: Pick<Change<object>, "what" | "request">): NeonError {
  const summary = `${method} ${path} succeeded, but the change was not made: ${what}`;
  return new NeonError("outcome-unknown", summary, undefined, { retry: runAgain });
}

export function checkFailed(cause: unknown): string {
  return `Checking the result failed, too: ${describeError(cause, {})}`;
}

/** The outcome of a mutation is unknown, even after checking for its result. */
export function unknownOutcome(error: Error, finding: string, retry: string, cause: unknown = error): NeonError {
  return new NeonError("outcome-unknown", `${summaryOf(error)}. ${finding}`, cause, { retry });
}
