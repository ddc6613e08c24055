// Generated from provider/resources/function.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { branchFunction } from "../../provider/resources/function";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Arguments of a {@link Function}. */
export interface FunctionArgs {
  /** Id of the project. Changing it replaces the function. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the function. */
  readonly branchId: pulumi.Input<string>;
  /**
   * Slug, which identifies the function on the branch. It is a part of the URL: 1 to 20 lower-case letters and digits,
   * according to Neon's documentation. Default: the resource's logical name. Changing it replaces the function.
   */
  readonly slug?: pulumi.Input<string>;
  /** Display name. At most 256 characters. Default: the slug. Updated in place. Removing it restores the default. */
  readonly name?: pulumi.Input<string>;
  /**
   * Code of the function: a folder, a zip file or a map of files, with `index.mjs` or `index.js` at its root; at most
   * 10 MiB zipped, 64 MiB unpacked and 4096 files. Compared by the content of the files. Required to create a function.
   * If omitted, an adopted function keeps its code. Updated in place. A change deploys the function again.
   */
  readonly code?: pulumi.Input<pulumi.asset.Archive>;
  /**
   * Runtime of the deployment that answers requests, such as `nodejs24`. Default: chosen by Neon. Updated in place. A
   * change deploys the function again.
   */
  readonly runtime?: pulumi.Input<string>;
  /**
   * Environment variables of the function. Secret. If declared, the function has exactly these: what is dropped is
   * removed. If never declared, the variables of an adopted function stay. Neon's own variables, such as
   * `DATABASE_URL`, are not among them. Updated in place. A change deploys the function again.
   */
  readonly environment?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Adopts an existing function instead of creating one, such as one that the branch has from its parent, and applies
   * the declared arguments to it. A slug adopts that function and fails if it does not exist. `true` adopts the
   * function with this `slug`, or creates one if there is none. Declared code and variables are deployed, because Neon
   * does not return them. Setting or removing `adopt` later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const functionDefinition: ResourceDefinition = {
  kind: "Function",
  id: ["projectId", "branchId", "slug"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    slug: "plain",
    name: "plain",
    runtime: "plain",
    environment: "secret",
    functionId: "plain",
    invocationUrl: "plain",
    deploymentId: "plain",
    codeHash: "plain",
    environmentNames: "plain",
    createdAt: "plain",
  },
  absences: {
    environment: { reason: "The program declares no variables, or somebody else has deployed the function since." },
  },
};

/**
 * A function of a branch: code that answers HTTP requests next to its database. Neon's API for it is in beta, and some
 * regions do not have it.
 *
 * `code` is a folder, a zip file or a map of files, with `index.mjs` or `index.js` at its root, which exports a
 * handler. Neon does not bundle it: it must contain what it imports. The page `docs/functions.md` says how to make it
 * from TypeScript. All files of a folder are uploaded, except those in `.git` and `.pulumi`. A warning names files such
 * as `.env`. Links are followed within the folder; a link that leads out of it is refused. The function gets
 * `DATABASE_URL` and the other variables of its branch from Neon, and those of `environment` besides.
 *
 * A change of `code`, `runtime` or `environment` is a new deployment of the same function, under the same URL. The
 * provider waits until the deployment is active. If the build fails, the former deployment stays active, the error has
 * Neon's reason, and the next `pulumi up` deploys again. Only what has changed is sent, unless somebody else has
 * deployed the function since. Code is compared by the names and contents of its files: equal files deploy nothing,
 * whatever their times, their order and the path of the folder.
 *
 * Neon returns neither the code nor the values of variables. If somebody else has deployed the function since,
 * `pulumi refresh` shows it, and the next `pulumi up` deploys what the program declares. The URL of a function is
 * public.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/functions`, `GET`, `PATCH` and
 * `DELETE /projects/{project_id}/branches/{branch_id}/functions/{slug}`,
 * `POST /projects/{project_id}/branches/{branch_id}/functions/{slug}/deployments`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const api = new neon.Function("api", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   code: neon.bundle("api/index.ts"),
 *   environment: { LOG_LEVEL: "info", TOKEN: config.requireSecret("token") },
 * });
 * export const url = api.invocationUrl;
 * ```
 */
export class Function extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Slug, which identifies the function on the branch. */
  declare readonly slug: pulumi.Output<string>;
  /** Display name. */
  declare readonly name: pulumi.Output<string>;
  /** Runtime of the deployment that answers requests, such as `nodejs24`. */
  declare readonly runtime: pulumi.Output<string | undefined>;
  /** The declared variables. Secret. */
  declare readonly environment: pulumi.Output<Record<string, string> | undefined>;
  /** Id of the function. */
  declare readonly functionId: pulumi.Output<string>;
  /** URL of the function, which is public. Empty if the function cannot be invoked in this region. */
  declare readonly invocationUrl: pulumi.Output<string>;
  /** Id of the deployment that answers requests. It rises with each deployment. Absent while there is none. */
  declare readonly deploymentId: pulumi.Output<number | undefined>;
  /**
   * Hash of the deployed code: equal exactly if names and contents of all files are. Absent if somebody else has
   * deployed the function since.
   */
  declare readonly codeHash: pulumi.Output<string | undefined>;
  /** Names of the variables of the deployment that answers requests. Neon does not return their values. */
  declare readonly environmentNames: pulumi.Output<string[]>;
  /** Time of creation (ISO 8601, UTC). */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: FunctionArgs, opts?: pulumi.CustomResourceOptions) {
    super(functionDefinition, name, args, opts);
  }

  /**
   * Reads an existing function without managing it. The id has the form `<projectId>/<branchId>/<slug>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Function {
    return Resource.existing(Function, functionDefinition, name, id, opts);
  }

  /** Returns whether a value is a `Function`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is Function {
    return Resource.isOfKind(value, "Function");
  }
}

true satisfies SameInputs<FunctionArgs, (typeof branchFunction)["inputs"]>;
