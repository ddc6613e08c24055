import { z } from "zod";

import { snapshot, snapshots } from "../schemas/snapshot";
import { idArgument, ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The snapshots of a project or of one of its branches. */
export const getSnapshots = lookup("getSnapshots", () => ({
  args: {
    ...ofProject,
    branchId: idArgument.optional().describe("Branch whose snapshots to list. Default: all branches."),
  },
  result: z.array(resultOf(snapshot, "SnapshotResult", "A snapshot of a branch.")),
  list: "snapshots",
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(snapshots.list(projectId))).snapshots.filter(
      ({ source_branch_id: source }) => branchId === undefined || source === branchId,
    ),
}));
