import { backoffMs, type Clock } from "../clock";
import type { DataFolder } from "./data-folder";
import { StorageError } from "./storage-error";

/** A source of changes: a table, by its definition, or a part of the platform that is only in memory. */
export interface Topic {
  readonly name: string;
}

/** A change of rows, or of a part of the platform that is only in memory. */
export interface Change {
  readonly topic: Topic;
  /** The row as it was written. */
  readonly row?: object;
  /** The columns that select the deleted rows. */
  readonly deleted?: object;
}

/** Called with changes after they are stored. A listener that has to know more reads the rows. */
export type ChangeListener = (changes: readonly Change[]) => void;

interface Subscription {
  readonly topics: ReadonlySet<Topic>;
  readonly listener: ChangeListener;
  /** Changes that the listener has missed because it failed. */
  missed: readonly Change[];
  failures: number;
  cancelRetry: (() => void) | undefined;
}

/**
 * Notifies subscribers of the changes of each commit. A change is stored before its subscribers are notified, so they cannot undo
 * it. A subscriber that cannot read the data folder is notified again later.
 */
export class ChangeFeed {
  readonly #folder: DataFolder;
  readonly #clock: Clock;
  readonly #subscriptions = new Set<Subscription>();
  /** Changes that are published while subscribers are notified of earlier ones. */
  readonly #queue: (readonly Change[])[] = [];
  #isPublishing = false;

  constructor(folder: DataFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Notifies a listener of changes.
   *
   * @param topics the sources of these changes
   * @returns a function that ends the subscription
   */
  subscribe(topics: Iterable<Topic>, listener: ChangeListener): () => void {
    const subscription: Subscription = {
      topics: new Set(topics),
      listener,
      missed: [],
      failures: 0,
      cancelRetry: undefined,
    };
    this.#subscriptions.add(subscription);
    return () => {
      subscription.cancelRetry?.();
      this.#subscriptions.delete(subscription);
    };
  }

  publish(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#queue.push(changes);
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        for (const subscription of this.#subscriptions) {
          const relevant = next.filter(({ topic }) => subscription.topics.has(topic));
          if (relevant.length > 0) this.#deliver(subscription, relevant);
        }
      }
    } finally {
      this.#isPublishing = false;
    }
  }

  /** Ends all subscriptions. */
  close(): void {
    for (const { cancelRetry } of this.#subscriptions) cancelRetry?.();
    this.#subscriptions.clear();
  }

  #deliver(subscription: Subscription, changes: readonly Change[]): void {
    const all = [...subscription.missed, ...changes];
    subscription.cancelRetry?.();
    subscription.cancelRetry = undefined;
    subscription.missed = [];
    try {
      subscription.listener(all);
      subscription.failures = 0;
    } catch (error) {
      if (!(this.#folder.explainStored(error) instanceof StorageError)) {
        console.error("a subscriber of changes failed:", error);
        return;
      }
      subscription.missed = all;
      subscription.failures += 1;
      subscription.cancelRetry = this.#clock.after(backoffMs(subscription.failures), () => {
        this.#deliver(subscription, []);
      });
    }
  }
}
