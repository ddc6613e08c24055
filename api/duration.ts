import parseDuration from "parse-duration";

/** The default time to wait for the operations of one request, in milliseconds. */
export const defaultOperationTimeout = 600_000;

/** What a text that is no duration must be. */
export const durationForm = 'must be a duration such as "90s", "10m" or "1h30m"';

/**
 * Parses a duration such as `90s`, `10m` or `1h30m`.
 *
 * @returns milliseconds; `undefined` if the text is not a positive duration with units
 */
export function milliseconds(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parsed = parseDuration(text);
  return parsed === null || parsed <= 0 ? undefined : parsed;
}
