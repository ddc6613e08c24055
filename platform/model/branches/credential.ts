import { randomBytes } from "node:crypto";

import type { CredentialCreate } from "../../../api/schemas/credential";
import { notFound } from "../../http-error";
import * as published from "../../published/requests";
import { inWholeSeconds, pick } from "../../storage/timestamps";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import type { BranchRow } from "./branch-row";

/** The secrets that authenticate the client of a credential. They are encrypted in the data file. */
interface CredentialSecrets {
  api_token: string;
  s3_secret_access_key: string;
}

/** A credential for services of a branch. The platform's S3 checks it. */
export interface CredentialRow extends CredentialCreate, CredentialSecrets {
  token_id: string;
  project_id: string;
  branch_id: string;
  created_at: string;
  revoked_at: string | null;
}

export const credentialTable: RowTable<CredentialRow> = {
  name: "credentials",
  within: "branch",
  branching: "none",
  columns: ["revoked_at"],
  primaryKey: ["token_id"],
  indexes: ["project_id", "branch_id, created_at"],
  encrypted: ["api_token", "s3_secret_access_key"],
  latest: "created_at",
};

const credentials = "/projects/:project_id/branches/:branch_id/credentials";

export const credentialPaths: ApiPaths = {
  [credentials]: {
    // Lists revoked credentials too, oldest first.
    GET: allow(branchMember, ({ controlPlane: { tables }, branch }) => ({
      credentials: tables.credentials.list({ branch_id: branch.id }, "ORDER BY created_at").map(credentialResponse),
    })),
    POST: allow({ ...branchMember, status: 201, ...published.createCredential }, ({ controlPlane, branch, body }) => {
      const row = insertCredential(controlPlane, branch, body);
      const { principal_type: _, ...visible } = credentialResponse(row);
      return { ...visible, ...secretsOf(row) };
    }),
  },
  [`${credentials}/:token_id`]: {
    // Revoking a revoked credential changes nothing.
    DELETE: allow(branchMember, ({ controlPlane: { tables, timestamps }, branch, parameter }) => {
      const where = { token_id: parameter("token_id"), branch_id: branch.id };
      const row = tables.credentials.getOr404("credential", where);
      if (row.revoked_at === null) tables.credentials.put({ ...row, revoked_at: timestamps.next() });
      return noContent;
    }),
  },
  [`${credentials}/:token_id/reveal`]: {
    // Works on any branch of the project, whichever branch issued the credential.
    POST: allow(branchMember, ({ controlPlane, project, parameter }) => {
      const row = getLive(controlPlane, { token_id: parameter("token_id"), project_id: project.id });
      return { token_id: row.token_id, ...secretsOf(row) };
    }),
  },
  [`${credentials}/:token_id/rotate`]: {
    // The old secrets stop working.
    POST: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      const row = getLive(controlPlane, { token_id: parameter("token_id"), branch_id: branch.id });
      const rotated = { ...row, ...newSecrets() };
      controlPlane.tables.credentials.put(rotated);
      return { ...credentialResponse(rotated), ...secretsOf(rotated) };
    }),
  },
};

/** The credentials that every new branch gets. Functions of the branch use them, and clients find them by these names. */
const defaults = {
  gateway: { name: "Default AI gateway credential", scopes: ["ai_gateway:invoke"] },
  storage: { name: "Default object storage credential", scopes: ["storage:read", "storage:write"] },
} as const;

export function issueDefaultCredentials(controlPlane: ControlPlane, branch: CredentialBranch): void {
  for (const { name, scopes } of Object.values(defaults)) {
    insertCredential(controlPlane, branch, { name, scopes: [...scopes], principal_type: "user" });
  }
}

/** The oldest valid credential that has the name of a default credential. */
export function defaultCredential(
  { tables }: ControlPlane,
  branchId: string,
  use: keyof typeof defaults,
): CredentialRow | undefined {
  const valid = tables.credentials.list({ branch_id: branchId, revoked_at: null }, "ORDER BY created_at");
  return valid.find(({ name }) => name === defaults[use].name);
}

type CredentialBranch = Pick<BranchRow, "id" | "project_id">;

function insertCredential(
  { tables, timestamps }: ControlPlane,
  { id, project_id }: CredentialBranch,
  { principal_type, ...input }: CredentialCreate,
): CredentialRow {
  const row: CredentialRow = {
    token_id: `nak_live_${hex(16)}`,
    project_id,
    branch_id: id,
    ...input,
    ...newSecrets(),
    principal_type,
    created_at: timestamps.next(),
    revoked_at: null,
  };
  tables.credentials.put(row);
  return row;
}

/** @throws HttpError 404 if the credential does not exist or is revoked */
function getLive(
  { tables }: ControlPlane,
  where: Partial<Pick<CredentialRow, "token_id" | "project_id" | "branch_id">>,
): CredentialRow {
  const row = tables.credentials.getOr404("credential", where);
  if (row.revoked_at !== null) throw notFound("credential");
  return row;
}

function credentialResponse(row: CredentialRow) {
  const { token_id, revoked_at } = inWholeSeconds(row);
  const token_id_short = token_id.replace("nak_live_", "").slice(0, 12);
  return {
    ...pick(row, ["token_id", "branch_id", "name", "scopes", "principal_type", "created_at"]),
    token_id_short,
    ...(revoked_at !== null && { revoked_at }),
  };
}

function secretsOf({ api_token, s3_secret_access_key }: CredentialRow): CredentialSecrets {
  return { api_token, s3_secret_access_key };
}

function newSecrets(): CredentialSecrets {
  return { api_token: `nt_live_${hex(32)}`, s3_secret_access_key: `nsk_live_${hex(32)}` };
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
