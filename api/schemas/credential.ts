import { z } from "zod";

import { path, request } from "../core/request";
import { createdAt, timestamp } from "./wire";

/** The scopes that a program can request. A listed credential may have other scopes. */
const credentialScope = z.enum(["storage:read", "storage:write", "ai_gateway:invoke", "functions:invoke"]);

/** The body that issues a credential. */
export const credentialCreate = z.object({
  name: z.string().min(1).max(256).optional(),
  scopes: z.array(credentialScope).min(1).max(16),
  principal_type: z.literal("user"),
});
export type CredentialCreate = z.infer<typeof credentialCreate>;

/** A credential of a branch, without its secrets. */
export const credential = z.looseObject({
  token_id: z.string().describe("Id of the credential; the access key id for S3."),
  token_id_short: z.string().optional().describe("Short form of the id, as Neon's console shows it."),
  name: z.string().optional().describe("Name of the credential. Names are not unique."),
  scopes: z.array(z.string()).describe("The permissions of the credential."),
  created_at: createdAt,
  last_used_at: timestamp.optional(),
  revoked_at: timestamp.optional(),
  expires_at: timestamp
    .optional()
    .meta({ description: "Time at which the credential expires (ISO 8601, UTC).", absent: "if it never expires" }),
});
export type Credential = z.infer<typeof credential>;

/** The secrets of a credential. */
export const credentialSecrets = z.looseObject({
  api_token: z.string().describe("Bearer token."),
  s3_secret_access_key: z.string().describe("Secret access key for S3."),
});
export type CredentialSecrets = z.infer<typeof credentialSecrets>;
const credentialCreated = z.looseObject({ ...credential.shape, ...credentialSecrets.shape });
const credentialList = z.looseObject({ credentials: z.array(credential) });

/** Whether a credential is neither revoked nor expired. */
export function isValidCredential({ revoked_at: revoked, expires_at: end }: Credential, now: Date): boolean {
  return !revoked && (!end || Date.parse(end) > now.getTime());
}

/** The name of the credential that Neon issues for the object storage of each branch. */
export const storageCredentialName = "Default object storage credential";

/** The valid credential that Neon has issued for the object storage of a branch. */
export function storageCredentialIn(all: readonly Credential[], now: Date): Credential | undefined {
  return all.find((one) => one.name === storageCredentialName && isValidCredential(one, now));
}

/** Requests for the credentials of a branch. There is no request for a single one: search the list. */
export const credentials = {
  list: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/credentials`, credentialList),
  create: (projectId: string, branchId: string, body: Omit<CredentialCreate, "principal_type">) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/credentials`, credentialCreated, {
      body: { ...body, principal_type: "user" } satisfies CredentialCreate,
    }),
  revoke: (projectId: string, branchId: string, tokenId: string) =>
    request("DELETE", path`/projects/${projectId}/branches/${branchId}/credentials/${tokenId}`, z.looseObject({})),
  /** Replaces the secrets and keeps the id. The old secrets stop working at once. */
  rotate: (projectId: string, branchId: string, tokenId: string) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/credentials/${tokenId}/rotate`, credentialCreated),
  /**
   * Returns the secrets. Neon uses POST so that no cache keeps them, and responds with 409 if it cannot reveal them.
   */
  reveal: (projectId: string, branchId: string, tokenId: string) =>
    request(
      "POST",
      path`/projects/${projectId}/branches/${branchId}/credentials/${tokenId}/reveal`,
      credentialSecrets,
      { changesNothing: true },
    ),
};
