import { z } from "zod";

import { snapshots } from "../schemas/snapshot";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The snapshots of a project or of one of its branches. */
export const getSnapshots = lookup("getSnapshots", () => ({
  args: {
    projectId: idArgument.describe("Project whose snapshots to list."),
    branchId: idArgument.optional().describe("Branch whose snapshots to list. Default: all branches."),
  },
  result: z.array(
    z
      .strictObject({
        id: z.string().describe("Id of the snapshot."),
        name: z.string().describe("Name of the snapshot, unique in the project."),
        slug: z.string().optional().describe("Another name of the snapshot, which never changes."),
        sourceBranchId: z.string().optional().describe("Branch that the snapshot was created from."),
        lsn: z.string().optional().describe("Log sequence number of the branch at which the snapshot was taken."),
        timestamp: z
          .string()
          .optional()
          .describe("Time in the branch's history at which the snapshot was taken (ISO 8601, UTC)."),
        createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
        expiresAt: z.string().optional().describe("Time at which Neon deletes the snapshot (ISO 8601, UTC)."),
        manual: z.boolean().optional().describe("`false` if a backup schedule created the snapshot."),
      })
      .meta({ title: "SnapshotResult", description: "A snapshot of a branch." }),
  ),
  list: "snapshots",
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(snapshots.list(projectId))).snapshots
      .filter(({ source_branch_id: source }) => branchId === undefined || source === branchId)
      .map((one) => ({ ...one, expires_at: one.expires_at ?? undefined })),
}));
