import { hashOfUrn } from "../ownership/ownership-tag";
import type { HiddenInputs, Timeouts } from "./state";

/**
 * What the program's constructors add to the inputs, and `check` removes from them: it does not describe the object, and a
 * change of it must not show up as a difference of the resource.
 */
export class ProgramFacts {
  readonly #timeouts = new Map<string, Timeouts | undefined>();
  readonly #retained = new Set<string>();
  readonly #urnHashes = new Set<string>();
  /** The Pulumi organization of the stack, once any resource has been checked. */
  organization: string | undefined;

  /** Takes the facts out of hidden inputs. What is left is what the state's inputs hold. */
  take({ timeouts, organization, isRetained, ...hidden }: HiddenInputs): HiddenInputs {
    this.#timeouts.set(hidden.urn, timeouts);
    if (isRetained === true) this.#retained.add(hidden.urn);
    this.#urnHashes.add(hashOfUrn(hidden.urn));
    this.organization = organization ?? this.organization;
    return hidden;
  }

  /** Whether this run has a program: commands such as `destroy` work on the state alone. */
  get isRunning(): boolean {
    return this.#timeouts.size > 0;
  }

  /** Whether the program sets `retainOnDelete` for the resource: a replacement leaves the old object where it is. */
  isRetained(urn: string): boolean {
    return this.#retained.has(urn);
  }

  /** Whether the program of this run declares a resource of this URN, as far as it has got. */
  declares(urnHash: string): boolean {
    return this.#urnHashes.has(urnHash);
  }

  /** The resource's `customTimeouts`: those of this run's program, or else those that are given. */
  timeoutsOf(urn: string, stored: Timeouts | undefined): Timeouts | undefined {
    return this.#timeouts.has(urn) ? this.#timeouts.get(urn) : stored;
  }
}
