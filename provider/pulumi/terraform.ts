import { camelKey } from "../../api/core/camel-case";
import type { KindName } from "../frozen-entry";
import type { Values } from "../values";

/**
 * The mapping of a Terraform attribute. Needed unless the attribute has the same name in camelCase and is a single
 * value.
 */
type Attribute =
  /** The name of the property here. */
  | string
  /** A list, or an object that is written as a block or as an attribute. */
  | { readonly is: "list" | "object"; readonly name?: string; readonly of?: Attributes }
  /**
   * No property corresponds to it; `instead` says what to declare. If the name that conversion would give it means
   * something else here, converted programs use the name `refused`, so that they fail in the preview.
   */
  | { readonly instead: string; readonly refused?: string };
export type Attributes = Readonly<Record<string, Attribute>>;

/** A resource type of a Terraform provider. */
interface TerraformResource {
  readonly kind: KindName;
  /** The attributes with the outputs that identify the object, if their names differ. */
  readonly address?: Readonly<Record<string, string>>;
  readonly attributes?: Attributes;
}

/** A data source of a Terraform provider. */
interface TerraformDataSource {
  readonly function: string;
  readonly attributes?: Attributes;
}

/** The size of a compute in `terraform-community-providers/neon`. */
const computeSize = {
  min_cu: "autoscalingLimitMinCu",
  max_cu: "autoscalingLimitMaxCu",
  suspend_timeout: "suspendTimeoutSeconds",
} satisfies Attributes;

/** `kislerdm/neon` has `yes` and `no` for properties that are booleans here. */
const yesOrNo = (name: string): Attribute => ({ instead: `\`${name}\`, \`true\` for \`"yes"\`` });
const moved = (name: string, of = ""): Attribute => ({ instead: `\`${name}\`${of}` });

/**
 * Since 0.16, these attributes apply to later computes. The property of the same name here applies to the first
 * compute.
 */
const ofLaterComputes = (name: string): Attribute => ({
  instead: `\`defaultEndpointSettings.${name}\``,
  refused: "defaultEndpointSettings",
});

/**
 * The resource types of `kislerdm/neon` (to 0.18), its successor `neondatabase/neon`, and
 * `terraform-community-providers/neon` (0.1). They share their names, so attributes that only one of them has are
 * listed together.
 */
