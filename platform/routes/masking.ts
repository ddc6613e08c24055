import { branchMember, projectMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { createMaskedBranch, setMaskingRules } from "../model/branches/masking";
import { maskingResponse, requireMasked, startMasking } from "../model/branches/masking-state";
import * as published from "../published/requests";
import { createdBranchResponse } from "./branch";

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
    PATCH: allow({ ...branchMember, ...published.updateMaskingRules }, ({ controlPlane, branch, body }) => {
      setMaskingRules(controlPlane, requireMasked(branch), body.masking_rules);
      return body;
    }),
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
