import { branchMember } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";

/** The address of the AI gateway of a branch, where nothing listens. Only the newer of the two published documents has it. */
export const aiGatewayPaths: ApiPaths = {
  "/projects/:project_id/branches/:branch_id/ai_gateway": {
    GET: allow({ ...branchMember, notFound: { reason: "branch_not_found" } }, ({ project, branch }) => ({
      enabled: true,
      base_url: `https://${branch.id}-api.ai.${project.proxy_host}`,
    })),
  },
};
