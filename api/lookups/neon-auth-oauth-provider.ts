import { z } from "zod";

import { camelObject } from "../camel-shape";
import { oauthProvider, oauthProviders } from "../schemas/neon-auth-oauth-provider";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The OAuth providers of a branch's Neon Auth, without their secrets. */
export const getNeonAuthOauthProviders = lookup("getNeonAuthOauthProviders", {
  args: { projectId: objectId, branchId: objectId },
  result: z.array(camelObject(oauthProvider)),
  list: "providers",
  explanations: { 404: "The branch does not exist, or it does not have Neon Auth." },
  read: async ({ client }, { projectId, branchId }) =>
    (await client.send(oauthProviders.list(projectId, branchId))).providers,
});
