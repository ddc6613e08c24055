import { forbidden, unprocessable } from "../../http-error";

/** The plans of accounts, from the smallest to the largest. */
export const plans = ["free", "launch", "scale"] as const;
export type Plan = (typeof plans)[number];

interface PlanLimits {
  readonly subscriptionType: "free_v3" | "launch_v3" | "scale_v3";
  readonly projects: number;
}

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: { subscriptionType: "free_v3", projects: 100 },
  launch: { subscriptionType: "launch_v3", projects: 100 },
  scale: { subscriptionType: "scale_v3", projects: 10_000 },
};

/** The plan and the limits of user accounts: the highest that the real platform offers. */
export const limits = {
  plan: "scale",
  branches: 25_000,
  rootBranches: 25,
  protectedBranches: 5,
  manualSnapshots: 10,
  rolesPerBranch: 500,
  databasesPerBranch: 500,
  activeComputes: 20,
} as const;

/** @throws HttpError 422 if there are as many objects as are allowed. */
export function requireBelow(limit: number, count: number, objects: string, code?: string): void {
  if (count >= limit) throw unprocessable(`the limit of ${limit} ${objects} is reached`, code);
}

/** @throws HttpError 403 if a plan is smaller than the smallest one that has a feature. */
export function requirePlan(plan: Plan, smallest: Plan, feature: string): void {
  if (plans.indexOf(plan) >= plans.indexOf(smallest)) return;
  const enough = plans.slice(plans.indexOf(smallest)).join(" and ");
  throw forbidden(`${feature} are available on the plans ${enough} only; the plan is ${plan}`);
}
