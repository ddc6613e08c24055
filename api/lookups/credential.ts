import { z } from "zod";

import { camelObject } from "../camel-shape";
import { credential, credentials } from "../schemas/credential";
import { objectId, timestamp } from "../schemas/wire";
import { lookup } from "./lookup";

const result = camelObject(
  credential.omit({ last_used_at: true, revoked_at: true }).extend({ expires_at: timestamp.optional() }),
);

/** The valid credentials of a branch, without their secrets. */
export const getCredentials = lookup("getCredentials", {
  args: { projectId: objectId, branchId: objectId },
  result: z.array(result),
  list: "credentials",
  read: async ({ client }, { projectId, branchId }) => {
    const all = (await client.send(credentials.list(projectId, branchId))).credentials;
    return all
      .filter(({ revoked_at }) => (revoked_at ?? undefined) === undefined)
      .map((one) => ({ ...one, expires_at: one.expires_at ?? undefined }));
  },
});
