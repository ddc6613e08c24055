import { declaredPaths } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import type { Pending } from "../kind/pending-work";
import { atPath, type Values, withValue } from "../kind/values";
import type { Owner } from "../ownership/visibility";
import { type HiddenInputs, storedState } from "./state";

/** What the state keeps about a resource, whatever a call changes. */
export interface SavedHidden extends HiddenInputs {
  readonly attempt?: string | undefined;
  readonly adoption?: string | undefined;
  readonly owner?: Owner | undefined;
}

/** How outputs are stored; a member that is missing has the value of a call that succeeds. */
interface StoreOptions {
  /** The journal entry of the latest change that must not be sent twice. */
  readonly change?: string | undefined;
  readonly pending?: Pending;
  /** What was declared before a failed change: what the change was to clear may not be cleared yet. */
  readonly declaredBefore?: readonly string[];
  /** The value to keep at a path whose declared value the state keeps. Default: the declared one. */
  readonly valueAt?: (path: string) => unknown;
}

/** The outputs as the state stores them after a call. */
export function storedOutputs(
  kind: AnyKind,
  outputs: Values,
  inputs: Values,
  { attempt, adoption, owner, ...hidden }: SavedHidden,
  { change, pending, declaredBefore = [], valueAt = (path) => atPath(inputs, path) }: StoreOptions = {},
): Values {
  const declared = [...new Set([...declaredBefore, ...declaredPaths(kind, inputs)])];
  return storedState(withDeclared(kind, declared, valueAt, outputs), {
    ...savedHiddenInputs(hidden),
    ...(hidden.timeouts === undefined ? {} : { timeouts: hidden.timeouts }),
    version: kind.version,
    declared,
    ...(attempt === undefined ? {} : { attempt }),
    ...(adoption === undefined ? {} : { adoption }),
    ...(owner === undefined ? {} : { owner }),
    ...(change === undefined ? {} : { change }),
    ...(pending === undefined ? {} : { pending }),
  });
}

/**
 * Outputs in which inputs that replace, or that the platform does not report, keep their declared value: only a change of
 * the program counts as a change of these, however the platform words or moves them later.
 */
export function withDeclared(
  { rules }: AnyKind,
  declared: readonly string[],
  valueAt: (path: string) => unknown,
  outputs: Values,
): Values {
  return declared.reduce((result, path) => {
    const { onChange, platform } = ruleFor(rules, path);
    const value = onChange === "replace" || platform !== undefined ? valueAt(path) : undefined;
    return value === undefined ? result : withValue(result, path.split("."), value);
  }, outputs);
}

/** The hidden inputs that the state's inputs hold. */
export function savedHiddenInputs({ urn, name }: HiddenInputs): HiddenInputs {
  return { urn, ...(name === undefined ? {} : { name }) };
}
