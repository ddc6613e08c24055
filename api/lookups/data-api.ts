import { dataApi, dataApis } from "../schemas/data-api";
import { objectId } from "../schemas/wire";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The Data API of a database. */
export const getDataApi = lookup("getDataApi", () => ({
  args: { ...ofBranch, databaseName: objectId.describe("Name of the database that the API serves.") },
  result: resultOf(dataApi, "DataApiResult", "The Data API of a database."),
  read: ({ client }, { projectId, branchId, databaseName }) =>
    client.send(dataApis.get(projectId, branchId, databaseName)),
}));
