import { unprocessable } from "../../http-error";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import { usageSinceStart } from "./activity";

/** The quotas that can be used up here: the local platform measures neither storage nor transfer. */
const meteredQuotas = ["active_time_seconds", "compute_time_seconds"] as const;

interface RemainingQuota {
  readonly name: string;
  readonly remaining: number;
  /** The use per second. */
  readonly rate: number;
}

/** @throws HttpError 422 if a project has used up its quota, so that no compute of it can start. */
export function requireRemainingQuota(controlPlane: ControlPlane, project: ProjectRow): void {
  for (const { name, remaining } of remainingQuotas(controlPlane, project, controlPlane.clock.now())) {
    if (remaining > 0) continue;
    throw unprocessable(
      `the project's quota of ${name} is used up, computes cannot be started`,
      "COMPUTE_TIME_EXCEEDED",
    );
  }
}

/** Updates the time at which the active computes of a project will have used up its quota. */
export function updateQuotaDeadline(controlPlane: ControlPlane, projectId: string, at: number): void {
  const project = controlPlane.tables.projects.get({ id: projectId });
  if (!project) return;
  const deadlines = remainingQuotas(controlPlane, project, at)
    .filter(({ rate }) => rate > 0)
    .map(({ remaining, rate }) => at + (Math.max(0, remaining) / rate) * 1000);
  const quotaAt = deadlines.length === 0 ? null : Math.ceil(Math.min(...deadlines));
  if (quotaAt !== project.quota_at) controlPlane.tables.projects.put({ ...project, quota_at: quotaAt });
}

function remainingQuotas({ tables }: ControlPlane, project: ProjectRow, at: number): RemainingQuota[] {
  const quota = project.settings.quota ?? {};
  // 0 means unlimited.
  const limited = meteredQuotas.filter((name) => (quota[name] ?? 0) > 0);
  if (limited.length === 0) return [];
  const active = tables.endpoints.list({ project_id: project.id, current_state: "active" });
  const usages = active.map((endpoint) => usageSinceStart(endpoint, at));
  const current = {
    active_time_seconds: { used: sum(usages.map(({ activeSeconds }) => activeSeconds)), rate: active.length },
    compute_time_seconds: {
      used: sum(usages.map(({ computeSeconds }) => computeSeconds)),
      rate: sum(active.map((endpoint) => endpoint.autoscaling_limit_min_cu)),
    },
  };
  return limited.map((name) => ({
    name,
    remaining: (quota[name] ?? 0) - project[name] - current[name].used,
    rate: current[name].rate,
  }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
