import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { neonAuths } from "../../api/schemas/neon-auth";
import {
  type TrustedDomain,
  trustedDomain,
  trustedDomainCreate,
  trustedDomains,
} from "../../api/schemas/neon-auth-trusted-domain";
import { wholeList } from "../call/collection";

import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { adopt, ofBranch, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import type { BranchAddress } from "./branch/read";

const { domain, authProvider } = camelShape(trustedDomainCreate.shape);
const inputs = lazy(() =>
  z
    .strictObject({
      ...ofProject,
      branchId: ofBranch.branchId.meta({
        note: "It has to have Neon Auth: use the output `branchId` of a {@link NeonAuth}, so that Pulumi enables that first.",
      }),
      domain: domain.meta({ note: "It has no slash at its end and no password." }),
      authProvider: authProvider.optional().meta({ default: "better_auth" }),
      adopt,
    })
    .check(
      combination((declared, report) => {
        const { adopt: adopted = false } = declared;
        const uri = known(declared.domain) ?? "";
        if (hasUser(uri)) report("must not contain a user name or a password: it is not kept secret", "domain");
        // Neon compares domains as texts. An adopted domain may have any form.
        else if (adopted === false && isOriginWithSlash(uri))
          report("must not end with a slash: with one, it is another domain", "domain");
      }),
    ),
);
export type NeonAuthTrustedDomainInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => z.object({ ...ofBranch, ...only(camelShape(trustedDomain.shape), "domain"), authProvider });
export type NeonAuthTrustedDomainOutputs = OutputsOf<typeof outputs>;

/** A domain that a branch's Neon Auth may redirect users to. */
export const neonAuthTrustedDomain = listedKind<
  TrustedDomain,
  NeonAuthTrustedDomainInputs,
  NeonAuthTrustedDomainOutputs
>({
  name: "NeonAuthTrustedDomain",
  noun: "trusted domain",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "domain"],
  rules: {
    authProvider: { onChange: "replace" },
  },
  needs: [
    {
      status: 404,
      fix: "The branch does not exist, or it does not have Neon Auth. Declare a `NeonAuth` for the branch, and use its output `branchId` here, so that Pulumi enables it first.",
    },
  ],
  within: { NeonAuth: [] },

  create: ({ projectId, branchId, domain: uri, authProvider: provider = "better_auth" }) =>
    creation({
      what: "add trusted domain",
      request: trustedDomains.add(projectId, branchId, uri, provider),
      repeatable: true,
      outputs: () => ({ projectId, branchId, domain: uri, authProvider: provider }),
      // Neon does not specify what happens if the domain is already trusted.
      overwrites: true,
    }),

  collection: ({ projectId = "", branchId = "" }) =>
    wholeList({
      list: trustedDomains.list(projectId, branchId),
      items: (answer) => answer.domains,
      keyOf: (one) => one.domain,
      parent: neonAuths.get(projectId, branchId),
    }),
  outputsOf: (found, { projectId = "", branchId = "" }) => domainOutputs({ projectId, branchId }, found),

  deletion: ({ projectId, branchId, domain: uri, authProvider: provider }) => ({
    object: `trusted domain ${uri} of branch ${branchId}`,
    request: trustedDomains.delete(projectId, branchId, uri, provider),
    silent: true,
  }),

  listing: { of: "Neon Auth", isCopied: true },
});

function domainOutputs(
  { projectId, branchId }: BranchAddress,
  { domain: uri, auth_provider: provider }: TrustedDomain,
): NeonAuthTrustedDomainOutputs {
  return {
    projectId,
    branchId,
    domain: uri,
    authProvider: provider as NeonAuthTrustedDomainOutputs["authProvider"],
  };
}

function hasUser(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { username, password } = new URL(uri);
  return username !== "" || password !== "";
}

function isOriginWithSlash(uri: string): boolean {
  return /^[^:]+:\/\/[^/?#]+\/$/.test(uri);
}
