import { z } from "zod";

import { request } from "../core/request";

/** A region in which projects can be created. */
export const region = z.looseObject({
  region_id: z
    .string()
    .describe("Id of the region, such as `aws-eu-central-1`. It is the value of a project's `regionId`."),
  name: z.string().describe("Display name of the region."),
  default: z.boolean().describe("Whether Neon creates a project without `regionId` in this region."),
  geo_lat: z.string().optional().describe("Approximate latitude in degrees. Empty if unknown."),
  geo_long: z.string().optional().describe("Approximate longitude in degrees. Empty if unknown."),
});
export type Region = z.infer<typeof region>;

const regionList = z.looseObject({ regions: z.array(region) });

/** Requests for regions. */
export const regions = {
  /** @param orgId limits the list to the regions that this organization can use */
  list: (orgId?: string) => request("GET", "/regions", regionList, { query: { org_id: orgId } }),
};
