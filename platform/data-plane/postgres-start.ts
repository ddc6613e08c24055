// Every Postgres of a compute is started here, for one of two reasons: an operation of the control plane (`data-plane.ts`), or a
// client that connects to a compute that has crashed (`directory.ts`).

import { folderOf } from "../model/files";
import { findReadWriteEndpoint } from "../model/computes/endpoint";
import type { EndpointRow } from "../model/computes/endpoint-row";
import { readState } from "../postgres/catalog";
import type { Postmaster } from "../postgres/postmaster";
import type { Settings } from "../postgres/settings";
import { scramVerifier } from "../storage/scram-verifier";
import { applyRows } from "./apply-rows";
import { recordState } from "./catalog-rows";
import { settingsOf } from "./computes";
import { grantDefaults, granted, needsGrants } from "./default-grants";
import { followPrimary, prepareReplica, type Primary, replicaSettings } from "./replica";
import {
  branchOf,
  buildOptions,
  type Commit,
  endpointOf,
  historyMember,
  type WorkContext,
  type WorkServices,
} from "./work";

/**
 * The work of `start_compute` and `apply_config`: starts a compute, unless it runs, and gives its Postgres the roles, databases
 * and settings that it should have.
 */
export async function startPostgres(context: WorkContext): Promise<Commit> {
  const { controlPlane, data, computes, operation } = context;
  const { tables } = controlPlane;
  const endpoint = endpointOf(context);
  if (endpoint.type === "read_only") return await configureReplica(context, endpoint);
  const options = buildOptions(context);
  const branch = branchOf(context);
  // A branch that is older than the platform's first Postgres gets its data now.
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
  const toGrant = databases.filter(needsGrants);
  for (const database of toGrant) await grantDefaults(running, database);
  const state = await readState(await running.admin());
  return () => {
    for (const { name, verifier } of roles) {
      const row = tables.roles.get({ branch_id: branch.id, name });
      if (row && row.verifier === undefined && verifier !== undefined) tables.roles.put({ ...row, verifier });
    }
    for (const { id } of toGrant) {
      const row = tables.databases.get({ id });
      if (row) tables.databases.put(granted(row));
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
  // A replica that runs already was moved from another branch.
  if (computes.of(endpoint.id) && operation.action === "start_compute") await computes.stop(endpoint.id);
  if (!computes.of(endpoint.id)) await data.remove(folderOf.replica(endpoint.id));
  await prepareReplica(engine, { dataFolder: primary, running: computes.runningOn(primary) }, folder);
  const settings = settingsFor(context, endpoint);
  const started = await computes.start(endpoint, folder, settings);
  if (operation.action === "apply_config") await computes.configure(endpoint, started, settings);
  return () => undefined;
}

/** Starts the Postgres of an active compute that has crashed, for a client that connects to it. */
export async function startCrashed(services: WorkServices, endpoint: EndpointRow): Promise<Postmaster> {
  const dataFolder = services.data.folderOf(endpoint);
  const running = await services.computes.start(endpoint, dataFolder, settingsFor(services, endpoint));
  if (endpoint.type === "read_write") await informReplicas(services, endpoint.branch_id, { dataFolder, running });
  return running;
}

/** The settings that a compute should run with. */
function settingsFor({ controlPlane }: WorkServices, endpoint: EndpointRow): Settings {
  if (endpoint.type !== "read_only") {
    return settingsOf(endpoint, controlPlane.tables.projects.get({ id: endpoint.project_id }));
  }
  const primary = findReadWriteEndpoint(controlPlane, endpoint.branch_id);
  return replicaSettings(settingsOf(endpoint), primary ? settingsOf(primary) : {});
}

/** Lets the replicas of a branch follow its Postgres, which may have a new socket and larger limits. */
async function informReplicas(services: WorkServices, branchId: string, primary: Primary): Promise<void> {
  const { controlPlane, engine, data, computes } = services;
  const replicas = controlPlane.tables.endpoints.list({ branch_id: branchId, type: "read_only" });
  for (const endpoint of replicas) {
    const replica = computes.of(endpoint.id);
    if (!replica) continue;
    await followPrimary(engine, primary, data.replicaFolder(endpoint.id));
    await computes.configure(endpoint, replica, settingsFor(services, endpoint));
  }
}

/** Removes the rows of roles and databases that were deleted while the branch had no compute. */
function removeTombstones({ controlPlane: { tables } }: WorkContext, branchId: string): void {
  const condition = "AND deleted_at IS NOT NULL AND deletion_id IS NULL";
  for (const row of tables.roles.list({ branch_id: branchId }, condition)) tables.roles.remove(row);
  for (const row of tables.databases.list({ branch_id: branchId }, condition)) tables.databases.remove(row);
}
