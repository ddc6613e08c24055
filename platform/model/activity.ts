import type { ControlPlane } from "./control-plane";
import type { EndpointRow } from "./rows";

/** What a suspend timeout of 0 means. */
const defaultSuspendSeconds = 300;

/** When a compute that was last active at some moment is suspended; never if its timeout says so. */
export function idleAt(endpoint: Pick<EndpointRow, "suspend_timeout_seconds">, lastActive: number): number | null {
  const seconds = endpoint.suspend_timeout_seconds === 0 ? defaultSuspendSeconds : endpoint.suspend_timeout_seconds;
  return seconds < 0 ? null : lastActive + seconds * 1000;
}

/** Puts a compute that has started to its place. */
export function becameActive(plane: ControlPlane, endpoint: EndpointRow, at: number): void {
  const stamp = plane.stamps.next(at);
  const { endpoints, projects } = plane.tables;
  endpoints.put({
    ...endpoint,
    current_state: "active",
    started_at: stamp,
    last_active: stamp,
    updated_at: stamp,
    idle_at: idleAt(endpoint, at),
  });
  const project = projects.get({ id: endpoint.project_id });
  if (project) projects.put({ ...project, compute_last_active_at: stamp });
}

/** Puts a compute that was suspended to its place, and adds what it has used to its branch and project. */
export function becameIdle(plane: ControlPlane, endpoint: EndpointRow, at: number): void {
  const stamp = plane.stamps.next(at);
  const { endpoints, branches, projects } = plane.tables;
  endpoints.put({ ...endpoint, current_state: "idle", suspended_at: stamp, updated_at: stamp, idle_at: null });
  const { active, compute } = usage(endpoint, at);
  const branch = branches.get({ id: endpoint.branch_id });
  if (branch) branches.put(withUsage(branch, active, compute));
  const project = projects.get({ id: endpoint.project_id });
  if (project) projects.put({ ...withUsage(project, active, compute), compute_last_active_at: stamp });
}

/** Seconds that an active compute has run since it was started, and what they count at its size. */
export function usage(endpoint: EndpointRow, at: number): { active: number; compute: number } {
  if (endpoint.current_state !== "active" || endpoint.started_at === undefined) return { active: 0, compute: 0 };
  const active = Math.max(0, Math.floor((at - Date.parse(endpoint.started_at)) / 1000));
  return { active, compute: Math.floor(active * endpoint.autoscaling_limit_min_cu) };
}

function withUsage<Row extends { active_time_seconds: number; compute_time_seconds: number }>(
  row: Row,
  active: number,
  compute: number,
): Row {
  return {
    ...row,
    active_time_seconds: row.active_time_seconds + active,
    compute_time_seconds: row.compute_time_seconds + compute,
  };
}
