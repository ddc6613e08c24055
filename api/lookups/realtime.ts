import { z } from "zod";

import { ignoreNotFound } from "../core/errors";
import { realtime, realtimes, realtimeSecret } from "../schemas/realtime";
import { ofBranch } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

const { enabled, invocation_url, allowed_origins } = realtime.shape;

/** The Realtime service of a branch. */
export const getRealtime = lookup("getRealtime", () => ({
  args: ofBranch,
  result: resultOf(
    z.looseObject({ enabled: enabled.unwrap().describe(enabled.description ?? ""), invocation_url, allowed_origins }),
    "RealtimeResult",
    "Realtime of a branch.",
  ).extend({ secret: realtimeSecret.shape.secret }),
  explanations: {
    404: "The branch does not exist, or Neon does not offer Realtime in the region of the project.",
  },
  read: async ({ client }, { projectId, branchId }) => {
    const { enabled: isEnabled = false, ...found } = await client.send(realtimes.get(projectId, branchId));
    if (!isEnabled) return { enabled: isEnabled };
    return {
      ...found,
      enabled: isEnabled,
      ...(await ignoreNotFound(client.send(realtimes.secret(projectId, branchId)))),
    };
  },
}));
