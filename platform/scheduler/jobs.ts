import { deleteBranch } from "../model/branches/branch";
import { advanceDeployment } from "../model/branches/function-deployment";
import { endMaskingTime } from "../model/branches/masking-state";
import { deleteSnapshot } from "../model/branches/snapshot";
import { runSchedule } from "../model/branches/trigger-delivery";
import { withActivity } from "../model/computes/activity";
import { availabilityChecks, nextCheckAt } from "../model/computes/availability";
import { isActive, listProjectEndpoints, suspendCompute } from "../model/computes/endpoint";
import { updateQuotaDeadline } from "../model/computes/quota";
import { purge, type RowTable } from "../model/containment";
import type { ControlPlane } from "../model/control-plane";
import { advance, startOperations } from "../model/operations/lifecycle";
import { unlockedProject } from "../model/operations/project-lock";
import { purgeProject } from "../model/projects/project";
import type { Tables } from "../model/tables";
import type { Topic } from "../storage/change-feed";
import type { Table } from "../storage/table";

/** Work that the control plane does without a request. */
export interface Job {
  /** A change of this table may make the job due. */
  readonly table: Topic;
  /** Returns the next work; `undefined` if there is none. */
  readonly next: () => DueWork | undefined;
}

export interface DueWork {
  readonly due: number;
  readonly run: (now: number) => void;
}

/**
 * A job that handles each row of a table when the time in a column has come. Handling a row must change that time, or make
 * the row no longer match the condition.
 */
function forEachDue<Row extends object>(
  tableOf: (tables: Tables) => Table<Row>,
  column: keyof Row & string,
  condition: string,
  handle: (controlPlane: ControlPlane, row: Row, now: number) => void,
): (controlPlane: ControlPlane) => Job {
  const first = `AND ${column} IS NOT NULL ${condition} ORDER BY ${column}, rowid LIMIT 1`;
  return (controlPlane) => {
    const table = tableOf(controlPlane.tables);
    const next = (): DueWork | undefined => {
      const [row] = table.list({}, first);
      if (!row) return undefined;
      const time: unknown = row[column];
      return {
        due: typeof time === "string" ? Date.parse(time) : Number(time),
        run: (now) => handle(controlPlane, row, now),
      };
    };
    return { table: table.definition, next };
  };
}

const operationProgress = forEachDue(
  ({ operations }) => operations,
  "due_at",
  "",
  (controlPlane, operation, now) => advance(controlPlane, operation, operation.due_at ?? now),
);

const deploymentProgress = forEachDue(
  ({ functionDeployments }) => functionDeployments,
  "due_at",
  "",
  advanceDeployment,
);

const branchExpiry = forEachDue(
  ({ branches }) => branches,
  "expires_at",
  // A child whose deletion fails comes back, possibly after the expiry was set.
  `AND deleted_at IS NULL ${unlockedProject("branches.project_id")}
   AND NOT EXISTS (SELECT 1 FROM branches c WHERE c.parent_id = branches.id AND c.deleted_at IS NULL)`,
  (controlPlane, branch) => deleteBranch(controlPlane, branch, { method: "ttl" }),
);

const snapshotExpiry = forEachDue(
  ({ snapshots }) => snapshots,
  "expires_at",
  `AND deleted_at IS NULL ${unlockedProject("snapshots.project_id")}`,
  (controlPlane, snapshot) => deleteSnapshot(controlPlane, snapshot),
);

/** Triggers are paused while their branch or project is deleted. */
const schedules = forEachDue(
  ({ triggers }) => triggers,
  "next_at",
  `AND EXISTS (SELECT 1 FROM branches b JOIN projects p ON p.id = b.project_id
   WHERE b.id = triggers.branch_id AND b.deleted_at IS NULL AND p.deleted_at IS NULL)`,
  runSchedule,
);

/** Removes deleted projects that can no longer be recovered. */
const projectPurge = forEachDue(
  ({ projects }) => projects,
  "recoverable_until",
  "",
  (controlPlane, { id }) => purgeProject(controlPlane, id),
);

/** Removes deleted branches that can no longer be recovered. */
const branchPurge = forEachDue(
  ({ branches }) => branches,
  "recoverable_until",
  "AND deletion_id IS NULL",
  (controlPlane, { id }) => purge(controlPlane, controlPlane.tables.branches, { id }),
);

/** Handles the end of the operation time of masking runs. */
const masking = forEachDue(({ branches }) => branches, "masking_due_at", "", endMaskingTime);

/** Suspends the computes of projects that have used up their quota. */
const quotas = forEachDue(
  ({ projects }) => projects,
  "quota_at",
  `AND deleted_at IS NULL ${unlockedProject("projects.id")}`,
  (controlPlane, { id }, now) => {
    const active = listProjectEndpoints(controlPlane, id).filter(isActive);
    if (active.length === 0) updateQuotaDeadline(controlPlane, id, now);
    else startOperations(controlPlane, id, active.map(suspendCompute));
  },
);

/** Suspends computes that have been inactive for their suspend timeout. */
const autosuspend = forEachDue(
  ({ endpoints }) => endpoints,
  "idle_at",
  `AND deleted_at IS NULL ${unlockedProject("endpoints.project_id")}`,
  (controlPlane, endpoint, now) => {
    const active = withActivity(controlPlane, endpoint);
    if ((active.idle_at ?? Infinity) > now) controlPlane.tables.endpoints.put(active);
    else startOperations(controlPlane, endpoint.project_id, [suspendCompute(endpoint)]);
  },
);

const availability = forEachDue(
  ({ projects }) => projects,
  "check_at",
  `AND deleted_at IS NULL ${unlockedProject("projects.id")}`,
  (controlPlane, project) => {
    startOperations(controlPlane, project.id, availabilityChecks(controlPlane, project.id));
    controlPlane.tables.projects.put({ ...project, check_at: nextCheckAt(controlPlane) });
  },
);

/** The jobs that tables define for their rows. */
function tableJobs({ tables }: ControlPlane): readonly ((controlPlane: ControlPlane) => Job)[] {
  return (Object.values(tables) as unknown as readonly Table<object, RowTable<object>>[]).flatMap((table) => {
    const { due } = table.definition;
    if (due === undefined) return [];
    return [
      forEachDue(
        () => table,
        due.at,
        due.where ?? "",
        (...given) => due.run(...given),
      ),
    ];
  });
}

/**
 * All jobs. Checks of availability need the `background` option. Inactive computes are suspended with that option, or if they are
 * processes.
 */
export function createJobs(controlPlane: ControlPlane): readonly Job[] {
  const { background, databases } = controlPlane;
  const jobs = [
    operationProgress,
    deploymentProgress,
    branchExpiry,
    snapshotExpiry,
    ...tableJobs(controlPlane),
    schedules,
    projectPurge,
    branchPurge,
    masking,
    quotas,
    ...(background || databases ? [autosuspend] : []),
    ...(background ? [availability] : []),
  ];
  return jobs.map((job) => job(controlPlane));
}
