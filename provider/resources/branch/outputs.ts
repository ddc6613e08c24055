import { z } from "zod";

import { type AnnotatedBranch, withoutTag } from "../../../api/schemas/branch";
import { maskedAnnotation } from "../../../api/schemas/masking";
import { omitUndefined, outputsIn } from "../../values";
import { asDeclared, asReported, type OutputsOf } from "../../kind/outputs";
import { absences } from "../compute/connection";
import { branchInputs } from "./inputs";

/** What is known of a branch. */
export const branchOutputSchema = () =>
  z.object({
    ...asReported(branchInputs(), "projectId"),
    name: z.string().describe("Name of the branch."),
    parentId: branchInputs().shape.parentId.describe("Id of the parent branch. Absent for a root branch."),
    parentLsn: branchInputs().shape.parentLsn.describe("Log sequence number of the parent at which the branch starts."),
    parentTimestamp: branchInputs().shape.parentTimestamp.describe(
      "Time in the parent's history at which the branch starts (ISO 8601, UTC).",
    ),
    ...asReported(branchInputs(), "protected"),
    ...asDeclared(branchInputs(), "archived"),
    initSource: branchInputs().shape.initSource.describe(
      "What the branch was created with: `parent-data` or `schema-only`.",
    ),
    ...asReported(branchInputs(), "expiresAt"),
    annotations: branchInputs().shape.annotations.describe("Annotations of the branch, without the provider's own."),
    snapshotId: branchInputs().shape.snapshotId.describe("Id of the snapshot that the branch was restored from."),
    compute: branchInputs().shape.compute.describe("Current settings of the read-write compute."),
    default: branchInputs().shape.default.describe(
      "The declared value. To read which branch is the default branch now, use {@link getBranch}.",
    ),
    ...asDeclared(branchInputs(), "defaultSuccessorId", "restore", "resetTrigger"),
    maskingRules: branchInputs().shape.maskingRules.describe(
      "Rules by which the data is masked. Absent if the branch is not masked.",
    ),
    maskingState: z
      .string()
      .optional()
      .describe("State of the masking, such as `anonymized`. Absent if the branch is not masked."),
    branchId: z.string().describe("Id of the branch, such as `br-wispy-meadow-118737`."),
    createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
    endpointId: z
      .string()
      .optional()
      .meta({ description: "Id of the read-write compute. Absent if the branch has none.", absence: absences.compute }),
    host: z.string().optional().meta({
      description:
        "Host of the read-write compute. Of a separate `Endpoint`, use its own `host`: the branch shows it only after a refresh.",
      absence: absences.compute,
    }),
    poolerHost: z
      .string()
      .optional()
      .meta({ description: "Host of the compute's connection pooler.", absence: absences.compute }),
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
        "URI to connect to that database as that role, including its password. Secret. Absent if the branch has no compute, or several roles or databases: use {@link getConnectionUri}. A restore and a refresh read it again: until then it keeps its names and password.",
      secret: true,
      absence: absences.connectionUri,
    }),
  });
export type BranchOutputs = OutputsOf<typeof branchOutputSchema>;

/** The outputs that the branch itself has. */
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
