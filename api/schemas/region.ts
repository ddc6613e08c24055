import { z } from "zod";

import type { Request } from "../request";

export const region = z.looseObject({ region_id: z.string(), name: z.string(), default: z.boolean() });

const regionList = z.looseObject({ regions: z.array(region) });

/** Requests for regions. */
export const regions = {
  list: (): Request<z.infer<typeof regionList>> => ({ method: "GET", path: "/regions", answer: regionList }),
};
