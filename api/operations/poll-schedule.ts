import { jittered } from "../core/backoff";
import type { Operation } from "../schemas/operation";

/** In milliseconds. */
const minDelay = 20;
const maxDelay = 5_000;
/** The first and shortest delay if no durations are known. */
const firstDelay = 150;
/** The longest first delay if a duration is known: this time, the operations may take much less. */
const maxFirstDelay = 800;
/** Delays as a share of the age. */
const growth = 1 / 8;
/** How close to the expected end polls come, as a share of the expected duration. */
const precision = 0.03;
/** Each delay after the expected end, as a share of the time that has passed since that end. */
const excess = 1 / 4;
/** Durations are rounded by up to this many milliseconds. */
const rounding = 1;

/** How long the operations of a request took last in this process, in milliseconds, by their actions. */
export type LastDurations = Map<string, number>;

/**
 * When to poll for the operations that a request has started. Ages are milliseconds since their start.
 *
 * If this process has seen operations with the same actions end, it expects the same duration and polls 3 % after it.
 * Earlier polls at 0.8, 1.6, 3.2 and 6.4 s and then every 5 s detect operations that take much less time. After the
 * expected end, delays start at 3 % of the expected duration. They grow to a quarter of the time since the expected
 * end, but at most an eighth of the age: the longer the operations take, the less the last duration says about them.
 *
 * Otherwise, each delay is an eighth of the age of the running operation, at least 150 ms and at most 5 s. The delay is
 * multiplied by one for that operation plus two for each pending one after it: a project's operations run one after the
 * other, and only the end of the last one counts.
 */
export class PollSchedule {
  readonly #durations: LastDurations;
  readonly #actions: string;
  #pending: number;
  /** The age at the last poll that found operations pending. */
  #pendingAt = 0;
  /** The age at which the operation that runs now was started: when a poll first found its predecessor ended. */
  #runningSince = 0;

  constructor(durations: LastDurations, operations: readonly Operation[]) {
    this.#durations = durations;
    this.#actions = operations
      .map(({ action }) => action)
      .sort()
      .join();
    this.#pending = operations.length;
  }

  /** Notes that a poll has found so many operations pending. */
  notePending(age: number, pending: number): void {
    if (pending < this.#pending) this.#runningSince = age;
    this.#pending = pending;
    this.#pendingAt = age;
  }

  /** How long to wait before the next poll, in milliseconds. */
  delay(age: number): number {
    const expected = this.#durations.get(this.#actions);
    if (expected === undefined) return this.#unseenDelay(age);
    const firstPoll = expected * (1 + precision);
    if (age < firstPoll) return clamped(Math.min(firstPoll - age, Math.max(maxFirstDelay, age)));
    const late = Math.min(excess * (age - expected), growth * age);
    return jittered(clamped(Math.max(precision * expected, late)));
  }

  #unseenDelay(age: number): number {
    // If other operations take no time, as on some local platforms, these probably take none either.
    const least = Math.min(firstDelay, ...this.#durations.values());
    return jittered(clamped((2 * this.#pending - 1) * Math.max(least, growth * (age - this.#runningSince))));
  }

  /**
   * Remembers how long the operations took. Operations that were skipped tell nothing about the next ones.
   *
   * Durations that the platform reports count only if the operations ended before the last poll was sent. Some services
   * record the end when it is first read: such a duration is the length of our own wait, and only an upper limit.
   * Remembering it would make each wait longer than the one before, so a slightly shorter duration is remembered.
   * Timestamps are not used, because Neon's are rounded to seconds.
   *
   * @param polledAt the age at which the poll was sent that found the operations ended
   */
  noteEnd(operations: readonly Operation[], polledAt: number): void {
    if (polledAt <= 0 || !operations.every(({ status }) => status === "finished")) return;
    // NaN if the platform does not report one of them.
    const reported = operations.reduce((sum, { total_duration_ms: duration = NaN }) => sum + duration, 0);
    const isKnown = reported >= this.#pendingAt - rounding && reported < polledAt - rounding;
    this.#durations.set(this.#actions, isKnown ? reported : Math.max(polledAt * (1 - 2 * precision), this.#pendingAt));
  }
}

function clamped(delay: number): number {
  return Math.min(Math.max(delay, minDelay), maxDelay);
}
