import { invalid, type NeonError } from "../../api/core/errors";
import type { Call } from "../call/call";
import { type InputProblem, shapeProblems, unsetProblems } from "../kind/input-problems";
import { top } from "../kind/field-rules";
import type { Values } from "../values";
import type { ServedKind } from "./work";

// Lost inputs are outputs of a resource that this run did not create, because it failed (`--continue-on-error`) or
// `--target` omits it.

/** The problems of inputs that need no request. */
export function inputProblems({ kind, services }: ServedKind, inputs: Values, isNew: boolean): readonly InputProblem[] {
  const account = services.account();
  return [
    ...shapeProblems(kind.inputs(), inputs),
    ...(isNew && "settings" in account ? unsetProblems(kind.rules, inputs, account.settings) : []),
  ];
}

/** Whether a problem may be due to a lost input. */
export function isLost({ lost = [] }: Call, { property, isMissing }: InputProblem): boolean {
  return lost === "any" ? isMissing === true : lost.includes(top(property));
}

/** The lost inputs. If the protocol does not name them, these are the required inputs that are missing. */
export function lostInputs(served: ServedKind, { lost = [] }: Call, inputs: Values): readonly string[] {
  if (lost !== "any") return lost;
  return inputProblems(served, inputs, false).flatMap(({ property, isMissing }) => (isMissing ? [property] : []));
}

/**
 * Parses the inputs of a resource that is created or updated.
 *
 * @throws NeonError `invalid` if an input is lost or missing
 */
export function completeInputs(served: ServedKind, call: Call, given: Values, isNew: boolean): Values {
  assertComplete(served, call, given, isNew);
  return served.kind.inputs().parse(given);
}

/** Makes sure that no input is lost or missing. It also serves a preview, so the inputs may hold unknown values. */
export function assertComplete(served: ServedKind, call: Call, given: Values, isNew: boolean): void {
  const { lost = [] } = call;
  if (lost !== "any" && lost.length > 0) throw lostError(lost.map((name) => `${name} has no value`));
  const problems = inputProblems(served, given, isNew).filter((problem) => isLost(call, problem));
  if (problems.length > 0) throw lostError(problems.map(({ property, reason }) => `${property} ${reason}`));
}

function lostError(problems: readonly string[]): NeonError {
  return invalid(problems.join("; "), {
    fallback:
      "If the program passes an output of another resource there, that one failed, or `--target` leaves it out.",
  });
}
