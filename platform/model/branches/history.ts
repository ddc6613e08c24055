import { badRequest, unprocessable } from "../../http-error";
import { formatLsn, parseLsn } from "../../postgres/lsn";
import { wholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import type { Moment } from "./data-origin";

/** The prefix of a point's names in a request, such as `parent_` in `parent_lsn`. */
type PointPrefix = "" | "base_" | "parent_" | "source_";
/** A point in the history of a branch, by log position or by time; without either, the end of the history. */
type RequestedPoint = {
  readonly [Name in `${PointPrefix}lsn` | `${PointPrefix}timestamp`]?: string | undefined;
};

/**
 * The write-ahead log of a project without Postgres. All branches share it. It has a size once the database is created, and grows
 * with time, because there is no data that could make it grow.
 */
const log = { start: 0x14e_e000, afterCreation: 0x1e0_0000, bytesPerMillisecond: 8 } as const;

/**
 * Resolves a point in the history of a branch to the members of a branch that starts there.
 *
 * @throws HttpError 400 if the point is impossible, 422 if it is outside the history that is kept.
 */
export function pointInHistory(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  prefix: PointPrefix,
  point: RequestedPoint,
): Pick<BranchRow, "parent_lsn" | "parent_timestamp"> {
  const lsn = point[`${prefix}lsn`];
  const timestamp = point[`${prefix}timestamp`];
  const now = controlPlane.clock.now();
  const since = Math.floor(Date.parse(branch.history_since ?? branch.created_at));
  const oldest = Math.max(now - project.history_retention_seconds * 1000, since);
  if (lsn !== undefined) {
    if (timestamp !== undefined) throw badRequest(`${prefix}lsn and ${prefix}timestamp exclude each other`);
    const position = parseLsn(lsn);
    const { start, end } = logOf(controlPlane, project, branch, oldest);
    if (position > end) throw unprocessable(`${prefix}lsn is after the end of the history: ${formatLsn(end)}`);
    if (position < start) {
      throw unprocessable(`${prefix}lsn is before the start of the history: ${formatLsn(start)}`);
    }
    requireHistory(controlPlane, project, branch);
    return { parent_lsn: lsn };
  }
  const time = timestamp === undefined ? now : Date.parse(timestamp);
  if (time > now) throw badRequest(`${prefix}timestamp must not be in the future`);
  // Compare whole seconds, because clients know the start of the history only in whole seconds.
  if (timestamp !== undefined && time < Math.floor(oldest / 1000) * 1000) {
    throw unprocessable(`${prefix}timestamp is before the start of the history: ${wholeSeconds(oldest)}`);
  }
  if (timestamp !== undefined) requireHistory(controlPlane, project, branch);
  const lsnThen = controlPlane.databases ? knownLsn(branch, timestamp) : formatLsn(lsnAt(project, time));
  return { parent_lsn: lsnThen, parent_timestamp: wholeSeconds(time) };
}

/** The moment that a request names. Its time keeps all digits. */
export function momentOf(prefix: PointPrefix, point: RequestedPoint): Moment | undefined {
  const lsn = point[`${prefix}lsn`];
  const time = point[`${prefix}timestamp`];
  if (lsn !== undefined) return { lsn };
  return time === undefined ? undefined : { time };
}

/** The log position at a time. Postgres knows an earlier position only after it has replayed its log. */
const knownLsn = (branch: BranchRow, timestamp: string | undefined): string | undefined =>
  timestamp === undefined ? branch.current_lsn : undefined;

/** @throws HttpError 422 if Postgres has no history from which to recover an earlier point */
function requireHistory({ databases }: ControlPlane, project: ProjectRow, branch: BranchRow): void {
  if (!databases) return;
  if (project.history_retention_seconds === 0) {
    throw unprocessable(`branch ${branch.id} has no history: history_retention_seconds of its project is 0`);
  }
  if (branch.without_history === true) throw unprocessable(`branch ${branch.id} has no history yet`);
}

/** The part of a branch's log that is kept. */
function logOf(
  { databases, clock }: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  oldest: number,
): { readonly start: bigint; readonly end: bigint } {
  if (databases) {
    return { start: parseLsn(branch.history_lsn ?? "0/0"), end: parseLsn(branch.current_lsn ?? "0/0") };
  }
  const since = Math.floor(Date.parse(branch.history_since ?? branch.created_at));
  const isComplete = branch.parent_id === undefined && branch.history_since === undefined && oldest === since;
  return { start: isComplete ? BigInt(log.start) : lsnAt(project, oldest), end: lsnAt(project, clock.now()) };
}

function lsnAt(project: ProjectRow, time: number): bigint {
  const age = Math.max(0, Math.floor(time) - Math.floor(Date.parse(project.created_at)));
  return BigInt(log.afterCreation + age * log.bytesPerMillisecond);
}
