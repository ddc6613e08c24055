import { z } from "zod";

import { request } from "../core/request";

/** A region in which projects can be created. */
export const region = z.looseObject({
  region_id: z.string(),
  name: z.string(),
  default: z.boolean(),
  geo_lat: z.string().optional(),
  geo_long: z.string().optional(),
});
export type Region = z.infer<typeof region>;

const regionList = z.looseObject({ regions: z.array(region) });

/** Requests for regions. */
export const regions = {
  /** @param orgId limits the list to the regions that this organization can use */
  list: (orgId?: string) => request("GET", "/regions", regionList, { query: { org_id: orgId } }),
};
