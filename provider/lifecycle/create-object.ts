import { hasStatus, messageOf, withoutStop } from "../../api/core/errors";
import type { Creation } from "../kind/creation";
import { changesAt, declaredPaths } from "../kind/differences";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { missingAfterCreate } from "./errors";
import { existing, type Existing } from "./existing/namesakes";
import { SentCreation } from "./sent-creation";
import { type CreateWork, Work } from "./work";

/** How long to look for what is there already where the platform itself refuses a second one, in milliseconds. */
const patience = 10_000;

/**
 * Creates the object of a resource, and waits until it can be used.
 *
 * @throws ConflictError if there is one of its natural key that no resource of this run has
 */
export async function createObject(work: CreateWork): Promise<Values> {
  const { kind, context, inputs } = work;
  const { progress } = context;
  const creation = kind.create(inputs, { orgId: context.orgId });
  assertFree(work, await lookBefore(work, creation));
  const sent = new SentCreation(work, creation, async () => assertFree(work, await lookAgain(work)));
  await sent.send().catch(async (error: unknown) => {
    if (progress.pending !== undefined) throw error;
    const explained = creation.explain === undefined ? error : await creation.explain(context, error);
    throw await explainConflict(work, explained);
  });
  const known = (): Values => progress.object?.outputs ?? {};
  const declared = changesAt(declaredPaths(kind, inputs));
  const left = (creation.leaves ?? []).filter((path) => declared.has(path));
  if (left.length > 0) await kind.update?.(context, known(), inputs, changesAt(left));
  await kind.finishing?.complete?.(context, known());
  const outputs = await confirmedRead(work, known());
  if (outputs === undefined) throw missingAfterCreate(kind, kind.id(known()));
  return outputs;
}

/** Looks for what is there before the request is sent. Where the platform refuses a second one, it need not succeed. */
async function lookBefore(work: CreateWork, { overwrites }: Creation<Values>): Promise<Existing> {
  const { kind, services, call, inputs } = work;
  if (overwrites === true) return lookAgain(work);
  try {
    return await looking(work).context.within(patience, (context) =>
      existing({ kind, services, call, context }, inputs, { isCreating: true }),
    );
  } catch (error) {
    const text = `It is not known what else there is of this ${kind.noun}: ${withoutStop(messageOf(error))}.`;
    return { beside: [{ id: "", text }] };
  }
}

function lookAgain(work: CreateWork, error?: unknown): Promise<Existing> {
  return existing(looking(work), work.inputs, {
    counted: error === undefined ? "now" : "refused",
    isCreating: true,
    error,
  });
}

/** Reads each object alone, and no passwords. */
function looking({ kind, services, call, inputs }: CreateWork): Work {
  const work = new Work({ kind, services }, call, "preview", { values: inputs });
  work.context.stopSharingReads();
  return work;
}

function assertFree({ services, call, context }: CreateWork, { conflict, beside }: Existing): void {
  if (conflict !== undefined) throw conflict;
  for (const { id, text } of beside) {
    // The same process has said it when it checked the resource.
    if (services.told.has(`${call.urn} ${id}`)) continue;
    services.told.add(`${call.urn} ${id}`);
    context.warn(text);
  }
}

/** The error of a creation: if it is a conflict, with the object that has the natural key, and what to do about it. */
async function explainConflict(work: CreateWork, error: unknown): Promise<unknown> {
  if (!hasStatus(error, 409)) return error;
  const { conflict = error } = await lookAgain(work, error).catch(() => ({ conflict: error }));
  return conflict;
}
