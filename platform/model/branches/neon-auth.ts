import { randomUUID } from "node:crypto";

import type { NeonAuthCreate, WebhookConfig } from "../../../api/schemas/neon-auth";
import type { OauthProviderCreate, OauthProviderUpdate } from "../../../api/schemas/neon-auth-oauth-provider";
import type { TrustedDomain } from "../../../api/schemas/neon-auth-trusted-domain";
import { conflict, HttpError, notFound, unprocessable } from "../../http-error";
import { newAuthKey } from "../../storage/ids";
import { inWholeSeconds } from "../../storage/timestamps";
import { listBranchEndpoints } from "../computes/endpoint";
import type { ControlPlane } from "../control-plane";
import { requireUnlockedProject } from "../operations/project-lock";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import type { NeonAuthRow, NeonAuthUserRow, OauthProviderRow } from "./neon-auth-row";
import { getDatabase, listDatabases } from "./database";

/** Where the provider keeps the users, in the database of the integration. */
const usersTable = { schema_name: "neon_auth", table_name: "users_sync" } as const;

/** The only provider that the platform has an application for which projects share, as the vendor's guide to OAuth says. */
const sharedProvider = "google";

/** The configuration of a new integration. The documents give the defaults of the plugins, the vendor's guides the others. */
const initial = {
  allow_localhost: true,
  email_and_password: {
    enabled: true,
    // Links need an e-mail provider of one's own.
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
  webhook: { enabled: false },
  oauth_providers: [{ id: sharedProvider, type: "shared" }],
  domains: [],
} as const satisfies Partial<NeonAuthRow>;

/** Enables Neon Auth for a branch. The keys in the answer are not stored. */
export function enableNeonAuth(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { auth_provider: provider, database_name: databaseName }: NeonAuthCreate,
): object {
  const { tables, timestamps } = controlPlane;
  if (findNeonAuth(controlPlane, branch)) throw conflict(`Neon Auth is already enabled for branch ${branch.id}`);
  const [first] = listDatabases(controlPlane, branch.id);
  const database = databaseName === undefined ? first : getDatabase(controlPlane, branch.id, databaseName);
  if (!database) throw notFound("database");
  requireUnlockedProject(controlPlane, project.id);
  const row: NeonAuthRow = {
    ...initial,
    ...addressOf(controlPlane, project, branch, database.name),
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
  };
}

/** What tells the integration of a branch from those of all others. */
function addressOf(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  databaseName: string,
): Pick<NeonAuthRow, "project_id" | "branch_id" | "auth_provider_project_id" | "db_name" | "base_url"> {
  const compute = listBranchEndpoints(controlPlane, branch.id).find(({ type }) => type === "read_write");
  const host = `${compute?.id ?? branch.id}.neonauth.${project.proxy_host}`;
  return {
    project_id: project.id,
    branch_id: branch.id,
    auth_provider_project_id: randomUUID(),
    db_name: databaseName,
    base_url: `https://${host}/${encodeURIComponent(databaseName)}/auth`,
  };
}

export function urlsOf({ base_url }: NeonAuthRow): { base_url: string; jwks_url: string } {
  return { base_url, jwks_url: `${base_url}/.well-known/jwks.json` };
}

/** Disables Neon Auth for a branch. Its users stay, for when it is enabled again, unless their data is deleted. */
export function disableNeonAuth(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  { delete_data: deletesData = false }: { readonly delete_data?: boolean | undefined },
): void {
  const row = getNeonAuth(controlPlane, branch);
  requireUnlockedProject(controlPlane, project.id);
  controlPlane.tables.neonAuth.remove(row);
  if (deletesData) controlPlane.tables.neonAuthUsers.delete({ branch_id: branch.id });
}

/** Copies the integration of a branch to its child: the child has users, URLs and a provider's project of its own. */
export function copyNeonAuth(
  controlPlane: ControlPlane,
  project: ProjectRow,
  parent: BranchRow,
  child: BranchRow,
): void {
  const { tables, timestamps } = controlPlane;
  const row = findNeonAuth(controlPlane, parent);
  if (!row) return;
  const address = addressOf(controlPlane, project, child, row.db_name);
  tables.neonAuth.put({ ...row, ...address, created_at: timestamps.next() });
  for (const user of tables.neonAuthUsers.list({ branch_id: parent.id })) {
    tables.neonAuthUsers.put({ ...user, branch_id: child.id });
  }
}

function findNeonAuth({ tables }: ControlPlane, branch: BranchRow): NeonAuthRow | undefined {
  return tables.neonAuth.get({ branch_id: branch.id });
}

/** @throws HttpError 404 if Neon Auth is not enabled for the branch */
export function getNeonAuth({ tables }: ControlPlane, branch: BranchRow): NeonAuthRow {
  return tables.neonAuth.getOr404("Neon Auth integration", { branch_id: branch.id });
}

/** An integration as the API returns it. The name of the application is the project's by default. */
export function neonAuthResponse(row: NeonAuthRow, project: ProjectRow): object {
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
  });
}

