import parseDuration from "parse-duration";

/**
 * Milliseconds in a duration such as `90s`, `10m` or `1h30m`.
 *
 * @returns `undefined` when the text is none: a number needs its unit, and the time must be above zero.
 */
export function milliseconds(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parsed = parseDuration(text);
  return parsed === null || parsed <= 0 ? undefined : parsed;
}
