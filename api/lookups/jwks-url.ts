import { z } from "zod";

import { camelObject } from "../camel-shape";
import { jwksUrl, jwksUrls } from "../schemas/jwks-url";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The JWKS URLs of a project. */
export const getJwks = lookup("getJwks", {
  args: { projectId: objectId },
  result: z.array(camelObject(jwksUrl.omit({ updated_at: true }))),
  list: "jwks",
  read: async ({ client }, { projectId }) => (await client.send(jwksUrls.list(projectId))).jwks,
});
