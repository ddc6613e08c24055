import { z } from "zod";

import type { NeonClient } from "../client";
import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { poolerHostOf } from "../endpoint-host";
import { type Endpoint, endpoints } from "../schemas/endpoint";
import { textMap } from "../schemas/wire";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const settings = lazy(() =>
  z
    .strictObject({
      pgSettings: textMap.optional().describe("Postgres settings: names and values as strings."),
      pgbouncerSettings: textMap.optional().meta({
        description: "PgBouncer settings: names and values as strings.",
        deprecationMessage: "Neon has announced the removal of this setting.",
      }),
      preloadLibraries: z
        .strictObject({
          useDefaults: z.boolean().optional().describe("Whether Neon's default libraries are loaded."),
          enabledLibraries: z.array(z.string()).optional().describe("Names of the libraries that are loaded."),
        })
        .describe("Libraries that Postgres loads at startup.")
        .optional()
        .describe("Libraries that Postgres loads at startup."),
    })
    .meta({ title: "EndpointSettingsResult", description: "Settings of a compute." }),
);
const result = lazy(() =>
  z
    .strictObject({
      id: z.string().describe("Id of the compute, such as `ep-cool-darkness-123456`."),
      projectId: z.string().describe("Project of the compute."),
      branchId: z.string().describe("Branch of the compute."),
      type: z.string().describe("`read_write` or `read_only`. Newer versions of the API can return other values."),
      name: z.string().optional().describe("Name of the compute, if it has one."),
      host: z.string().describe("Host to connect to."),
      poolerHost: z.string().optional().describe("Host of the compute's connection pooler."),
      regionId: z.string().optional().describe("Region of the compute."),
      currentState: z
        .string()
        .describe(
          "`init`, `active` or `idle`. Newer versions of the API can return other values. It changes on its own when the compute is inactive and when a client connects.",
        ),
      autoscalingLimitMinCu: z.number().optional().describe("Minimum size for autoscaling, in compute units (CU)."),
      autoscalingLimitMaxCu: z.number().optional().describe("Maximum size for autoscaling, in compute units (CU)."),
      suspendTimeoutSeconds: z
        .int()
        .optional()
        .describe("Seconds of inactivity after which Neon suspends the compute. -1: never. 0: Neon's default."),
      provisioner: z.string().optional().describe("Provisioner of the compute, such as `k8s-neonvm`."),
      settings: settings().optional().describe("Postgres settings of the compute."),
      disabled: z.boolean().optional().describe("Whether the compute is disabled: it cannot be started."),
      createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
    })
    .meta({ title: "EndpointResult", description: "A compute." }),
);

/** The computes of a project or of one of its branches. */
export const getEndpoints = lookup("getEndpoints", () => ({
  args: {
    projectId: idArgument.describe("Project whose computes to list."),
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
    projectId: idArgument.describe("Project of the compute."),
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
