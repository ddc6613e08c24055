/**
 * The time at which a request or a wait gives up, in milliseconds on the client's clock.
 *
 * Time that a request waits in this process for the rate limit extends the deadline, because the caller did not cause
 * it and the platform has not seen the request yet.
 *
 * @example
 * ```ts
 * import { Deadline, NeonClient, projects } from "neon-pulumi/api";
 *
 * const client = new NeonClient({ apiKey: process.env.NEON_API_KEY ?? "" });
 * const deadline = new Deadline(client.clock.now() + 60_000);
 * const { operations } = await client.send(projects.create({ name: "shop" }), { deadline });
 * await client.wait(operations, { deadline });
 * ```
 */
export class Deadline {
  readonly #initial: number;
  readonly #origins: readonly Deadline[];
  #extension = 0;

  /**
   * @param at milliseconds on the client's clock
   * @param origins deadlines that this one is derived from: extending it extends them, too
   */
  constructor(at: number, origins: readonly Deadline[] = []) {
    this.#initial = at;
    this.#origins = origins;
  }

  /** Derives a deadline for one step. Extending it extends the given deadline, too, if that is an object. */
  static derive(from: Deadline | number): Deadline {
    return typeof from === "number" ? new Deadline(from) : new Deadline(from.at, [from]);
  }

  /** Milliseconds on the client's clock. */
  get at(): number {
    return this.#initial + this.#extension;
  }

  /** Total extension so far, in milliseconds. */
  get extension(): number {
    return this.#extension;
  }

  /** Moves the deadline by this many milliseconds. */
  extend(milliseconds: number): void {
    this.#extension += milliseconds;
    for (const origin of this.#origins) origin.extend(milliseconds);
  }
}
