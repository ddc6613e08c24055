import { z } from "zod";

import type { NeonClient } from "../client";
import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { poolerHostOf } from "../endpoint-host";
import { computeSizing, type Endpoint, endpoint, endpoints, poolerHost } from "../schemas/endpoint";
import { idArgument, ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() =>
  resultOf(
    endpoint
      .omit({
        pending_state: true,
        pooler_enabled: true,
        pooler_mode: true,
        passwordless_access: true,
        started_at: true,
        updated_at: true,
      })
      .extend({ pooler_host: poolerHost.optional(), ...computeSizing }),
    "EndpointResult",
    "A compute.",
  ),
);

/** The computes of a project or of one of its branches. */
export const getEndpoints = lookup("getEndpoints", () => ({
  args: {
    ...ofProject,
    branchId: idArgument.optional().describe("Branch whose computes to list. Default: all branches."),
  },
  result: z.array(result()),
  list: "endpoints",
  read: async ({ client }, { projectId, branchId }) =>
    (await listEndpoints(client, projectId, branchId)).map(withPoolerHost),
}));

/** A compute by its id, or the read-write compute of a branch. */
export const getEndpoint = lookup("getEndpoint", () => ({
  args: {
    ...ofProject,
    endpointId: idArgument.optional().describe("Id of the compute. Conflicts with `branchId`."),
    branchId: idArgument.optional().describe("Branch whose read-write compute to read. Conflicts with `endpointId`."),
  },
  oneOf: ["endpointId", "branchId"],
  result: result(),
  read: async ({ client }, { projectId, endpointId, branchId = "" }) => {
    if (endpointId !== undefined) {
      return withPoolerHost((await client.send(endpoints.get(projectId, endpointId))).endpoint);
    }
    const found = (await listEndpoints(client, projectId, branchId)).find(({ type }) => type === "read_write");
    if (found !== undefined) return withPoolerHost(found);
    throw invalid(`The branch ${branchId} of project ${projectId} has no read-write compute.`);
  },
}));

async function listEndpoints(client: NeonClient, projectId: string, branchId?: string): Promise<Endpoint[]> {
  const request = branchId === undefined ? endpoints.list(projectId) : endpoints.listOfBranch(projectId, branchId);
  return (await client.send(request)).endpoints;
}

function withPoolerHost(found: Endpoint) {
  return { ...found, pooler_host: poolerHostOf(found) };
}
