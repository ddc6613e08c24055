import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";
import type { CredentialRow, CredentialSecrets } from "./credential-row";

/** What the functions of a branch authenticate themselves with. */
export interface FunctionCredential
  extends CredentialSecrets, Pick<CredentialRow, "token_id" | "branch_id" | "scopes"> {}

/** The credential of the functions of a branch. It is derived from the key of the data: no row has it, and no list. */
export function functionCredential({ secretFor }: ControlPlane, branchId: string): FunctionCredential {
  const secret = (part: string): string => secretFor(`${part} of the functions of ${branchId}`);
  return {
    token_id: `nak_live_${secret("id").slice(0, 32)}`,
    branch_id: branchId,
    scopes: ["storage:read", "storage:write", "ai_gateway:invoke"],
    api_token: `nt_live_${secret("token")}`,
    s3_secret_access_key: `nsk_live_${secret("S3 key")}`,
  };
}

/** The credential with this id of the functions of a branch, or of another one of its project. */
export function findFunctionCredential(
  controlPlane: ControlPlane,
  branch: BranchRow,
  tokenId: string,
): FunctionCredential | undefined {
  const owns = ({ id }: BranchRow): boolean => functionCredential(controlPlane, id).token_id === tokenId;
  const { project_id } = branch;
  const owner = owns(branch) ? branch : controlPlane.tables.branches.list({ project_id }).find(owns);
  return owner && functionCredential(controlPlane, owner.id);
}
