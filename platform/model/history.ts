import { badRequest, unprocessable } from "../http-error";
import { wholeSeconds } from "../storage/timestamps";
import type { ControlPlane } from "./control-plane";
import type { BranchRow, ProjectRow } from "./rows";

/** A point in a branch's history, as a request names it: by a place in the log or by a time, or its end. */
export interface AskedPoint {
  readonly lsn: string | undefined;
  readonly timestamp: string | undefined;
}

/** How a request calls its two ways to name a point. */
export interface PointNames {
  readonly lsn: string;
  readonly timestamp: string;
}

/**
 * The log of a project, which all its branches go on writing: what making a fresh database has put there, and from then
 * on so much for each millisecond. No data passes through the local platform, so that only time can make it longer.
 */
const log = { begin: 0x14e_e000, fresh: 0x1e0_0000, bytesPerMillisecond: 8 } as const;

/**
 * A point in a branch's history, as a branch that begins there tells it.
 *
 * @throws Refusal 400 for a point that cannot be, 422 for one outside the history that is kept.
 */
export function pointInHistory(
  { clock }: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { lsn, timestamp }: AskedPoint,
  names: PointNames,
): Pick<BranchRow, "parent_lsn" | "parent_timestamp"> {
  const now = clock.now();
  const since = Math.floor(Date.parse(branch.history_since ?? branch.created_at));
  const oldest = Math.max(now - project.history_retention_seconds * 1000, since);
  if (lsn !== undefined) {
    if (timestamp !== undefined) throw badRequest(`${names.lsn} and ${names.timestamp} exclude each other`);
    const place = placeOf(lsn);
    const end = placeAt(project, now);
    if (place > end) throw unprocessable(`${names.lsn} is behind the end of the history, which is ${textOf(end)}`);
    const isWhole = branch.parent_id === undefined && branch.history_since === undefined && oldest === since;
    const begin = isWhole ? log.begin : placeAt(project, oldest);
    if (place < begin) throw unprocessable(`${names.lsn} is before the history that is kept: ${textOf(begin)}`);
    return { parent_lsn: lsn };
  }
  const moment = timestamp === undefined ? now : Date.parse(timestamp);
  if (moment > now) throw badRequest(`${names.timestamp} must not be in the future`);
  if (timestamp !== undefined && moment < oldest) {
    throw unprocessable(`${names.timestamp} is before the history that is kept: ${wholeSeconds(oldest)}`);
  }
  return { parent_lsn: textOf(placeAt(project, moment)), parent_timestamp: wholeSeconds(moment) };
}

function placeAt(project: ProjectRow, moment: number): number {
  const age = Math.max(0, Math.floor(moment) - Math.floor(Date.parse(project.created_at)));
  return log.fresh + age * log.bytesPerMillisecond;
}

/** Of two numbers of 32 bits each; beyond what a number holds exactly, it is behind every end anyway. */
function placeOf(lsn: string): number {
  const [high = "", low = ""] = lsn.split("/");
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}

function textOf(place: number): string {
  const half = (value: number): string => value.toString(16).toUpperCase();
  return `${half(Math.floor(place / 2 ** 32))}/${half(place % 2 ** 32)}`;
}
