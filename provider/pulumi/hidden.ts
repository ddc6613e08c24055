import type { Values } from "../values";
import { decoded, encoded } from "./wire";

/** The key under which inputs and outputs of dynamic providers carry the provider's own text. */
export const providerKey = "__provider";
/** The key under which inputs and outputs carry what this package adds to them. */
const hiddenKey = "__neon";

/** Values of a protocol: those of the resource, and what this package and dynamic providers have added to them. */
export interface Split {
  readonly values: Values;
  readonly hidden: unknown;
  readonly providerText: unknown;
}

/** Values of a protocol as the lifecycle reads them. */
export function split(given: unknown): Split {
  const { [providerKey]: providerText, [hiddenKey]: hidden, ...values } = decoded(given);
  return { values, hidden, providerText };
}

/** Values with hidden ones, as a protocol writes them. */
export function joined(values: Values, hidden: unknown, providerText?: unknown): Values {
  return encoded({ ...values, [hiddenKey]: hidden, [providerKey]: providerText });
}
