// Generated from provider/resources/api-key.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { apiKey, organizationApiKey, projectApiKey } from "../../provider/resources/api-key";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of an {@link ApiKey}. */
export interface ApiKeyArgs {
  /**
   * Name of the key. Names are not unique. At most 64 characters. Default: the resource's logical name. Changing it
   * replaces the API key.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * Any string. Changing it, or adding it later, replaces the API key. The new key is created first, and the old one is
   * revoked last. Removing it has no effect.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Id of an existing key to adopt instead of creating one. Its output `key` is then absent, because Neon returns the
   * secret only when a key is created. Fails if the key does not exist. Setting or removing `adopt` later has no
   * effect.
   */
  readonly adopt?: pulumi.Input<string>;
}

const apiKeyDefinition: ResourceDefinition = {
  kind: "ApiKey",
  id: ["keyId"],
  outputs: {
    name: "plain",
    rotateTrigger: "plain",
    keyId: "numberFromId",
    key: "secret",
    createdAt: "plain",
    createdBy: "plain",
  },
  absences: { key: { reason: "Neon returns a key only when it is created, not when it is adopted or read." } },
};

/**
 * A personal API key. It can access everything that its user can access.
 *
 * Only a personal key can create one. Neon returns the secret once, when the key is created; the state stores it
 * encrypted, as a secret. Destroying the resource revokes the key immediately and permanently.
 *
 * To rotate the key, change `rotateTrigger`. Pulumi creates the new key, updates everything that depends on it, and
 * then revokes the old key.
 *
 * Neon API: `POST /api_keys`, `GET /api_keys`, `DELETE /api_keys/{key_id}`.
 *
 * @example
 * ```ts
 * const key = new neon.ApiKey("ci", { rotateTrigger: "2030-01" });
 * const ci = new neon.Provider("ci", { apiKey: key.key });
 * const staging = new neon.Branch("staging", { projectId: project.id }, { provider: ci });
 * ```
 *
 * @example
 * ```ts
 * // Adopted: `key` is absent, because Neon returned the secret when the key was created.
 * const old = new neon.ApiKey("laptop", { adopt: "165434" });
 * ```
 */
export class ApiKey extends Resource {
  /** Name of the key. Names are not unique. */
  declare readonly name: pulumi.Output<string>;
  /** The declared value. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** Numeric id of the key. */
  declare readonly keyId: pulumi.Output<number>;
  /**
   * The key itself, to send as `Authorization: Bearer …`. Absent for a key that was adopted or read with `get`, because
   * Neon returns the secret only when a key is created. Secret.
   */
  declare readonly key: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;
  /** Id of the user who created the key. */
  declare readonly createdBy: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: ApiKeyArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(apiKeyDefinition, name, args, opts);
  }

  /** Reads an existing API key without managing it. The id has the form `<keyId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ApiKey {
    return Resource.existing(ApiKey, apiKeyDefinition, name, id, opts);
  }

  /** Returns whether a value is an `ApiKey`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is ApiKey {
    return Resource.isOfKind(value, "ApiKey");
  }
}

true satisfies SameInputs<ApiKeyArgs, (typeof apiKey)["inputs"]>;

/** Arguments of an {@link OrganizationApiKey}. */
export interface OrganizationApiKeyArgs {
  /**
   * Name of the key. Names are not unique. At most 64 characters. Default: the resource's logical name. Changing it
   * replaces the organization API key.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * Any string. Changing it, or adding it later, replaces the organization API key. The new key is created first, and
   * the old one is revoked last. Removing it has no effect.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Id of an existing key to adopt instead of creating one. Its output `key` is then absent, because Neon returns the
   * secret only when a key is created. Fails if the key does not exist. Setting or removing `adopt` later has no
   * effect.
   */
  readonly adopt?: pulumi.Input<string>;
  /**
   * Id of the organization. Default: the provider's `orgId`. Without it, the property is required. Changing it replaces
   * the organization API key.
   */
  readonly orgId?: pulumi.Input<string>;
}

const organizationApiKeyDefinition: ResourceDefinition = {
  kind: "OrganizationApiKey",
  id: ["orgId", "keyId"],
  outputs: {
    name: "plain",
    rotateTrigger: "plain",
    keyId: "numberFromId",
    key: "secret",
    createdAt: "plain",
    createdBy: "plain",
    orgId: "plain",
  },
  absences: { key: { reason: "Neon returns a key only when it is created, not when it is adopted or read." } },
};

/**
 * An API key of an organization. It can access all projects of the organization, and stays valid when the member who
 * created it leaves.
 *
 * Only an administrator of the organization can create one, with a personal key. Neon returns the secret once, when the
 * key is created; the state stores it encrypted, as a secret. Destroying the resource revokes the key immediately and
 * permanently. To rotate the key, change `rotateTrigger`: see {@link ApiKey}.
 *
 * Neon API: `POST /organizations/{org_id}/api_keys`, `GET /organizations/{org_id}/api_keys`,
 * `DELETE /organizations/{org_id}/api_keys/{key_id}`.
 *
 * @example
 * ```ts
 * const key = new neon.OrganizationApiKey("deploy", { orgId: "org-quiet-river-302709", rotateTrigger: "2030-01" });
 * const organization = new neon.Provider("organization", { apiKey: key.key });
 * // Updated to the new key before the old one is revoked.
 * const shop = new neon.Project("shop", { regionId: "aws-eu-central-1" }, { provider: organization });
 * ```
 *
 * @example
 * ```ts
 * // Two keys that overlap: remove the older one when everybody uses the newer one.
 * const keys = ["2030-01", "2030-02"].map((month) => new neon.OrganizationApiKey(`import-${month}`));
 * export const importKey = keys.at(-1)?.key;
 * ```
 */
