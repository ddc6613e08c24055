/** What accounts can be on, from the smallest to the greatest. */
export const plans = ["free", "launch", "scale"] as const;
export type Plan = (typeof plans)[number];

/** What an account on a plan may have. */
interface PlanTerms {
  readonly subscriptionType: "free_v3" | "launch_v3" | "scale_v3";
  readonly projects: number;
}

/** The terms of each plan. */
export const termsOf: Readonly<Record<Plan, PlanTerms>> = {
  free: { subscriptionType: "free_v3", projects: 100 },
  launch: { subscriptionType: "launch_v3", projects: 100 },
  scale: { subscriptionType: "scale_v3", projects: 10_000 },
};
