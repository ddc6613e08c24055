import { z } from "zod";

import { trigger, triggers } from "../schemas/trigger";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The triggers of a branch. */
export const getTriggers = lookup("getTriggers", () => ({
  args: ofBranch,
  result: z.array(
    resultOf(trigger.omit({ version: true, next_run_at: true }), "TriggerResult", "A trigger of a branch."),
  ),
  list: "triggers",
  read: async ({ client }, { projectId, branchId }) => (await client.send(triggers.list(projectId, branchId))).triggers,
}));
