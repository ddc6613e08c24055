import type { Operation } from "../../api/index";
import { operationSample } from "../api/samples";
import { scriptedClient } from "../api/scripted-client";

/** A platform whose operations take as long as a test says, and a client that remembers how long they took; on a manual clock. */
export class SlowPlatform {
  readonly #operations: Operation[] = [];
  readonly #ends = new Map<string, number>();
  readonly #made = scriptedClient(({ path }) => {
    const all = [...this.#operations].reverse().map((operation) => this.#now(operation));
    const one = all.find(({ id }) => path.endsWith(id));
    return { body: one === undefined ? { operations: all } : { operation: one } };
  });

  get polls(): number {
    return this.#made.sent.length;
  }

  /** Starts operations that run one after the other, each for so many milliseconds. */
  start(durations: Readonly<Record<string, number>>, status = "finished"): Operation[] {
    const { clock } = this.#made;
    let end = clock.now();
    return Object.entries(durations).map(([action, duration]) => {
      const id = `${action}-${this.#operations.length}`;
      const operation = operationSample({
        id,
        action,
        status,
        created_at: clock.date().toISOString(),
        updated_at: new Date(clock.date().getTime() + end + duration - clock.now()).toISOString(),
        total_duration_ms: duration,
      });
      end += duration;
      this.#operations.push(operation);
      this.#ends.set(id, end);
      return this.#now(operation);
    });
  }

  /** Waits for operations: how late it notices their end, in milliseconds, and after how many polls. */
  async waitFor(
    durations: Readonly<Record<string, number>>,
  ): Promise<{ readonly lag: number; readonly polls: number }> {
    const { client, clock } = this.#made;
    const [began, before] = [clock.now(), this.polls];
    await clock.run(client.wait(this.start(durations)));
    const total = Object.values(durations).reduce((sum, duration) => sum + duration, 0);
    return { lag: clock.now() - began - total, polls: this.polls - before };
  }

  /** Waits for operations that end with this status. */
  async end(durations: Readonly<Record<string, number>>, status: string): Promise<void> {
    const { client, clock } = this.#made;
    await clock.run(client.wait(this.start(durations, status)).catch(() => undefined));
  }

  /** Operations of somebody else run, which only a list shows. */
  async pass(durations: Readonly<Record<string, number>>): Promise<void> {
    this.start(durations);
    await this.#made.clock.advance(Object.values(durations).reduce((sum, duration) => sum + duration, 0));
  }

  #now(operation: Operation): Operation {
    const hasEnded = this.#made.clock.now() >= (this.#ends.get(operation.id) ?? 0);
    return hasEnded ? operation : { ...operation, status: "running", total_duration_ms: 0 };
  }
}
