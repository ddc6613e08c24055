// Generated from provider/resources/custom-domain.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { customDomain } from "../../provider/resources/custom-domain";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link CustomDomain}. */
export interface CustomDomainArgs {
  /** Id of the project. Changing it replaces the custom domain. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the custom domain. */
  readonly branchId: pulumi.Input<string>;
  /**
   * The domain, such as `api.example.com`. At most 254 characters. Capitals and a dot at its end make no difference.
   * Changing it replaces the custom domain.
   */
  readonly domain: pulumi.Input<string>;
  /**
   * The target of the domain: the slug of a function. Use the output `slug` of a {@link Function}. Changing it replaces
   * the custom domain.
   */
  readonly entityId: pulumi.Input<string>;
  /**
   * The type of what the domain leads to. Neon knows `function` only. Default: `function`. Changing it replaces the
   * custom domain.
   */
  readonly entityType?: pulumi.Input<string>;
  /**
   * Adopts an existing custom domain instead of creating one. A domain adopts that custom domain and fails if it does
   * not exist. `true` adopts the custom domain with this `domain`, or creates one if there is none. Setting or removing
   * `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const customDomainDefinition: ResourceDefinition = {
  kind: "CustomDomain",
  id: ["projectId", "branchId", "domain"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    domain: "plain",
    entityId: "plain",
    entityType: "plain",
    cnameTarget: "plain",
    status: "plain",
    statusReason: "plain",
  },
  absences: {
    status: { reason: "No refresh has read it yet: run `pulumi refresh`." },
    statusReason: { reason: "Nothing is wrong with the domain, or no refresh has read it yet." },
  },
};

/**
 * A domain of yours that leads to a {@link Function}. Neon's API for it is in beta, and some projects do not have it.
 *
 * Create a CNAME record for the domain that names the output `cnameTarget`, for DNS only. Pulumi does not wait for DNS:
 * the domain is active some time after the record, and the first HTTPS request issues its certificate. `pulumi refresh`
 * reads the status into the outputs `status` and `statusReason`. {@link getCustomDomains} reads it at any time.
 *
 * A domain leads to one function in all of Neon, so a change deletes the old one first. It is not part of a new branch,
 * and stays if its function is deleted. Delete its DNS record before you destroy it.
 *
 * Neon API: `GET` and `POST /projects/{project_id}/branches/{branch_id}/custom-domains`,
 * `DELETE /projects/{project_id}/branches/{branch_id}/custom-domains/{domain}`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const api = new neon.Function("api", { ...at, code: neon.bundle("api/index.ts") });
 * const domain = new neon.CustomDomain("www", { ...at, domain: "api.shop.example.com", entityId: api.slug });
 * export const cname = domain.cnameTarget;
 * ```
 */
export class CustomDomain extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** The domain, such as `api.example.com`. */
  declare readonly domain: pulumi.Output<string>;
  /** The target of the domain: the slug of a function. */
  declare readonly entityId: pulumi.Output<string>;
  /** The type of what the domain leads to. Neon knows `function` only. */
  declare readonly entityType: pulumi.Output<string>;
  /**
   * The target that the domain's CNAME record has to name. The record must be for DNS only, without a proxy. Empty if
   * the region has no custom domains.
   */
  declare readonly cnameTarget: pulumi.Output<string>;
  /**
   * Status as of the last `pulumi refresh`: `pending`, `active` or `error`. It follows from the DNS records of the
   * domain, so a change of it is not drift. Absent until a refresh.
   */
  declare readonly status: pulumi.Output<string | undefined>;
  /**
   * Why the status is `error`, such as `cname-not-pointing-at-edge`, as the last `pulumi refresh` has read it. Absent
   * otherwise.
   */
  declare readonly statusReason: pulumi.Output<string | undefined>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: CustomDomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(customDomainDefinition, name, args, opts);
  }

  /**
   * Reads an existing custom domain without managing it. The id has the form `<projectId>/<branchId>/<domain>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): CustomDomain {
    return Resource.existing(CustomDomain, customDomainDefinition, name, id, opts);
  }

  /** Returns whether a value is a `CustomDomain`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is CustomDomain {
    return Resource.isOfKind(value, "CustomDomain");
  }
}

true satisfies SameInputs<CustomDomainArgs, (typeof customDomain)["inputs"]>;
