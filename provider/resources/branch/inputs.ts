import { z } from "zod";

import { camelShape } from "../../../api/core/camel-shape";
import { lazy } from "../../../api/core/lazy";
import { branchCreate } from "../../../api/schemas/branch";
import { textMap } from "../../../api/schemas/wire";
import type { Problem } from "../../call/services";
import { combination, known } from "../../kind/combination";
import { adopt, idInput, ofProject, trigger } from "../../kind/inputs";
import { only } from "../../kind/outputs";
import type { Values } from "../../values";
import { compute } from "../compute/inputs";
import { maskingRules } from "./masking";
import { restore } from "./restore";
import { ttl } from "./ttl";

/** Inputs that only a copy of a parent can be created with. */
const ofParent = [
  "parentId",
  "parentLsn",
  "parentTimestamp",
  "initSource",
  "archived",
  "annotations",
  "maskingRules",
] as const;

/** The document allows 50, of which one is the ownership tag. */
const maxAnnotations = 49;

/** The inputs of a branch. */
export const branchInputs = lazy(() => {
  const wire = camelShape(branchCreate.shape);
  return z
    .strictObject({
      ...ofProject,
      name: wire.name,
      parentId: idInput.optional().meta({ omitted: "the project's default branch" }),
      parentLsn: wire.parentLsn.meta({ omitted: "the latest" }),
      parentTimestamp: wire.parentTimestamp.meta({
        omitted: "now",
        daysFromNow: { most: 0 },
      }),
      protected: wire.protected.meta({
        note: "Also set Pulumi's resource option `protect`: Pulumi then refuses to delete the branch before it deletes anything that belongs to it. In a program for Node.js, a literal `true` sets that option, unless you set `protect` or `retainOnDelete` yourself. To delete a protected branch, first set `false` and run `pulumi up`.",
        default: false,
        protects: true,
      }),
      ...only(wire, "archived", "initSource"),
      expiresAt: wire.expiresAt.meta({
        note: "At most 30 days from now. A protected or default branch cannot expire, nor one with children or with the Data API. Conflicts with `ttl`.",
        omitted: "never, unless `ttl` is declared",
        change: "Removing it clears the expiration.",
        daysFromNow: { least: 0, most: 30 },
      }),
      ttl: ttl.optional().meta({
        description:
          "Life of the branch, such as `12h` or `7d`: a whole number with the unit `s`, `m`, `h`, `d` or `w`, from `1m` to `30d`. Neon then deletes the branch. The life begins when the branch is created, and again when `ttl` or `ttlTrigger` changes or the branch is reset from its parent. A run that changes neither does not extend it. Conflicts with `expiresAt`.",
        omitted: "no end, unless `expiresAt` is declared",
        change: "Removing it clears the expiration.",
      }),
      ttlTrigger: trigger("begins the life of the branch again").meta({ note: "Requires `ttl`." }),
      annotations: textMap
        .refine(
          (all) => Object.keys(all).length <= maxAnnotations,
          `must have at most ${maxAnnotations} members: Neon allows 50, and this package adds its own`,
        )
        .optional()
        .meta({ description: "Annotations of the branch: names and values as strings." }),
      snapshotId: idInput.optional().meta({
        description:
          "Id of a snapshot of the project whose data, roles and databases the branch starts with, instead of a parent's. Conflicts with `parentId`, `parentLsn`, `parentTimestamp`, `initSource`, `archived` and `annotations`. The branch comes with a read-write compute of the project's default size, also if `compute` is omitted.",
      }),
      compute: compute()
        .optional()
        .describe(
          "The branch's read-write compute, created in the same request as the branch. An empty object creates one of Neon's default size. If omitted, this resource manages no compute. Adding, changing or removing it creates, updates or deletes the compute.",
        ),
      default: z.boolean().optional().meta({
        default: false,
        description:
          "`true` makes this branch the project's default branch. `false` has the same effect as omitting the property.",
        change:
          "Updated in place. If another branch becomes the default, that is not drift. Removing this property later has no effect.",
      }),
      defaultSuccessorId: idInput
        .optional()
        .describe(
          "Id of the branch that becomes the default branch if this branch is the default branch when it is deleted. Without it, deleting the default branch fails. If the project is destroyed as well, set Pulumi's option `deletedWith` instead. Default: none. Updated in the state only.",
        ),
      restore: restore()
        .optional()
        .describe(
          "Restores the branch in place each time `restore.trigger` changes. Hosts stay the same; connections are dropped. Afterwards the branch has the roles, passwords and databases of the source: a `Role` or `Database` that the source does not have is deleted. Default: no restore.",
        ),
      resetTrigger: trigger(
        "resets the branch in place to the current state of its parent, like a `restore` without a source",
      ),
      maskingRules: maskingRules()
        .optional()
        .describe(
          "Columns whose values are masked, in any order. They are masked before Pulumi reports the branch as created. A change masks the data again: values that were masked before stay masked. You cannot add rules to a branch that was created without any. Removing the property has no effect. Conflicts with `restore` and `resetTrigger`. Neon's API for it is in beta. Default: no masking.",
        ),
      adopt,
    })
    .check(
      combination((declared, report) => {
        for (const member of ["restore", "resetTrigger"] as const) {
          if (declared.maskingRules === undefined || declared[member] === undefined) continue;
          report("a restore replaces masked data by data that is not masked: declare another branch instead", member);
        }
        for (const member of declared.snapshotId === undefined ? [] : ofParent) {
          if (declared[member] === undefined) continue;
          report(
            "cannot be declared together with `snapshotId`: a branch that is restored from a snapshot has no parent, no annotations and no masking rules",
            member,
          );
        }
        for (const expiring of ["expiresAt", "ttl"] as const) {
          for (const member of declared[expiring] === undefined ? [] : (["protected", "default"] as const)) {
            if (declared[member] === true) report(`a ${member} branch cannot expire`, expiring);
          }
        }
        if (declared.expiresAt !== undefined && declared.ttl !== undefined) {
          report("cannot be declared together with `ttl`", "expiresAt");
        }
        if (known(declared.ttlTrigger) !== undefined && declared.ttl === undefined) {
          report("requires `ttl`, the life that begins again", "ttlTrigger");
        }
      }),
    )
    .meta({
      otherNames: {
        parent: "it is `parentId`",
        minCu: "it is `compute.autoscalingLimitMinCu`",
        maxCu: "it is `compute.autoscalingLimitMaxCu`",
        suspendTimeout: "it is `compute.suspendTimeoutSeconds`",
      },
    })
    .describe("Neon chooses the values that you omit. They never cause a diff.");
});
export type BranchInputs = z.infer<ReturnType<typeof branchInputs>>;

/**
 * Problems with inputs that no branch can be created with. An imported or adopted branch can have them: the platform
 * reports both positions in the parent's history, and an archived branch can be given a compute.
 *
 * @param declared may hold unknown values
 */
export function creationProblems({ parentLsn, parentTimestamp, archived, compute: own }: Values): readonly Problem[] {
  const problems: Problem[] = [];
  if (parentLsn !== undefined && parentTimestamp !== undefined) {
    problems.push({ property: "parentTimestamp", reason: "cannot be declared together with parentLsn" });
  }
  if (archived === true && own !== undefined) {
    problems.push({
      property: "compute",
      reason: "cannot be declared together with `archived`: add it after the creation",
    });
  }
  return problems;
}
