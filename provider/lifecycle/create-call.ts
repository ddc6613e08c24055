import type { Context } from "../kind/context";
import type { Values } from "../kind/values";
import type { HiddenInputs } from "./state";

export interface CreateCall {
  readonly context: Context;
  readonly urn: string;
  readonly hidden: HiddenInputs;
  /** The fingerprint of the account. */
  readonly account: string;
  /** As the engine gives them, and as the kind's schema parses them. */
  readonly inputs: Values;
  readonly parsed: Values;
}
