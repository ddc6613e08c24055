import type { ControlPlane } from "../control-plane";
import type { EndpointRow } from "./endpoint-row";

/** The suspend timeout for which 0 stands. */
const defaultSuspendSeconds = 300;

/** The time at which a compute is suspended after its last activity; `null` if its timeout is negative, which means never. */
export function autosuspendAt(
  endpoint: Pick<EndpointRow, "suspend_timeout_seconds">,
  lastActive: number,
): number | null {
  const seconds = endpoint.suspend_timeout_seconds === 0 ? defaultSuspendSeconds : endpoint.suspend_timeout_seconds;
  return seconds < 0 ? null : lastActive + seconds * 1000;
}

/** A compute with the time of its clients' last activity, which postpones its suspension. */
export function withActivity({ databases }: ControlPlane, endpoint: EndpointRow): EndpointRow {
  const at = databases?.activity.get(endpoint.id);
  if (at === undefined || endpoint.current_state !== "active") return endpoint;
  if (endpoint.last_active !== undefined && Date.parse(endpoint.last_active) >= at) return endpoint;
  return { ...endpoint, last_active: new Date(at).toISOString(), idle_at: autosuspendAt(endpoint, at) };
}

/** Records that a compute has started. */
export function markActive(controlPlane: ControlPlane, endpoint: EndpointRow, at: number): void {
  const timestamp = controlPlane.timestamps.next(at);
  const { endpoints, projects } = controlPlane.tables;
  endpoints.put({
    ...endpoint,
    current_state: "active",
    started_at: timestamp,
    last_active: timestamp,
    updated_at: timestamp,
    idle_at: autosuspendAt(endpoint, at),
  });
  const project = projects.get({ id: endpoint.project_id });
  if (project) projects.put({ ...project, compute_last_active_at: timestamp });
}

/** Records that a compute is suspended, and adds its usage to its branch and project. */
export function markIdle(controlPlane: ControlPlane, endpoint: EndpointRow, at: number): void {
  const timestamp = controlPlane.timestamps.next(at);
  const { endpoints, branches, projects } = controlPlane.tables;
  endpoints.put({
    ...endpoint,
    current_state: "idle",
    suspended_at: timestamp,
    updated_at: timestamp,
    idle_at: null,
  });
  const usage = usageSinceStart(endpoint, at);
  const branch = branches.get({ id: endpoint.branch_id });
  if (branch) branches.put(withUsage(branch, usage));
  const project = projects.get({ id: endpoint.project_id });
  if (project) projects.put({ ...withUsage(project, usage), compute_last_active_at: timestamp });
}

interface Usage {
  readonly activeSeconds: number;
  /** Active seconds multiplied by the size of the compute. */
  readonly computeSeconds: number;
}

/** The usage of a compute since it was started. */
export function usageSinceStart(endpoint: EndpointRow, at: number): Usage {
  if (endpoint.current_state !== "active" || endpoint.started_at === undefined) {
    return { activeSeconds: 0, computeSeconds: 0 };
  }
  const activeSeconds = Math.max(0, Math.floor((at - Date.parse(endpoint.started_at)) / 1000));
  return { activeSeconds, computeSeconds: Math.floor(activeSeconds * endpoint.autoscaling_limit_min_cu) };
}

function withUsage<Row extends { active_time_seconds: number; compute_time_seconds: number }>(
  row: Row,
  { activeSeconds, computeSeconds }: Usage,
): Row {
  return {
    ...row,
    active_time_seconds: row.active_time_seconds + activeSeconds,
    compute_time_seconds: row.compute_time_seconds + computeSeconds,
  };
}
