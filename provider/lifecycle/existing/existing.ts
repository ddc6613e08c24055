import type { NeonError } from "../../../api/core/errors";
import type { Values } from "../../values";
import { claimForAdoption } from "../claims";
import { adoptsItself, managedBy } from "../errors";
import type { Work } from "../work";
import { Facts, type Looked } from "./facts";
import { type Candidate, verdictOn } from "./verdict";
import { absent, alreadyExists, beside, notAdoptable, several } from "./words";

/** How a new resource gets its object, or why it gets none. */
export type Existing =
  /** An existing object is adopted. It is already claimed for the resource. */
  | { readonly is: "adopt"; readonly candidate: Candidate }
  /** Nothing is adopted or created. `isAdoption`: the program or the run asked to adopt, so the preview fails, too. */
  | { readonly is: "refuse"; readonly isAdoption: boolean; readonly error: NeonError }
  /** An object is created. `beside` lists similar objects, so that the user can be told their ids. */
  | { readonly is: "create"; readonly beside: readonly { readonly id: string; readonly text: string }[] };

/**
 * Decides whether a new resource adopts an object, creates one or fails. Called by its check, by its create, and before
 * a creation is sent again.
 *
 * @param answer the platform's answer to the creation
 */
export async function existing(work: Work, inputs: Values, looked: Looked = {}, answer?: unknown): Promise<Existing> {
  let result: Existing | undefined;
  try {
    result = await judged(work, inputs, looked, answer);
    return result;
  } finally {
    if (result?.is !== "adopt") work.services.registry.withdraw(work.call.urn);
  }
}

async function judged(work: Work, inputs: Values, looked: Looked, answer: unknown): Promise<Existing> {
  const { kind } = work;
  const { adoptionId } = looked;
  const facts = new Facts(work, inputs, looked);
  let situation = await facts.situation();
  let verdict = verdictOn(situation);
  while (verdict.is === "unread") {
    situation = await facts.read(situation, verdict);
    verdict = verdictOn(situation);
  }
  const { candidates, is } = verdict;
  const [found = { outputs: inputs, age: NaN }] = candidates;
  const adopt = String(inputs["adopt"]);
  const refused = (error: NeonError, isAdoption = true): Existing => ({ is: "refuse", isAdoption, error });
  const isHeld = is === "held" || is === "taken";
  const known = isHeld ? (found.holder ?? situation.naming[0]) : undefined;
  const holder = is === "adopt" ? claimForAdoption(work, found.outputs, adoptionId) : known;
  if (holder !== undefined) return refused(managedBy(kind, kind.id(found.outputs), holder, answer), is !== "taken");
  switch (is) {
    case "adopt":
      // The setting applies to the whole run, so the preview says what made each object.
      return {
        is,
        candidate: adoptionId === undefined && situation.asks === "the run" ? await facts.withOrigin(found) : found,
      };
    case "absent":
      return refused(absent(kind, adopt, found));
    case "replaced":
      return refused(adoptsItself(kind, adopt));
    case "several":
      return refused(several(kind, candidates));
    case "fixed":
      return refused(notAdoptable(kind, inputs, found));
    case "exists":
      return refused(alreadyExists(work, inputs, await facts.withOrigin(found), answer), false);
    // These two have a holder, so they were refused above.
    case "held":
    case "taken":
    case "create":
      return { is: "create", beside: candidates.map((one) => ({ id: kind.id(one.outputs), text: beside(work, one) })) };
  }
}
