import { hasStatus, isConflict, messageOf, withoutStop } from "../../api/core/errors";
import type { Creation } from "../kind/creation";
import { changesAt, declaredPaths } from "../kind/differences";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { missingAfterCreate } from "./errors";
import { existing, type Existing } from "./existing/namesakes";
import { SentCreation } from "./sent-creation";
import { Work } from "./work";

/**
 * Creates the object of a resource, and waits until it can be used.
 *
 * @throws ConflictError if there is one of its natural key that no resource of this run has
 */
export async function createObject(work: Work, inputs: Values): Promise<Values> {
  const { kind, progress } = work;
  const creation = kind.create(inputs, { orgId: work.orgId });
  assertFree(work, await lookBefore(work, inputs, creation));
  const sent = new SentCreation(work, inputs, creation, async () => assertFree(work, await lookAgain(work, inputs)));
  await sent.send().catch(async (error: unknown) => {
    if (progress.pending !== undefined) throw error;
    const explained = creation.explain === undefined ? error : await creation.explain(work, error);
    throw await explainConflict(work, inputs, explained);
  });
  const known = (): Values => progress.object?.outputs ?? {};
  const declared = changesAt(declaredPaths(kind, inputs));
  const left = (creation.leaves ?? []).filter((path) => declared.has(path));
  if (left.length > 0) await kind.update?.(work, known(), inputs, changesAt(left));
  await kind.finishing?.complete?.(work, known());
  const outputs = await confirmedRead(work, known());
  if (outputs === undefined) throw missingAfterCreate(kind, kind.id(known()));
  return outputs;
}

/** Looks for what is there before the request is sent. Where the platform refuses a second one, it need not succeed. */
async function lookBefore(work: Work, inputs: Values, { overwrites }: Creation<Values>): Promise<Existing> {
  if (overwrites === true) return lookAgain(work, inputs);
  try {
    // Reads no passwords.
    return await existing(new Work(work, work.call, "look", { values: inputs }), inputs, { isCreating: true });
  } catch (error) {
    // The creation would be refused, too.
    if (hasStatus(error, 401)) throw error;
    const text = `It is not known what else there is of this ${work.kind.noun}: ${withoutStop(messageOf(error))}.`;
    return { beside: [{ id: "", text }] };
  }
}

function lookAgain(work: Work, inputs: Values, error?: unknown): Promise<Existing> {
  // Reads no passwords.
  const look = new Work(work, work.call, "preview", { values: inputs });
  look.requests.reads = "alone";
  return existing(look, inputs, { counted: error === undefined ? "now" : "refused", isCreating: true, error });
}

function assertFree(work: Work, { conflict, beside }: Existing): void {
  const { services, call } = work;
  if (conflict !== undefined) throw conflict;
  for (const { id, text } of beside) {
    // The same process has said it when it checked the resource.
    if (services.told.has(`${call.urn} ${id}`)) continue;
    services.told.add(`${call.urn} ${id}`);
    work.warn(text);
  }
}

/** The error of a creation: if it is a conflict, with the object that has the natural key, and what to do about it. */
async function explainConflict(work: Work, inputs: Values, error: unknown): Promise<unknown> {
  if (!isConflict(error)) return error;
  const { conflict = error } = await lookAgain(work, inputs, error).catch(() => ({ conflict: error }));
  return conflict;
}
