import { z } from "zod";

import { aiGateways } from "../schemas/ai-gateway";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** Where the AI gateway of a branch is. */
export const getAiGateway = lookup("getAiGateway", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("The branch."),
  },
  result: z
    .strictObject({
      baseUrl: z.string().describe("URL of the gateway, without a path: clients append that of their API."),
    })
    .meta({ title: "AiGatewayResult", description: "Where the AI gateway of a branch is." }),
  explanations: {
    404: "The branch does not exist, or it has no AI gateway: the organization may not have it, or the region does not.",
  },
  read: async ({ client }, { projectId, branchId }) => client.send(aiGateways.get(projectId, branchId)),
}));
