import { sleep, systemClock } from "../clock";
import { HttpError } from "../http-error";
import { runComputeAction } from "../model/computes/endpoint";
import { isAddress, sharedHost } from "../model/databases";
import { isLocked } from "../model/operations/project-lock";
import type { EndpointRow } from "../model/computes/endpoint-row";
import type { Tables } from "../model/tables";
import { type ComputeDirectory, ComputeUnavailable, type ProxiedCompute } from "../proxy/compute-directory";
import { scramVerifier } from "../storage/scram-verifier";
import { StorageError } from "../storage/storage-error";
import type { DataPlane, DataPlaneServices } from "./data-plane";

/** How long a client waits for the operations of a project, and for its compute to start. */
const wakeMs = 45_000;

interface DirectoryServices extends Pick<DataPlaneServices, "controlPlane" | "folder" | "commit"> {
  readonly dataPlane: DataPlane;
  /** The time at which clients last sent data, by the id of the compute. */
  readonly activity: Map<string, number>;
}

/** The tables that show which computes exist, and whether one is ready. */
export const directoryTables: readonly (keyof Tables)[] = ["operations", "endpoints"];

/** Finds and wakes the computes that clients connect to. */
export class Directory implements ComputeDirectory {
  readonly #services: DirectoryServices;
  readonly #waking = new Map<string, Promise<{ readonly socketFolder: string }>>();
  readonly #listeners: (() => void)[] = [];
  #changed = newSignal();
  #endpoints = "";

  constructor(services: DirectoryServices) {
    this.#services = services;
  }

  find(endpointId: string): ProxiedCompute | undefined {
    const { tables } = this.#services.controlPlane;
    const endpoint = tables.endpoints.get({ id: endpointId, deleted_at: null });
    const branch = endpoint && tables.branches.get({ id: endpoint.branch_id, deleted_at: null });
    const project = endpoint && tables.projects.get({ id: endpoint.project_id, deleted_at: null });
    if (!endpoint || !branch || !project) return undefined;
    const { ips = [], protected_branches_only: protectedOnly = false } = project.settings.allowed_ips;
    return {
      endpointId,
      branchId: branch.id,
      projectId: project.id,
      allowedIps: protectedOnly && !branch.protected ? [] : ips,
      blocksPublicConnections: project.settings.block_public_connections,
      disabled: endpoint.disabled,
    };
  }

  async verifier({ endpointId, branchId }: ProxiedCompute, role: string): Promise<string | undefined> {
    const { controlPlane, dataPlane } = this.#services;
    const running = dataPlane.computes.of(endpointId);
    if (running) {
      try {
        const admin = await running.admin();
        const { rows } = await admin.query<{ rolpassword: string | null }>(
          "SELECT rolpassword FROM pg_authid WHERE rolname = $1 AND rolcanlogin",
          [role],
        );
        return rows[0]?.rolpassword ?? undefined;
      } catch {
        // The compute is being stopped. Use the verifier that was read last.
      }
    }
    const row = controlPlane.tables.roles.get({ branch_id: branchId, name: role, deleted_at: null });
    if (!row || row.authentication_method === "no_login") return undefined;
    return row.verifier ?? (row.password === undefined ? undefined : scramVerifier(row.password));
  }

  async wake({ endpointId }: ProxiedCompute): Promise<{ readonly socketFolder: string }> {
    const known = this.#waking.get(endpointId);
    if (known) return await known;
    const waking = this.#wake(endpointId).finally(() => this.#waking.delete(endpointId));
    this.#waking.set(endpointId, waking);
    return await waking;
  }

  recordActivity({ endpointId }: ProxiedCompute): void {
    this.#services.activity.set(endpointId, this.#services.controlPlane.clock.now());
  }

  onEndpointsChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** The addresses that belong to one compute each. */
  hosts(): readonly { readonly host: string; readonly endpointId: string }[] {
    const { tables } = this.#services.controlPlane;
    return tables.endpoints
      .list({ deleted_at: null })
      .filter(({ host }) => isAddress(host) && host !== sharedHost)
      .map(({ host, id }) => ({ host, endpointId: id }));
  }

  /** Whether there are computes that share an address. */
  sharesAddress(): boolean {
    return this.#services.controlPlane.tables.endpoints.count({ deleted_at: null, host: sharedHost }) > 0;
  }

  /** Wakes the clients that wait for a compute, and opens addresses. Subscribed to the feed of changes. */
  noticeChange(): void {
    this.#changed.resolve();
    this.#changed = newSignal();
    const { endpoints } = this.#services.controlPlane.tables;
    const now = `${endpoints.count({ deleted_at: null })} ${String(endpoints.latest())}`;
    if (now === this.#endpoints) return;
    this.#endpoints = now;
    for (const listener of this.#listeners) listener();
  }

  async #wake(endpointId: string): Promise<{ readonly socketFolder: string }> {
    const { controlPlane, dataPlane } = this.#services;
    const limit = new AbortController();
    const late = sleep(systemClock, wakeMs, limit.signal).then(() => "late" as const);
    try {
      let operationId: string | undefined;
      for (;;) {
        const changed = this.#changed.promise;
        const endpoint = controlPlane.tables.endpoints.get({ id: endpointId, deleted_at: null });
        if (!endpoint) throw new ComputeUnavailable("the compute was deleted");
        this.#requireSuccess(operationId);
        const isActive = endpoint.current_state === "active" && endpoint.pending_state === undefined;
        const running = dataPlane.computes.of(endpointId);
        if (isActive && running) return running;
        // A Postgres that has crashed starts again.
        if (isActive) return await this.#startAgain(endpoint);
        if (!isLocked(controlPlane, endpoint.project_id)) operationId = this.#start(endpoint);
        else if ((await Promise.race([changed, late])) === "late") {
          throw new ComputeUnavailable("the compute is not ready: operations of its project are in progress");
        }
      }
    } finally {
      limit.abort();
    }
  }

  /**
   * Starts the Postgres of a compute that has crashed.
   *
   * @throws ComputeUnavailable if the disk or the data folder prevents that
   */
  async #startAgain(endpoint: EndpointRow): Promise<{ readonly socketFolder: string }> {
    const { dataPlane, folder } = this.#services;
    try {
      folder.check();
      return await dataPlane.startAgain(endpoint);
    } catch (error) {
      if (!(error instanceof StorageError) && !folder.isFull(error)) throw error;
      throw new ComputeUnavailable(folder.reasonFor(error));
    }
  }

  /** Starts the operation that starts a compute. */
  #start(endpoint: EndpointRow): string | undefined {
    const { controlPlane, commit } = this.#services;
    let operationId: string | undefined;
    try {
      commit(() => {
        const project = controlPlane.tables.projects.getOr404("project", { id: endpoint.project_id, deleted_at: null });
        const { operations } = runComputeAction(controlPlane, project, endpoint, "start", { isImmediate: true });
        operationId = operations.at(-1)?.id;
      });
    } catch (error) {
      if (error instanceof HttpError) throw new ComputeUnavailable(error.message);
      throw error;
    }
    return operationId;
  }

  #requireSuccess(operationId: string | undefined): void {
    const operation =
      operationId === undefined ? undefined : this.#services.controlPlane.tables.operations.get({ id: operationId });
    if (operation?.ended !== true || operation.status === "finished") return;
    throw new ComputeUnavailable(operation.error ?? `the operation that starts the compute is ${operation.status}`);
  }
}

interface Signal {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function newSignal(): Signal {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
