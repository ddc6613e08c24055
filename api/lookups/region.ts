import { z } from "zod";

import { camelObject } from "../camel-shape";
import { region, regions } from "../schemas/region";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The regions in which projects can be created. */
export const getRegions = lookup("getRegions", {
  args: { orgId: objectId.optional() },
  result: z.array(camelObject(region)),
  list: "regions",
  read: async (account, { orgId = account.orgId }) => (await account.client.send(regions.list(orgId))).regions,
});
