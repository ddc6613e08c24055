import { runBackupSchedule } from "../model/branches/backup-schedule";
import { deleteBranch, purgeBranch } from "../model/branches/branch";
import { deleteSnapshot } from "../model/branches/snapshot";
import { availabilityChecks, nextCheckAt } from "../model/computes/availability";
import { listProjectEndpoints, suspendCompute } from "../model/computes/endpoint";
import { updateQuotaDeadline } from "../model/computes/quota";
import type { ControlPlane } from "../model/control-plane";
import { advanceOperations, nextOperationDue, startOperations } from "../model/operations/lifecycle";
import { unlockedProject } from "../model/operations/project-lock";
import { purgeProject } from "../model/projects/project";
import { wholeSeconds } from "../storage/timestamps";

/** Work that the control plane does without a request. */
export interface Job {
  /** When the job must run next; `undefined` if there is nothing to do. */
  readonly due: (controlPlane: ControlPlane) => number | undefined;
  /** Does at least one of the things that are due by now. */
  readonly run: (controlPlane: ControlPlane, now: number) => void;
}

const operationProgress: Job = { due: nextOperationDue, run: advanceOperations };

const branchExpiry: Job = {
  due: ({ tables }) =>
    parseTime(tables.branches.min("expires_at", { deleted_at: null }, unlockedProject("branches.project_id"))),
  run: (controlPlane, now) => {
    const due = `AND expires_at <= ? ${unlockedProject("branches.project_id")} ORDER BY expires_at LIMIT 1`;
    for (const branch of controlPlane.tables.branches.list({ deleted_at: null }, due, wholeSeconds(now))) {
      deleteBranch(controlPlane, branch, { method: "ttl" });
    }
  },
};

const snapshotExpiry: Job = {
  due: ({ tables }) =>
    parseTime(tables.snapshots.min("expires_at", { deleted_at: null }, unlockedProject("snapshots.project_id"))),
  run: (controlPlane, now) => {
    const due = `AND expires_at <= ? ${unlockedProject("snapshots.project_id")} ORDER BY expires_at LIMIT 1`;
    for (const snapshot of controlPlane.tables.snapshots.list({ deleted_at: null }, due, wholeSeconds(now))) {
      deleteSnapshot(controlPlane, snapshot);
    }
  },
};

/** A schedule is paused while its branch or project is deleted. */
const activeSchedule = `AND EXISTS (SELECT 1 FROM branches b JOIN projects p ON p.id = b.project_id
  WHERE b.id = backup_schedules.branch_id AND b.deleted_at IS NULL AND p.deleted_at IS NULL)
  ${unlockedProject("backup_schedules.project_id")}`;

const backups: Job = {
  due: ({ tables }) => numberOrUndefined(tables.backupSchedules.min("next_at", {}, activeSchedule)),
  run: (controlPlane, now) => {
    const due = `AND next_at <= ? ${activeSchedule} ORDER BY next_at LIMIT 1`;
    for (const row of controlPlane.tables.backupSchedules.list({}, due, now)) runBackupSchedule(controlPlane, row, now);
  },
};

/** Removes deleted projects and branches that can no longer be recovered. */
const purge: Job = {
  due: ({ tables }) =>
    earliest(
      parseTime(tables.projects.min("recoverable_until", {})),
      parseTime(tables.branches.min("recoverable_until", { deletion_id: null })),
    ),
  run: (controlPlane, now) => {
    const { projects, branches } = controlPlane.tables;
    const due = "AND recoverable_until <= ?";
    const until = new Date(now).toISOString();
    for (const { id } of projects.list({}, due, until)) purgeProject(controlPlane, id);
    for (const { id } of branches.list({ deletion_id: null }, due, until)) purgeBranch(controlPlane, id);
  },
};

/** Suspends the computes of projects that have used up their quota. */
const quotas: Job = {
  due: ({ tables }) =>
    numberOrUndefined(tables.projects.min("quota_at", { deleted_at: null }, unlockedProject("projects.id"))),
  run: (controlPlane, now) => {
    const due = `AND quota_at <= ? ${unlockedProject("projects.id")}`;
    for (const { id } of controlPlane.tables.projects.list({ deleted_at: null }, due, now)) {
      const active = listProjectEndpoints(controlPlane, id).filter(({ current_state: state }) => state === "active");
      if (active.length === 0) updateQuotaDeadline(controlPlane, id, now);
      else startOperations(controlPlane, id, active.map(suspendCompute));
    }
  },
};

/** Suspends computes that have been inactive for their suspend timeout. */
const autosuspend: Job = {
  due: ({ tables }) =>
    numberOrUndefined(tables.endpoints.min("idle_at", { deleted_at: null }, unlockedProject("endpoints.project_id"))),
  run: (controlPlane, now) => {
    const due = `AND idle_at <= ? ${unlockedProject("endpoints.project_id")} ORDER BY idle_at LIMIT 1`;
    for (const endpoint of controlPlane.tables.endpoints.list({ deleted_at: null }, due, now)) {
      startOperations(controlPlane, endpoint.project_id, [suspendCompute(endpoint)]);
    }
  },
};

const availability: Job = {
  due: ({ tables }) =>
    numberOrUndefined(tables.projects.min("check_at", { deleted_at: null }, unlockedProject("projects.id"))),
  run: (controlPlane, now) => {
    const { projects } = controlPlane.tables;
    const due = `AND check_at <= ? ${unlockedProject("projects.id")}`;
    for (const project of projects.list({ deleted_at: null }, due, now)) {
      startOperations(controlPlane, project.id, availabilityChecks(controlPlane, project.id));
      projects.put({ ...project, check_at: nextCheckAt(controlPlane) });
    }
  },
};

/** All jobs. Only with the `background` option are idle computes suspended and availability checked. */
export function createJobs({ background }: ControlPlane): readonly Job[] {
  return [
    operationProgress,
    branchExpiry,
    snapshotExpiry,
    backups,
    purge,
    quotas,
    ...(background ? [autosuspend, availability] : []),
  ];
}

function earliest(...moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function parseTime(timestamp: unknown): number | undefined {
  return typeof timestamp === "string" ? Date.parse(timestamp) : undefined;
}

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
