import { unprocessable } from "../http-error";
import { usage } from "./activity";
import type { ControlPlane } from "./control-plane";
import type { ProjectRow } from "./rows";

/** What of a project's quota can be used up here: no data passes through the local platform. */
const metered = ["active_time_seconds", "compute_time_seconds"] as const;

/** Refuses to start a compute of a project that has used up its quota. */
export function requireQuota(plane: ControlPlane, project: ProjectRow): void {
  for (const { name, left } of remaining(plane, project, plane.clock.now())) {
    if (left > 0) continue;
    throw unprocessable(
      `the project's quota of ${name} is used up, computes cannot be started`,
      "COMPUTE_TIME_EXCEEDED",
    );
  }
}

/** Notes when a project's active computes will have used up its quota. */
export function foreseeQuota(plane: ControlPlane, projectId: string, at: number): void {
  const project = plane.tables.projects.get({ id: projectId });
  if (!project) return;
  const moments = remaining(plane, project, at)
    .filter(({ rate }) => rate > 0)
    .map(({ left, rate }) => at + (Math.max(0, left) / rate) * 1000);
  const quotaAt = moments.length === 0 ? null : Math.ceil(Math.min(...moments));
  if (quotaAt !== project.quota_at) plane.tables.projects.put({ ...project, quota_at: quotaAt });
}

function remaining(
  plane: ControlPlane,
  project: ProjectRow,
  at: number,
): { name: string; left: number; rate: number }[] {
  const quota = project.settings.quota ?? {};
  // 0 is unlimited, too.
  const limited = metered.filter((name) => (quota[name] ?? 0) > 0);
  if (limited.length === 0) return [];
  const active = plane.tables.endpoints.list({ project_id: project.id, current_state: "active" });
  const used = active.map((endpoint) => usage(endpoint, at));
  const sums = {
    active_time_seconds: { used: sum(used.map((each) => each.active)), rate: active.length },
    compute_time_seconds: {
      used: sum(used.map((each) => each.compute)),
      rate: sum(active.map((endpoint) => endpoint.autoscaling_limit_min_cu)),
    },
  };
  return limited.map((name) => ({
    name,
    left: (quota[name] ?? 0) - project[name] - sums[name].used,
    rate: sums[name].rate,
  }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