export class OrganizationApiKey extends Resource {
  /** Name of the key. Names are not unique. */
  declare readonly name: pulumi.Output<string>;
  /** The declared value. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** Numeric id of the key. */
  declare readonly keyId: pulumi.Output<number>;
  /**
   * The key itself, to send as `Authorization: Bearer …`. Absent for a key that was adopted or read with `get`, because
   * Neon returns the secret only when a key is created. Secret.
   */
  declare readonly key: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;
  /** Id of the user who created the key. */
  declare readonly createdBy: pulumi.Output<string | undefined>;
  /** Id of the organization. */
  declare readonly orgId: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: OrganizationApiKeyArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(organizationApiKeyDefinition, name, args, opts);
  }

  /** Reads an existing organization API key without managing it. The id has the form `<orgId>/<keyId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): OrganizationApiKey {
    return Resource.existing(OrganizationApiKey, organizationApiKeyDefinition, name, id, opts);
  }

  /** Returns whether a value is an `OrganizationApiKey`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is OrganizationApiKey {
    return Resource.isOfKind(value, "OrganizationApiKey");
  }
}

true satisfies SameInputs<OrganizationApiKeyArgs, (typeof organizationApiKey)["inputs"]>;

/** Arguments of a {@link ProjectApiKey}. */
export interface ProjectApiKeyArgs {
  /**
   * Name of the key. Names are not unique. At most 64 characters. Default: the resource's logical name. Changing it
   * replaces the project API key.
   */
  readonly name?: pulumi.Input<string>;
  /**
   * Any string. Changing it, or adding it later, replaces the project API key. The new key is created first, and the
   * old one is revoked last. Removing it has no effect.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Id of an existing key to adopt instead of creating one. Its output `key` is then absent, because Neon returns the
   * secret only when a key is created. Fails if the key does not exist. Setting or removing `adopt` later has no
   * effect.
   */
  readonly adopt?: pulumi.Input<string>;
  /**
   * Id of the organization that owns the project. Default: the provider's `orgId`. Without it, the property is
   * required. Changing it replaces the project API key.
   */
  readonly orgId?: pulumi.Input<string>;
  /** Id of the project. Changing it replaces the project API key. */
  readonly projectId: pulumi.Input<string>;
}

const projectApiKeyDefinition: ResourceDefinition = {
  kind: "ProjectApiKey",
  id: ["orgId", "keyId"],
  outputs: {
    name: "plain",
    rotateTrigger: "plain",
    keyId: "numberFromId",
    key: "secret",
    createdAt: "plain",
    createdBy: "plain",
    orgId: "plain",
    projectId: "plain",
  },
  absences: { key: { reason: "Neon returns a key only when it is created, not when it is adopted or read." } },
};

/**
 * An API key for a single project of an organization. It can manage that project, but cannot delete it or access
 * anything else.
 *
 * Neon's documents disagree about who can create one: any member of the organization, or only its administrators.
 * Administrators and organization keys can revoke it. The key stops working if the project leaves the organization.
 * Neon returns the secret once, when the key is created; the state stores it encrypted, as a secret. Destroying the
 * resource revokes the key immediately and permanently. To rotate the key, change `rotateTrigger`: see {@link ApiKey}.
 *
 * Neon API: `POST /organizations/{org_id}/api_keys`, `GET /organizations/{org_id}/api_keys`,
 * `DELETE /organizations/{org_id}/api_keys/{key_id}`.
 *
 * @example
 * ```ts
 * const key = new neon.ProjectApiKey("deploy", { projectId: project.id, rotateTrigger: "2030-01" });
 * const deploy = new neon.Provider("deploy", { apiKey: key.key });
 * // Updated to the new key before the old one is revoked.
 * const staging = new neon.Branch("staging", { projectId: project.id }, { provider: deploy });
 * ```
 *
 * @example
 * ```ts
 * const monitor = new neon.ProjectApiKey("monitor", { projectId: project.id, name: "monitoring" });
 * export const monitorKey = monitor.requireOutput("key"); // a secret
 * ```
 */
export class ProjectApiKey extends Resource {
  /** Name of the key. Names are not unique. */
  declare readonly name: pulumi.Output<string>;
  /** The declared value. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** Numeric id of the key. */
  declare readonly keyId: pulumi.Output<number>;
  /**
   * The key itself, to send as `Authorization: Bearer …`. Absent for a key that was adopted or read with `get`, because
   * Neon returns the secret only when a key is created. Secret.
   */
  declare readonly key: pulumi.Output<string | undefined>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;
  /** Id of the user who created the key. */
  declare readonly createdBy: pulumi.Output<string | undefined>;
  /** Id of the organization. */
  declare readonly orgId: pulumi.Output<string>;
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: ProjectApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(projectApiKeyDefinition, name, args, opts);
  }

  /** Reads an existing project API key without managing it. The id has the form `<orgId>/<keyId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectApiKey {
    return Resource.existing(ProjectApiKey, projectApiKeyDefinition, name, id, opts);
  }

  /** Returns whether a value is a `ProjectApiKey`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is ProjectApiKey {
    return Resource.isOfKind(value, "ProjectApiKey");
  }
}

true satisfies SameInputs<ProjectApiKeyArgs, (typeof projectApiKey)["inputs"]>;
