import { jwksUrl as definition } from "../../../provider/resources/jwks-url";
import type { Sample } from "../sample";
import { listed } from "./object";

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
    return {
      createsFirst: { projectId: id, jwksUrl: `${String(url)}/2` },
      deletesFirst: {
        providerName: "Clerk",
        branchId,
        jwtAudience: "shop",
        roleNames: ["guest"],
        skipRoleCreation: true,
      },
    };
  },
  ...listed(({ projectId }) => `/projects/${String(projectId)}/jwks`, "jwksId", { member: "jwks" }),
  adopt: ({ jwksId }) => String(jwksId),
};