/** The whole configuration, without passwords. */
export function pluginConfigsResponse(row: NeonAuthRow): object {
  const { organization, magic_link, phone_number, email_and_password, oauth_providers, allow_localhost } = row;
  return {
    organization,
    magic_link,
    phone_number,
    email_provider: emailProviderResponse(row),
    email_and_password,
    oauth_providers: oauth_providers.map(oauthProviderResponse),
    allow_localhost,
  };
}

/** Sets members of an integration. */
export function setNeonAuth(
  controlPlane: ControlPlane,
  branch: BranchRow,
  members: Partial<Pick<NeonAuthRow, "name" | "allow_localhost">>,
): void {
  controlPlane.tables.neonAuth.put({ ...getNeonAuth(controlPlane, branch), ...members });
}

/** The parts of the configuration of which a request changes the members that it has. */
type ConfigPart = "email_and_password" | "organization" | "magic_link" | "phone_number";

/** Changes a part of the configuration, and returns it. */
export function configureNeonAuth<Part extends ConfigPart>(
  controlPlane: ControlPlane,
  branch: BranchRow,
  part: Part,
  input: { readonly [Name in keyof NeonAuthRow[Part]]?: NeonAuthRow[Part][Name] | undefined },
): NeonAuthRow[Part] {
  const row = getNeonAuth(controlPlane, branch);
  const configured = { ...row[part], ...input };
  controlPlane.tables.neonAuth.put({ ...row, [part]: configured });
  return configured;
}

export function setWebhook(controlPlane: ControlPlane, branch: BranchRow, input: WebhookConfig): NeonAuthRow {
  const row = { ...getNeonAuth(controlPlane, branch), webhook: { timeout_seconds: 5, ...input } };
  controlPlane.tables.neonAuth.put(row);
  return row;
}

/** Sets the e-mail provider: a server as a whole, and of the shared one the members that the request has. */
export function setEmailProvider(
  controlPlane: ControlPlane,
  branch: BranchRow,
  input: NeonAuthRow["email_provider"],
): NeonAuthRow {
  const row = getNeonAuth(controlPlane, branch);
  const kept = row.email_provider.type === input.type ? row.email_provider : {};
  const changed: NeonAuthRow = { ...row, email_provider: { ...kept, ...input } };
  controlPlane.tables.neonAuth.put(changed);
  return changed;
}

/** @throws HttpError 422 unless the integration is of Better Auth and has an e-mail server of its own */
export function requireOwnEmailServer({ auth_provider, email_provider }: NeonAuthRow): void {
  if (auth_provider === "better_auth" && email_provider.type === "standard") return;
  throw unprocessable("only the e-mail server of a Better Auth integration can be tested, and no shared one");
}

/** The e-mail provider without its password, which stays empty in every answer. */
export function emailProviderResponse({ email_provider: provider }: NeonAuthRow): object {
  return provider.type === "standard" ? { ...provider, password: "" } : provider;
}

export function addOauthProvider(
  controlPlane: ControlPlane,
  branch: BranchRow,
  { id, ...input }: OauthProviderCreate,
): OauthProviderRow {
  const row = getNeonAuth(controlPlane, branch);
  if (row.oauth_providers.some((one) => one.id === id)) throw conflict(`OAuth provider ${id} already exists`);
  const provider = typed({ id, ...input });
  controlPlane.tables.neonAuth.put({ ...row, oauth_providers: [...row.oauth_providers, provider] });
  return provider;
}

