import type { z } from "zod";

import type { granularity } from "../../../api/schemas/consumption";
import { HttpError } from "../../http-error";
import { hashOf } from "../../storage/hash";
import { wholeSeconds } from "../../storage/timestamps";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "../branches/branch-row";
import type { ProjectRow } from "../projects/project-row";
import type { Owner } from "./owner";

type Granularity = z.infer<typeof granularity>;

/** A timeframe of a history. It ends where the next one starts. Both times are in milliseconds since 1970. */
interface Timeframe {
  readonly start: number;
  readonly end: number;
}

const hour = 3_600_000;
/** How far back a history goes, in timeframes. */
const reach: Readonly<Record<Granularity, number>> = { hourly: 168, daily: 60, monthly: 12 };
const beginning = Date.UTC(2024, 2, 1);

/**
 * The timeframes between two times, which are rounded down.
 *
 * @throws HttpError 406 if the times are outside of the reach of the granularity
 */
export function timeframesOf(
  { clock }: ControlPlane,
  { from, to, granularity: length }: { from: number; to: number; granularity: Granularity },
): readonly Timeframe[] {
  const [first, last] = [startOf(length, from), startOf(length, to)];
  const earliest = Math.max(beginning, shifted(length, startOf(length, clock.now()), -reach[length]));
  if (first < earliest || last < first) {
    throw new HttpError(
      406,
      `the range is not valid for ${length} metrics, which reach back to ${wholeSeconds(earliest)}: adjust from and to, or select a different granularity`,
    );
  }
  const end = Math.min(last, clock.now());
  const frames: Timeframe[] = [];
  for (let start = first; start < end; start = shifted(length, start, 1)) {
    frames.push({ start, end: shifted(length, start, 1) });
  }
  return frames;
}

/** The history of a project in the metrics of legacy plans. */
export function legacyHistory(owner: Owner, project: ProjectRow, frames: readonly Timeframe[]) {
  return {
    project_id: project.id,
    periods: periodsOf(owner, project, frames, (share) => ({
      active_time_seconds: project.active_time_seconds * share,
      compute_time_seconds: project.compute_time_seconds * share,
      written_data_bytes: 0,
      synthetic_storage_size_bytes: 0,
    })),
  } satisfies Answer<vendor.ConsumptionHistoryPerProject>;
}

export function projectHistory(
  owner: Owner,
  project: ProjectRow,
  frames: readonly Timeframe[],
  metrics: readonly string[],
) {
  return {
    project_id: project.id,
    periods: periodsOf(owner, project, frames, metricsOf(project.compute_time_seconds, metrics)),
  } satisfies Answer<vendor.ConsumptionHistoryPerProjectV2>;
}

export function branchHistory(
  owner: Owner,
  branch: BranchRow,
  frames: readonly Timeframe[],
  metrics: readonly string[],
) {
  return {
    project_id: branch.project_id,
    branch_id: branch.id,
    periods: periodsOf(owner, branch, frames, metricsOf(branch.compute_time_seconds, metrics)),
  } satisfies Answer<vendor.ConsumptionHistoryPerBranchV2>;
}

/** Metrics of one timeframe. Only the compute time is measured, neither storage nor transfer. */
function metricsOf(computeSeconds: number, metrics: readonly string[]) {
  return (share: 0 | 1) => ({
    metrics: metrics.map((name) => ({
      metric_name: name,
      value: name === "compute_unit_seconds" ? Math.round(computeSeconds) * share : 0,
    })),
  });
}

/**
 * The timeframes since an object was created, grouped by monthly billing period. The platform keeps only totals, so the whole
 * total is in the timeframe in which the object was last used.
 */
function periodsOf<Consumed extends object>(
  { id, plan }: Owner,
  object: {
    readonly created_at: string;
    readonly updated_at: string;
    readonly compute_last_active_at?: string | undefined;
  },
  frames: readonly Timeframe[],
  consumed: (share: 0 | 1) => Consumed,
) {
  const createdAt = Date.parse(object.created_at);
  const usedAt = Date.parse(object.compute_last_active_at ?? object.updated_at);
  const own = frames.filter(({ end }) => end > createdAt);
  const months = [...new Set(own.map(({ start }) => startOf("monthly", start)))];
  return months.map((month, index) => ({
    period_id: idOf(id, month),
    period_plan: plan,
    period_start: wholeSeconds(month),
    ...(index < months.length - 1 && { period_end: wholeSeconds(shifted("monthly", month, 1)) }),
    consumption: own
      .filter(({ start }) => startOf("monthly", start) === month)
      .map(({ start, end }) => ({
        timeframe_start: wholeSeconds(start),
        timeframe_end: wholeSeconds(end),
        ...consumed(start <= usedAt && usedAt < end ? 1 : 0),
      })),
  }));
}

/** The id of a billing period, derived from the account and the month so that the id never changes. */
function idOf(accountId: string, month: number): string {
  return hashOf(`${accountId} ${month}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

function startOf(length: Granularity, time: number): number {
  const date = new Date(time);
  if (length === "monthly") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return time - (time % (length === "daily" ? 24 * hour : hour));
}

function shifted(length: Granularity, time: number, count: number): number {
  const date = new Date(time);
  if (length === "monthly") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  return time + count * (length === "daily" ? 24 * hour : hour);
}
