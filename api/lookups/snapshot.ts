import { z } from "zod";

import { camelObject } from "../camel-shape";
import { snapshot, snapshots } from "../schemas/snapshot";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The snapshots of a project or of one of its branches. */
export const getSnapshots = lookup("getSnapshots", {
  args: { projectId: objectId, branchId: objectId.optional() },
  result: z.array(camelObject(snapshot)),
  list: "snapshots",
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(snapshots.list(projectId))).snapshots.filter(
      ({ source_branch_id: source }) => branchId === undefined || source === branchId,
    ),
});
