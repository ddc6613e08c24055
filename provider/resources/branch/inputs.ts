import { z } from "zod";

import { camelShape } from "../../../api/camel-shape";
import { branchCreate } from "../../../api/schemas/branch";
import { textMap } from "../../../api/schemas/wire";
import type { Problem } from "../../call/services";
import { adopt, idInput } from "../../kind/inputs";
import type { Values } from "../../values";
import { compute } from "../compute/inputs";
import { maskingRules } from "./masking";
import { restore } from "./restore";

/** What only a copy of a parent can have when it is created. */
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

/** What a program declares of a branch. */
export const branchInputs = z
  .strictObject({
    projectId: idInput,
    ...camelShape(branchCreate.shape),
    parentId: idInput.optional(),
    annotations: textMap
      .refine(
        (all) => Object.keys(all).length <= maxAnnotations,
        `must have at most ${maxAnnotations} members: Neon allows 50, and this package adds its own`,
      )
      .optional(),
    snapshotId: idInput.optional(),
    compute: compute.optional(),
    default: z.boolean().optional(),
    defaultSuccessorId: idInput.optional(),
    restore: restore.optional(),
    resetTrigger: z.string().optional(),
    maskingRules: maskingRules.optional(),
    adopt: adopt.optional(),
  })
  .superRefine((value, context) => {
    for (const member of ["restore", "resetTrigger"] as const) {
      if (value.maskingRules === undefined || value[member] === undefined) continue;
      const message = "a restore replaces masked data by data that is not masked: declare another branch instead";
      context.addIssue({ code: "custom", path: [member], message });
    }
    for (const member of value.snapshotId === undefined ? [] : ofParent) {
      if (value[member] === undefined) continue;
      const message =
        "cannot be declared together with `snapshotId`: a branch that is restored from a snapshot has no parent, no annotations and no masking rules";
      context.addIssue({ code: "custom", path: [member], message });
    }
    if (value.expiresAt === undefined) return;
    for (const member of ["protected", "default"] as const) {
      if (value[member] !== true) continue;
      context.addIssue({ code: "custom", path: ["expiresAt"], message: `a ${member} branch cannot expire` });
    }
  });
export type BranchInputs = z.infer<typeof branchInputs>;

/**
 * What no branch can be created with. An imported or adopted branch can have it: the platform reports both positions in the
 * history of the parent, and an archived branch can be given a compute.
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
