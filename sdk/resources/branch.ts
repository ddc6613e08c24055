import * as pulumi from "@pulumi/pulumi";

import type { BranchInputs, BranchOutputs } from "../../provider/resources/branch";
import { Resource, typeToken, type ResourceClass } from "../resource";
import type { SameInputs, SameNames } from "../same";
import type { ComputeArgs } from "./settings";

/** What a program declares of a branch. What it leaves out is the platform's to choose, and never a difference. */
export interface BranchArgs {
  /** The project to branch in. A change replaces the branch. */
  readonly projectId: pulumi.Input<string>;
  /** Name, 1 to 256 characters, unique in the project. Default: the resource's logical name. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /** The branch to start from. Default: the project's default branch. A change replaces the branch. */
  readonly parentId?: pulumi.Input<string>;
  /** Where in the parent's log to start, such as `0/1DE2850`. Default: its end. A change replaces the branch. */
  readonly parentLsn?: pulumi.Input<string>;
  /** When in the parent's history to start, such as `2030-01-31T12:00:00Z`. Default: now. A change replaces the branch. */
  readonly parentTimestamp?: pulumi.Input<string>;
  /** Whether the branch is protected from deletion. A protected branch is never unprotected unless the program says so. Changed in place. */
  readonly protected?: pulumi.Input<boolean>;
  /** Whether the branch is archived when made. Cannot be read back. A change replaces the branch. */
  readonly archived?: pulumi.Input<boolean>;
  /** `parent-data` (the platform's default) starts with the parent's data, `schema-only` with its schema. A change replaces the branch. */
  readonly initSource?: pulumi.Input<"parent-data" | "schema-only">;
  /** When the platform deletes the branch by itself, such as `2030-01-31T12:00:00Z`; at most 30 days ahead. Changed in place; leaving it out later clears it. */
  readonly expiresAt?: pulumi.Input<string>;
  /** Texts stored beside the branch. A change replaces the branch. */
  readonly annotations?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The branch's read-write compute, made in the same request as the branch; `{}` for one of the platform's default
   * size. Changed in place; added and removed as the program says. Left out: the branch has none of this program's.
   */
  readonly compute?: pulumi.Input<ComputeArgs>;
  /**
   * Takes over a branch instead of making one: that of this id, or with `true` that of this name. What is declared is
   * then applied to it. Setting or removing it later changes nothing.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const outputs = {
  projectId: true,
  name: true,
  parentId: true,
  parentLsn: true,
  parentTimestamp: true,
  protected: true,
  archived: true,
  initSource: true,
  expiresAt: true,
  annotations: true,
  compute: true,
  branchId: true,
  createdAt: true,
  endpointId: true,
  host: true,
  poolerHost: true,
  roleName: true,
  databaseName: true,
  connectionUri: true,
} as const;
const self: ResourceClass = { kind: "Branch", outputs: Object.keys(outputs), secrets: ["connectionUri"] };

/**
 * A branch of a project, with its read-write compute if it declares one. It is usable when Pulumi says that it is
 * created. The branch that a project is born with can be adopted; being undeletable on its own, it is then released
 * from the state on destroy.
 *
 * @example
 * ```ts
 * const branch = new neon.Branch("pr-42", {
 *   projectId: project.id,
 *   compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
 * });
 * export const url = branch.connectionUri;
 * ```
 */
export class Branch extends Resource {
  /** The project it belongs to. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch's name. */
  declare readonly name: pulumi.Output<string>;
  /** The branch it was made from. */
  declare readonly parentId: pulumi.Output<string | undefined>;
  /** Where in the parent's log it begins. */
  declare readonly parentLsn: pulumi.Output<string | undefined>;
  /** When in the parent's history it begins; ISO 8601 in UTC. */
  declare readonly parentTimestamp: pulumi.Output<string | undefined>;
  /** Whether it is protected from deletion. */
  declare readonly protected: pulumi.Output<boolean | undefined>;
  /** As declared. */
  declare readonly archived: pulumi.Output<boolean | undefined>;
  /** What it started with. */
  declare readonly initSource: pulumi.Output<"parent-data" | "schema-only" | undefined>;
  /** When the platform deletes it by itself; ISO 8601 in UTC. */
  declare readonly expiresAt: pulumi.Output<string | undefined>;
  /** The texts stored beside it. */
  declare readonly annotations: pulumi.Output<Record<string, string> | undefined>;
  /** The read-write compute as it is set. */
  declare readonly compute: pulumi.Output<pulumi.Unwrap<ComputeArgs> | undefined>;
  /** The branch's id, such as `br-wispy-meadow-118737`. */
  declare readonly branchId: pulumi.Output<string>;
  /** When it was made; ISO 8601 in UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The read-write compute's id. */
  declare readonly endpointId: pulumi.Output<string | undefined>;
  /** Host of the read-write compute. */
  declare readonly host: pulumi.Output<string | undefined>;
  /** Host of the connection pooler before it. */
  declare readonly poolerHost: pulumi.Output<string | undefined>;
  /** The branch's only role, if there is just one. */
  declare readonly roleName: pulumi.Output<string | undefined>;
  /** The branch's only database, if there is just one. */
  declare readonly databaseName: pulumi.Output<string | undefined>;
  /** URI to connect to that database as that role. Secret. Not told where there are several roles or databases: anything else would be a guess. */
  declare readonly connectionUri: pulumi.Output<string | undefined>;

  /**
   * @param name the resource's logical name
   * @param args what to declare
   * @param opts Pulumi's own options; `import` is refused, see `adopt`
   */
  constructor(name: string, args: BranchArgs, opts?: pulumi.CustomResourceOptions) {
    super(self, name, args, opts);
    // The id is known even in the preview of a change, where other outputs are not.
    this.branchId = this.id.apply(branchOf);
  }

  /** A branch that exists, without managing it. Its id is that of the project and that of the branch, with a slash between. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Branch {
    return new Branch(name, { projectId: pulumi.output(id).apply(projectOf) }, { ...opts, id });
  }

  /** Whether this is a branch, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Branch {
    return Resource.isOfType(value, typeToken("Branch"));
  }
}

true satisfies SameInputs<BranchArgs, BranchInputs>;
true satisfies SameNames<keyof typeof outputs, BranchOutputs>;

/** The project that a branch's id in state begins with. */
function projectOf(id: string): string {
  const [projectId, branchId] = id.split("/");
  if (projectId !== undefined && branchId !== undefined) return projectId;
  throw new pulumi.RunError(`"${id}" is no id of a branch in state: it is "<project>/<branch>".`);
}

/** The branch that its id in state ends with. */
function branchOf(id: string): string {
  return id.split("/").at(-1) ?? id;
}
