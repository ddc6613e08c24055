import { backoffMs, type Clock } from "../clock";
import type { DataFolder } from "./data-folder";
import { StorageError } from "./storage-error";

/** What changes: a table, by its definition, or a part of the platform that is in memory only. */
export interface Topic {
  readonly name: string;
}

/** Something that has changed: a row of a table, or what a part of the platform keeps in memory only. */
export interface Change {
  readonly topic: Topic;
  /** The row as it was written. */
  readonly row?: object;
  /** The columns that select the deleted rows. */
  readonly deleted?: object;
}

/** Hears of changes after they are stored. It reads the rows again if it has to know more. */
export type ChangeListener = (changes: readonly Change[]) => void;

interface Subscription {
  readonly topics: ReadonlySet<Topic>;
  readonly listener: ChangeListener;
  /** What it has not heard of yet, because it failed. */
  missed: readonly Change[];
  failures: number;
  cancelRetry: (() => void) | undefined;
}

/**
 * Tells everybody who has to know what a commit has changed. A change is stored before its subscribers hear of it, so nothing
 * that they do can undo it. A subscriber that cannot read the data folder hears of the change again later.
 */
export class ChangeFeed {
  readonly #folder: DataFolder;
  readonly #clock: Clock;
  readonly #subscriptions = new Set<Subscription>();
  /** Changes that are published while subscribers hear of earlier ones. */
  readonly #queue: (readonly Change[])[] = [];
  #isPublishing = false;

  constructor(folder: DataFolder, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /**
   * Lets a listener hear of changes.
   *
   * @param topics of which changes
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
