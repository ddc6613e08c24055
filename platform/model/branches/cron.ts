import { Cron } from "croner";

import { badRequest } from "../../http-error";

/** The smallest and the largest value of each field: minute, hour, day of the month, month, day of the week. */
const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

/** A part of a field: all values, one value or a range, and optionally the step between values. */
const part = /^(?:\*|(?<first>\d+)(?:-(?<last>\d+))?)(?:\/(?<step>\d+))?$/;

/**
 * Checks a schedule: five numeric fields.
 *
 * @throws HttpError 400
 */
export function checkCron(expression: string): void {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== bounds.length) throw invalid("cron expression must have exactly five fields");
  for (const [index, [smallest, largest]] of bounds.entries()) {
    for (const text of (fields[index] ?? "").split(",")) {
      const found = part.exec(text)?.groups;
      if (!found) throw invalid("cron fields must be numeric");
      const first = Number(found["first"] ?? smallest);
      const last = Number(found["last"] ?? found["first"] ?? largest);
      const step = Number(found["step"] ?? 1);
      if (first < smallest || last > largest || first > last || step < 1) {
        throw outOfBounds();
      }
    }
  }
  try {
    scheduleOf(expression);
  } catch {
    // The library refuses more, such as a step that is longer than its field.
    throw outOfBounds();
  }
}

/** The next time at which a schedule in UTC is due, in milliseconds since 1970; `null` if there is none. */
export function nextRun(expression: string, after: number): number | null {
  return scheduleOf(expression).nextRun(new Date(after))?.getTime() ?? null;
}

const scheduleOf = (expression: string): Cron =>
  new Cron(expression, { timezone: "UTC", paused: true, sloppyRanges: true });

const outOfBounds = () => invalid("cron value is outside field bounds");
const invalid = (problem: string) => badRequest(`cron: ${problem}`);
