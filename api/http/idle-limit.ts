import type { Clock } from "../core/clock";

/** One for all: a reason of each request would take longer than the rest of this class. */
const paused = new Error("paused");

/** Fires its signal when an exchange makes no progress for some time. The first `restart` begins it. */
export class IdleLimit {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  /** What is missing, such as `no response`. */
  readonly #missing: string;
  readonly #fired = new AbortController();
  #wait = new AbortController();
  #isOver = false;

  constructor(clock: Clock, milliseconds: number, missing: string) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
    this.#missing = missing;
  }

  get signal(): AbortSignal {
    return this.#fired.signal;
  }

  /** There was progress: the time starts again. */
  readonly restart = (): void => {
    this.pause();
    if (this.#isOver) return;
    this.#wait = new AbortController();
    const fire = (): void => this.#fired.abort(new Error(`${this.#missing} within ${this.#milliseconds / 1000} s`));
    void this.#clock.sleep(this.#milliseconds, this.#wait.signal).then(fire, () => undefined);
  };

  /** Until the next restart, nothing is missing. */
  pause(): void {
    this.#wait.abort(paused);
  }

  /** The exchange is over, although a part of it may still report progress. */
  end(): void {
    this.#isOver = true;
    this.pause();
  }
}
