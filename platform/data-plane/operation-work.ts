import type { ControlPlane } from "../model/control-plane";
import { folderOf } from "../model/files";
import type { BranchRow, EndpointRow, OperationRow, ProjectRow } from "../model/rows";
import { readState } from "../postgres/catalog";
import type { Engine } from "../postgres/engine";
import type { Postmaster } from "../postgres/postmaster";
import type { Settings } from "../postgres/settings";
import { scramVerifier } from "../storage/scram-verifier";
import { applyRows } from "./apply-rows";
import type { BranchData, BuildOptions, DataStart } from "./branch-data";
import { recordState } from "./catalog-rows";
import { type Computes, settingsOf } from "./computes";
import type { Histories } from "./histories";
import { follow, prepareReplica, type Primary, replicaSettings } from "./replica";

/** A change of rows, which is made in one transaction. */
export type Commit = () => void;

/** What works use. */
export interface WorkServices {
  readonly controlPlane: ControlPlane;
  readonly engine: Engine;
  readonly data: BranchData;
  readonly computes: Computes;
  readonly histories: Histories;
}

export interface WorkContext extends WorkServices {
  readonly operation: OperationRow;
}

/** Does the work of an operation, and returns what to record about it when the operation ends. */
type Work = (context: WorkContext) => Promise<Commit>;

/** The work of each action that has one. */
export const works: Readonly<Record<string, Work>> = {
  create_timeline: buildBranch,
  create_branch: buildBranch,
  timeline_mark_invisible: buildSnapshots,
  start_compute: configureCompute,
  apply_config: configureCompute,
  suspend_compute: suspendCompute,
  apply_storage_config: applyRetention,
};

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

const buildOptions = (context: WorkContext): BuildOptions => {
  const { pg_version: major, history_retention_seconds: retention } = projectOf(context);
  return { major, keepsHistory: retention > 0 };
};

const historyMember = ({ keepsHistory }: BuildOptions): Pick<BranchRow, "without_history"> => ({
  without_history: keepsHistory ? undefined : true,
});

/** Lets the branches of a project have as much history as it keeps. */
async function applyRetention({ histories, operation }: WorkContext): Promise<Commit> {
  // Its own operation is the only one in progress.
  await histories.maintain(operation.project_id, () => true);
  return () => undefined;
}

/** A branch with the positions that are known since its data is there. */
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

async function buildSnapshots(context: WorkContext): Promise<Commit> {
  const { controlPlane, data, operation } = context;
  const { tables } = controlPlane;
  const { pg_version: major } = projectOf(context);
  const positions = new Map<string, string | undefined>();
  for (const { id, origin } of tables.snapshots.list({ creation_id: operation.id })) {
    const { parentLsn } = await data.snapshot(id, origin, major);
    positions.set(id, parentLsn);
  }
  return () => {
    for (const row of tables.snapshots.list({ creation_id: operation.id })) {
      tables.snapshots.put({ ...row, lsn: positions.get(row.id) ?? row.lsn });
    }
  };
}

/** Starts a compute and gives its Postgres the roles, databases and settings that it should have. */
async function configureCompute(context: WorkContext): Promise<Commit> {
  const { controlPlane, data, computes, operation } = context;
  const { tables } = controlPlane;
  const endpoint = endpointOf(context);
  if (endpoint.type === "read_only") return await configureReplica(context, endpoint);
  const options = buildOptions(context);
  const branch = branchOf(context);
  // A branch from before the platform had a Postgres gets its data now.
  const start = await data.create(branch.id, branch.origin ?? { kind: "empty" }, options);
  const dataFolder = await data.open(branch.id);
  const settings = settingsFor(context, endpoint);
  const started = await computes.start(endpoint, dataFolder, settings);
  const running = operation.action === "apply_config" ? await computes.configure(endpoint, started, settings) : started;
  await informReplicas(context, branch.id, { dataFolder, running });
  const roles = tables.roles.list({ branch_id: branch.id }).map((role) => {
    const isMissing = role.verifier === undefined && role.password !== undefined;
    return isMissing ? { ...role, verifier: scramVerifier(role.password ?? "") } : role;
  });
  const databases = tables.databases.list({ branch_id: branch.id });
  await applyRows(running, options.major, { roles, databases, operationId: operation.id });
  const state = await readState(await running.admin());
  return () => {
    for (const { name, verifier } of roles) {
      const row = tables.roles.get({ branch_id: branch.id, name });
      if (row && row.verifier === undefined && verifier !== undefined) tables.roles.put({ ...row, verifier });
    }
    for (const table of [tables.roles, tables.databases]) {
      table.delete({ branch_id: branch.id, deletion_id: operation.id });
    }
    const row = tables.branches.get({ id: branch.id });
    if (row && row.history_lsn === undefined) {
      tables.branches.put({ ...row, history_lsn: start.ownLsn, ...historyMember(options) });
    }
    removeTombstones(context, branch.id);
    recordState(controlPlane, branch.id, state);
  };
}

