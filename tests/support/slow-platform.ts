import type { Operation } from "../../api/index";
import { operationSample } from "../api/samples";
import { scriptedClient } from "../api/scripted-client";

/** The members that a platform adds to an operation at the first read after its end, at this age in milliseconds. */
type EndStamp = (operation: Operation, age: number) => Partial<Operation>;

/** A platform on a manual clock, whose operations take as long as a test says, and a client that learns these times. */
export class SlowPlatform {
  readonly #endStamp: EndStamp;
  readonly #operations = new Map<
    string,
    { operation: Operation; readonly start: number; readonly end: number; isRead: boolean }
  >();
  readonly #made = scriptedClient(({ path }) => {
    const all = [...this.#operations.keys()].reverse().map((id) => this.#read(id));
    const one = all.find(({ id }) => path.endsWith(id));
    return { body: one === undefined ? { operations: all } : { operation: one } };
  });

  /** @param endStamp by default, operations have their duration from the start */
  constructor(endStamp: EndStamp = () => ({})) {
    this.#endStamp = endStamp;
  }

  /**
   * Starts operations that run one after the other, each for some milliseconds, and waits for them. Returns how late it notices
   * their end, in milliseconds, and after how many polls.
   */
  async waitFor(
    durations: Readonly<Record<string, number>>,
    status = "finished",
  ): Promise<{ readonly lag: number; readonly polls: number }> {
    const { client, clock, sent } = this.#made;
    const [began, before] = [clock.now(), sent.length];
    // A client begins to wait a moment after the start of the operations, because it reads the response first.
    const wait = client.wait(this.#start(durations, status), { since: began - 0.05 });
    await clock.run(wait.catch(() => undefined));
    const total = Object.values(durations).reduce((sum, duration) => sum + duration, 0);
    return { lag: clock.now() - began - total, polls: sent.length - before };
  }

  #start(durations: Readonly<Record<string, number>>, status: string): Operation[] {
    const { clock } = this.#made;
    const calendar = clock.date().getTime();
    let taken = 0;
    return Object.entries(durations).map(([action, duration]) => {
      taken += duration;
      const id = `${action}-${this.#operations.size}`;
      const operation = operationSample({
        ...{ id, action, status },
        created_at: new Date(calendar).toISOString(),
        updated_at: new Date(calendar + taken).toISOString(),
        total_duration_ms: duration,
      });
      this.#operations.set(id, { operation, start: clock.now(), end: clock.now() + taken, isRead: false });
      return { ...operation, status: "running" };
    });
  }

  #read(id: string): Operation {
    const { clock } = this.#made;
    const entry = this.#operations.get(id);
    if (entry === undefined) throw new Error(`there is no operation ${id}`);
    if (clock.now() < entry.end) return { ...entry.operation, status: "running" };
    const { operation, start, isRead } = entry;
    if (!isRead) entry.operation = { ...operation, ...this.#endStamp(operation, clock.now() - start) };
    entry.isRead = true;
    return entry.operation;
  }
}
