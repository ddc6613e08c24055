import { conflict } from "../../http-error";
import * as published from "../../published/requests";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, emptyBody } from "../routing/route";
import { authPath, changeNeonAuth, getNeonAuth } from "./neon-auth";

export const trustedDomainPaths: ApiPaths = {
  [`${authPath}/domains`]: {
    GET: allow(branchMember, ({ controlPlane, branch }) => ({ domains: getNeonAuth(controlPlane, branch).domains })),
    POST: allow(
      { ...branchMember, status: 201, ...published.addBranchNeonAuthTrustedDomain },
      ({ controlPlane, branch, body: { domain, auth_provider } }) => {
        const row = getNeonAuth(controlPlane, branch);
        if (row.domains.some((one) => one.domain === domain)) throw conflict(`domain ${domain} already exists`);
        changeNeonAuth(controlPlane, row, { domains: [...row.domains, { domain, auth_provider }] });
        return emptyBody;
      },
    ),
    // Removing a domain that is not trusted is not an error.
    DELETE: allow(
      { ...branchMember, ...published.deleteBranchNeonAuthTrustedDomain },
      ({ controlPlane, branch, body }) => {
        const row = getNeonAuth(controlPlane, branch);
        const domains = row.domains.filter((one) => !body.domains.some(({ domain }) => domain === one.domain));
        changeNeonAuth(controlPlane, row, { domains });
        return emptyBody;
      },
    ),
  },
};
