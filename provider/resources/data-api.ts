import { z } from "zod";

import { fromWire, toWire } from "../../api/camel-case";
import { camelShape } from "../../api/camel-shape";
import { ignoreNotFound } from "../../api/errors";
import {
  type DataApi,
  dataApiCreate,
  dataApiProblem,
  dataApis,
  dataApiSettings,
  type DataApiSettings,
} from "../../api/schemas/data-api";
import { addressableName } from "../../api/schemas/postgres-name";
import { deleteObject } from "../call/delete-object";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { adopt, idInput } from "../kind/inputs";
import type { Kind } from "../kind/kind";
import { contains, omitUndefined } from "../values";

const inputs = z
  .strictObject({
    projectId: idInput,
    branchId: idInput,
    databaseName: addressableName,
    ...camelShape(dataApiCreate.shape),
    adopt: adopt.optional(),
  })
  .superRefine(({ authProvider, jwksUrl }, context) => {
    const message = dataApiProblem(authProvider, jwksUrl);
    if (message !== undefined) context.addIssue({ code: "custom", path: ["jwksUrl"], message });
  });
export type DataApiInputs = z.infer<typeof inputs>;

export interface DataApiOutputs extends Omit<DataApiInputs, "adopt"> {
  readonly url: string;
  readonly status: string;
}

type Address = Pick<DataApiOutputs, "projectId" | "branchId" | "databaseName">;

const onlyAtCreation = { onChange: "replace", platform: "write-only" } as const;

/** The REST interface of a database. A database has at most one. */
export const dataApi: Kind<DataApiInputs, DataApiOutputs> = {
  name: "DataApi",
  noun: "Data API",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    databaseName: { onChange: "replace" },
    authProvider: onlyAtCreation,
    jwksUrl: onlyAtCreation,
    providerName: onlyAtCreation,
    jwtAudience: onlyAtCreation,
    addDefaultGrants: { ...onlyAtCreation, unset: "false" },
    skipAuthSchema: { ...onlyAtCreation, unset: "false" },
  },
  secrets: {},
  uniqueBy: ["projectId", "branchId", "databaseName"],
  replacement: { loss: "Requests to the old Data API fail." },
  ...identifiedBy("projectId", "branchId", "databaseName"),

  create: ({ projectId, branchId, databaseName, adopt: _, ...declared }) =>
    creation({
      what: "create Data API",
      request: () => dataApis.create(projectId, branchId, databaseName, toWire(declared)),
      repeatable: true,
      startsUnnamed: true,
      outputs: ({ url }) => ({ projectId, branchId, databaseName, ...declared, url, status: "" }),
    }),

  read: async (context, { projectId = "", branchId = "", databaseName = "" }) => {
    const address = { projectId, branchId, databaseName };
    const found = await readDataApi(context, address);
    return found && { ...address, ...reported(found) };
  },

  update: async (context, state, { settings }, changes) => {
    if (settings === undefined || !changes.has("settings")) return;
    const { projectId, branchId, databaseName } = state;
    const declared: DataApiSettings = toWire(omitUndefined(settings));
    // The request replaces all settings.
    const present = (await readDataApi(context, state))?.settings ?? {};
    await context.change({
      what: "change Data API settings",
      project: projectId,
      request: dataApis.update(projectId, branchId, databaseName, { settings: { ...present, ...declared } }),
      applies: Object.keys(settings).map((name) => `settings.${name}`),
      done: async () => {
        const now = await readDataApi(context, state);
        // Unreported settings are sent again: that changes nothing else.
        return now?.settings != null && contains(now.settings, declared);
      },
      silent: true,
    });
  },

  remove: async (context, state) => {
    const { projectId, branchId, databaseName } = state;
    await deleteObject(context, {
      what: "delete Data API",
      object: `Data API of database ${databaseName}`,
      project: projectId,
      request: dataApis.delete(projectId, branchId, databaseName),
      silent: true,
      exists: async () => (await readDataApi(context, state)) !== undefined,
    });
  },

  // No request makes the grants again.
  finishing: { usable: () => Promise.resolve(false) },
};

async function readDataApi(
  context: Context,
  { projectId, branchId, databaseName }: Address,
): Promise<DataApi | undefined> {
  return ignoreNotFound(context.read(dataApis.get(projectId, branchId, databaseName)));
}

/** What is reported of a Data API. How clients authenticate is not. */
function reported({ url, status, settings }: DataApi): Pick<DataApiOutputs, "url" | "status" | "settings"> {
  return {
    url,
    status,
    ...omitUndefined({ settings: settings == null ? undefined : fromWire(dataApiSettings.parse(settings)) }),
  };
}
