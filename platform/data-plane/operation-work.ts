import { folderOf } from "../model/files";
import type { WorkingAction } from "../model/operations/actions";
import type { BranchRow } from "../model/branches/branch-row";
import type { SnapshotRow } from "../model/branches/snapshot-row";
import { readState } from "../postgres/catalog";
import type { DataStart } from "./branch-data";
import { recordState } from "./catalog-rows";
import { startPostgres } from "./postgres-start";
import {
  branchOf,
  buildOptions,
  type Commit,
  endpointOf,
  historyMember,
  projectOf,
  type OperationWork,
  type WorkContext,
} from "./work";

/** The work of each action that does something in Postgres. */
export const works: Readonly<Record<WorkingAction, OperationWork>> = {
  create_timeline: buildBranch,
  create_branch: createBranch,
  start_compute: startPostgres,
  apply_config: startPostgres,
  suspend_compute: stopCompute,
  apply_storage_config: applyRetention,
};

/** Builds the data of a branch, or of a snapshot, whose hidden branch has no row. */
async function createBranch(context: WorkContext): Promise<Commit> {
  const { controlPlane, operation } = context;
  const snapshot = controlPlane.tables.snapshots.get({ creation_id: operation.id });
  return await (snapshot ? buildSnapshot(context, snapshot) : buildBranch(context));
}

async function buildBranch(context: WorkContext): Promise<Commit> {
  const { controlPlane, data } = context;
  const { tables } = controlPlane;
  const branch = branchOf(context);
  const options = buildOptions(context);
  const { origin = { kind: "empty" } } = branch;
  const isRestored = branch.current_state === "resetting";
  const start = await (isRestored ? data.replace(branch.id, origin, options) : data.create(branch.id, origin, options));
  return () => {
    const row = tables.branches.get({ id: branch.id });
    if (row) tables.branches.put({ ...withStart(row, start), ...historyMember(options) });
  };
}

/** Adjusts the history of a project's branches to the time that the project keeps. */
async function applyRetention({ histories, operation }: WorkContext): Promise<Commit> {
  // The operation locks the project, so maintenance is always allowed.
  await histories.maintain(operation.project_id, () => true);
  return () => undefined;
}

/** The row of a branch with the positions of its new data. */
function withStart(row: BranchRow, { parentLsn, ownLsn }: DataStart): BranchRow {
  const { restoring } = row;
  const isChild = row.parent_id !== undefined && parentLsn !== undefined;
  return {
    ...row,
    history_lsn: ownLsn,
    current_lsn: ownLsn,
    ...(restoring === undefined && isChild && { parent_lsn: parentLsn }),
    ...(restoring !== undefined && {
      restoring:
        restoring.parent_lsn === undefined && restoring.parent_timestamp === undefined
          ? {}
          : { ...restoring, parent_lsn: parentLsn },
    }),
  };
}

async function buildSnapshot(context: WorkContext, { id, origin }: SnapshotRow): Promise<Commit> {
  const { controlPlane, data } = context;
  const { tables } = controlPlane;
  const { parentLsn } = await data.snapshot(id, origin, projectOf(context).pg_version);
  return () => {
    const row = tables.snapshots.get({ id });
    if (row) tables.snapshots.put({ ...row, lsn: parentLsn ?? row.lsn });
  };
}

async function stopCompute(context: WorkContext): Promise<Commit> {
  const { controlPlane, computes, data } = context;
  const endpoint = endpointOf(context);
  const running = computes.of(endpoint.id);
  const state = running && (await readState(await running.admin()));
  await computes.stop(endpoint.id);
  if (endpoint.type === "read_only") await data.remove(folderOf.replica(endpoint.id));
  return () => {
    if (state && running.dataFolder === data.dataFolder(endpoint.branch_id)) {
      recordState(controlPlane, endpoint.branch_id, state);
    }
  };
}
