import type { JWKS } from "@neondatabase/api-client";

import { jwksUrl as definition } from "../../../provider/resources/jwks-url";
import type { Sample } from "../sample";

/** Where the keys of an issuer are, for all branches. */
export const jwksUrl: Sample = {
  kind: "JwksUrl",
  definition,
  declare: async (stage) => {
    const { id } = await stage.project();
    return { projectId: id, jwksUrl: `https://auth.example.com/${stage.name("keys")}`, providerName: "Auth0" };
  },
  inPlace: () => [],
  replaces: async ({ jwksUrl: url }, stage) => {
    const { id, branchId } = await stage.project();
    return [
      { input: "projectId", to: id, deletesFirst: false },
      { input: "jwksUrl", to: `${String(url)}/2`, deletesFirst: false },
      { input: "providerName", to: "Clerk", deletesFirst: true },
      { input: "branchId", to: branchId, deletesFirst: true },
      { input: "jwtAudience", to: "shop", deletesFirst: true },
      { input: "roleNames", to: ["guest"], deletesFirst: true },
      { input: "skipRoleCreation", to: true, deletesFirst: true },
    ];
  },
  remove: async (stage, { projectId, jwksId }) => {
    await stage.platform.call("DELETE", `/projects/${String(projectId)}/jwks/${String(jwksId)}`);
  },
  exists: async (stage, { projectId, jwksId }) => {
    const { body } = await stage.platform.call("GET", `/projects/${String(projectId)}/jwks`);
    return (body as unknown as { jwks: JWKS[] }).jwks.some(({ id }) => id === jwksId);
  },
  adopt: ({ jwksId }) => String(jwksId),
};
