import * as pulumi from "@pulumi/pulumi";

import { type AnnotatedBranch, branches, withoutTag } from "../../api/schemas/branch";
import type { Lookup } from "../configured-settings";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { assertNeeded } from "../required-arguments";
import { failure } from "../run-error";

/** A branch, as the platform tells it. */
export interface BranchResult {
  /** The branch's id, such as `br-wispy-meadow-118737`. */
  readonly id: string;
  /** The project it belongs to. */
  readonly projectId: string;
  /** The branch's name, unique in its project. */
  readonly name: string;
  /** The branch it was made from; root branches have none. */
  readonly parentId?: string;
  /** Where in the parent's log it begins. */
  readonly parentLsn?: string;
  /** When in the parent's history it begins; ISO 8601 in UTC. */
  readonly parentTimestamp?: string;
  /** Whether it is the project's default branch. */
  readonly default?: boolean;
  /** Whether it is protected from deletion. */
  readonly protected?: boolean;
  /** When it expires; ISO 8601 in UTC. */
  readonly expiresAt?: string | null;
  /** `init`, `resetting`, `ready`, `archived`, or what a newer platform says. */
  readonly currentState: string;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it last changed; ISO 8601 in UTC. */
  readonly updatedAt?: string;
  /** The texts stored beside it. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Which branches to list. */
export interface GetBranchesArgs {
  /** The project whose branches to list. */
  readonly projectId: string;
  /** Part of a name or id. Default: all branches. */
  readonly search?: string;
}

/**
 * All branches of a project, through every page, newest first.
 *
 * @example
 * ```ts
 * const previews = await neon.getBranches({ projectId: "spring-example-302709", search: "pr-" });
 * ```
 */
export function getBranches(args: GetBranchesArgs, options?: LookupOptions): Promise<BranchResult[]> {
  return look(options, async (lookup) => {
    assertNeeded("getBranches", args, "projectId");
    return (await listBranches(lookup, args)).map(branchResult);
  });
}

/** {@link getBranches} for arguments that are outputs. */
export function getBranchesOutput(
  args: Inputs<GetBranchesArgs>,
  options?: LookupOptions,
): pulumi.Output<BranchResult[]> {
  return lookOutput(args, options, getBranches);
}

/** Which branch to fetch: by its id, or by its name. */
export interface GetBranchArgs {
  /** The project it belongs to. */
  readonly projectId: string;
  /** The branch's id. */
  readonly branchId?: string;
  /** The branch's exact name, instead of its id. */
  readonly name?: string;
}

/**
 * One branch. Fails if there is none; never answers another one.
 *
 * @example
 * ```ts
 * const main = await neon.getBranch({ projectId: "spring-example-302709", name: "main" });
 * ```
 */
export function getBranch(args: GetBranchArgs, options?: LookupOptions): Promise<BranchResult> {
  return look(options, async (lookup) => {
    assertNeeded("getBranch", args, "projectId");
    return branchResult(await findBranch(lookup, args));
  });
}

/** {@link getBranch} for arguments that are outputs. */
export function getBranchOutput(args: Inputs<GetBranchArgs>, options?: LookupOptions): pulumi.Output<BranchResult> {
  return lookOutput(args, options, getBranch);
}

async function findBranch(lookup: Lookup, { projectId, branchId, name }: GetBranchArgs): Promise<AnnotatedBranch> {
  if ((branchId === undefined) === (name === undefined)) {
    throw failure("getBranch takes either `branchId` or `name`.");
  }
  if (branchId !== undefined) {
    const { branch, annotation } = await lookup.client.send(branches.get(projectId, branchId));
    return { branch, annotations: annotation?.value ?? {} };
  }
  const found = await listBranches(lookup, { projectId, search: name ?? "" });
  const one = found.find(({ branch }) => branch.name === name);
  if (one !== undefined) return one;
  throw failure(`There is no branch named "${name ?? ""}" in project ${projectId}.`);
}

async function listBranches({ client }: Lookup, args: GetBranchesArgs): Promise<AnnotatedBranch[]> {
  const found: AnnotatedBranch[] = [];
  for await (const one of client.list(branches.list(args.projectId, { search: args.search }))) found.push(one);
  return found;
}

function branchResult({ branch, annotations }: AnnotatedBranch): BranchResult {
  return known<BranchResult>(
    { ...branch, annotations: withoutTag(annotations) },
    {
      id: true,
      projectId: true,
      name: true,
      parentId: true,
      parentLsn: true,
      parentTimestamp: true,
      default: true,
      protected: true,
      expiresAt: true,
      currentState: true,
      createdAt: true,
      updatedAt: true,
      annotations: true,
    },
  );
}
