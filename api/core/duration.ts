/** The default time to wait for the operations of one request, in milliseconds. */
export const defaultOperationTimeout = 600_000;

/** The error text for an invalid duration. */
export const durationForm = 'must be a duration such as "90s", "10m" or "1h30m"';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Parses a duration such as `90s`, `10m` or `1h30m`.
 *
 * @returns milliseconds; `undefined` if the text is not a positive duration with units
 */
export function milliseconds(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit = ""] of text.matchAll(/([\d.]+)([a-z]+)/g)) sum += Number(amount) * (units[unit] ?? 0);
  return sum > 0 ? sum : undefined;
}
