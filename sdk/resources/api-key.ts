import * as pulumi from "@pulumi/pulumi";

import type {
  ApiKeyInputs,
  ApiKeyOutputs,
  OrganizationApiKeyInputs,
  OrganizationApiKeyOutputs,
  ProjectApiKeyInputs,
  ProjectApiKeyOutputs,
} from "../../provider/resources/api-key";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";

/** What a program declares of a personal key. */
export interface ApiKeyArgs {
  /** Name, 1 to 64 characters, not necessarily unique. Default: the resource's logical name. A change replaces the key. */
  readonly name?: pulumi.Input<string>;
  /**
   * Any text; a change of it replaces the key, and so does declaring it later. The new key is made first, and the old
   * one is revoked last. Removing it changes nothing.
   */
  readonly rotateTrigger?: pulumi.Input<string>;
  /**
   * Takes over the key with this id instead of making one; `key` is then absent, because the platform tells it only once.
   * Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string>;
}

/** What a program declares of an organization's key. */
export interface OrganizationApiKeyArgs extends ApiKeyArgs {
  /** The organization. Default: `neon:orgId`; one of the two is needed. A change of what is declared replaces the key. */
  readonly orgId?: pulumi.Input<string>;
}

/** What a program declares of a key for one project. */
export interface ProjectApiKeyArgs extends ApiKeyArgs {
  /** The organization that the project belongs to. Default: `neon:orgId`; one of the two is needed. A change of what is declared replaces the key. */
  readonly orgId?: pulumi.Input<string>;
  /** The only project that the key reaches. A change replaces the key. */
  readonly projectId: pulumi.Input<string>;
}

const outputs = {
  name: true,
  rotateTrigger: true,
  keyId: true,
  key: true,
  createdAt: true,
  createdBy: true,
} as const;
const organizationOutputs = { ...outputs, orgId: true } as const;
const projectOutputs = { ...organizationOutputs, projectId: true } as const;

const secrets = ["key"];
const personal: ResourceClass = { kind: "ApiKey", outputs: Object.keys(outputs), secrets };
const organization: ResourceClass = { kind: "OrganizationApiKey", outputs: Object.keys(organizationOutputs), secrets };
const project: ResourceClass = { kind: "ProjectApiKey", outputs: Object.keys(projectOutputs), secrets };

/** What all kinds of keys tell. */
abstract class Key extends Resource {
  /** The key's name. */
  declare readonly name: pulumi.Output<string>;
  /** As declared. */
  declare readonly rotateTrigger: pulumi.Output<string | undefined>;
  /** The key's number, by which it is listed and revoked. */
  declare readonly keyId: pulumi.Output<number>;
  /** The key itself, to be sent as `Authorization: Bearer …`. Secret. Absent from a key that was adopted or looked up: the platform tells it only once. */
  declare readonly key: pulumi.Output<string | undefined>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The id of the user who made it. */
  declare readonly createdBy: pulumi.Output<string | undefined>;

  protected constructor(
    self: ResourceClass,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.keyId = this.id.apply((id) => Number(id.slice(id.lastIndexOf("/") + 1)));
  }
}

/**
 * A personal API key: it reaches everything that the user who owns it may see. Only a personal key can make one.
 *
 * Its secret is told once, kept in the state as a secret, and can never be read again. Destroying the resource revokes
 * the key at once and for good.
 *
 * To rotate a key, change `rotateTrigger`. Pulumi makes the new key first, then updates everything that depends on it,
 * and only then revokes the old one, so that nobody holds a revoked key in between.
 *
 * @example
 * ```ts
 * const key = new neon.ApiKey("ci", { rotateTrigger: "2030-01" });
 * const ci = new neon.Provider("ci", { apiKey: key.key });
 * const preview = new neon.Branch("preview", { projectId: project.id }, { provider: ci });
 * ```
 */
export class ApiKey extends Key {
  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: ApiKeyArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(personal, name, args, opts);
  }

