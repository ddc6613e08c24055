import { durationForm, milliseconds } from "../../api/core/duration";
import { invalid } from "../../api/core/errors";
import type { ReplacedObject } from "../call/call";
import type { Problem } from "../call/services";
import type { AnyKind } from "../kind/kind";
import { hashOfInput } from "../ownership/ids";
import { holdsUnknown, type Values } from "../values";
import type { HiddenInputs } from "./properties";

/**
 * Keeps the hidden inputs that only `check` receives: those of this run's program, and those that were in the state
 * before.
 */
export class CheckedInputs {
  readonly #checked = new Map<string, HiddenInputs>();
  readonly #replaced = new Map<string, ReplacedObject>();
  /** Whether the inputs held `retainOnDelete` before the refresh of this run, by URN. */
  readonly #refreshed = new Map<string, boolean>();
  /** The unstored inputs of this run's program, by URN. */
  readonly #unstored = new Map<string, Values>();
  #organization: string | undefined;

  /** @param before the hidden inputs in the state */
  keep(hidden: HiddenInputs, before: HiddenInputs = {}): void {
    const { urn = "", isRetained = false, isProtected, organization } = hidden;
    this.#checked.set(urn, hidden);
    // A refresh removes the option from the state. If the program sets it now, an earlier run may have set it, too.
    const isRecorded = before.isRetained ?? this.#refreshed.get(urn) ?? (isRetained ? undefined : false);
    this.#refreshed.delete(urn);
    this.#replaced.set(urn, { isRetained: isRecorded, isProtected });
    this.#organization = organization ?? this.#organization;
  }

  /** Replaces the unstored inputs by hashes, for the state, and keeps them for the change of this run. */
  hide({ unstored = [] }: AnyKind, { urn = "" }: HiddenInputs, inputs: Values): Values {
    const names = unstored.filter((name) => inputs[name] !== undefined && !holdsUnknown(inputs[name]));
    this.#unstored.set(urn, Object.fromEntries(names.map((name) => [name, inputs[name]])));
    return { ...inputs, ...Object.fromEntries(names.map((name) => [name, hashOfInput(inputs[name])])) };
  }

  /** Restores the unstored inputs, for the change of this run. */
  reveal({ unstored = [] }: AnyKind, { urn = "" }: HiddenInputs, inputs: Values): Values {
    const kept = this.#unstored.get(urn) ?? {};
    const lost = unstored.find((name) => inputs[name] !== undefined && kept[name] === undefined);
    if (lost === undefined) return { ...inputs, ...kept };
    // The provider process was restarted after `check`.
    throw invalid(`The provider no longer has the value of \`${lost}\``, { fix: "Run `pulumi up` again." });
  }

  /** The stack's Pulumi organization, once a resource has named it. */
  get organization(): string | undefined {
    return this.#organization;
  }

  /**
   * Keeps the inputs with which a refresh compares the object. Before any `check` of the run, they are those of the
   * state.
   */
  keepCompared({ urn = "", isRetained = false }: HiddenInputs): void {
    if (!this.#checked.has(urn)) this.#refreshed.set(urn, isRetained);
  }

  /** The hidden inputs of this run's program. Undefined for a resource that the run has not checked. */
  of(urn: string): HiddenInputs | undefined {
    return this.#checked.get(urn);
  }

  replaced(urn: string): ReplacedObject {
    return this.#replaced.get(urn) ?? { isRetained: false };
  }

  /** Hidden inputs from the state, with the `customTimeouts` of this run's program, which the state then stores. */
  forState(stored: HiddenInputs): HiddenInputs {
    const { timeouts } = this.#checked.get(stored.urn ?? "") ?? stored;
    return { ...stored, timeouts };
  }
}

export function timeoutProblems({ timeouts = {} }: HiddenInputs): readonly Problem[] {
  return Object.entries(timeouts).flatMap(([verb, text]) =>
    typeof text === "string" && milliseconds(text) === undefined
      ? [{ property: `customTimeouts.${verb}`, reason: durationForm }]
      : [],
  );
}
