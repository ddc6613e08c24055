import { z } from "zod";

import { badRequest, conflict, HttpError, notFound } from "../../http-error";
import { wholeNumber } from "../../published/values";
import type { Answer, vendor } from "../../published/answers";
import { pick } from "../../storage/timestamps";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import { cursorOf, formatCursor } from "../routing/validation";
import type { BranchRow } from "./branch-row";

/** The possible results of the check of a domain's DNS records. */
export const dnsStatuses = ["pending", "ok", "misconfigured", "caa_blocked"] as const;

/** A domain that leads to a function. A domain belongs to one branch only. */
export interface CustomDomainRow {
  domain: string;
  project_id: string;
  branch_id: string;
  entity_type: string;
  entity_id: string;
  /** Stays as it is until a client of the local platform sets it, because there is no DNS here. */
  dns_status: (typeof dnsStatuses)[number];
  created_at: string;
}

export const customDomainTable: RowTable<CustomDomainRow> = {
  name: "custom_domains",
  within: "branch",
  branching: "none",
  primaryKey: ["domain"],
  indexes: ["project_id", "branch_id"],
  latest: "created_at",
};

const domains = "/projects/:project_id/branches/:branch_id/custom-domains";

const page = z.object({
  /** The last domain of the previous page. */
  cursor: cursorOf(z.string(), "custom domains").default(""),
  limit: wholeNumber(1, 1000).default(100),
});

const registration = z.object({
  domain: z.string().min(3).max(254),
  entity_type: z.string(),
  entity_id: z.string().min(1),
});

/** Only the newer of the two published documents has these routes. */
export const customDomainPaths: ApiPaths = {
  [domains]: {
    GET: allow({ ...branchMember, query: page }, ({ controlPlane, project, branch, query: { cursor, limit } }) => {
      const following = "AND domain > ? ORDER BY domain LIMIT ?";
      const rows = controlPlane.tables.customDomains.list({ branch_id: branch.id }, following, cursor, limit + 1);
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
    DELETE: allow(branchMember, ({ controlPlane: { tables }, branch, parameter }) => {
      const where = { branch_id: branch.id, domain: withoutDot(parameter("domain")) };
      tables.customDomains.remove(tables.customDomains.getOr404("custom domain", where));
      return noContent;
    }),
  },
};

const maxLength = 253;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Domains that belong to the vendor, or that nobody outside can reach. */
const reserved = ["neon.tech", "neon.com", "neon.build", "localhost"];

const reasons: Readonly<Record<CustomDomainRow["dns_status"], string>> = {
  pending: "",
  ok: "",
  misconfigured: "cname-not-pointing-at-edge",
  caa_blocked: "caa-blocks-lets-encrypt",
};

/**
 * Registers a domain for a function. Registering it again changes nothing.
 *
 * @throws HttpError 400 if the domain is invalid, 404 if the function does not exist, 409 if the domain leads elsewhere
 */
function registerDomain(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: z.infer<typeof registration>,
) {
  const { tables, timestamps } = controlPlane;
  const domain = normalized(input.domain);
  const { entity_type, entity_id } = input;
  if (entity_type !== "function") {
    throw new HttpError(400, `entity_type "${entity_type}" is not supported`, { code: "invalid_entity_type" });
  }
  if (!tables.functions.get({ branch_id: branch.id, slug: entity_id })) throw notFound("function");
  const known = tables.customDomains.get({ domain });
  if (known && (known.branch_id !== branch.id || known.entity_id !== entity_id)) {
    throw conflict("the domain is already registered");
  }
  const row: CustomDomainRow = known ?? {
    domain,
    project_id: branch.project_id,
    branch_id: branch.id,
    entity_type,
    entity_id,
    dns_status: "pending",
    created_at: timestamps.next(),
  };
  tables.customDomains.put(row);
  // A new domain has no status, because its first check is still to come.
  return known ? domainResponse(controlPlane, project, known) : withoutStatus(project, row);
}

/** A domain as the API returns it. */
function domainResponse(controlPlane: ControlPlane, project: ProjectRow, row: CustomDomainRow) {
  return { ...withoutStatus(project, row), ...domainStatus(controlPlane, row) } satisfies Answer<vendor.CustomDomain>;
}

/** The status of a domain, which is active once DNS leads here and the function exists. */
export function domainStatus({ tables }: ControlPlane, { branch_id, entity_id, dns_status }: CustomDomainRow) {
  const isBound = tables.functions.get({ branch_id, slug: entity_id }) !== undefined;
  const status_reason = isBound ? reasons[dns_status] : "binding-missing";
  const status = status_reason !== "" ? "error" : dns_status === "ok" ? "active" : "pending";
  return {
    status,
    dns_status,
    binding_status: isBound ? "present" : "missing",
    status_reason,
  } as const;
}

function withoutStatus({ proxy_host }: ProjectRow, row: CustomDomainRow) {
  return {
    ...pick(row, ["domain", "entity_type", "entity_id"]),
    cname_target: `fn-custom-domains.${proxy_host}`,
  } satisfies Answer<vendor.CustomDomain>;
}

/** @throws HttpError 400 if the text is not a host name, or a name of the vendor */
function normalized(text: string): string {
  const domain = withoutDot(text);
  const labels = domain.split(".");
  if (domain.length > maxLength || labels.length < 2 || !labels.every((one) => label.test(one))) {
    throw badRequest(`"${text}" is not a domain`);
  }
  if (reserved.some((end) => domain === end || domain.endsWith(`.${end}`))) {
    throw badRequest(`the domain "${domain}" cannot be registered`);
  }
  return domain;
}

const withoutDot = (domain: string): string => domain.toLowerCase().replace(/\.$/, "");
