import { z } from "zod";

import { at, holdsUnknown, unknownValue, type Values } from "../values";

/** A declared value. `unknownValue` stands for one that is not known yet, or that is invalid and reported by itself. */
export type Declared<Value> = Value | typeof unknownValue;

type DeclaredMembers<Inputs> = { readonly [Name in keyof Inputs]: Declared<Inputs[Name]> };
type Report = (message: string, ...path: readonly string[]) => void;

/**
 * A rule about several inputs. It also runs while other inputs are invalid or not known yet: in most programs, the same
 * run creates the parent, so its id is unknown.
 */
export function combination<Inputs extends object>(
  rule: (declared: DeclaredMembers<Inputs>, report: Report) => void,
): z.core.$ZodCheck<Inputs> {
  return z.superRefine<Inputs>(
    (values, context) => {
      // Despite its type, the value can be something else than an object. The schema reports that.
      if (typeof (values as unknown) !== "object" || (values as unknown) === null) return;
      const invalid = context.issues.filter(({ path = [] }) => path.length > 0 && at(values, path) !== undefined);
      const unusable = new Set(invalid.map(({ path = [] }) => path[0]));
      const declared = Object.entries(values as Values).map(
        ([name, value]) => [name, unusable.has(name) && !isKnownInPart(value) ? unknownValue : value] as const,
      );
      rule(Object.fromEntries(declared) as DeclaredMembers<Inputs>, (message, ...path) =>
        context.addIssue({ code: "custom", path: [...path], message, params: { isCombination: true } }),
      );
    },
    { when: () => true },
  );
}

/** Whether a value is known except for some of its members. */
function isKnownInPart(value: unknown): boolean {
  return value !== unknownValue && holdsUnknown(value);
}

/** The value, if it is known. */
export function known<Value>(value: Declared<Value>): Value | undefined {
  return value === unknownValue ? undefined : value;
}
