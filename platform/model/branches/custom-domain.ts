import { badRequest, conflict, HttpError, notFound } from "../../http-error";
import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";
import { type CustomDomainRow, customDomainTable } from "./custom-domain-row";

const maxLength = 253;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Domains that belong to the vendor, or lead nowhere from outside. */
const reserved = ["neon.tech", "neon.com", "neon.build", "localhost"];

const reasons: Readonly<Record<CustomDomainRow["dns_status"], string>> = {
  pending: "",
  ok: "",
  misconfigured: "cname-not-pointing-at-edge",
  caa_blocked: "caa-blocks-lets-encrypt",
};

/**
 * Registers a domain for a function. Repeating it changes nothing.
 *
 * @throws HttpError 400 if it is none, 404 if there is no such function, 409 if it leads somewhere else
 */
export function registerDomain(
  controlPlane: ControlPlane,
  project: ProjectRow,
  branch: BranchRow,
  input: { readonly domain: string; readonly entity_type: string; readonly entity_id: string },
): object {
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
  // The first check follows.
  return known ? domainResponse(controlPlane, project, known) : withoutStatus(project, row);
}

/** A page of the domains of a branch, by name. */
export function listDomains(
  { tables }: ControlPlane,
  { id }: BranchRow,
  after: string,
  limit: number,
): CustomDomainRow[] {
  return tables.customDomains.list({ branch_id: id }, "AND domain > ? ORDER BY domain LIMIT ?", after, limit);
}

/** @throws HttpError 404 */
export function deleteDomain({ tables }: ControlPlane, { id }: BranchRow, domain: string): void {
  const where = { branch_id: id, domain: domain.toLowerCase().replace(/\.$/, "") };
  tables.customDomains.remove(tables.customDomains.getOr404("custom domain", where));
}

/** Sets what a check of the DNS records of a domain finds. @throws HttpError 404 */
export function setDnsStatus(
  { tables }: ControlPlane,
  domain: string,
  dns_status: CustomDomainRow["dns_status"],
): CustomDomainRow {
  const row = { ...tables.customDomains.getOr404("custom domain", { domain }), dns_status };
  tables.customDomains.put(row);
  return row;
}

/** A domain as the API returns it. It is active once DNS leads here, and there is a function. */
export function domainResponse({ tables }: ControlPlane, project: ProjectRow, row: CustomDomainRow): object {
  const { branch_id, entity_id, dns_status } = row;
  const isBound = tables.functions.get({ branch_id, slug: entity_id }) !== undefined;
  const status_reason = isBound ? reasons[dns_status] : "binding-missing";
  const status = status_reason !== "" ? "error" : dns_status === "ok" ? "active" : "pending";
  return {
    ...withoutStatus(project, row),
    status,
    dns_status,
    binding_status: isBound ? "present" : "missing",
    status_reason,
  };
}

function withoutStatus({ proxy_host }: ProjectRow, row: CustomDomainRow): object {
  return { ...publicMembers(customDomainTable, row), cname_target: `fn-custom-domains.${proxy_host}` };
}

/** @throws HttpError 400 if it is no name of a host, or one of the vendor's */
function normalized(text: string): string {
  const domain = text.toLowerCase().replace(/\.$/, "");
  const labels = domain.split(".");
  if (domain.length > maxLength || labels.length < 2 || !labels.every((one) => label.test(one))) {
    throw badRequest(`"${text}" is not a domain`);
  }
  if (reserved.some((end) => domain === end || domain.endsWith(`.${end}`))) {
    throw badRequest(`the domain "${domain}" cannot be registered`);
  }
  return domain;
}
