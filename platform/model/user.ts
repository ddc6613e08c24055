import { randomUUID } from "node:crypto";

import type { ControlPlane } from "../control-plane";
import type { UserRow } from "./rows";

/** What the local account may have: as much as the real platform gives anyone. */
export const limits = {
  plan: "scale",
  subscriptionType: "scale_v3",
  projects: 10_000,
  branches: 25_000,
  rolesPerBranch: 500,
  databasesPerBranch: 500,
} as const;

const first = {
  email: "developer@neon-platform.example",
  name: "Local",
  last_name: "Developer",
  login: "developer",
  image: "",
} as const;

/** The user whose platform it is; made on a new data folder. */
export function firstUser({ tables }: ControlPlane): UserRow {
  const found = tables.users.get({});
  if (found) return found;
  const user = { id: randomUUID(), ...first };
  tables.users.put(user);
  return user;
}

/** A user as `GET /users/me` tells. */
export function userAnswer(user: UserRow): object {
  return {
    ...user,
    plan: limits.plan,
    projects_limit: limits.projects,
    branches_limit: limits.branches,
    // No limit.
    max_autoscaling_limit: 0,
    active_seconds_limit: 0,
    compute_seconds_limit: 0,
    auth_accounts: [
      { email: user.email, image: user.image, login: user.login, name: fullName(user), provider: "keycloak" },
    ],
  };
}

export function fullName(user: UserRow): string {
  return `${user.name} ${user.last_name}`;
}