  /** A key that exists, without managing it and without its secret. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ApiKey {
    return new ApiKey(name, {}, { ...opts, id });
  }

  /** Whether this is a personal key, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is ApiKey {
    return Resource.isOfType(value, typeToken("ApiKey"));
  }
}

/**
 * An API key of an organization: it reaches all of its projects, whoever leaves the organization. Only an administrator
 * can make one, with a personal key.
 *
 * Its secret is told once, kept in the state as a secret, and can never be read again. Destroying the resource revokes
 * the key at once and for good. See {@link ApiKey} for how a key is rotated.
 *
 * @example
 * ```ts
 * const key = new neon.OrganizationApiKey("deploy", { orgId: "org-quiet-river-302709", rotateTrigger: "2030-01" });
 * const organization = new neon.Provider("organization", { apiKey: key.key });
 * // Updated to the new key before the old one is revoked.
 * const shop = new neon.Project("shop", {}, { provider: organization });
 * ```
 */
export class OrganizationApiKey extends Key {
  /** The organization whose key it is. */
  declare readonly orgId: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: OrganizationApiKeyArgs = {}, opts?: pulumi.CustomResourceOptions) {
    super(organization, name, args, opts);
  }

  /** A key that exists, without managing it and without its secret. Its id is that of the organization and that of the key, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): OrganizationApiKey {
    return new OrganizationApiKey(name, { orgId: segmentsOf(id, "<organization>/<key>")(0) }, { ...opts, id });
  }

  /** Whether this is an organization's key, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is OrganizationApiKey {
    return Resource.isOfType(value, typeToken("OrganizationApiKey"));
  }
}

/**
 * An API key for one project of an organization: it manages that project, cannot delete it, and reaches nothing else. Any
 * member of the organization can make one; only an administrator can revoke it. It stops working when the project leaves
 * the organization.
 *
 * Its secret is told once, kept in the state as a secret, and can never be read again. Destroying the resource revokes
 * the key at once and for good. See {@link ApiKey} for how a key is rotated.
 *
 * @example
 * ```ts
 * const key = new neon.ProjectApiKey("deploy", { projectId: project.id, rotateTrigger: "2030-01" });
 * const deploy = new neon.Provider("deploy", { apiKey: key.key });
 * // Updated to the new key before the old one is revoked.
 * const preview = new neon.Branch("preview", { projectId: project.id }, { provider: deploy });
 * ```
 */
export class ProjectApiKey extends Key {
  /** The organization that the project belongs to. */
  declare readonly orgId: pulumi.Output<string>;
  /** The only project that the key reaches. */
  declare readonly projectId: pulumi.Output<string>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: ProjectApiKeyArgs, opts?: pulumi.CustomResourceOptions) {
    super(project, name, args, opts);
  }

  /** A key that exists, without managing it and without its secret. Its id is that of the organization and that of the key, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectApiKey {
    // Its project is told by the platform, not by the id.
    const args: Partial<ProjectApiKeyArgs> = { orgId: segmentsOf(id, "<organization>/<key>")(0) };
    return new ProjectApiKey(name, args as ProjectApiKeyArgs, { ...opts, id });
  }

  /** Whether this is a key for one project, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is ProjectApiKey {
    return Resource.isOfType(value, typeToken("ProjectApiKey"));
  }
}

true satisfies SameInputs<ApiKeyArgs, ApiKeyInputs>;
true satisfies SameInputs<OrganizationApiKeyArgs, OrganizationApiKeyInputs>;
true satisfies SameInputs<ProjectApiKeyArgs, ProjectApiKeyInputs>;
true satisfies SameNames<keyof typeof outputs, ApiKeyOutputs>;
true satisfies SameNames<keyof typeof organizationOutputs, OrganizationApiKeyOutputs>;
true satisfies SameNames<keyof typeof projectOutputs, ProjectApiKeyOutputs>;
