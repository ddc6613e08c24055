import type { Creation } from "../kind/creation";
import { changesAt, declaredPaths } from "../kind/differences";
import type { Values } from "../values";
import { confirmedRead } from "./confirmed-read";
import { missingAfterCreate } from "./errors";
import { SentCreation } from "./sent-creation";
import type { Work } from "./work";

/**
 * Creates the object of a resource, and waits until it can be used.
 *
 * @param assertFree makes sure that nothing has the natural key of the object by now
 */
export async function createObject(
  work: Work,
  inputs: Values,
  creation: Creation<Values>,
  assertFree: () => Promise<void>,
): Promise<Values> {
  const { kind, progress } = work;
  await new SentCreation(work, inputs, creation, assertFree).send().catch(async (error: unknown) => {
    throw progress.pending === undefined && creation.explain !== undefined
      ? await creation.explain(work, error)
      : error;
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
