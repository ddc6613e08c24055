const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The time since something: `just now`, `5 min ago`, `3 h ago`, `2 d ago`. */
export function ageText(at: number, now: number): string {
  const ago = now - at;
  if (ago < minute) return "just now";
  return `${spanText(ago)} ago`;
}

/** The time until something: `5 min left`. */
export const leftText = (at: number, now: number): string => (at <= now ? "expires now" : `${spanText(at - now)} left`);

function spanText(milliseconds: number): string {
  if (milliseconds < hour) return `${Math.max(1, Math.round(milliseconds / minute))} min`;
  if (milliseconds < 2 * day) return `${Math.round(milliseconds / hour)} h`;
  return `${Math.round(milliseconds / day)} d`;
}

const units = ["B", "kB", "MB", "GB", "TB"];

export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return "–";
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power] ?? ""}`;
}

/** A time of day with milliseconds, as in a log. In UTC, so that the server and the browser write the same. */
export const clockText = (at: number): string => new Date(at).toISOString().slice(11, 23);

export const dateText = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** An action in words: `start_compute` is `Start compute`. */
export function actionText(action: string): string {
  const words = action.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The part of a class name that stands for a status. */
export const toneOf = (label: string): string =>
  ({ OK: "good", Error: "bad", "In progress": "busy", Scheduling: "quiet" })[label] ?? "quiet";

/** The part of a class name that stands for the state of a compute or a branch. */
export const toneOfState = (state: string): string =>
  state.endsWith(" failed") ? "bad" : state === "active" || state === "ready" ? "good" : "quiet";

/** The part of a class name that stands for the status of a response; `undefined` means that there is none yet. */
export const toneOfStatus = (status: number | undefined): string =>
  status === undefined ? "busy" : status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
