import { z } from "zod";

import { region, regions } from "../schemas/region";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The regions in which projects can be created. */
export const getRegions = lookup("getRegions", () => ({
  args: {
    orgId: idArgument
      .optional()
      .describe(
        "Organization whose regions to list. Some regions are available to some organizations only. Default: the provider's `orgId`.",
      ),
  },
  result: z.array(resultOf(region, "RegionResult", "A region in which projects can be created.")),
  list: "regions",
  read: async (account, { orgId = account.orgId }) => (await account.client.send(regions.list(orgId))).regions,
}));