export const terraformResources: Readonly<Record<string, TerraformResource>> = {
  neon_project: {
    kind: "Project",
    address: { projectId: "id" },
    attributes: {
      id: "projectId",
      compute_provisioner: "provisioner",
      history_retention: "historyRetentionSeconds",
      branch: {
        is: "object",
        of: {
          endpoint: moved("defaultEndpointSettings"),
          id: moved("defaultBranchId", " of the project"),
          protected: moved("protected", " of a `Branch`"),
        },
      },
      default_endpoint_settings: { is: "object", of: { id: moved("endpointId", " of the project") } },
      autoscaling_limit_min_cu: ofLaterComputes("autoscalingLimitMinCu"),
      autoscaling_limit_max_cu: ofLaterComputes("autoscalingLimitMaxCu"),
      suspend_timeout_seconds: ofLaterComputes("suspendTimeoutSeconds"),
      primary_compute: moved("compute", " of a `Branch` that adopts the default branch"),
      allowed_ips: moved("settings.allowedIps.ips"),
      allowed_ips_protected_branches_only: yesOrNo("settings.allowedIps.protectedBranchesOnly"),
      block_public_connections: yesOrNo("settings.blockPublicConnections"),
      block_vpc_connections: yesOrNo("settings.blockVpcConnections"),
      enable_logical_replication: yesOrNo("settings.enableLogicalReplication"),
      logical_replication: moved("settings.enableLogicalReplication"),
      hipaa: yesOrNo("settings.hipaa"),
      maintenance_window: moved("settings.maintenanceWindow"),
      quota: moved("settings.quota"),
      store_password: yesOrNo("storePasswords"),
      default_branch_protected: moved("protected", " of a `Branch`"),
      default_endpoint_id: "endpointId",
      database_host: "host",
      database_host_pooler: "poolerHost",
      database_user: "roleName",
      database_password: moved("password", " of a `Role`"),
      connection_uri_pooler: moved("getConnectionUri", " with `pooled`"),
    },
  },
  neon_branch: {
    kind: "Branch",
    address: { branchId: "id" },
    attributes: {
      id: "branchId",
      endpoint: {
        is: "object",
        name: "compute",
        of: {
          ...computeSize,
          compute_provisioner: "provisioner",
          id: moved("endpointId", " of the branch"),
          host: moved("host", " of the branch"),
        },
      },
      parent_timestamp: { instead: "`parentTimestamp`, as ISO 8601" },
      protected: { instead: '`protected`, `true` for `"yes"` (kislerdm)' },
    },
  },
  neon_endpoint: {
    kind: "Endpoint",
    address: { endpointId: "id" },
    attributes: {
      id: "endpointId",
      ...computeSize,
      compute_provisioner: "provisioner",
      host_pooling: "poolerHost",
      pg_settings: moved("settings.pgSettings"),
      proxy_host: moved("proxyHost", " of the `Project`"),
    },
  },
  neon_role: { kind: "Role" },
  neon_database: { kind: "Database" },
  neon_api_key: { kind: "ApiKey", address: { keyId: "id" }, attributes: { id: "keyId" } },
  neon_org_api_key: {
    kind: "OrganizationApiKey",
    address: { keyId: "id", projectId: "project_id" },
    attributes: { id: "keyId", project_id: moved("projectId", " of a `ProjectApiKey`") },
  },
  neon_project_permission: {
    kind: "ProjectPermission",
    address: { permissionId: "id" },
    attributes: { id: "permissionId", grantee: "email" },
  },
  neon_jwks_url: {
    kind: "JwksUrl",
    address: { jwksId: "id" },
    attributes: { id: "jwksId", role_names: { is: "list" } },
  },
  neon_branch_backup_schedule: {
    kind: "BackupSchedule",
    attributes: { schedule: { is: "list" } },
  },
  neon_snapshot: {
    kind: "Snapshot",
    attributes: {
      full_size: moved("getSnapshots", ", which does not tell it"),
      diff_size: moved("getSnapshots", ", which does not tell it"),
      source_branch_id: "branchId",
    },
  },
  neon_data_api: {
    kind: "DataApi",
    attributes: { settings: { is: "object" } },
  },
  neon_bucket: {
    kind: "Bucket",
    attributes: {
      s3_endpoint: moved("s3Endpoint", " of `getBranchStorage`"),
      region: moved("region", " of `getBranchStorage`"),
    },
  },
  neon_bucket_object: {
    kind: "BucketObject",
    address: { bucketName: "bucket" },
    attributes: {
      bucket: "bucketName",
      content: moved("source", ", a `StringAsset`"),
      content_base64: moved("source", ", an asset"),
      source: { instead: "`source`, a `FileAsset`" },
      content_length: "size",
      trigger: { instead: "nothing: the content is compared by its hash" },
      is_directory: { instead: "nothing: a `key` that ends in a slash" },
    },
  },
  neon_function: {
    kind: "Function",
    attributes: {
      zip_file_path: moved("code", ", a `FileArchive`"),
      environment_variables: "environment",
      environment_variable_names: "environmentNames",
      current_deployment_id: moved("deploymentId"),
      current_deployment_status: { instead: "nothing: `pulumi up` waits for the deployment" },
    },
  },
  neon_trigger: {
    kind: "Trigger",
    attributes: {
      schedule: { is: "object" },
      storage_object_created: { is: "object" },
      cron: moved("schedule.cron"),
      bucket_name: moved("storageObjectCreated.bucketName"),
      prefix: moved("storageObjectCreated.prefix"),
      next_run_at: moved("getTriggers"),
      version: moved("getTriggers"),
    },
  },
  neon_custom_branch_domain: { kind: "CustomDomain" },
  neon_service_credential: {
    kind: "Credential",
    attributes: { scopes: { is: "list" }, is_expired: moved("expiresAt", ", compared with the time") },
  },
  neon_project_member_role: { kind: "ProjectMemberRole" },
  neon_org_spending_limit: { kind: "SpendingLimit" },
  neon_vpc_endpoint_assignment: { kind: "VpcEndpointAssignment" },
  neon_vpc_endpoint_restriction: { kind: "VpcEndpointRestriction" },
};

/** Types whose state lacks the values that identify the object in this package, each with what to do by hand. */
export const terraformTypesByHand: Readonly<Record<string, string>> = {
  neon_org_member_role: "its state has no e-mail address: declare an `OrganizationMember`, or import the organization",
};

