import { z } from "zod";

import { path, request } from "../core/request";

/** The address of a branch's gateway to language models. */
export const aiGateway = z.looseObject({
  base_url: z.string().describe("URL of the gateway, without a path: clients append that of their API."),
});

/** Requests for the gateway of a branch to language models. There is nothing to create. */
export const aiGateways = {
  get: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/ai_gateway`, aiGateway),
};
