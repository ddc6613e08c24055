import { type AnnotatedBranch, withoutTag } from "../../../api/schemas/branch";
import { maskedAnnotation } from "../../../api/schemas/masking";
import { omitUndefined } from "../../values";
import type { Connection } from "../compute/connection";
import type { BranchInputs } from "./inputs";
import type { Masking } from "./masking";

export interface BranchOutputs extends Omit<BranchInputs, "adopt" | "name" | keyof Masking>, Connection, Masking {
  readonly branchId: string;
  readonly name: string;
  readonly createdAt: string;
}

/** The outputs that the branch itself has. */
export function branchOutputs({ branch: found, annotations }: AnnotatedBranch): BranchOutputs {
  const { [maskedAnnotation]: _, ...own } = withoutTag(annotations);
  return {
    projectId: found.project_id,
    branchId: found.id,
    name: found.name,
    ...omitUndefined({
      parentId: found.parent_id,
      parentLsn: found.parent_lsn,
      parentTimestamp: found.parent_timestamp,
      initSource: found.init_source as BranchOutputs["initSource"],
      protected: found.protected,
      expiresAt: found.expires_at ?? undefined,
      snapshotId: found.restored_from,
      annotations: Object.keys(own).length === 0 ? undefined : own,
    }),
    createdAt: found.created_at,
  };
}
