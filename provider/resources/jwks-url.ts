import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { type JwksUrl, jwksUrlCreate, jwksUrls } from "../../api/schemas/jwks-url";
import { projects } from "../../api/schemas/project";
import { wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { asDeclared, type OutputsOf, asReported } from "../kind/outputs";
import { outputsIn } from "../values";

const inputs = lazy(() => {
  const wire = camelShape(jwksUrlCreate.shape);
  return z.strictObject({
    projectId: idInput.describe("Id of the project."),
    jwksUrl: wire.jwksUrl.describe("URL of the key set. It must start with `https://`."),
    providerName: wire.providerName.describe(
      "Name of the authentication provider that issues the tokens, such as `Clerk` or `Auth0`.",
    ),
    branchId: wire.branchId.describe("Id of the branch that the JWKS URL applies to. Default: all branches."),
    jwtAudience: wire.jwtAudience.describe("Audience that a token must have. Default: any audience."),
    roleNames: wire.roleNames.meta({
      description: "Names of the Postgres roles that a token can use, at most 10. Default: chosen by Neon.",
      deprecationMessage: "Neon uses it only for its older row-level security.",
    }),
    skipRoleCreation: wire.skipRoleCreation.meta({
      description: "Whether Neon does not create missing roles. Neon does not return it.",
      default: false,
      deprecationMessage: "Neon uses it only for its older row-level security.",
    }),
    adopt: adopt
      .optional()
      .describe(
        "Adopts an existing JWKS URL instead of creating one. An id adopts that JWKS URL and fails if it does not exist. `true` adopts the one with this `jwksUrl`, or creates it if there is none. Setting or removing `adopt` later has no effect.",
      ),
  });
});
export type JwksUrlInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    ...asReported(inputs(), "projectId", "jwksUrl", "providerName"),
    branchId: inputs().shape.branchId.describe("Id of the branch that the JWKS URL applies to. Absent: all branches."),
    ...asReported(inputs(), "jwtAudience", "roleNames"),
    ...asDeclared(inputs(), "skipRoleCreation"),
    jwksId: z.string().describe("Id of the JWKS URL."),
    createdAt: z.string().describe("Time of creation (ISO 8601, UTC)."),
  });
export type JwksUrlOutputs = OutputsOf<typeof outputs>;

/** The URL of a key set: a project verifies the tokens that users sign in with against these keys. */
export const jwksUrl = listedKind<JwksUrl, JwksUrlInputs, JwksUrlOutputs>({
  name: "JwksUrl",
  noun: "JWKS URL",
  inputs,
  outputs,
  identifiedBy: ["projectId", "jwksId"],
  rules: {
    jwksUrl: { onChange: "replace" },
    providerName: { onChange: "replace" },
    branchId: { onChange: "replace", unset: "none" },
    jwtAudience: { onChange: "replace", unset: "none" },
    roleNames: { onChange: "replace", equality: "set" },
    skipRoleCreation: { onChange: "replace", platform: "write-only" },
  },
  uniqueBy: ["projectId", "jwksUrl"],

  create: ({ projectId, adopt: _, ...declared }) =>
    creation({
      what: "add JWKS URL",
      request: jwksUrls.create(projectId, toWire(declared)),
      repeatable: false,
      outputs: (answer) => jwksOutputs(projectId, answer.jwks),
      // Whether the platform refuses the same URL a second time is not specified.
      overwrites: true,
    }),

  collection: ({ projectId = "" }) =>
    wholeList({
      list: jwksUrls.list(projectId),
      items: (answer) => answer.jwks,
      keyOf: ({ id }) => id,
      parent: projects.get(projectId),
    }),
  outputsOf: (found, { projectId = "" }) => jwksOutputs(projectId, found),

  deletion: ({ projectId, jwksId }) => ({
    request: jwksUrls.delete(projectId, jwksId),
    silent: true,
  }),

  // A URL is listed even if it was never applied, and no request applies it again.
  finishing: { usable: () => Promise.resolve(false) },
});

function jwksOutputs(projectId: string, found: JwksUrl): JwksUrlOutputs {
  return {
    projectId,
    jwksId: found.id,
    ...outputsIn(found, "jwks_url", "provider_name", "branch_id", "jwt_audience", "role_names", "created_at"),
  };
}
