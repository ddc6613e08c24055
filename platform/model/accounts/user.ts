import { randomUUID } from "node:crypto";

import { pick, wholeSeconds } from "../../storage/timestamps";
import type { Answer, vendor } from "../../published/answers";
import type { ControlPlane } from "../control-plane";
import { type UserRow } from "./user-row";
import { planLimits } from "./limits";

const firstUser = {
  email: "developer@neon-platform.example",
  name: "Local",
  last_name: "Developer",
  login: "developer",
  image: "",
} as const;

/** Finds the user with an address; default: the first user, whom every platform has. Creates an account for a new address. */
export function getOrCreateUser({ tables }: ControlPlane, email: string = firstUser.email): UserRow {
  const address = normalizeEmail(email);
  const found = tables.users.get({ email: address });
  if (found) return found;
  const [login = ""] = address.split("@", 1);
  const account =
    address === firstUser.email ? firstUser : { email: address, name: login, last_name: "", login, image: "" };
  const user = { id: randomUUID(), ...account };
  tables.users.put(user);
  return user;
}

/** The form in which addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A user as `GET /users/me` returns it. */
export function userResponse(controlPlane: ControlPlane, user: UserRow) {
  const { plan } = controlPlane;
  return {
    ...pick(user, ["id", "email", "name", "last_name", "login", "image"]),
    plan,
    projects_limit: planLimits[plan].projects,
    branches_limit: planLimits[plan].branches,
    // 0 means unlimited.
    max_autoscaling_limit: 0,
    active_seconds_limit: 0,
    compute_seconds_limit: 0,
    billing_account: billingAccount(controlPlane, user),
    auth_accounts: [
      // The login is deprecated.
      { ...pick(user, ["email", "image", "login"]), name: fullName(user), provider: "keycloak" },
    ],
  } satisfies Answer<vendor.CurrentUserInfoResponse>;
}

/** Mostly empty, because nobody pays for a local platform. */
function billingAccount({ plan, clock }: ControlPlane, user: UserRow) {
  const now = new Date(clock.now());
  return {
    state: "UNKNOWN",
    payment_source: { type: "" },
    subscription_type: planLimits[plan].subscriptionType,
    payment_method: "UNKNOWN",
    quota_reset_at_last: wholeSeconds(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
    name: fullName(user),
    email: user.email,
    address_city: "",
    address_country: "",
    address_line1: "",
    address_line2: "",
    address_postal_code: "",
    address_state: "",
  } satisfies Answer<vendor.BillingAccount>;
}

export function fullName(user: UserRow): string {
  return `${user.name} ${user.last_name}`.trim();
}
