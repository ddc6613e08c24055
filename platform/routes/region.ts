import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { anyKey } from "../http/authorization";
import { route } from "../http/route";
import { visibleOrganization } from "../model/organization";
import { regions } from "../model/region";

export const regionRoutes = [
  route({
    method: "GET",
    path: "/regions",
    scope: anyKey,
    query: z.object({ org_id: platformId.optional() }),
    handle: ({ plane, caller, query }) => {
      if (query.org_id !== undefined) visibleOrganization(plane, caller, query.org_id);
      return { regions };
    },
  }),
];
