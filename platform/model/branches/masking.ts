import type { z } from "zod";

import * as published from "../../published/requests";
import { authorOf, type Caller } from "../accounts/caller";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import { branchMember, projectMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import { createBranch, type CreatedBranch, createdBranchResponse } from "./branch";
import type { MaskingRow } from "./masking-row";
import { maskingResponse, requireMasked, starter, startMasking } from "./masking-state";

export const maskingPaths: ApiPaths = {
  "/projects/:project_id/branch_anonymized": {
    POST: allow(
      { ...projectMember, status: 201, ...published.createProjectBranchAnonymized },
      ({ controlPlane, caller, project, body }) =>
        createdBranchResponse(controlPlane, createMaskedBranch(controlPlane, project, caller, body)),
    ),
  },
  "/projects/:project_id/branches/:branch_id/masking_rules": {
    GET: allow(branchMember, ({ branch }) => ({ masking_rules: requireMasked(branch).masking.rules })),
    // Changed rules apply from the next run on: masked values stay masked until then.
    PATCH: allow(
      { ...branchMember, ...published.updateMaskingRules },
      ({ controlPlane: { tables, timestamps }, branch, body }) => {
        const { masking } = requireMasked(branch);
        const changed = { ...masking, rules: body.masking_rules, updated_at: timestamps.next() };
        tables.branches.put({ ...branch, masking: changed });
        return body;
      },
    ),
  },
  "/projects/:project_id/branches/:branch_id/anonymized_status": {
    GET: allow(branchMember, ({ branch }) => maskingResponse(requireMasked(branch))),
  },
  "/projects/:project_id/branches/:branch_id/anonymize": {
    POST: allow(branchMember, ({ controlPlane, caller, branch }) =>
      maskingResponse(startMasking(controlPlane, requireMasked(branch), caller)),
    ),
  },
};

/** Creates a branch whose data can be masked. */
function createMaskedBranch(
  controlPlane: ControlPlane,
  project: ProjectRow,
  caller: Caller,
  {
    branch_create: body,
    annotation_value: value,
    masking_rules: rules = [],
    start_anonymization,
  }: z.infer<typeof published.createProjectBranchAnonymized.body>,
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
