import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { branches } from "../../api/schemas/branch";
import {
  type CustomDomain,
  customDomain as wireDomain,
  customDomainRegister,
  customDomains,
} from "../../api/schemas/custom-domain";
import { type Collection, pagedList } from "../call/collection";
import { creation } from "../kind/creation";
import { idOf } from "../kind/id";
import { adopt, ofBranch } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined, outputsIn, pick } from "../values";
import type { BranchAddress } from "./branch/read";
import { requiresFunction } from "./function/required";

const { domain, entity_type, entity_id } = customDomainRegister.shape;
const inputs = lazy(() =>
  z.strictObject({
    ...ofBranch,
    domain: domain
      .refine(isHostName, "must be the name of a host, such as `api.example.com`: no URL, no path and no wildcard")
      .refine((name) => !isHostName(name) || !isOfNeon(name), "must not be a host of Neon")
      .meta({ note: "Capitals and a dot at its end make no difference." }),
    entityId: entity_id.meta({ note: "Use the output `slug` of a {@link Function}." }),
    entityType: entity_type.optional().meta({ default: "function" }),
    adopt,
  }),
);
export type CustomDomainInputs = z.infer<ReturnType<typeof inputs>>;

const notRead = { reason: "No refresh has read it yet: run `pulumi refresh`." };

const outputs = () => {
  const wire = camelShape(wireDomain.shape);
  return z.object({
    ...ofBranch,
    ...only(wire, "domain", "entityId", "entityType", "cnameTarget"),
    status: wire.status.meta({
      description:
        "Status as of the last `pulumi refresh`: `pending`, `active` or `error`. It follows from the DNS records of the domain, so a change of it is not drift. Absent until a refresh.",
      absence: notRead,
    }),
    statusReason: wire.statusReason.meta({
      description:
        "Why the status is `error`, such as `cname-not-pointing-at-edge`, as the last `pulumi refresh` has read it. Absent otherwise.",
      absence: { reason: "Nothing is wrong with the domain, or no refresh has read it yet." },
    }),
  });
};
export type CustomDomainOutputs = OutputsOf<typeof outputs>;

/** A domain that leads to a function of a branch. */
export const customDomain = listedKind<CustomDomain, CustomDomainInputs, CustomDomainOutputs>({
  name: "CustomDomain",
  noun: "custom domain",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "domain"],
  rules: {
    domain: { onChange: "replace", equality: (present, declared) => normal(present) === normal(declared) },
    entityId: { onChange: "replace" },
    entityType: { onChange: "replace" },
  },
  // A domain leads to at most one function in all of Neon.
  uniqueBy: ["domain"],
  replacement: {
    loss: "The old registration is deleted.",
    deletedFirst:
      "A domain can lead to one function only, so requests to the domain fail until the new registration is made.",
  },
  within: { Function: ["entityId"] },
  id: ({ projectId = "", branchId = "", domain: name }) => idOf(projectId, branchId, normal(name)),
  // A registration has neither an id nor a time of creation. Another program may have registered the domain for another
  // function since.
  identity: { by: "entityId", isSetting: true },

  create: ({ projectId, branchId, domain: name, entityId, entityType = "function" }) =>
    creation({
      what: "register custom domain",
      request: customDomains.register(projectId, branchId, {
        domain: name,
        entity_type: entityType,
        entity_id: entityId,
      }),
      repeatable: true,
      outputs: (answer) => domainOutputs({ projectId, branchId }, answer),
      // The same domain with the same function can be registered again.
      overwrites: true,
      explain: (_, error) => explainedByOther(name, error),
    }),

  collection: domainsOf,
  outputsOf: (found, { projectId = "", branchId = "" }) => domainOutputs({ projectId, branchId }, found),
  read: async (context, state) => {
    const { projectId = "", branchId = "" } = state;
    const found = await context.readOne(domainsOf(state), normal(state.domain));
    if (found === undefined) return undefined;
    const { status, status_reason: reason } = found;
    // The status changes by itself, so only a refresh updates it.
    const seen = context.isRefresh
      ? omitUndefined({ status, statusReason: reason === "" ? undefined : reason })
      : pick(state, ["status", "statusReason"]);
    return { ...domainOutputs({ projectId, branchId }, found), ...seen };
  },

  deletion: ({ projectId, branchId, domain: name }) => ({
    request: customDomains.delete(projectId, branchId, normal(name)),
    silent: true,
  }),

  precondition: requiresFunction(({ entityId }) => entityId, /function/i),
});

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function isHostName(text: string): boolean {
  const labels = normal(text).split(".");
  // The length is validated elsewhere, with its own message.
  return text.length < 3 || text.length > 254 || (labels.length > 1 && labels.every((one) => label.test(one)));
}

/** Hosts that Neon registers for nobody, with all below them. */
const hostsOfNeon = ["neon.tech", "neon.com", "neon.build", "localhost"];

function isOfNeon(text: string): boolean {
  return hostsOfNeon.some((host) => `.${normal(text)}`.endsWith(`.${host}`));
}

/** A domain as Neon stores it. */
function normal(name: unknown): string {
  return typeof name === "string" ? name.toLowerCase().replace(/\.$/, "") : "";
}

/** Explains the error for a domain that already leads to another function. */
function explainedByOther(name: string, error: unknown): unknown {
  if (!hasStatus(error, 409)) return error;
  return explained(
    `The custom domain ${name} was not registered`,
    error,
    "A domain leads to one function in all of Neon: delete it where it is registered, or declare another one.",
  );
}

function domainsOf({ projectId = "", branchId = "" }: Partial<BranchAddress>): Collection<CustomDomain> {
  return pagedList({
    list: customDomains.list(projectId, branchId),
    keyOf: (one) => normal(one.domain),
    parent: branches.get(projectId, branchId),
  });
}

function domainOutputs({ projectId, branchId }: BranchAddress, found: CustomDomain): CustomDomainOutputs {
  return { projectId, branchId, ...outputsIn(found, "domain", "entity_id", "entity_type", "cname_target") };
}
