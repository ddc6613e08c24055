import { aiGateway, aiGateways } from "../schemas/ai-gateway";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The address of the AI gateway of a branch. */
export const getAiGateway = lookup("getAiGateway", () => ({
  args: ofBranch,
  result: resultOf(aiGateway, "AiGatewayResult", "Where the AI gateway of a branch is."),
  explanations: {
    404: "The branch does not exist, or it has no AI gateway: the organization may not have it, or the region does not.",
  },
  read: async ({ client }, { projectId, branchId }) => client.send(aiGateways.get(projectId, branchId)),
}));
