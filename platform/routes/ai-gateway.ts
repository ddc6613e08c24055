import { branchMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { aiGatewayUrl } from "../model/branches/ai-gateway";

/** Only the newer of the two published documents has it. */
export const aiGatewayPaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/ai_gateway": {
    GET: allow({ ...branchMember, notFound: { reason: "branch_not_found" } }, ({ project, branch }) => ({
      enabled: true,
      base_url: aiGatewayUrl(project, branch),
    })),
  },
};
