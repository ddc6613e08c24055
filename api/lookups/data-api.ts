import { z } from "zod";

import { camelShape } from "../camel-shape";
import { dataApis, dataApiSettings } from "../schemas/data-api";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The Data API of a database. */
export const getDataApi = lookup("getDataApi", {
  args: { projectId: objectId, branchId: objectId, databaseName: objectId },
  result: z.strictObject({
    url: z.string(),
    status: z.string(),
    settings: z.strictObject(camelShape(dataApiSettings.shape)).optional(),
    availableSchemas: z.array(z.string()).optional(),
  }),
  read: async ({ client }, { projectId, branchId, databaseName }) => {
    const { settings, available_schemas, ...found } = await client.send(
      dataApis.get(projectId, branchId, databaseName),
    );
    return { ...found, settings: settings ?? undefined, available_schemas: available_schemas ?? undefined };
  },
});
