import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { anyKey } from "../http/authorization";
import { route } from "../http/route";
import { getVisibleOrganization } from "../model/accounts/access";
import { regions } from "../model/projects/region";

export const regionRoutes = [
  route({
    method: "GET",
    path: "/regions",
    authorization: anyKey,
    query: z.object({ org_id: platformId.optional() }),
    handle: ({ controlPlane, caller, query }) => {
      if (query.org_id !== undefined) getVisibleOrganization(controlPlane, caller, query.org_id);
      return { regions };
    },
  }),
];