export function updateOauthProvider(
  controlPlane: ControlPlane,
  branch: BranchRow,
  id: string,
  input: OauthProviderUpdate,
): OauthProviderRow {
  const row = getNeonAuth(controlPlane, branch);
  const provider = typed({ ...getOauthProvider(row, id), ...input });
  const providers = row.oauth_providers.map((one) => (one.id === id ? provider : one));
  controlPlane.tables.neonAuth.put({ ...row, oauth_providers: providers });
  return provider;
}

export function deleteOauthProvider(controlPlane: ControlPlane, branch: BranchRow, id: string): void {
  const row = getNeonAuth(controlPlane, branch);
  getOauthProvider(row, id);
  const providers = row.oauth_providers.filter((one) => one.id !== id);
  controlPlane.tables.neonAuth.put({ ...row, oauth_providers: providers });
}

function getOauthProvider({ oauth_providers: providers }: NeonAuthRow, id: string): OauthProviderRow {
  const found = providers.find((one) => one.id === id);
  if (!found) throw notFound("OAuth provider");
  return found;
}

/** @throws HttpError 400 if the provider has no client, and the platform has no application for it. */
function typed(provider: Omit<OauthProviderRow, "type">): OauthProviderRow {
  if (provider.client_id !== undefined) return { ...provider, type: "standard" };
  if (provider.id === sharedProvider) return { ...provider, type: "shared" };
  throw new HttpError(400, `OAuth provider ${provider.id} needs a client_id and a client_secret`, {
    code: "INVALID_SHARED_OAUTH_PROVIDER",
  });
}

export function oauthProviderResponse({ id, type, client_id, client_secret }: OauthProviderRow): object {
  return { id, type, client_id, client_secret };
}

export function addTrustedDomain(controlPlane: ControlPlane, branch: BranchRow, input: TrustedDomain): void {
  const row = getNeonAuth(controlPlane, branch);
  if (row.domains.some(({ domain }) => domain === input.domain)) {
    throw conflict(`domain ${input.domain} already exists`);
  }
  const { domain, auth_provider } = input;
  controlPlane.tables.neonAuth.put({ ...row, domains: [...row.domains, { domain, auth_provider }] });
}

/** Removes domains. One that is not there is no error. */
export function deleteTrustedDomains(
  controlPlane: ControlPlane,
  branch: BranchRow,
  removed: readonly { readonly domain: string }[],
): void {
  const row = getNeonAuth(controlPlane, branch);
  const domains = row.domains.filter((one) => !removed.some(({ domain }) => domain === one.domain));
  controlPlane.tables.neonAuth.put({ ...row, domains });
}

export function createAuthUser(
  controlPlane: ControlPlane,
  branch: BranchRow,
  { email, name }: { readonly email: string; readonly name?: string | undefined },
): NeonAuthUserRow {
  const { tables } = controlPlane;
  getNeonAuth(controlPlane, branch);
  const address = email.toLowerCase();
  if (tables.neonAuthUsers.get({ branch_id: branch.id, email: address })) {
    throw conflict("a user with this e-mail address already exists");
  }
  const user = {
    id: randomUUID(),
    project_id: branch.project_id,
    branch_id: branch.id,
    email: address,
    name,
    roles: [],
  };
  tables.neonAuthUsers.put(user);
  return user;
}

export function deleteAuthUser(controlPlane: ControlPlane, branch: BranchRow, id: string): void {
  controlPlane.tables.neonAuthUsers.remove(getAuthUser(controlPlane, branch, id));
}

export function setAuthUserRoles(
  controlPlane: ControlPlane,
  branch: BranchRow,
  id: string,
  roles: readonly string[],
): NeonAuthUserRow {
  const user = { ...getAuthUser(controlPlane, branch, id), roles };
  controlPlane.tables.neonAuthUsers.put(user);
  return user;
}

function getAuthUser(controlPlane: ControlPlane, branch: BranchRow, id: string): NeonAuthUserRow {
  getNeonAuth(controlPlane, branch);
  return controlPlane.tables.neonAuthUsers.getOr404("user", { id, branch_id: branch.id });
}
