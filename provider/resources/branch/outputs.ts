import { z } from "zod";

import { camelShape } from "../../../api/core/camel-shape";
import { type AnnotatedBranch, branch, branchAnnotations, withoutTag } from "../../../api/schemas/branch";
import { poolerHost } from "../../../api/schemas/endpoint";
import { maskedAnnotation } from "../../../api/schemas/masking";
import { ofProject } from "../../kind/inputs";
import { omitUndefined, outputsIn } from "../../values";
import { only, type OutputsOf } from "../../kind/outputs";
import { absences } from "../compute/connection";
import { branchInputs } from "./inputs";

/** The outputs of a branch. */
export const branchOutputSchema = () => {
  const { id, restoredFrom, ...wire } = camelShape(branch.shape);
  const declared = branchInputs().shape;
  return z.object({
    ...ofProject,
    ...only(wire, "name", "parentId", "parentLsn", "parentTimestamp", "protected"),
    ...only(declared, "archived"),
    initSource: declared.initSource.describe(
      "The contents with which the branch was created: `parent-data` or `schema-only`.",
    ),
    ...only(wire, "expiresAt"),
    ttl: declared.ttl.describe(
      "Life of the branch as of when its expiration was last set: the declared one, or the one that Neon reports if that is a whole number of hours, or of minutes below one hour. Absent if the branch never expires.",
    ),
    ...only(declared, "ttlTrigger"),
    ...only(wire, "ttlIntervalSeconds"),
    annotations: branchAnnotations.optional(),
    snapshotId: restoredFrom,
    compute: declared.compute.describe("Current settings of the read-write compute."),
    default: declared.default.describe(
      "The declared value. To read which branch is the default branch now, use {@link getBranch}.",
    ),
    ...only(declared, "defaultSuccessorId", "restore", "resetTrigger"),
    maskingRules: declared.maskingRules.describe(
      "Rules by which the data is masked. Absent if the branch is not masked.",
    ),
    maskingState: z
      .string()
      .optional()
      .describe("State of the masking, such as `anonymized`. Absent if the branch is not masked."),
    branchId: id,
    ...only(wire, "createdAt"),
    endpointId: z
      .string()
      .optional()
      .meta({ description: "Id of the read-write compute. Absent if the branch has none.", absence: absences.compute }),
    host: z.string().optional().meta({
      description:
        "Host of the read-write compute. If you declare a separate `Endpoint`, use its `host`: this output has it only after a refresh.",
      absence: absences.compute,
    }),
    poolerHost: poolerHost.optional().meta({ absence: absences.compute }),
    roleName: z.string().optional().meta({
      description:
        "Name of the branch's role, as of when the branch got its compute, or the last refresh. Absent if the branch had several roles or none.",
      absence: absences.roleName,
    }),
    databaseName: z.string().optional().meta({
      description:
        "Name of the branch's database, as of when the branch got its compute, or the last refresh. Absent if the branch had several databases or none.",
      absence: absences.databaseName,
    }),
    connectionUri: z.string().optional().meta({
      description:
        "URI to connect to `databaseName` as `roleName`, including the password. A restore and a refresh read it again. Until then, it keeps its names and its password. Absent if the branch has no compute, or several roles or databases: use {@link getConnectionUri}.",
      secret: true,
      absence: absences.connectionUri,
    }),
  });
};
export type BranchOutputs = OutputsOf<typeof branchOutputSchema>;

/** The outputs of the branch itself, without its compute and connection. */
export function branchOutputs({ branch: found, annotations }: AnnotatedBranch): BranchOutputs {
  const { [maskedAnnotation]: _, ...own } = withoutTag(annotations);
  return {
    branchId: found.id,
    ...outputsIn(found, "project_id", "name", "parent_id", "parent_lsn", "parent_timestamp", "protected", "created_at"),
    ...omitUndefined({
      initSource: found.init_source as BranchOutputs["initSource"],
      expiresAt: found.expires_at ?? undefined,
      snapshotId: found.restored_from,
      annotations: Object.keys(own).length === 0 ? undefined : own,
    }),
  };
}
