import { z } from "zod";

import { camelShape, toWire } from "../../api/camel-case";
import { type JwksUrl, jwksUrlCreate, jwksUrls } from "../../api/schemas/jwks-url";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy } from "../kind/id";
import type { Kind } from "../kind/kind";
import { AlreadyThereError } from "../kind/mutation";
import { adopt } from "./shared/adopt";
import { deleteObject, present } from "./shared/delete";

const inputs = z.strictObject({
  projectId: objectId,
  ...camelShape(jwksUrlCreate.shape),
  adopt: adopt.optional(),
});
/** What a program declares of a JWKS URL. */
export type JwksUrlInputs = z.infer<typeof inputs>;

/** What there is to know of a JWKS URL. */
export interface JwksUrlOutputs extends Omit<JwksUrlInputs, "adopt"> {
  readonly jwksId: string;
  readonly createdAt: string;
}

/** Where the keys are by which a project checks the tokens that people sign in with. */
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
  controls: ["adopt"],
  secrets: [],
  uniqueBy: ["projectId", "jwksUrl"],
  ...identifiedBy("projectId", "jwksId"),

  create: async (context, { projectId, adopt: _, ...declared }) => {
    // Whether the platform refuses a second one of the same address is not specified.
    if ((await allUrls(context, projectId)).some(isOf(declared.jwksUrl))) {
      throw new AlreadyThereError(`Project ${projectId} has that JWKS URL.`);
    }
    return context.create({
      what: "add JWKS URL",
      request: () => jwksUrls.create(projectId, toWire(declared)),
      repeatable: false,
      record: (answer) => {
        const outputs = jwksOutputs(projectId, answer.jwks);
        return { id: jwksUrl.id(outputs), outputs };
      },
    });
  },

  read: async (context, { projectId = "", jwksId }) => {
    const found = (await allUrls(context, projectId)).find(({ id }) => id === jwksId);
    return found && jwksOutputs(projectId, found);
  },

  // Nothing can be changed in place.
  update: () => Promise.resolve(),

  remove: async (context, { projectId, jwksId }) => {
    await deleteObject(context, {
      object: `JWKS URL ${jwksId}`,
      project: projectId,
      request: jwksUrls.delete(projectId, jwksId),
      silent: true,
      isThere: async () => (await allUrls(context, projectId)).some(({ id }) => id === jwksId),
    });
  },

  find: async (context, { projectId, jwksUrl: url }, id) => {
    if (id !== undefined) return { projectId, jwksId: adoptedSegment(id, projectId) };
    const found = (await allUrls(context, projectId)).find(isOf(url));
    return found && { projectId, jwksId: found.id };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, jwksUrl: url }, since) =>
      (await allUrls(context, projectId))
        .filter((one) => isOf(url)(one) && Date.parse(one.created_at) >= since.getTime())
        .map(({ id }) => ({ projectId, jwksId: id })),
  },

  // It is in the list even if it was never put in force, and there is no request that would do that again.
  usable: () => Promise.resolve(false),
};

function isOf(url: string): (one: JwksUrl) => boolean {
  return ({ jwks_url }) => jwks_url === url;
}

/** Those of a project, none if it is gone. */
async function allUrls(context: Context, projectId: string): Promise<readonly JwksUrl[]> {
  return (await present(context.read(jwksUrls.list(projectId))))?.jwks ?? [];
}

function jwksOutputs(projectId: string, found: JwksUrl): JwksUrlOutputs {
  return {
    projectId,
    jwksId: found.id,
    jwksUrl: found.jwks_url,
    providerName: found.provider_name,
    ...(found.branch_id === undefined ? {} : { branchId: found.branch_id }),
    ...(found.jwt_audience === undefined ? {} : { jwtAudience: found.jwt_audience }),
    ...(found.role_names === undefined ? {} : { roleNames: found.role_names }),
    createdAt: found.created_at,
  };
}
