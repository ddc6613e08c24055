import { anyKey } from "../http/authorization";
import { allow, type ApiPaths } from "../http/route";
import { getVisibleOrganization } from "../model/accounts/access";
import { regions } from "../model/projects/region";
import * as published from "../published/requests";

export const regionPaths: ApiPaths = {
  "/regions": {
    GET: allow({ ...anyKey, ...published.getActiveRegions }, ({ controlPlane, caller, query }) => {
      if (query.org_id !== undefined) getVisibleOrganization(controlPlane, caller, query.org_id);
      return { regions };
    }),
  },
};
