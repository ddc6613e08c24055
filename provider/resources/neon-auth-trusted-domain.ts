import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { neonAuths } from "../../api/schemas/neon-auth";
import { type TrustedDomain, trustedDomainCreate, trustedDomains } from "../../api/schemas/neon-auth-trusted-domain";
import { wholeList } from "../call/collection";

import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { type OutputsOf, asReported } from "../kind/outputs";
import type { BranchAddress } from "./branch/read";

import { signInProvider } from "./neon-auth/settings";

const { domain } = camelShape(trustedDomainCreate.shape);
const inputs = lazy(() =>
  z
    .strictObject({
      projectId: idInput.describe("Id of the project."),
      branchId: idInput.describe(
        "Id of the branch. It has to have Neon Auth: use the output `branchId` of a {@link NeonAuth}, so that Pulumi enables that first.",
      ),
      domain: domain.describe(
        "The domain as a URI with its scheme, such as `https://shop.example.com`, without a slash at its end and without a password.",
      ),
      authProvider: signInProvider()
        .optional()
        .meta({ description: "The provider of the branch's Neon Auth.", default: "better_auth" }),
      adopt: adopt
        .optional()
        .describe(
          "Adopts an existing domain instead of adding one. A domain adopts that one and fails if the branch does not trust it. `true` adopts the one with this `domain`, or adds it if there is none. Setting or removing `adopt` later has no effect.",
        ),
    })
    .check(
      combination((declared, report) => {
        const { adopt: adopted = false } = declared;
        const uri = known(declared.domain) ?? "";
        if (hasUser(uri)) report("must not contain a user name or a password: it is not kept secret", "domain");
        // Neon compares domains as texts. An existing one can have any form.
        else if (adopted === false && isOriginWithSlash(uri))
          report("must not end with a slash: with one, it is another domain", "domain");
      }),
    ),
);
export type NeonAuthTrustedDomainInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...asReported(inputs(), "projectId", "branchId", "domain"),
    authProvider: signInProvider().describe("The provider of the branch's Neon Auth."),
  });
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
      // What the platform answers to a domain that it has already is not specified.
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