/** Starts a read replica of the branch of its compute. */
async function configureReplica(context: WorkContext, endpoint: EndpointRow): Promise<Commit> {
  const { engine, data, computes, operation } = context;
  const primary = await data.open(endpoint.branch_id);
  const folder = data.replicaFolder(endpoint.id);
  // It was moved from another branch.
  if (computes.of(endpoint.id) && operation.action === "start_compute") await computes.stop(endpoint.id);
  if (!computes.of(endpoint.id)) await data.remove(folderOf.replica(endpoint.id));
  await prepareReplica(engine, { dataFolder: primary, running: computes.runningOn(primary) }, folder);
  const settings = settingsFor(context, endpoint);
  const started = await computes.start(endpoint, folder, settings);
  if (operation.action === "apply_config") await computes.configure(endpoint, started, settings);
  return () => undefined;
}

/** Starts the Postgres of an active compute that has crashed. */
export async function startCrashed(services: WorkServices, endpoint: EndpointRow): Promise<Postmaster> {
  const dataFolder = services.data.folderOf(endpoint);
  const running = await services.computes.start(endpoint, dataFolder, settingsFor(services, endpoint));
  if (endpoint.type === "read_write") await informReplicas(services, endpoint.branch_id, { dataFolder, running });
  return running;
}

/** The settings that a compute should run with. */
function settingsFor({ controlPlane: { tables } }: WorkServices, endpoint: EndpointRow): Settings {
  if (endpoint.type !== "read_only") {
    return settingsOf(endpoint, tables.projects.get({ id: endpoint.project_id }));
  }
  const readWrite = { branch_id: endpoint.branch_id, type: "read_write", deleted_at: null } as const;
  const primary = tables.endpoints.get(readWrite);
  return replicaSettings(settingsOf(endpoint), primary ? settingsOf(primary) : {});
}

/** Lets the replicas of a branch follow its Postgres, which may have a new socket and larger limits. */
async function informReplicas(services: WorkServices, branchId: string, primary: Primary): Promise<void> {
  const { controlPlane, engine, data, computes } = services;
  const replicas = controlPlane.tables.endpoints.list({ branch_id: branchId, type: "read_only" });
  for (const endpoint of replicas) {
    const replica = computes.of(endpoint.id);
    if (!replica) continue;
    await follow(engine, primary, data.replicaFolder(endpoint.id));
    await computes.configure(endpoint, replica, settingsFor(services, endpoint));
  }
}

/** Removes the rows of what was deleted while the branch had no compute. */
function removeTombstones({ controlPlane: { tables } }: WorkContext, branchId: string): void {
  const condition = "AND deleted_at IS NOT NULL AND deletion_id IS NULL";
  for (const row of tables.roles.list({ branch_id: branchId }, condition)) tables.roles.remove(row);
  for (const row of tables.databases.list({ branch_id: branchId }, condition)) tables.databases.remove(row);
}

async function suspendCompute(context: WorkContext): Promise<Commit> {
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

function branchOf({ controlPlane, operation }: WorkContext): BranchRow {
  const row = controlPlane.tables.branches.get({ id: operation.branch_id ?? "" });
  if (!row) throw new Error("the branch is gone");
  return row;
}

function endpointOf({ controlPlane, operation }: WorkContext): EndpointRow {
  const row = controlPlane.tables.endpoints.get({ id: operation.endpoint_id ?? "" });
  if (!row) throw new Error("the compute is gone");
  return row;
}

function projectOf({ controlPlane, operation }: WorkContext): ProjectRow {
  const row = controlPlane.tables.projects.get({ id: operation.project_id });
  if (!row) throw new Error("the project is gone");
  return row;
}
