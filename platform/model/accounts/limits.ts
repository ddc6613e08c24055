import { forbidden, unprocessable } from "../../http-error";

/** The plans of accounts, from the smallest to the largest. */
export const plans = ["free", "launch", "scale"] as const;
export type Plan = (typeof plans)[number];

export interface PlanLimits {
  readonly subscriptionType: "free_v3" | "launch_v3" | "scale_v3";
  readonly projects: number;
  /** Per project, like the next three limits. */
  readonly branches: number;
  readonly rootBranches: number;
  readonly protectedBranches: number;
  readonly manualSnapshots: number;
  readonly historyRetentionSeconds: number;
  /**
   * The shortest time of inactivity after which a compute can be suspended; undefined if the plan does not allow changing that time.
   */
  readonly shortestSuspendSeconds: number | undefined;
  /** The largest size of a branch's data. The plan `free` limits the data of a whole project. */
  readonly logicalSizeMebibytes: number;
}

const paid = { manualSnapshots: 100, logicalSizeMebibytes: 16_777_216 } as const;

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: {
    subscriptionType: "free_v3",
    projects: 100,
    branches: 10,
    rootBranches: 3,
    protectedBranches: 0,
    manualSnapshots: 1,
    historyRetentionSeconds: 21_600,
    shortestSuspendSeconds: undefined,
    logicalSizeMebibytes: 1024,
  },
  launch: {
    ...paid,
    subscriptionType: "launch_v3",
    projects: 100,
    branches: 5000,
    rootBranches: 5,
    protectedBranches: 2,
    historyRetentionSeconds: 604_800,
    shortestSuspendSeconds: 300,
  },
  scale: {
    ...paid,
    subscriptionType: "scale_v3",
    projects: 10_000,
    branches: 25_000,
    rootBranches: 25,
    protectedBranches: 5,
    historyRetentionSeconds: 2_592_000,
    shortestSuspendSeconds: 60,
  },
};

/** The limits that all plans have. */
export const limits = { rolesPerBranch: 500, databasesPerBranch: 500, activeComputes: 20 } as const;

/** @throws HttpError 422 if the number of objects has reached the limit */
export function requireBelow(limit: number, count: number, objects: string, code?: string): void {
  if (count >= limit) throw unprocessable(`${objects} limit exceeded`, code);
}

/** @throws HttpError 403 if the plan is too small for a feature */
export function requirePlan(plan: Plan, smallest: Plan, feature: string): void {
  if (plans.indexOf(plan) >= plans.indexOf(smallest)) return;
  const enough = plans.slice(plans.indexOf(smallest)).join(" and ");
  throw forbidden(`${feature} are available on the plans ${enough} only; the plan is ${plan}`);
}
