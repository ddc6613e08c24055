import { randomUUID } from "node:crypto";
import type { z } from "zod";

import type {
  AuthProvider,
  EmailAndPasswordUpdate,
  EmailProviderUpdate,
  NeonAuthCreate,
  WebhookConfig,
  magicLinkPluginUpdate,
  oauthProviderPluginUpdate,
  organizationPluginUpdate,
  phoneNumberPluginUpdate,
} from "../../../api/schemas/neon-auth";
import type { OauthClientCreate } from "../../../api/schemas/neon-auth-oauth-client";
import type { OauthProviderCreate } from "../../../api/schemas/neon-auth-oauth-provider";
import { conflict, notFound } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { newAuthKey } from "../../storage/ids";
import { inWholeSeconds } from "../../storage/timestamps";
import type { Complete } from "../complete";
import { findReadWriteEndpoint } from "../computes/endpoint";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { requireUnlockedProject } from "../operations/project-lock";
import type { ProjectRow } from "../projects/project-row";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, emptyBody } from "../routing/route";
import type { BranchRow } from "./branch-row";
import { getDatabase, listDatabases } from "./database";

/** The Neon Auth integration of a branch, with its whole configuration. */
export interface NeonAuthRow {
  project_id: string;
  branch_id: string;
  auth_provider: AuthProvider;
  auth_provider_project_id: string;
  db_name: string;
  base_url: string;
  created_at: string;
  /** Default: the name of the project. */
  name?: string | undefined;
  allow_localhost: boolean;
  email_and_password: Complete<EmailAndPasswordUpdate>;
  /** Its password is encrypted in the file. */
  email_provider: EmailProviderUpdate;
  organization: Complete<z.infer<typeof organizationPluginUpdate>>;
  magic_link: Complete<z.infer<typeof magicLinkPluginUpdate>>;
  phone_number: Complete<z.infer<typeof phoneNumberPluginUpdate>>;
  /** Whether and how it is an OAuth provider of other applications, its `oauth_clients`. */
  oauth_server: z.infer<typeof oauthProviderPluginUpdate> & { readonly enabled: boolean };
  webhook: WebhookConfig;
  oauth_providers: readonly OauthProviderRow[];
  oauth_clients: readonly OauthClientRow[];
  domains: readonly { readonly domain: string; readonly auth_provider: string }[];
}

/** Its secret is encrypted in the file. */
export interface OauthProviderRow extends OauthProviderCreate {
  type: "standard" | "shared";
}

/** Its secret is encrypted in the file. A public client has none. */
export interface OauthClientRow extends Complete<OauthClientCreate> {
  client_id: string;
  client_secret?: string | undefined;
  disabled: boolean;
  created_at: string;
}

export const neonAuthTable: RowTable<NeonAuthRow> = {
  name: "neon_auth",
  within: "branch",
  branching: {
    on: ["branch"],
    // The child gets its own users, URLs and project of the provider.
    copy: (row, { controlPlane, to }) => ({
      ...row,
      ...addressOf(controlPlane, to, row.db_name),
      created_at: controlPlane.timestamps.next(),
    }),
  },
  primaryKey: ["branch_id"],
  indexes: ["project_id"],
  // The password of the e-mail provider, and the client secrets of OAuth providers and clients.
  encrypted: ["password", "client_secret"],
  latest: "created_at",
};

/** The path of a branch's integration. */
export const authPath = "/projects/:project_id/branches/:branch_id/auth";

export const neonAuthPaths: ApiPaths = {
  [authPath]: {
    GET: allow(branchMember, ({ controlPlane, project, branch }) =>
      neonAuthResponse(getNeonAuth(controlPlane, branch), project),
    ),
    POST: allow(
      { ...branchMember, status: 201, ...published.createNeonAuth },
      ({ controlPlane, project, branch, body }) => enableNeonAuth(controlPlane, project, branch, body),
    ),
    // The users stay for the next time that Neon Auth is enabled, unless the request deletes their data.
    DELETE: allow({ ...branchMember, ...published.disableNeonAuth }, ({ controlPlane, project, branch, body }) => {
      const row = getNeonAuth(controlPlane, branch);
      requireUnlockedProject(controlPlane, project.id);
      controlPlane.tables.neonAuth.remove(row);
      if (body.delete_data === true) controlPlane.tables.neonAuthUsers.delete({ branch_id: branch.id });
      return emptyBody;
    }),
  },
  [`${authPath}/config`]: {
    PATCH: allow({ ...branchMember, ...published.updateNeonAuthConfig }, ({ controlPlane, branch, body: { name } }) => {
      changeNeonAuth(controlPlane, getNeonAuth(controlPlane, branch), { name });
      return { name };
    }),
  },
  [`${authPath}/allow_localhost`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({
      allow_localhost: getNeonAuth(controlPlane, branch).allow_localhost,
    })),
    PATCH: allow(
      { ...branchMember, ...published.updateNeonAuthAllowLocalhost },
      ({ controlPlane, branch, body: { allow_localhost } }) => {
        changeNeonAuth(controlPlane, getNeonAuth(controlPlane, branch), { allow_localhost });
        return { allow_localhost };
      },
    ),
  },
};

