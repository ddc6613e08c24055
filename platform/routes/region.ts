import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { anyKey } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { getVisibleOrganization } from "../model/accounts/access";
import { regions } from "../model/projects/region";

export const regionPaths: ApiPaths = {
  "/regions": {
    GET: allow({ ...anyKey, query: z.object({ org_id: platformId.optional() }) }, ({ controlPlane, caller, query }) => {
      if (query.org_id !== undefined) getVisibleOrganization(controlPlane, caller, query.org_id);
      return { regions };
    }),
  },
};
