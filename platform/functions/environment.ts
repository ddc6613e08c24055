import { aiGatewayUrl } from "../model/branches/ai-gateway";
import { connectionUri } from "../model/branches/connection-uri";
import { dataApiUrl } from "../model/branches/data-api";
import { defaultCredential } from "../model/branches/credential";
import type { FunctionDeploymentRow } from "../model/branches/function-row";
import { urlsOf } from "../model/branches/neon-auth";
import { realtimeOf } from "../model/branches/realtime";
import { listDatabases } from "../model/branches/database";
import { findReadWriteEndpoint } from "../model/computes/endpoint";
import type { ControlPlane } from "../model/control-plane";
import { s3Endpoint } from "../model/objects";
import { s3Region } from "../model/projects/region";

/**
 * All variables of a version of a function: those of the branch's services, and its own, which take precedence.
 *
 * @param caFile the certificate authority of this platform, which clients of its databases need
 */
export function environmentOf(
  controlPlane: ControlPlane,
  { branch_id, variables }: FunctionDeploymentRow,
  caFile: string | undefined,
): Record<string, string> {
  return {
    ...(caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: caFile }),
    ...branchVariables(controlPlane, branch_id),
    ...Object.fromEntries(variables.map(({ name, value }) => [name, value])),
  };
}

/** The variables of a branch's services. */
function branchVariables(controlPlane: ControlPlane, branchId: string): Record<string, string> {
  const { tables } = controlPlane;
  const branch = tables.branches.get({ id: branchId });
  const project = branch && tables.projects.get({ id: branch.project_id });
  if (!branch || !project) return {};
  const [gateway, storage] = (["gateway", "storage"] as const).map((use) =>
    defaultCredential(controlPlane, branchId, use),
  );
  const auth = tables.neonAuth.get({ branch_id: branchId });
  const urls = auth && urlsOf(auth);
  const realtime = realtimeOf(controlPlane, project, branchId);
  const served = listDatabases(controlPlane, branchId).find(({ data_api }) => data_api !== undefined);
  return {
    NEON_BRANCH: branch.name,
    ...databaseVariables(controlPlane, branchId),
    ...(urls && { NEON_AUTH_BASE_URL: urls.base_url, NEON_AUTH_JWKS_URL: urls.jwks_url }),
    ...(served && { NEON_DATA_API_URL: dataApiUrl(project, served) }),
    ...(realtime && { NEON_REALTIME_URL: realtime.url, NEON_REALTIME_SECRET: realtime.secret }),
    NEON_AI_GATEWAY_BASE_URL: aiGatewayUrl(project, branch),
    ...(gateway && { NEON_AI_GATEWAY_TOKEN: gateway.api_token }),
    ...(tables.buckets.get({ branch_id: branchId }) && {
      AWS_ENDPOINT_URL_S3: s3Endpoint(controlPlane.objects, branchId),
      AWS_REGION: s3Region(project.region_id),
      ...(storage && {
        AWS_ACCESS_KEY_ID: storage.token_id,
        AWS_SECRET_ACCESS_KEY: storage.s3_secret_access_key,
      }),
    }),
  };
}

/** The connection strings of the oldest database, if the branch has a compute and the password of the owner is known. */
function databaseVariables(controlPlane: ControlPlane, branchId: string): Record<string, string> {
  const { tables } = controlPlane;
  const endpoint = findReadWriteEndpoint(controlPlane, branchId);
  const [database] = listDatabases(controlPlane, branchId);
  const role = database && tables.roles.get({ branch_id: branchId, name: database.owner_name, deleted_at: null });
  if (!endpoint || !database || role?.password === undefined) return {};
  const connection = { endpoint, role, password: role.password, database };
  return {
    DATABASE_URL: connectionUri(controlPlane, connection, true),
    DATABASE_URL_UNPOOLED: connectionUri(controlPlane, connection),
  };
}
