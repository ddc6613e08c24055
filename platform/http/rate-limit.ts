import type { Clock } from "../clock";
import { HttpError } from "../http-error";

interface Bucket {
  tokens: number;
  at: number;
}

/** The size of a token bucket and how fast it refills. */
interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** Requests of an account per minute. */
export const requestsPerMinute = 700;

const perAccount: Allowance = { burst: requestsPerMinute, perSecond: requestsPerMinute / 60 };
const perSecondOfRoute = 40;

/** The rate limits of the real platform: 700 requests a minute per account, and 40 a second per account and route. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts a request.
   *
   * @throws HttpError 429 with `retry-after` if a limit is exceeded; such a request is not counted.
   */
  consume(account: string, route: string, perSecond = perSecondOfRoute): void {
    const perRoute: Allowance = { burst: perSecond, perSecond };
    const limits = [
      { bucket: this.#bucket(account, perAccount), allowance: perAccount },
      { bucket: this.#bucket(`${account} ${route}`, perRoute), allowance: perRoute },
    ];
    const waits = limits.map(({ bucket, allowance }) => (1 - bucket.tokens) / allowance.perSecond);
    const seconds = Math.max(...waits);
    if (seconds > 0) {
      throw new HttpError(429, "rate limit exceeded", { headers: { "retry-after": String(Math.ceil(seconds)) } });
    }
    for (const { bucket } of limits) bucket.tokens -= 1;
  }

  /** The number of requests that an account has left in the current minute. */
  left(account: string): number {
    return Math.floor(this.#bucket(account, perAccount).tokens);
  }

  #bucket(name: string, { burst, perSecond }: Allowance): Bucket {
    const now = this.#clock.now();
    const known = this.#buckets.get(name) ?? { tokens: burst, at: now };
    const bucket = { tokens: Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond), at: now };
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