/** The data sources of these providers. */
export const terraformDataSources: Readonly<Record<string, TerraformDataSource>> = {
  neon_project: {
    function: "getProject",
    attributes: {
      id: "projectId",
      default_branch_id: moved("id", " of the branch in `getBranches` that is `default`"),
      database_host: moved("host", " of `getEndpoint`"),
      database_host_pooler: moved("poolerHost", " of `getEndpoint`"),
      database_name: moved("getDatabases"),
      database_user: moved("getRoles"),
      database_password: moved("getConnectionUri", ", whose `uri` contains it"),
      connection_uri: moved("getConnectionUri"),
      connection_uri_pooler: moved("getConnectionUri", " with `pooled`"),
    },
  },
  neon_bucket: { function: "getBranchStorage" },
  neon_ai_gateway: { function: "getAiGateway" },
  neon_active_regions: { function: "getRegions", attributes: { regions: { is: "list" } } },
  neon_branches: {
    function: "getBranches",
    attributes: {
      branches: { is: "list", of: { primary: "default", logical_size: moved("logicalSize", ", in bytes") } },
    },
  },
  neon_branch_endpoints: { function: "getEndpoints", attributes: { endpoints: { is: "list" } } },
  neon_branch_roles: { function: "getRoles", attributes: { roles: { is: "list" } } },
  neon_branch_role_password: {
    function: "getConnectionUri",
    attributes: { password: moved("uri", ", which contains it") },
  },
  neon_connection_uri: { function: "getConnectionUri", attributes: { pooled_uri: moved("uri", ", with `pooled`") } },
};

/** The kind of an object in a Terraform state, by its attributes. */
export function terraformKind({ kind }: TerraformResource, attributes: Values): KindName {
  const isOfProject =
    kind === "OrganizationApiKey" && typeof attributes["project_id"] === "string" && attributes["project_id"] !== "";
  return isOfProject ? "ProjectApiKey" : kind;
}

/**
 * The mapping from the names of a Terraform provider to those of this one, in the format of `MarshallableProviderInfo`
 * of pulumi-terraform-bridge, which Pulumi's converter reads.
 */
export function terraformMapping(version: string): object {
  const resources = Object.entries(terraformResources);
  const dataSources = Object.entries(terraformDataSources);
  return {
    name: "neon",
    version,
    provider: {
      schema: { api_key: { type: valueType.string, optional: true } },
      resources: Object.fromEntries(resources.map(([type, { attributes }]) => [type, shapes(attributes)])),
      dataSources: Object.fromEntries(dataSources.map(([type, { attributes }]) => [type, shapes(attributes)])),
    },
    config: { api_key: { name: "apiKey" } },
    resources: Object.fromEntries(
      resources.map(([type, { kind, attributes }]) => [
        type,
        { tok: `neon:index:${kind}`, fields: fields(attributes) },
      ]),
    ),
    dataSources: Object.fromEntries(
      dataSources.map(([type, one]) => [type, { tok: `neon:index:${one.function}`, fields: fields(one.attributes) }]),
    ),
  };
}

/** The bridge's numbers for types of values. */
const valueType = { string: 4, list: 5 } as const;

/** The types of attributes. The converter needs those of lists and objects to read their members. */
function shapes(attributes: Attributes = {}): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => [name, { ...shape(attribute), optional: true }]),
  );
}

function shape(attribute: Attribute): object {
  if (typeof attribute === "string" || !("is" in attribute)) return { type: valueType.string };
  const { is, of } = attribute;
  const element = of === undefined && is === "list" ? { schema: { type: valueType.string } } : { resource: shapes(of) };
  return { type: valueType.list, element, ...(is === "object" && { maxItems: 1 }) };
}

/** The names of attributes and their members. The members of a block are below its element. */
function fields(attributes: Attributes = {}): object {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      if (typeof attribute === "string") return [[name, { name: attribute }]];
      if (!("is" in attribute)) return attribute.refused === undefined ? [] : [[name, { name: attribute.refused }]];
      const { name: own, of, is } = attribute;
      const members = of && fields(of);
      return [
        [
          name,
          {
            name: own ?? camelKey(name),
            ...(is === "object" && { maxItemsOne: true }),
            ...(members && { fields: members, element: { fields: members } }),
          },
        ],
      ];
    }),
  );
}
