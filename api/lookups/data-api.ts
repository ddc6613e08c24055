import { z } from "zod";

import { lazy } from "../core/lazy";
import { dataApis } from "../schemas/data-api";
import { objectId } from "../schemas/wire";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

const settings = lazy(() =>
  z
    .strictObject({
      dbAggregatesEnabled: z.boolean().optional().describe("Whether requests can use aggregate functions."),
      dbAnonRole: z.string().optional().describe("Postgres role of requests without a token."),
      dbExtraSearchPath: z.string().optional().describe("Schemas that are added to the search path."),
      dbMaxRows: z.int().optional().describe("Maximum number of rows that a response contains. Absent: no limit."),
      dbSchemas: z.array(z.string()).optional().describe("Schemas that the API exposes."),
      jwtRoleClaimKey: z.string().optional().describe("Path of the claim in a token that names the Postgres role."),
      jwtCacheMaxLifetime: z
        .int()
        .optional()
        .describe("Maximum time for which a verified token is cached, in seconds."),
      openapiMode: z.string().optional().describe("Mode of the OpenAPI description."),
      serverCorsAllowedOrigins: z.string().optional().describe("Origins that browsers can send requests from (CORS)."),
      serverTimingEnabled: z.boolean().optional().describe("Whether responses have `Server-Timing` headers."),
    })
    .meta({ title: "DataApiSettingsResult", description: "Settings of a Data API." }),
);

/** The Data API of a database. */
export const getDataApi = lookup("getDataApi", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch of the database."),
    databaseName: objectId.describe("Database that the API serves."),
  },
  result: z
    .strictObject({
      url: z.string().describe("URL of the API."),
      status: z.string().describe("Status of the deployment, as Neon words it."),
      settings: settings().optional().describe("Settings, if Neon returns them."),
      availableSchemas: z.array(z.string()).optional().describe("Schemas of the database, if Neon returns them."),
    })
    .meta({ title: "DataApiResult", description: "The Data API of a database." }),
  read: async ({ client }, { projectId, branchId, databaseName }) => {
    const { settings, available_schemas, ...found } = await client.send(
      dataApis.get(projectId, branchId, databaseName),
    );
    return { ...found, settings: settings ?? undefined, available_schemas: available_schemas ?? undefined };
  },
}));
