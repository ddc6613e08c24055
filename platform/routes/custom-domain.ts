import { z } from "zod";

import { branchMember } from "../http/authorization";
import { noContent } from "../http/response";
import { allow, type ApiPaths } from "../http/route";
import { cursorOf, formatCursor } from "../http/validation";
import { deleteDomain, domainResponse, listDomains, registerDomain } from "../model/branches/custom-domain";
import { wholeNumber } from "../published/values";

const domains = "/projects/:project_id/branches/:branch_id/custom-domains";

const page = z.object({
  /** The last domain of the page before. */
  cursor: cursorOf(z.string(), "custom domains").default(""),
  limit: wholeNumber(1, 1000).default(100),
});

const registration = z.object({
  domain: z.string().min(3).max(254),
  entity_type: z.string(),
  entity_id: z.string().min(1),
});

/** Only the newer of the two published documents has these. */
export const customDomainPaths: ApiPaths = {
  [domains]: {
    GET: allow({ ...branchMember, query: page }, ({ controlPlane, project, branch, query: { cursor, limit } }) => {
      const rows = listDomains(controlPlane, branch, cursor, limit + 1);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        custom_domains: rows.slice(0, limit).map((row) => domainResponse(controlPlane, project, row)),
        pagination: last && { next: formatCursor(last.domain) },
      };
    }),
    POST: allow(
      { ...branchMember, status: 201, operationId: "registerProjectBranchCustomDomain", body: registration },
      ({ controlPlane, project, branch, body }) => registerDomain(controlPlane, project, branch, body),
    ),
  },
  [`${domains}/:domain`]: {
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteDomain(controlPlane, branch, parameter("domain"));
      return noContent;
    }),
  },
};
