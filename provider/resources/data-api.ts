import { z } from "zod";

import { fromWire, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type DataApi,
  dataApi as wireDataApi,
  dataApiCreate,
  dataApis,
  dataApiSettings,
  type DataApiSettings,
} from "../../api/schemas/data-api";
import { addressableName } from "../../api/schemas/postgres-name";
import type { Context } from "../call/context";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { adopt, ofBranch } from "../kind/inputs";
import { only, type OutputsOf } from "../kind/outputs";
import { singletonKind } from "../kind/singleton-kind";
import { contains, omitUndefined } from "../values";

const dataApiSettingInputs = lazy(() =>
  z.strictObject(camelShape(dataApiSettings.shape)).meta({
    title: "DataApiSettingsArgs",
    description: "Settings of a {@link DataApi}. What is omitted keeps its value. All of them are updated in place.",
  }),
);
const inputs = lazy(() => {
  const { settings: _, ...wire } = camelShape(dataApiCreate.shape);
  return z
    .strictObject({
      ...ofBranch,
      databaseName: addressableName.describe("Name of the database that the API serves."),
      ...wire,
      settings: dataApiSettingInputs()
        .optional()
        .describe("Settings of the API. If Neon does not return them, a change by somebody else is not noticed."),
      adopt: adopt.describe(
        "Adopts an existing Data API instead of creating one. The name of a database adopts its Data API and fails if it does not exist. `true` adopts that of `databaseName`, or creates it if there is none.",
      ),
    })
    .check(
      combination(({ authProvider, ...ofExternal }, report) => {
        if (authProvider === "external" && ofExternal.jwksUrl === undefined) {
          report("is required with an external provider", "jwksUrl");
        }
        if (authProvider !== "neon_auth") return;
        for (const name of ["jwksUrl", "providerName"] as const) {
          if (ofExternal[name] === undefined) continue;
          report('needs `authProvider: "external"`: Neon Auth signs the tokens with keys of its own', name);
        }
      }),
    );
});
export type DataApiInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...ofBranch,
    ...only(
      inputs().shape,
      "databaseName",
      "authProvider",
      "jwksUrl",
      "providerName",
      "jwtAudience",
      "addDefaultGrants",
      "skipAuthSchema",
    ),
    settings: inputs().shape.settings.describe("Settings, with Neon's defaults, if Neon returns them."),
    ...only(camelShape(wireDataApi.shape), "url", "status"),
  });
export type DataApiOutputs = OutputsOf<typeof outputs>;

type Address = Pick<DataApiOutputs, "projectId" | "branchId" | "databaseName">;

const onlyAtCreation = { onChange: "replace", platform: "write-only" } as const;

/** The REST interface of a database. A database has at most one. */
export const dataApi = singletonKind<DataApi, DataApiInputs, DataApiOutputs>({
  name: "DataApi",
  noun: "Data API",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "databaseName"],
  rules: {
    authProvider: onlyAtCreation,
    jwksUrl: onlyAtCreation,
    providerName: onlyAtCreation,
    jwtAudience: onlyAtCreation,
    addDefaultGrants: { ...onlyAtCreation, unset: "false" },
    skipAuthSchema: { ...onlyAtCreation, unset: "false" },
  },
  needs: [
    {
      status: 404,
      fix: "The branch or the database does not exist, or this API key cannot see them. Of a database that the program declares, use the output `name` as `databaseName`, so that Pulumi creates it first.",
    },
  ],
  replacement: { loss: "Requests to the old Data API fail." },
  within: { Database: ["databaseName"] },

  create: ({ projectId, branchId, databaseName, adopt: _, ...declared }) =>
    creation({
      what: "create Data API",
      request: dataApis.create(projectId, branchId, databaseName, toWire(declared)),
      repeatable: true,
      startsUnnamed: true,
      outputs: ({ url }) => ({ projectId, branchId, databaseName, ...declared, url, status: "" }),
    }),

  find: readDataApi,
  outputsOf: (found, { projectId = "", branchId = "", databaseName = "" }) => ({
    projectId,
    branchId,
    databaseName,
    ...reported(found),
  }),

  update: async (context, state, { settings }, changes) => {
    if (settings === undefined || !changes.has("settings")) return;
    const { projectId, branchId, databaseName } = state;
    const declared: DataApiSettings = toWire(omitUndefined(settings));
    // The request replaces all settings.
    const present = (await readDataApi(context, state))?.settings ?? {};
    await context.change({
      what: "change Data API settings",
      request: dataApis.update(projectId, branchId, databaseName, { settings: { ...present, ...declared } }),
      applies: Object.keys(settings).map((name) => `settings.${name}`),
      done: async () => {
        const now = await readDataApi(context, state);
        // If settings are not reported, send them again: that changes nothing else.
        return now?.settings != null && contains(now.settings, declared);
      },
      silent: true,
    });
  },

  deletion: ({ projectId, branchId, databaseName }) => ({
    object: `Data API of database ${databaseName}`,
    request: dataApis.delete(projectId, branchId, databaseName),
    silent: true,
  }),

  // No request repeats the grants of a creation that failed, so the Data API is replaced.
  finishing: { usable: () => Promise.resolve(false) },
});

async function readDataApi(
  context: Context,
  { projectId = "", branchId = "", databaseName = "" }: Partial<Address>,
): Promise<DataApi | undefined> {
  return ignoreNotFound(context.read(dataApis.get(projectId, branchId, databaseName)));
}

/** The reported outputs of a Data API. The API does not report how clients authenticate. */
function reported({ url, status, settings }: DataApi): Pick<DataApiOutputs, "url" | "status" | "settings"> {
  return {
    url,
    status,
    ...omitUndefined({ settings: settings == null ? undefined : fromWire(dataApiSettings.parse(settings)) }),
  };
}
