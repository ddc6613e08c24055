import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { type JwksUrl, jwksUrl as wireJwksUrl, jwksUrlCreate, jwksUrls } from "../../api/schemas/jwks-url";
import { projects } from "../../api/schemas/project";
import { wholeList } from "../call/collection";

import { creation } from "../kind/creation";
import { adopt, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { outputsIn } from "../values";

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    ...camelShape(jwksUrlCreate.shape),
    adopt,
  }),
);
export type JwksUrlInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, ...wire } = camelShape(wireJwksUrl.shape);
  return z.object({
    ...ofProject,
    ...only(wire, "jwksUrl", "providerName", "branchId", "jwtAudience", "roleNames"),
    ...only(inputs().shape, "skipRoleCreation"),
    jwksId: id,
    ...only(wire, "createdAt"),
  });
};
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
