import type * as pulumi from "@pulumi/pulumi";

import { permissions, type ProjectPermission } from "../../api/schemas/project-permission";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";

/** Somebody's access to a project. */
export interface PermissionResult {
  /** The permission's id. */
  readonly id: string;
  /** Mail address of the account that has access. */
  readonly grantedToEmail: string;
  /** When access was granted; ISO 8601 in UTC. */
  readonly grantedAt: string;
  /** When it was revoked; ISO 8601 in UTC. Left out while it holds. */
  readonly revokedAt?: string;
}

/** Which permissions to list. */
export interface GetPermissionsArgs {
  /** The project whose permissions to list. */
  readonly projectId: string;
}

/**
 * Who has been given access to a project. Members of its organization are not among them.
 *
 * @example
 * ```ts
 * const guests = (await neon.getPermissions({ projectId: "spring-example-302709" }))
 *   .filter(({ revokedAt }) => revokedAt === undefined)
 *   .map(({ grantedToEmail }) => grantedToEmail);
 * ```
 */
export function getPermissions(args: GetPermissionsArgs, options?: LookupOptions): Promise<PermissionResult[]> {
  return look(options, async ({ client }) => {
    assertNeeded("getPermissions", args, "projectId");
    const answer = await client.send(permissions.list(args.projectId));
    return answer.project_permissions.map(permissionResult);
  });
}

/** {@link getPermissions} for arguments that are outputs. */
export function getPermissionsOutput(
  args: Inputs<GetPermissionsArgs>,
  options?: LookupOptions,
): pulumi.Output<PermissionResult[]> {
  return lookOutput(args, options, getPermissions);
}

function permissionResult({ revoked_at, ...permission }: ProjectPermission): PermissionResult {
  const ended = revoked_at === undefined || revoked_at === null ? {} : { revoked_at };
  return known<PermissionResult>(
    { ...permission, ...ended },
    { id: true, grantedToEmail: true, grantedAt: true, revokedAt: true },
  );
}
