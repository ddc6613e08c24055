import { z } from "zod";

import { camelObject, camelShape } from "../camel-shape";
import type { NeonClient } from "../client";
import { poolerHostOf } from "../endpoint-host";
import { invalid } from "../errors";
import { type Endpoint, endpoint, endpoints } from "../schemas/endpoint";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

const settings = endpoint.shape.settings.unwrap();
const result = z.strictObject({
  ...camelShape(
    endpoint.omit({
      pending_state: true,
      suspend_timeout_seconds: true,
      settings: true,
      pooler_enabled: true,
      pooler_mode: true,
      passwordless_access: true,
      started_at: true,
      updated_at: true,
    }).shape,
  ),
  poolerHost: z.string().optional(),
  suspendTimeoutSeconds: z.int().optional(),
  settings: z
    .strictObject({
      ...camelShape(settings.omit({ preload_libraries: true }).shape),
      preloadLibraries: camelObject(settings.shape.preload_libraries.unwrap()).optional(),
    })
    .optional(),
});

/** The computes of a project or of one of its branches. */
export const getEndpoints = lookup("getEndpoints", {
  args: { projectId: objectId, branchId: objectId.optional() },
  result: z.array(result),
  list: "endpoints",
  read: async ({ client }, { projectId, branchId }) =>
    (await listEndpoints(client, projectId, branchId)).map(withPoolerHost),
});

/** A compute by its id, or the read-write compute of a branch. */
export const getEndpoint = lookup("getEndpoint", {
  args: { projectId: objectId, endpointId: objectId.optional(), branchId: objectId.optional() },
  oneOf: ["endpointId", "branchId"],
  result,
  read: async ({ client }, { projectId, endpointId, branchId = "" }) => {
    if (endpointId !== undefined) {
      return withPoolerHost((await client.send(endpoints.get(projectId, endpointId))).endpoint);
    }
    const found = (await listEndpoints(client, projectId, branchId)).find(({ type }) => type === "read_write");
    if (found !== undefined) return withPoolerHost(found);
    throw invalid(`The branch ${branchId} of project ${projectId} has no read-write compute.`);
  },
});

async function listEndpoints(client: NeonClient, projectId: string, branchId?: string): Promise<Endpoint[]> {
  const request = branchId === undefined ? endpoints.list(projectId) : endpoints.listOfBranch(projectId, branchId);
  return (await client.send(request)).endpoints;
}

function withPoolerHost(found: Endpoint) {
  return { ...found, pooler_host: poolerHostOf(found) };
}