/** The table of the integration's database in which the provider keeps the users. */
const usersTable = { schema_name: "neon_auth", table_name: "users_sync" } as const;

/** The only provider for which the platform has an application that projects share, as the vendor's guide to OAuth says. */
export const sharedProvider = "google";

/** The configuration of a new integration. The plugins' defaults are from the documents, the others from the vendor's guides. */
const initial = {
  allow_localhost: true,
  email_and_password: {
    enabled: true,
    // Links need an e-mail provider of the project's own.
    email_verification_method: "otp",
    require_email_verification: false,
    auto_sign_in_after_verification: true,
    send_verification_email_on_sign_up: false,
    send_verification_email_on_sign_in: false,
    disable_sign_up: false,
  },
  email_provider: { type: "shared" },
  organization: {
    enabled: true,
    organization_limit: 10,
    membership_limit: 100,
    creator_role: "owner",
    send_invitation_email: false,
  },
  magic_link: { enabled: false, expires_in: 5, disable_sign_up: false },
  phone_number: { enabled: false, otp_expires_in: 300 },
  oauth_server: { enabled: false, resources: [] },
  webhook: { enabled: false },
  oauth_clients: [],
  oauth_providers: [{ id: sharedProvider, type: "shared" }],
  domains: [],
} as const satisfies Partial<NeonAuthRow>;

/** Enables Neon Auth for a branch. The keys in the response are not stored. */
function enableNeonAuth(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { auth_provider: provider, database_name: databaseName }: NeonAuthCreate,
) {
  const { tables, timestamps } = controlPlane;
  if (tables.neonAuth.get({ branch_id: branch.id })) {
    throw conflict(`Neon Auth is already enabled for branch ${branch.id}`);
  }
  const [first] = listDatabases(controlPlane, branch.id);
  const database = databaseName === undefined ? first : getDatabase(controlPlane, branch.id, databaseName);
  if (!database) throw notFound("database");
  requireUnlockedProject(controlPlane, project.id);
  const row: NeonAuthRow = {
    ...initial,
    ...addressOf(controlPlane, branch, database.name),
    auth_provider: provider,
    created_at: timestamps.next(),
  };
  tables.neonAuth.put(row);
  const hasKeys = provider === "stack";
  return {
    auth_provider: row.auth_provider,
    auth_provider_project_id: row.auth_provider_project_id,
    pub_client_key: hasKeys ? newAuthKey.client() : "",
    secret_server_key: hasKeys ? newAuthKey.server() : "",
    ...usersTable,
    ...urlsOf(row),
  } satisfies Answer<vendor.NeonAuthCreateIntegrationResponse>;
}

/** The members that distinguish the integration of a branch from all others. */
function addressOf(
  controlPlane: ControlPlane,
  branch: Pick<BranchRow, "id" | "project_id">,
  databaseName: string,
): Pick<NeonAuthRow, "project_id" | "branch_id" | "auth_provider_project_id" | "db_name" | "base_url"> {
  const compute = findReadWriteEndpoint(controlPlane, branch.id);
  const { proxy_host } = controlPlane.tables.projects.getOr404("project", { id: branch.project_id });
  const host = `${compute?.id ?? branch.id}.neonauth.${proxy_host}`;
  return {
    project_id: branch.project_id,
    branch_id: branch.id,
    auth_provider_project_id: randomUUID(),
    db_name: databaseName,
    base_url: `https://${host}/${encodeURIComponent(databaseName)}/auth`,
  };
}

export function urlsOf({ base_url }: NeonAuthRow): { base_url: string; jwks_url: string } {
  return { base_url, jwks_url: `${base_url}/.well-known/jwks.json` };
}

/** @throws HttpError 404 if Neon Auth is not enabled for the branch */
export function getNeonAuth({ tables }: ControlPlane, branch: BranchRow): NeonAuthRow {
  return tables.neonAuth.getOr404("Neon Auth integration", { branch_id: branch.id });
}

/** Sets members of an integration. */
export function changeNeonAuth({ tables }: ControlPlane, row: NeonAuthRow, members: Partial<NeonAuthRow>): NeonAuthRow {
  const changed = { ...row, ...members };
  tables.neonAuth.put(changed);
  return changed;
}

/** An integration as the API returns it. The default name of the application is the project's name. */
function neonAuthResponse(row: NeonAuthRow, project: ProjectRow) {
  const { auth_provider, auth_provider_project_id, branch_id, db_name, created_at, name = project.name } = row;
  return inWholeSeconds({
    auth_provider,
    auth_provider_project_id,
    branch_id,
    db_name,
    created_at,
    owned_by: "neon",
    ...urlsOf(row),
    name,
  }) satisfies Answer<vendor.NeonAuthIntegration>;
}
