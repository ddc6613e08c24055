import { randomUUID } from "node:crypto";

import type { ControlPlane } from "./control-plane";
import { termsOf } from "./plan";
import type { UserRow } from "./rows";

/** What the local account may have: as much as the real platform gives anyone. */
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

const first = {
  email: "developer@neon-platform.example",
  name: "Local",
  last_name: "Developer",
  login: "developer",
  image: "",
} as const;

/** The user whose platform it is; made on a new data folder. */
export function firstUser({ tables }: ControlPlane): UserRow {
  const found = tables.users.get({ email: first.email });
  if (found) return found;
  const user = { id: randomUUID(), ...first };
  tables.users.put(user);
  return user;
}

/** The user with an address; one is made for an address that is new. */
export function userWith({ tables }: ControlPlane, email: string): UserRow {
  const address = addressOf(email);
  const found = tables.users.get({ email: address });
  if (found) return found;
  const [login = ""] = address.split("@", 1);
  const user = { id: randomUUID(), email: address, name: login, last_name: "", login, image: "" };
  tables.users.put(user);
  return user;
}

/** The one way in which an address is kept and compared. */
export function addressOf(email: string): string {
  return email.trim().toLowerCase();
}

/** A user as `GET /users/me` tells. */
export function userAnswer(user: UserRow): object {
  return {
    ...user,
    plan: limits.plan,
    projects_limit: termsOf[limits.plan].projects,
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
  return `${user.name} ${user.last_name}`.trim();
}
