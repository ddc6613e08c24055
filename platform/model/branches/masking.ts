import type { z } from "zod";

import type { MaskingRule } from "../../../api/schemas/masking";
import type { createProjectBranchAnonymized } from "../../published/requests";
import { authorOf, type Caller } from "../accounts/caller";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import type { MaskingRow } from "./masking-row";
import { createBranch, type CreatedBranch } from "./branch";
import { type MaskedBranch, starter } from "./masking-state";

/** Creates a branch whose data can be masked. */
export function createMaskedBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  caller: Caller,
  {
    branch_create: body,
    annotation_value: value,
    masking_rules: rules = [],
    start_anonymization,
  }: z.infer<typeof createProjectBranchAnonymized.body>,
): CreatedBranch {
  const annotation_value = { ...value, anonymized: "true" };
  const created = createBranch(controlPlane, project, authorOf(caller), { ...body, annotation_value });
  const masking: MaskingRow = {
    rules,
    state: "created",
    start: start_anonymization === true ? starter(caller) : undefined,
    ...controlPlane.timestamps.created(),
  };
  const branch = { ...created.branch, masking };
  controlPlane.tables.branches.put(branch);
  return { ...created, branch };
}

/** Replaces the rules. What is masked stays so until the next run. */
export function setMaskingRules(
  { tables, timestamps }: ControlPlane,
  branch: MaskedBranch,
  rules: readonly MaskingRule[],
): void {
  tables.branches.put({ ...branch, masking: { ...branch.masking, rules, updated_at: timestamps.next() } });
}
