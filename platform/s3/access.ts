import type { BranchRow } from "../model/branches/branch-row";
import type { ControlPlane } from "../model/control-plane";
import { type SignableRequest, type SignatureClaim, signatureOf } from "../objects/signature";
import { accessDenied, invalid, S3Error } from "./error";

/** How far the clocks of a client and of S3 may differ. */
const maxSkewMs = 15 * 60_000;

/** A scope that a credential must have. */
export type Scope = "storage:read" | "storage:write";

/** A request for the data of a branch, and the access that it needs. */
export interface AccessRequest {
  readonly branch: BranchRow;
  readonly signed: SignableRequest;
  readonly scopes: readonly Scope[];
  /** Whether the request needs no credential. */
  readonly isPublic: boolean;
}

/**
 * Checks that a request is signed with a credential that has the scopes, of the branch or of one of its ancestors, or with the
 * key of the URLs that the API presigns.
 *
 * @throws S3Error 403
 */
export async function requireAccess(
  controlPlane: ControlPlane,
  { branch, signed, scopes, isPublic }: AccessRequest,
): Promise<void> {
  const signature = signatureOf(signed);
  if (signature === undefined) {
    if (isPublic) return;
    throw accessDenied();
  }
  if (signature === "malformed") {
    throw invalid("AuthorizationHeaderMalformed", "The authorization of the request is malformed");
  }
  const { presignKey } = controlPlane.objects;
  const { credentials } = controlPlane.tables;
  const isPresigned = signature.accessKeyId === presignKey.id && signature.expiresAt !== undefined;
  const credential = isPresigned ? undefined : credentials.get({ token_id: signature.accessKeyId, revoked_at: null });
  if (!isPresigned && !credential) {
    const message = "The AWS Access Key Id you provided does not exist in our records.";
    throw new S3Error(403, "InvalidAccessKeyId", message);
  }
  requireRecent(signature, controlPlane.clock.now());
  if (!(await signature.isSignedWith(credential?.s3_secret_access_key ?? presignKey.secret))) {
    const message =
      "The request signature we calculated does not match the signature you provided. Check your key and signing method.";
    throw new S3Error(403, "SignatureDoesNotMatch", message);
  }
  if (signature.expiresAt !== undefined && signature.expiresAt <= controlPlane.clock.now()) {
    throw accessDenied("Request has expired");
  }
  if (!credential) return;
  if (!isOrDescendsFrom(controlPlane, branch, credential.branch_id)) throw accessDenied();
  if (!scopes.every((scope) => credential.scopes.includes(scope))) throw accessDenied();
}

/** A signature in a header is valid for some minutes; one in a URL, until the URL expires. */
function requireRecent({ signedAt, expiresAt }: SignatureClaim, now: number): void {
  const age = now - signedAt;
  if (expiresAt === undefined && Math.abs(age) > maxSkewMs) {
    const message = "The difference between the request time and the current time is too large.";
    throw new S3Error(403, "RequestTimeTooSkewed", message);
  }
  if (age < -maxSkewMs) throw accessDenied("Request is not valid yet");
}

function isOrDescendsFrom({ tables }: ControlPlane, branch: BranchRow, ancestorId: string): boolean {
  const seen = new Set<string>();
  for (let one: BranchRow | undefined = branch; one && !seen.has(one.id);) {
    if (one.id === ancestorId) return true;
    seen.add(one.id);
    one = one.parent_id === undefined ? undefined : tables.branches.get({ id: one.parent_id });
  }
  return false;
}
