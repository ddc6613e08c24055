import type { ProjectRow } from "../projects/project-row";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths } from "../routing/route";
import type { BranchRow } from "./branch-row";

/** Only the newer of the two published documents has this route. */
export const aiGatewayPaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/ai_gateway": {
    GET: allow({ ...branchMember, notFound: { reason: "branch_not_found" } }, ({ project, branch }) => ({
      enabled: true,
      base_url: aiGatewayUrl(project, branch),
    })),
  },
};

/** The address of a branch's gateway to language models. Nothing listens there. */
export function aiGatewayUrl({ proxy_host }: ProjectRow, { id }: BranchRow): string {
  return `https://${id}-api.ai.${proxy_host}`;
}
