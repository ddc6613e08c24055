import type { Operation } from "../schemas/operation";

/** When operations will probably end, in milliseconds from their start. */
export interface Estimate {
  readonly earliest: number;
  readonly latest: number;
  /** Soon after the longest known duration: operations that take as long again have ended then. */
  readonly repeated: number;
  /**
   * High if enough durations are known to tell how much they vary, or if operations of this process usually take as long
   * again; low if they usually do not.
   */
  readonly confidence: "high" | "medium" | "low";
}

/** How many durations to remember of the same operations: the latest ones. */
const remembered = 8;

/** By what factor the next duration may differ from the only known one. */
const widthOfOne = 4 / 3;

/** By what factor the next duration may be outside the range of several, however little they vary. */
const minGap = 1.02;

/** Operations of up to this many milliseconds take no time: those of a local platform, of any action. */
const noTime = 100;

/** A duration that differs from a known one of its action by less than this factor repeats it. */
const sameDuration = 1.5;

/** From this share of repeated durations on, a single known one is enough; below the other, it tells little. */
const mostRepeat = 0.8;
const fewRepeat = 0.5;

/** So many known durations tell how much the next one may differ. */
const enough = 3;

/** How long operations took lately, as the platform reports it. */
export class ActionDurations {
  /** By action, or by the actions of operations that one request has started. */
  readonly #known = new Map<string, readonly number[]>();
  /** Ids of the operations that are counted: a list shows the same ones again and again. */
  readonly #counted = new Set<string>();
  #hasProbed = false;
  /** How often a duration was to be expected from those that were known, and how often it repeated one of them. */
  #expected = 0;
  #repeated = 0;

  /** Learns from those operations that have finished; others, also skipped ones, tell nothing about the next one. */
  learn(operations: readonly Operation[]): void {
    const news = operations.filter((operation) => isFinished(operation) && !this.#counted.has(operation.id));
    for (const operation of news.sort((one, other) => endOf(one) - endOf(other))) {
      this.#counted.add(operation.id);
      this.#add(operation.action, durationOf([operation]));
    }
  }

  /** Learns how long operations took together that one request has started. */
  learnTogether(operations: readonly Operation[]): void {
    if (operations.length > 1 && operations.every(isFinished)) this.#add(keyOf(operations), durationOf(operations));
  }

  /**
   * Whether this is the first wait of the process: one early poll finds out whether operations take any time at all. True once.
   */
  takeProbe(): boolean {
    const isFirst = !this.#hasProbed && this.#known.size === 0;
    this.#hasProbed = true;
    return isFirst;
  }

  /** Undefined if operations of these actions have never been seen, except where no operation takes any time. */
  estimate(operations: readonly Operation[]): Estimate | undefined {
    const together = this.#rangeOf(this.#known.get(keyOf(operations)));
    if (together !== undefined) return together;
    const ranges = operations.map(({ action }) => this.#rangeOf(this.#known.get(action)));
    if (!ranges.every((range) => range !== undefined)) return this.#whereNoneTakesTime(operations.length);
    // They run at the same time or one after the other.
    const earliest = Math.max(...ranges.map((range) => range.earliest));
    const sum = (of: (range: Estimate) => number): number => ranges.reduce((total, range) => total + of(range), 0);
    const [latest, repeated] = [sum((range) => range.latest), sum((range) => range.repeated)];
    return { earliest, latest, repeated, confidence: "medium" };
  }

  #whereNoneTakesTime(count: number): Estimate | undefined {
    const all = [...this.#known.values()].flat();
    const range = this.#rangeOf(all);
    if (range === undefined || Math.max(...all) > noTime) return undefined;
    const { earliest, latest, repeated } = range;
    return { earliest, latest: latest * count, repeated: repeated * count, confidence: "medium" };
  }

  /**
   * The range in which the next duration probably is: that of the known ones, widened by the gap that is to be expected
   * between neighbours among them, so that few durations and durations that vary a lot widen it more.
   */
  #rangeOf(known: readonly number[] | undefined): Estimate | undefined {
    if (known === undefined || known.length === 0) return undefined;
    const [least, most] = [Math.max(Math.min(...known), 1), Math.max(...known, 1)];
    const gap = known.length === 1 ? widthOfOne : (most / least) ** (1 / (known.length - 1)) * minGap;
    const confidence = known.length >= enough ? "high" : this.#confidenceInFew();
    return { earliest: least / gap, latest: most * gap, repeated: most * minGap, confidence };
  }

  #confidenceInFew(): Estimate["confidence"] {
    const share = this.#repeated / this.#expected;
    if (this.#expected >= 2 && share >= mostRepeat) return "high";
    return share < fewRepeat ? "low" : "medium";
  }

  #add(key: string, duration: number): void {
    // A timestamp that is no time.
    if (!Number.isFinite(duration)) return;
    const known = this.#known.get(key) ?? [];
    if (known.length > 0) {
      this.#expected += 1;
      if (known.some((other) => Math.max(duration, other) <= sameDuration * Math.min(duration, other)))
        this.#repeated += 1;
    }
    this.#known.set(key, [...known, duration].slice(-remembered));
  }
}

/** A single operation may have waited for others before it started. */
function durationOf(operations: readonly Operation[]): number {
  const [first, ...others] = operations;
  if (others.length === 0 && first?.total_duration_ms) return first.total_duration_ms;
  const starts = operations.map(({ created_at }) => Date.parse(created_at));
  return Math.max(0, Math.max(...operations.map(endOf)) - Math.min(...starts));
}

function isFinished({ status }: Operation): boolean {
  return status === "finished";
}

function endOf({ updated_at }: Operation): number {
  return Date.parse(updated_at);
}

function keyOf(operations: readonly Operation[]): string {
  return operations
    .map(({ action }) => action)
    .sort()
    .join("+");
}
