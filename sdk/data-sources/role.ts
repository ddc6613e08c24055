import type * as pulumi from "@pulumi/pulumi";

import { type Role, roles } from "../../api/schemas/role";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";

/** A role, as the platform tells it: without its password. */
export interface RoleResult {
  /** The branch it belongs to. */
  readonly branchId: string;
  /** The role's name, unique on its branch. */
  readonly name: string;
  /** Whether the platform itself keeps it. */
  readonly protected?: boolean;
  /** `password`, `oauth` or `no_login`, or what a newer platform says. */
  readonly authenticationMethod?: string;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it last changed; ISO 8601 in UTC. */
  readonly updatedAt?: string;
}

/** Whose roles to list. */
export interface GetRolesArgs {
  /** The project that the branch belongs to. */
  readonly projectId: string;
  /** The branch whose roles to list. */
  readonly branchId: string;
}

/**
 * All roles of a branch. A failure is an error, never an empty list.
 *
 * @example
 * ```ts
 * const roles = await neon.getRoles({ projectId: "spring-example-302709", branchId: "br-wispy-meadow-118737" });
 * ```
 */
export function getRoles(args: GetRolesArgs, options?: LookupOptions): Promise<RoleResult[]> {
  return look(options, async ({ client }) => {
    assertNeeded("getRoles", args, "projectId", "branchId");
    return (await client.send(roles.list(args.projectId, args.branchId))).roles.map(roleResult);
  });
}

/** {@link getRoles} for arguments that are outputs. */
export function getRolesOutput(args: Inputs<GetRolesArgs>, options?: LookupOptions): pulumi.Output<RoleResult[]> {
  return lookOutput(args, options, getRoles);
}

function roleResult(role: Role): RoleResult {
  return known<RoleResult>(role, {
    branchId: true,
    name: true,
    protected: true,
    authenticationMethod: true,
    createdAt: true,
    updatedAt: true,
  });
}
