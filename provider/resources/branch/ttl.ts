import { z } from "zod";

import type { Branch } from "../../../api/schemas/branch";
import { omitUndefined } from "../../values";

const units = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

/** Bounds in seconds. Neon allows 30 days. A branch that lives for less than a minute could expire before it is ready. */
const limits = { least: units.m, most: 30 * units.d };

/** Seconds by which the interval that Neon computes can be shorter than the one that was meant: a request takes time. */
const delay = 10;

/** The life of a branch as a program declares it. */
export const ttl = z.string().refine((text) => {
  const seconds = secondsOf(text);
  return seconds >= limits.least && seconds <= limits.most;
}, 'must be a whole number with one of the units s, m, h, d and w, from 1m to 30d, such as "7d"');

/** Whether two declared lives are equally long, such as `7d` and `1w`. */
export function sameTtl(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && secondsOf(one) === secondsOf(other);
}

/** The inputs that decide when a branch expires. */
interface Expiring {
  readonly expiresAt?: string | undefined;
  readonly ttl?: string | undefined;
}

/** The time at which a branch expires that gets these inputs now. Undefined if it never expires. */
export function expiryOf({ expiresAt, ttl: life }: Expiring, now: Date): string | undefined {
  if (life === undefined) return expiresAt;
  // Neon stores whole seconds.
  return new Date(now.getTime() + secondsOf(life) * 1_000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** The life of a branch as outputs. */
type Life = {
  readonly ttl?: string | undefined;
  readonly ttlIntervalSeconds?: number | undefined;
};

/**
 * The life of a branch as outputs. The known `ttl` counts while Neon reports the same interval: nobody has set another
 * expiration since.
 */
export function lifeOf({ expires_at: expiry, ttl_interval_seconds: seconds }: Branch, known: Life): Life {
  if ((expiry ?? undefined) === undefined) return {};
  const isKnown = known.ttl !== undefined && known.ttlIntervalSeconds === seconds;
  return omitUndefined({ ttl: isKnown ? known.ttl : written(seconds), ttlIntervalSeconds: seconds });
}

/** The life that a branch was given in this response. */
export function givenLife(branch: Branch, declared: Expiring): Life {
  return lifeOf(branch, { ttl: declared.ttl, ttlIntervalSeconds: branch.ttl_interval_seconds });
}

/** An interval as a program would declare it. Undefined if it comes from a time that somebody has chosen: it is not even. */
function written(seconds = 0): string | undefined {
  const unit = seconds > units.h - delay ? "h" : "m";
  const count = Math.round(seconds / units[unit]);
  if (count === 0 || Math.abs(count * units[unit] - seconds) > delay) return undefined;
  return unit === "h" && count % 24 === 0 ? `${count / 24}d` : `${count}${unit}`;
}

function secondsOf(text: string): number {
  const [, count, unit = ""] = /^(\d{1,7})([smhdw])$/.exec(text) ?? [];
  return Number(count) * units[unit as keyof typeof units];
}
