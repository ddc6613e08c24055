import * as pulumi from "@pulumi/pulumi";

import type { BranchInputs, BranchOutputs } from "../../provider/resources/branch";
import { segmentsOf } from "../id";
import { Resource, type ResourceClass, typeToken } from "../resource";
import type { SameInputs, SameNames } from "../type-equality";
import type { ComputeArgs } from "./project-settings";

/** What a branch is overwritten with, and when. */
export interface BranchRestoreArgs {
  /**
   * Any text. The branch is restored each time it changes, and when it is declared for a branch that is there; never when
   * the branch is made or taken over. The other members alone do nothing.
   */
  readonly trigger: pulumi.Input<string>;
  /** The branch to restore from; the branch's own id for its own history. Default: the parent, as it is then. */
  readonly sourceBranchId?: pulumi.Input<string>;
  /** Which moment of the source's history to restore, such as `2030-01-31T12:00:00Z`. Default: its present state. Not with `sourceLsn`. */
  readonly sourceTimestamp?: pulumi.Input<string>;
  /** Which place in the source's log to restore, such as `0/1DE2850`. Default: its end. Not with `sourceTimestamp`. */
  readonly sourceLsn?: pulumi.Input<string>;
  /**
   * Name of a new branch that keeps what this one held before; its children move there. Needed for a branch that has
   * children, and for a restore from its own history. Default: what it held is lost. The new branch is not this program's.
   */
  readonly preserveUnderName?: pulumi.Input<string>;
}

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
   * `true` makes the branch the project's default one; `false` is as good as left out. Changed in place. Another branch
   * takes the mark over by being made the default one, which is no difference here; leaving this out later moves nothing.
   */
  readonly default?: pulumi.Input<boolean>;
  /**
   * The branch that becomes the default one when this one is deleted and is the default one then. Without it such a
   * branch is not deleted, and the error says so; where its project is destroyed too, Pulumi's option `deletedWith` spares
   * it that. Default: none. A change is noted in the state.
   */
  readonly defaultSuccessorId?: pulumi.Input<string>;
  /**
   * Overwrites the branch, in place, each time `restore.trigger` changes. Hosts stay as they are; connections are dropped.
   * Roles and databases are those of the source afterwards: a resource that is about another one is gone, and a role has
   * the source's password. Default: nothing is overwritten.
   */
  readonly restore?: pulumi.Input<BranchRestoreArgs>;
  /**
   * Any text. The branch is reset from its parent each time it changes, and when it is declared for a branch that is
   * there: short for a `restore` without a source. Default: nothing is overwritten.
   */
  readonly resetTrigger?: pulumi.Input<string>;
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
  default: true,
  defaultSuccessorId: true,
  restore: true,
  resetTrigger: true,
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
  /** As declared. Which branch is the default one now is told by `getBranch`. */
  declare readonly default: pulumi.Output<boolean | undefined>;
  /** As declared. */
  declare readonly defaultSuccessorId: pulumi.Output<string | undefined>;
  /** As declared. */
  declare readonly restore: pulumi.Output<pulumi.Unwrap<BranchRestoreArgs> | undefined>;
  /** As declared. */
  declare readonly resetTrigger: pulumi.Output<string | undefined>;
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
    return new Branch(name, { projectId: segmentsOf(id, "<project>/<branch>")(0) }, { ...opts, id });
  }

  /** Whether this is a branch, even one made by another copy of this package. */
  static override isInstance(value: unknown): value is Branch {
    return Resource.isOfType(value, typeToken("Branch"));
  }
}

true satisfies SameInputs<BranchArgs, BranchInputs>;
true satisfies SameNames<keyof typeof outputs, BranchOutputs>;

/** The branch that its id in state ends with. */
function branchOf(id: string): string {
  return id.split("/").at(-1) ?? id;
}
