import { changesAt, declaredPaths } from "../kind/differences";
import type { CreationEntry } from "../ownership/journal";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { missingAfterCreate } from "./errors";
import { explainConflict, warnOfNamesakes } from "./name-conflict";
import { SentCreation } from "./sent-creation";
import type { CreateWork } from "./work";

/**
 * Creates the object of a resource, and waits until it can be used.
 *
 * @param superseded entries of interrupted creations that are not needed once this one is settled
 */
export async function createObject(work: CreateWork, superseded: readonly CreationEntry[]): Promise<Values> {
  const { kind, services, context, inputs } = work;
  const { progress } = context;
  const creation = kind.create(inputs, { orgId: context.orgId });
  const sent = new SentCreation(work, creation, superseded);
  await sent.send().catch(async (error: unknown) => {
    if (progress.pending !== undefined) throw error;
    services.journal.abandon(sent.id);
    const explained = creation.explain === undefined ? error : await creation.explain(context, error);
    throw await explainConflict(work, explained);
  });
  const known = (): Values => progress.object?.outputs ?? {};
  const declared = changesAt(declaredPaths(kind, inputs));
  const left = (creation.leaves ?? []).filter((path) => declared.has(path));
  if (left.length > 0) await kind.update?.(context, known(), inputs, changesAt(left));
  await kind.finishing?.complete?.(context, known());
  const reading = confirmedRead(work, known());
  // The warnings come before the call ends, also if the read fails.
  await Promise.allSettled([reading, warnOfNamesakes(work, known()), sent.warnOfLostSecrets()]);
  const outputs = await reading;
  if (outputs === undefined) throw missingAfterCreate(kind, kind.id(known()));
  return outputs;
}
