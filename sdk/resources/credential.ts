// Generated from provider/resources/credential.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { credential } from "../../provider/resources/credential";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link Credential}. */
export interface CredentialArgs {
  /** Id of the project. Changing it replaces the credential. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the credential. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Name of the credential. Names are not unique. At most 256 characters. Default: the resource's logical name.
   * Changing it replaces the credential.
   */
  readonly name?: pulumi.Input<string>;
  /** The permissions of the credential. 1 to 16 entries. In any order. Changing them replaces the credential. */
  readonly scopes: pulumi.Input<
    pulumi.Input<"storage:read" | "storage:write" | "ai_gateway:invoke" | "functions:invoke">[]
  >;
  /**
   * Any string. Changing it, or adding it later, rotates the credential in place: it keeps its id and gets other
   * secrets, and the old ones stop working at once. Creating or adopting the resource does not do so, and removing the
   * property has no effect.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Id of an existing credential to adopt instead of issuing one. Fails if the credential does not exist. Setting or
   * removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string>;
}

const credentialDefinition: ResourceDefinition = {
  kind: "Credential",
  id: ["projectId", "branchId", "tokenId"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    name: "plain",
    scopes: "plain",
    rotateTrigger: "plain",
    tokenId: "fromId",
    tokenIdShort: "plain",
    apiToken: "secret",
    s3SecretAccessKey: "secret",
    createdAt: "plain",
    expiresAt: "plain",
  },
  absences: {
    apiToken: {
      reason: "Neon cannot reveal the secrets of this credential, because it was issued before Neon could do that.",
    },
    s3SecretAccessKey: {
      reason: "Neon cannot reveal the secrets of this credential, because it was issued before Neon could do that.",
    },
  },
};

/**
 * A credential for services of a branch, such as its object storage. Neon's API for it is in beta.
 *
 * The state stores the secrets encrypted. They are read once: if somebody rotates them elsewhere, the state keeps the
 * old ones. Destroying the resource revokes the credential.
 *
 * Neon issues two credentials for each branch, `Default AI gateway credential` and `Default object storage credential`,
 * and `neon env pull` may issue one named `neon-env` and the branch. `neon-pulumi import` leaves them out. If you adopt
 * one, destroying the resource does not revoke it.
 *
 * To rotate it, change `rotateTrigger`: Neon replaces the secrets, and Pulumi updates everything in the program that
 * depends on them. The id stays. The old secrets stop working before their users have the new ones: for a rotation
 * without that gap, declare a second credential, and remove the first one when nothing uses it.
 *
 * Neon API: `POST` and `GET /projects/{project_id}/branches/{branch_id}/credentials`,
 * `DELETE /projects/{project_id}/branches/{branch_id}/credentials/{token_id}`,
 * `POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/reveal`,
 * `POST /projects/{project_id}/branches/{branch_id}/credentials/{token_id}/rotate`.
 *
 * @example
 * ```ts
 * const uploads = new neon.Credential("uploads", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   scopes: ["storage:read", "storage:write"],
 *   rotateTrigger: "2030-01",
 * });
 * export const accessKeyId = uploads.tokenId;
 * export const secretAccessKey = uploads.s3SecretAccessKey;
 * ```
 */
export class Credential extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the credential. Names are not unique. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** The permissions of the credential. */
  declare readonly scopes: pulumi.Output<string[]>;
  /** The declared value. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** Id of the credential; the access key id for S3. */
  declare readonly tokenId: pulumi.Output<string>;
  /** Short form of the id, as Neon's console shows it. */
  declare readonly tokenIdShort: pulumi.Output<string | undefined>;
  /** Bearer token. Secret. */
  declare readonly apiToken: pulumi.Output<string | undefined>;
  /** Secret access key for S3. Secret. */
  declare readonly s3SecretAccessKey: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;
  /** Time at which the credential expires (ISO 8601, UTC). Absent if it never expires. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: CredentialArgs, opts?: pulumi.CustomResourceOptions) {
    super(credentialDefinition, name, args, opts);
  }

  /** Reads an existing credential without managing it. The id has the form `<projectId>/<branchId>/<tokenId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Credential {
    return Resource.existing(Credential, credentialDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Credential`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Credential {
    return Resource.isOfKind(value, "Credential");
  }
}

true satisfies SameInputs<CredentialArgs, (typeof credential)["inputs"]>;
