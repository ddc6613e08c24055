import type { Clock } from "../core/clock";

/** Shared, because creating an error for each request would take longer than the rest of this class. */
const paused = new Error("paused");

/** Fires its signal when an exchange makes no progress for some time. The first `restart` begins it. */
export class IdleLimit {
  readonly #clock: Clock;
  readonly #milliseconds: number;
  /** The beginning of the error's text, such as `no response`. */
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

  /** Reports progress: the time starts again. */
  readonly restart = (): void => {
    this.pause();
    if (this.#isOver) return;
    this.#wait = new AbortController();
    const fire = (): void => this.#fired.abort(new Error(`${this.#missing} within ${this.#milliseconds / 1000} s`));
    void this.#clock.sleep(this.#milliseconds, this.#wait.signal).then(fire, () => undefined);
  };

  /** Stops the time until the next restart. */
  pause(): void {
    this.#wait.abort(paused);
  }

  /** Ends the limit. Later reports of progress have no effect. */
  end(): void {
    this.#isOver = true;
    this.pause();
  }
}
