import { z } from "zod";

import { toWire } from "../../api/camel-case";
import { camelShape } from "../../api/camel-shape";
import { type JwksUrl, jwksUrlCreate, jwksUrls } from "../../api/schemas/jwks-url";
import { projects } from "../../api/schemas/project";
import { type Collection, onePage, type Reader } from "../call/collection";
import { identifiedBy } from "../kind/id";
import { type Kind, namesakes } from "../kind/kind";
import { creation } from "../kind/creation";
import { adopt, idInput } from "../kind/inputs";
import { deleteObject } from "../call/delete-object";
import { omitUndefined } from "../values";
import { listOf } from "./list-of";

const inputs = z.strictObject({
  projectId: idInput,
  ...camelShape(jwksUrlCreate.shape),
  adopt: adopt.optional(),
});
export type JwksUrlInputs = z.infer<typeof inputs>;

export interface JwksUrlOutputs extends Omit<JwksUrlInputs, "adopt"> {
  readonly jwksId: string;
  readonly createdAt: string;
}

/** The URL of a key set: a project verifies the tokens that users sign in with against these keys. */
export const jwksUrl: Kind<JwksUrlInputs, JwksUrlOutputs> = {
  name: "JwksUrl",
  noun: "JWKS URL",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    jwksUrl: { onChange: "replace" },
    providerName: { onChange: "replace" },
    branchId: { onChange: "replace", unset: "none" },
    jwtAudience: { onChange: "replace", unset: "none" },
    roleNames: { onChange: "replace", equality: "set" },
    skipRoleCreation: { onChange: "replace", platform: "write-only" },
  },
  secrets: {},
  uniqueBy: ["projectId", "jwksUrl"],
  ...identifiedBy("projectId", "jwksId"),

  create: ({ projectId, adopt: _, ...declared }) =>
    creation({
      what: "add JWKS URL",
      request: () => jwksUrls.create(projectId, toWire(declared)),
      repeatable: false,
      outputs: (answer) => jwksOutputs(projectId, answer.jwks),
      // Whether the platform refuses the same URL a second time is not specified.
      overwrites: true,
    }),

  read: async (context, { projectId = "", jwksId = "" }) => {
    const found = await context.readOne(urlsOf(projectId), jwksId);
    return found && jwksOutputs(projectId, found);
  },

  remove: async (context, { projectId, jwksId }) => {
    await deleteObject(context, {
      what: "delete JWKS URL",
      object: `JWKS URL ${jwksId}`,
      project: projectId,
      request: jwksUrls.delete(projectId, jwksId),
      silent: true,
      exists: async () => (await listUrls(context, projectId)).some(({ id }) => id === jwksId),
    });
  },

  namesakes: (_, { projectId, jwksUrl: url }) =>
    namesakes({
      collection: urlsOf(projectId),
      matches: (one) => one.jwks_url === url,
      outputs: (one) => jwksOutputs(projectId, one),
    }),

  // A URL is listed even if it was never applied, and no request applies it again.
  finishing: { usable: () => Promise.resolve(false) },
};

/** The JWKS URLs of a project, none if the project does not exist. */
async function listUrls(reader: Reader, projectId: string): Promise<readonly JwksUrl[]> {
  return (await listOf(reader, reader.read(jwksUrls.list(projectId)), projects.get(projectId)))?.jwks ?? [];
}

function urlsOf(projectId: string): Collection<JwksUrl> {
  return {
    name: `jwks-urls/${projectId}`,
    projectId,
    pages: (reader) => onePage(() => listUrls(reader, projectId)),
    keyOf: ({ id }) => id,
  };
}

function jwksOutputs(projectId: string, found: JwksUrl): JwksUrlOutputs {
  return {
    projectId,
    jwksId: found.id,
    jwksUrl: found.jwks_url,
    providerName: found.provider_name,
    ...omitUndefined({ branchId: found.branch_id, jwtAudience: found.jwt_audience, roleNames: found.role_names }),
    createdAt: found.created_at,
  };
}
