import { z } from "zod";

import { regions } from "../schemas/region";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The regions in which projects can be created. */
export const getRegions = lookup("getRegions", () => ({
  args: {
    orgId: idArgument
      .optional()
      .describe(
        "Organization whose regions to list. Some regions are available to some organizations only. Default: the provider's `orgId`.",
      ),
  },
  result: z.array(
    z
      .strictObject({
        regionId: z
          .string()
          .describe("Id of the region, such as `aws-eu-central-1`. It is the value of a project's `regionId`."),
        name: z.string().describe("Display name of the region."),
        default: z.boolean().describe("Whether Neon creates a project without `regionId` in this region."),
        geoLat: z.string().optional().describe("Approximate latitude in degrees. Empty if unknown."),
        geoLong: z.string().optional().describe("Approximate longitude in degrees. Empty if unknown."),
      })
      .meta({ title: "RegionResult", description: "A region in which projects can be created." }),
  ),
  list: "regions",
  read: async (account, { orgId = account.orgId }) => (await account.client.send(regions.list(orgId))).regions,
}));
