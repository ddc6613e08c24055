import { z } from "zod";

import { fromWire, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import {
  type DataApi,
  dataApiCreate,
  dataApis,
  dataApiSettings,
  type DataApiSettings,
} from "../../api/schemas/data-api";
import { addressableName } from "../../api/schemas/postgres-name";
import type { Context } from "../call/context";
import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { asDeclared, type OutputsOf, asReported } from "../kind/outputs";
import { singletonKind } from "../kind/singleton-kind";
import { contains, omitUndefined } from "../values";

const dataApiSettingInputs = lazy(() => {
  const setting = camelShape(dataApiSettings.shape);
  return z
    .strictObject({
      dbAggregatesEnabled: setting.dbAggregatesEnabled.meta({
        description: "Whether requests can use aggregate functions.",
        default: true,
      }),
      dbAnonRole: setting.dbAnonRole.meta({
        description: "Postgres role of requests without a token.",
        default: "anonymous",
      }),
      dbExtraSearchPath: setting.dbExtraSearchPath.describe(
        "Schemas that are added to the search path. Default: none.",
      ),
      dbMaxRows: setting.dbMaxRows.describe("Maximum number of rows that a response contains. Default: no limit."),
      dbSchemas: setting.dbSchemas.meta({ description: "Schemas that the API exposes.", default: ["public"] }),
      jwtRoleClaimKey: setting.jwtRoleClaimKey.meta({
        description: "Path of the claim in a token that names the Postgres role.",
        default: ".role",
      }),
      jwtCacheMaxLifetime: setting.jwtCacheMaxLifetime.describe(
        "Maximum time for which a verified token is cached, in seconds. Default: chosen by Neon.",
      ),
      openapiMode: setting.openapiMode.meta({
        description: "Mode of the OpenAPI description: `ignore-privileges` or `disabled`.",
        default: "disabled",
      }),
      serverCorsAllowedOrigins: setting.serverCorsAllowedOrigins.describe(
        "Origins that browsers can send requests from (CORS). Default: chosen by Neon.",
      ),
      serverTimingEnabled: setting.serverTimingEnabled.meta({
        description: "Whether responses have `Server-Timing` headers.",
        default: false,
      }),
    })
    .meta({
      title: "DataApiSettingsArgs",
      description: "Settings of a {@link DataApi}. What is omitted keeps its value. All of them are updated in place.",
    });
});
const inputs = lazy(() => {
  const wire = camelShape(dataApiCreate.shape);
  return z
    .strictObject({
      projectId: idInput.describe("Id of the project."),
      branchId: idInput.describe("Id of the branch."),
      databaseName: addressableName.describe("Name of the database that the API serves."),
      authProvider: wire.authProvider.describe(
        "Who issues the tokens of clients: `neon_auth`, or `external` for the provider whose keys `jwksUrl` serves. Neon does not return it. Default: none is configured.",
      ),
      jwksUrl: wire.jwksUrl.describe(
        "URL of the key set that verifies the tokens. It must start with `https://`. Required with an external provider. Neon does not return it.",
      ),
      providerName: wire.providerName.describe(
        "Name of the external provider, such as `Clerk` or `Auth0`. Neon does not return it.",
      ),
      jwtAudience: wire.jwtAudience.describe(
        "Audience of the tokens. Tokens with another audience are refused, tokens without one are not. Neon does not return it. Default: any audience.",
      ),
      addDefaultGrants: wire.addDefaultGrants.meta({
        description:
          "Whether Neon grants all permissions on the tables in the schema `public` to the role `authenticated`. Destroying the resource revokes nothing. Neon does not return it.",
        default: false,
      }),
      skipAuthSchema: wire.skipAuthSchema.meta({
        description:
          "Whether Neon does not create the schema `auth` and the functions for row-level security. Neon does not return it.",
        default: false,
      }),
      settings: dataApiSettingInputs()
        .optional()
        .describe(
          "Settings. Updated in place. Neon need not return them: then a change by somebody else is not noticed.",
        ),
      adopt: adopt
        .optional()
        .describe(
          "Adopts an existing Data API instead of creating one. The name of a database adopts its Data API and fails if it does not exist. `true` adopts that of `databaseName`, or creates it if there is none. Setting or removing `adopt` later has no effect.",
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
    ...asReported(inputs(), "projectId", "branchId", "databaseName"),
    ...asDeclared(
      inputs(),
      "authProvider",
      "jwksUrl",
      "providerName",
      "jwtAudience",
      "addDefaultGrants",
      "skipAuthSchema",
    ),
    settings: inputs().shape.settings.describe("Settings, with Neon's defaults, if Neon returns them."),
    url: z.string().describe("URL of the API."),
    status: z.string().describe("Status of the deployment, as Neon words it."),
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
        // Unreported settings are sent again: that changes nothing else.
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

  // No request makes the grants again.
  finishing: { usable: () => Promise.resolve(false) },
});

async function readDataApi(
  context: Context,
  { projectId = "", branchId = "", databaseName = "" }: Partial<Address>,
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
