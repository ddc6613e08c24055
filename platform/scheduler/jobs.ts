import { checksOf, nextCheck } from "../model/availability";
import { runSchedule } from "../model/backup-schedule";
import { deleteBranch, purgeBranch } from "../model/branch";
import type { ControlPlane } from "../model/control-plane";
import { endpointsOfProject, suspendPlan } from "../model/endpoint";
import { advance, begin, nextAdvance } from "../model/operation";
import { purgeProject } from "../model/project";
import { foreseeQuota } from "../model/quota";
import { deleteSnapshot } from "../model/snapshot";
import { wholeSeconds } from "../storage/timestamps";

/** Something that the control plane does by itself when its time has come. */
export interface Job {
  /** When there is something to do next. */
  readonly due: (plane: ControlPlane) => number | undefined;
  /** Does what is due by now; at least one thing less is due afterwards. */
  readonly run: (plane: ControlPlane, now: number) => void;
}

/** Work on a project that has operations under way waits for them, as a client's request would have to. */
const whileFree = (projectId: string): string =>
  `AND NOT EXISTS (SELECT 1 FROM operations o WHERE o.project_id = ${projectId} AND o.ended = 0)`;

const operations: Job = { due: nextAdvance, run: advance };

const expiry: Job = {
  due: ({ tables }) => {
    const soonest = tables.branches.smallest("expires_at", { deleted_at: null }, whileFree("branches.project_id"));
    return moment(soonest);
  },
  run: (plane, now) => {
    const { branches } = plane.tables;
    const due = `AND expires_at <= ? ${whileFree("branches.project_id")} ORDER BY expires_at LIMIT 1`;
    for (const branch of branches.list({ deleted_at: null }, due, wholeSeconds(now))) {
      deleteBranch(plane, branch, { method: "ttl" });
    }
  },
};

const snapshotExpiry: Job = {
  due: ({ tables }) =>
    moment(tables.snapshots.smallest("expires_at", { deleted_at: null }, whileFree("snapshots.project_id"))),
  run: (plane, now) => {
    const due = `AND expires_at <= ? ${whileFree("snapshots.project_id")} ORDER BY expires_at LIMIT 1`;
    for (const snapshot of plane.tables.snapshots.list({ deleted_at: null }, due, wholeSeconds(now))) {
      deleteSnapshot(plane, snapshot);
    }
  },
};

/** The schedule of a branch that is deleted rests until it is recovered. */
const ofBranchThatIsThere = `AND EXISTS (SELECT 1 FROM branches b JOIN projects p ON p.id = b.project_id
  WHERE b.id = backup_schedules.branch_id AND b.deleted_at IS NULL AND p.deleted_at IS NULL)`;

const backups: Job = {
  due: ({ tables }) => {
    const rest = `${ofBranchThatIsThere} ${whileFree("backup_schedules.project_id")}`;
    return number(tables.backupSchedules.smallest("next_at", {}, rest));
  },
  run: (plane, now) => {
    const rest = `AND next_at <= ? ${ofBranchThatIsThere} ${whileFree("backup_schedules.project_id")} ORDER BY next_at LIMIT 1`;
    for (const row of plane.tables.backupSchedules.list({}, rest, now)) runSchedule(plane, row, now);
  },
};

const forgetting: Job = {
  due: ({ tables }) =>
    earliest(
      moment(tables.projects.smallest("recoverable_until", {})),
      moment(tables.branches.smallest("recoverable_until", { deletion_id: null })),
    ),
  run: (plane, now) => {
    const over = new Date(now).toISOString();
    const due = "AND recoverable_until <= ?";
    for (const { id } of plane.tables.projects.list({}, due, over)) purgeProject(plane, id);
    for (const { id } of plane.tables.branches.list({ deletion_id: null }, due, over)) purgeBranch(plane, id);
  },
};

const quotas: Job = {
  due: ({ tables }) => number(tables.projects.smallest("quota_at", { deleted_at: null }, whileFree("projects.id"))),
  run: (plane, now) => {
    const due = `AND quota_at <= ? ${whileFree("projects.id")}`;
    for (const { id } of plane.tables.projects.list({ deleted_at: null }, due, now)) {
      const active = endpointsOfProject(plane, id).filter(({ current_state: state }) => state === "active");
      if (active.length === 0) foreseeQuota(plane, id, now);
      else begin(plane, id, active.map(suspendPlan));
    }
  },
};

const inactivity: Job = {
  due: ({ tables }) => {
    const soonest = tables.endpoints.smallest("idle_at", { deleted_at: null }, whileFree("endpoints.project_id"));
    return number(soonest);
  },
  run: (plane, now) => {
    const due = `AND idle_at <= ? ${whileFree("endpoints.project_id")} ORDER BY idle_at LIMIT 1`;
    for (const endpoint of plane.tables.endpoints.list({ deleted_at: null }, due, now)) {
      begin(plane, endpoint.project_id, [suspendPlan(endpoint)]);
    }
  },
};

const availability: Job = {
  due: ({ tables }) => number(tables.projects.smallest("check_at", { deleted_at: null }, whileFree("projects.id"))),
  run: (plane, now) => {
    const due = `AND check_at <= ? ${whileFree("projects.id")}`;
    for (const project of plane.tables.projects.list({ deleted_at: null }, due, now)) {
      begin(plane, project.id, checksOf(plane, project.id));
      plane.tables.projects.put({ ...project, check_at: nextCheck(plane) });
    }
  },
};

/** What the control plane does by itself; suspending idle computes and checking availability only on request. */
export function jobsOf({ background }: ControlPlane): readonly Job[] {
  return [
    operations,
    expiry,
    snapshotExpiry,
    backups,
    forgetting,
    quotas,
    ...(background ? [inactivity, availability] : []),
  ];
}

function earliest(...moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function moment(timestamp: unknown): number | undefined {
  return typeof timestamp === "string" ? Date.parse(timestamp) : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
