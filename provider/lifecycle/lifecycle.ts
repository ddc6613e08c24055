import type { Kind } from "../kind/kind";
import type { Values } from "../kind/values";
import { Adoption } from "./adoption";
import { check, type Checked } from "./check";
import { create, type Created } from "./create";
import { remove } from "./delete";
import { diff, type Difference } from "./diff";
import { read, type Reading } from "./read";
import { Recovery } from "./recovery";
import { KindRuntime } from "./runtime";
import type { Services } from "./services";
import { update } from "./update";

/**
 * A kind as a provider serves it: everything that is the same for all kinds.
 *
 * Its values are plain; the symbol `unknownValue` stands for a value that is not known yet. How they travel is the business of
 * the adapter (`pulumi/dynamic-provider.ts`).
 */
export class Lifecycle<Inputs, Outputs extends object> {
  readonly #runtime: KindRuntime<Inputs, Outputs>;
  readonly #adoption: Adoption<Inputs, Outputs>;
  readonly #recovery: Recovery<Inputs, Outputs>;

  constructor(kind: Kind<Inputs, Outputs>, services: Services) {
    this.#runtime = new KindRuntime(kind, services);
    this.#adoption = new Adoption(kind, services.registry);
    this.#recovery = new Recovery(kind, services, this.#adoption);
  }

  /** Validates inputs and fills in the default name. Sends nothing. */
  check(before: Values | undefined, given: Values): Checked {
    return check(this.#runtime, before, given);
  }

  /** Compares state and program. Sends nothing. */
  diff(id: string, stored: Values, given: Values): Promise<Difference> {
    return diff(this.#runtime, this.#adoption, id, stored, given);
  }

  /** Creates the object, or adopts or recovers one that exists. */
  create(given: Values): Promise<Created> {
    return create(this.#runtime, this.#adoption, this.#recovery, given);
  }

  /** Reads the object. Undefined when it is gone. */
  read(id: string, stored: Values): Promise<Reading | undefined> {
    return read(this.#runtime, id, stored);
  }

  /** Applies what changed. Returns the outputs to store. */
  update(id: string, stored: Values, given: Values): Promise<Values> {
    return update(this.#runtime, this.#adoption, id, stored, given);
  }

  /** Deletes the object. */
  delete(id: string, stored: Values): Promise<void> {
    return remove(this.#runtime, id, stored);
  }
}
