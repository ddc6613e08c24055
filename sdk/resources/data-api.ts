// Generated from provider/resources/data-api.ts by `npm run generate`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { dataApi } from "../../provider/resources/data-api";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";

/** Settings of a {@link DataApi}. What is omitted keeps its value. All of them are updated in place. */
export interface DataApiSettingsArgs {
  /** Whether requests can use aggregate functions. Default: `true`. */
  readonly dbAggregatesEnabled?: pulumi.Input<boolean>;
  /** Postgres role of requests without a token. Default: `anonymous`. */
  readonly dbAnonRole?: pulumi.Input<string>;
  /** Schemas that are added to the search path. Default: none. */
  readonly dbExtraSearchPath?: pulumi.Input<string>;
  /** Maximum number of rows that a response contains. Default: no limit. */
  readonly dbMaxRows?: pulumi.Input<number>;
  /** Schemas that the API exposes. Default: `["public"]`. */
  readonly dbSchemas?: pulumi.Input<pulumi.Input<string>[]>;
  /** Path of the claim in a token that names the Postgres role. Default: `.role`. */
  readonly jwtRoleClaimKey?: pulumi.Input<string>;
  /** Maximum time for which a verified token is cached, in seconds. Default: chosen by Neon. */
  readonly jwtCacheMaxLifetime?: pulumi.Input<number>;
  /** Mode of the OpenAPI description: `ignore-privileges` or `disabled`. Default: `disabled`. */
  readonly openapiMode?: pulumi.Input<string>;
  /** Origins that browsers can send requests from (CORS). Default: chosen by Neon. */
  readonly serverCorsAllowedOrigins?: pulumi.Input<string>;
  /** Whether responses have `Server-Timing` headers. Default: `false`. */
  readonly serverTimingEnabled?: pulumi.Input<boolean>;
}

/** Arguments of a {@link DataApi}. */
export interface DataApiArgs {
  /** Id of the project. Changing it replaces the Data API. */
  readonly projectId: pulumi.Input<string>;
  /** Id of the branch. Changing it replaces the Data API. */
  readonly branchId: pulumi.Input<string>;
  /** Name of the database that the API serves. Changing it replaces the Data API. */
  readonly databaseName: pulumi.Input<string>;
  /**
   * The issuer of the clients' tokens: `neon_auth`, or `external` for the provider whose keys `jwksUrl` serves.
   * Default: none is configured. Neon does not return it. Changing it replaces the Data API.
   */
  readonly authProvider?: pulumi.Input<"neon_auth" | "external">;
  /**
   * URL of the key set that verifies the tokens. Required with an external provider. It must start with `https://`.
   * Neon does not return it. Changing it replaces the Data API.
   */
  readonly jwksUrl?: pulumi.Input<string>;
  /**
   * Name of the external provider, such as `Clerk` or `Auth0`. Neon does not return it. Changing it replaces the Data
   * API.
   */
  readonly providerName?: pulumi.Input<string>;
  /**
   * Audience of the tokens. Tokens with another audience are refused, tokens without one are not. Default: any
   * audience. Neon does not return it. Changing it replaces the Data API.
   */
  readonly jwtAudience?: pulumi.Input<string>;
  /**
   * Whether Neon grants all permissions on the tables in the schema `public` to the role `authenticated`. Destroying
   * the resource revokes nothing. Default: `false`. Neon does not return it. Changing it replaces the Data API.
   */
  readonly addDefaultGrants?: pulumi.Input<boolean>;
  /**
   * Whether Neon does not create the schema `auth` and the functions for row-level security. Default: `false`. Neon
   * does not return it. Changing it replaces the Data API.
   */
  readonly skipAuthSchema?: pulumi.Input<boolean>;
  /** Settings of the API. If Neon does not return them, a change by somebody else is not noticed. Updated in place. */
  readonly settings?: pulumi.Input<DataApiSettingsArgs>;
  /**
   * Adopts an existing Data API instead of creating one. The name of a database adopts its Data API and fails if it
   * does not exist. `true` adopts that of `databaseName`, or creates it if there is none. Setting or removing `adopt`
   * later has no effect.
   */
  readonly adopt?: pulumi.Input<string | boolean>;
}

const dataApiDefinition: ResourceDefinition = {
  kind: "DataApi",
  id: ["projectId", "branchId", "databaseName"],
  outputs: {
    projectId: "plain",
    branchId: "plain",
    databaseName: "plain",
    authProvider: "plain",
    jwksUrl: "plain",
    providerName: "plain",
    jwtAudience: "plain",
    addDefaultGrants: "plain",
    skipAuthSchema: "plain",
    settings: "plain",
    url: "plain",
    status: "plain",
  },
};

/**
 * The Data API of a database: a REST interface to its tables. A database has at most one.
 *
 * The grants and policies in the database decide what requests can do.
 *
 * Neon API: `POST`, `GET`, `PATCH` and `DELETE /projects/{project_id}/branches/{branch_id}/data-api/{database_name}`.
 *
 * @example
 * ```ts
 * const api = new neon.DataApi("api", {
 *   projectId: project.id,
 *   branchId: project.defaultBranchId,
 *   databaseName: "neondb",
 *   authProvider: "external",
 *   jwksUrl: "https://sign-in.example.com/.well-known/jwks.json",
 *   addDefaultGrants: true,
 *   settings: { dbMaxRows: 1000 },
 * });
 * export const apiUrl = api.url;
 * ```
 */
export class DataApi extends Resource {
  /** Id of the project. */
  declare readonly projectId: pulumi.Output<string>;
  /** Id of the branch. */
  declare readonly branchId: pulumi.Output<string>;
  /** Name of the database that the API serves. */
  declare readonly databaseName: pulumi.Output<string>;
  /** The declared value. */
  declare readonly authProvider: pulumi.Output<"neon_auth" | "external" | undefined>;
  /** The declared value. */
  declare readonly jwksUrl: pulumi.Output<string | undefined>;
  /** The declared value. */
  declare readonly providerName: pulumi.Output<string | undefined>;
  /** The declared value. */
  declare readonly jwtAudience: pulumi.Output<string | undefined>;
  /** The declared value. */
  declare readonly addDefaultGrants: pulumi.Output<boolean | undefined>;
  /** The declared value. */
  declare readonly skipAuthSchema: pulumi.Output<boolean | undefined>;
  /** Settings, with Neon's defaults, if Neon returns them. */
  declare readonly settings: pulumi.Output<pulumi.Unwrap<DataApiSettingsArgs> | undefined>;
  /** URL of the API. */
  declare readonly url: pulumi.Output<string>;
  /** Status of the deployment, as Neon words it. */
  declare readonly status: pulumi.Output<string>;

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. `import` needs the provider plugin: without it, declare `adopt`.
   */
  constructor(name: string, args: DataApiArgs, opts?: pulumi.CustomResourceOptions) {
    super(dataApiDefinition, name, args, opts);
  }

  /**
   * Reads an existing Data API without managing it. The id has the form `<projectId>/<branchId>/<databaseName>`, with
   * percent-encoded segments.
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): DataApi {
    return Resource.existing(DataApi, dataApiDefinition, name, id, opts);
  }

  /** Returns whether a value is a `DataApi`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is DataApi {
    return Resource.isOfKind(value, "DataApi");
  }
}

true satisfies SameInputs<DataApiArgs, (typeof dataApi)["inputs"]>;
