import { randomBytes } from "node:crypto";

import type { CredentialCreate } from "../../../api/schemas/credential";
import { notFound } from "../../http-error";
import { publicMembers } from "../../storage/table";
import { inWholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";
import { type CredentialRow, type CredentialSecrets, credentialTable } from "./credential-row";

/** The credentials that every branch has from its beginning. Its functions use them, and clients reveal them by these names. */
const defaults = {
  gateway: { name: "Default AI gateway credential", scopes: ["ai_gateway:invoke"] },
  storage: { name: "Default object storage credential", scopes: ["storage:read", "storage:write"] },
} as const;

/** Issues the credentials that a new branch has. */
export function issueDefaultCredentials(controlPlane: ControlPlane, branch: CredentialBranch): void {
  for (const { name, scopes } of Object.values(defaults)) {
    insertCredential(controlPlane, branch, { name, scopes: [...scopes], principal_type: "user" });
  }
}

/** The first credential of a branch with the name of a default one, unless that is revoked. */
export function defaultCredential(
  { tables }: ControlPlane,
  branchId: string,
  use: keyof typeof defaults,
): CredentialRow | undefined {
  const valid = tables.credentials.list({ branch_id: branchId, revoked_at: null }, "ORDER BY created_at");
  return valid.find(({ name }) => name === defaults[use].name);
}

/** Issues a credential, and returns it with its secrets. The platform's S3 checks them. */
export function issueCredential(controlPlane: ControlPlane, branch: BranchRow, input: CredentialCreate): object {
  const row = insertCredential(controlPlane, branch, input);
  const { principal_type: _, ...visible } = credentialResponse(row);
  return { ...visible, ...secretsOf(row) };
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

/** The credentials of a branch, oldest first, with those that are revoked. */
export function listCredentials({ tables }: ControlPlane, branch: BranchRow): object[] {
  return tables.credentials.list({ branch_id: branch.id }, "ORDER BY created_at").map(credentialResponse);
}

/**
 * The secrets of a credential of the project, on whichever branch it was issued.
 *
 * @throws HttpError 404, also if it is revoked
 */
export function revealCredential({ tables }: ControlPlane, { project_id }: BranchRow, tokenId: string): object {
  const row = tables.credentials.getOr404("credential", { token_id: tokenId, project_id });
  requireLive(row);
  return { token_id: tokenId, ...secretsOf(row) };
}

/**
 * Gives a credential other secrets, and returns it with them. The old ones are no longer valid.
 *
 * @throws HttpError 404, also if it is revoked
 */
export function rotateCredential({ tables }: ControlPlane, branch: BranchRow, tokenId: string): object {
  const row = tables.credentials.getOr404("credential", { token_id: tokenId, branch_id: branch.id });
  requireLive(row);
  const rotated = { ...row, ...newSecrets() };
  tables.credentials.put(rotated);
  return { ...credentialResponse(rotated), ...secretsOf(rotated) };
}

/**
 * Revokes a credential. Repeating it changes nothing.
 *
 * @throws HttpError 404
 */
export function revokeCredential({ tables, timestamps }: ControlPlane, branch: BranchRow, tokenId: string): void {
  const row = tables.credentials.getOr404("credential", { token_id: tokenId, branch_id: branch.id });
  if (row.revoked_at === null) tables.credentials.put({ ...row, revoked_at: timestamps.next() });
}

function requireLive({ revoked_at }: CredentialRow): void {
  if (revoked_at !== null) throw notFound("credential");
}

function credentialResponse(row: CredentialRow) {
  const { token_id, revoked_at } = inWholeSeconds(row);
  const token_id_short = token_id.replace("nak_live_", "").slice(0, 12);
  return { ...publicMembers(credentialTable, row), token_id_short, ...(revoked_at !== null && { revoked_at }) };
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
