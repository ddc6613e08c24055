import { z } from "zod";

import { triggers } from "../schemas/trigger";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The triggers of a branch. */
export const getTriggers = lookup("getTriggers", () => ({
  args: {
    projectId: idArgument.describe("Project of the branch."),
    branchId: idArgument.describe("Branch whose triggers to list."),
  },
  result: z.array(
    z
      .strictObject({
        triggerId: z.string().describe("Id of the trigger, the same on all branches that have it."),
        name: z.string().describe("Name of the trigger."),
        type: z.string().describe("`schedule` or `storage_object_created`."),
        functionSlug: z.string().describe("Slug of the function."),
        functionPath: z.string().describe("Path of the function's URL that is called."),
        schedule: z
          .strictObject({ cron: z.string().describe("When, in UTC.") })
          .meta({ title: "TriggerScheduleResult", description: "When the trigger invokes its function." })
          .optional()
          .describe("When it invokes the function. Absent if it is not a schedule."),
        storageObjectCreated: z
          .strictObject({
            bucketName: z.string().describe("Name of the bucket."),
            prefix: z.string().optional().describe("What the key of an object starts with. Absent: every object."),
          })
          .meta({ title: "TriggerStorageObjectCreatedResult", description: "Which objects invoke the function." })
          .optional()
          .describe("Which uploaded objects invoke the function. Absent for a schedule."),
        enabled: z.boolean().describe("Whether it invokes its function."),
        inherited: z.boolean().describe("Whether the branch has it from its parent."),
      })
      .meta({ title: "TriggerResult", description: "A trigger of a branch." }),
  ),
  list: "triggers",
  read: async ({ client }, { projectId, branchId }) => (await client.send(triggers.list(projectId, branchId))).triggers,
}));
