import { randomBytes } from "node:crypto";

import type { CredentialCreate } from "../../../api/schemas/credential";
import { inWholeSeconds } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import type { BranchRow, CredentialRow } from "../rows";

/** Issues a credential, and returns it with its secrets, which nobody can read again: the platform has no service that checks them. */
export function issueCredential(
  { tables, timestamps }: ControlPlane,
  branch: BranchRow,
  { principal_type, ...input }: CredentialCreate,
): object {
  const row: CredentialRow = {
    token_id: `nak_live_${hex(16)}`,
    project_id: branch.project_id,
    branch_id: branch.id,
    ...input,
    principal_type,
    created_at: timestamps.next(),
    revoked_at: null,
  };
  tables.credentials.put(row);
  const { principal_type: _, ...visible } = credentialResponse(row);
  return { ...visible, api_token: `nat_live_${hex(32)}`, s3_secret_access_key: `nsk_live_${hex(32)}` };
}

/** The credentials of a branch, oldest first, with those that are revoked. */
export function listCredentials({ tables }: ControlPlane, branch: BranchRow): object[] {
  return tables.credentials.list({ branch_id: branch.id }, "ORDER BY created_at").map(credentialResponse);
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

function credentialResponse({ project_id: _, revoked_at, ...row }: CredentialRow) {
  const token_id_short = row.token_id.replace("nak_live_", "").slice(0, 12);
  return inWholeSeconds({ ...row, token_id_short, ...(revoked_at !== null && { revoked_at }) });
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
