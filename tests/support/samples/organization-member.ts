import type { Values } from "../provider-server";
import { nothingHere, secret } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { listed, posting } from "./object";

const pathOf = ({ orgId }: Values): string => `/organizations/${String(orgId)}/members`;

/** A person with an account, who therefore joins when invited. */
export const organizationMember: KindSample = {
  kind: "OrganizationMember",
  creates: ({ orgId, email }) => [
    posting(`/organizations/${String(orgId)}/invitations`, { invitations: [{ email, role: "admin" }] }),
  ],
  declare: async (stage) => {
    const email = `${stage.name("member")}@example.com`;
    await stage.platform.signIn(email);
    return { orgId: await stage.platform.organization(), email, role: "member" };
  },
  inPlace: () => [
    {
      input: "role",
      to: "admin",
      sends: [{ method: "PATCH", path: /\/organizations\/org-[^/]+\/members\/[^/]+$/, body: { role: "admin" } }],
    },
  ],
  replaces: async (_, stage) => {
    const email = `${stage.name("member")}@example.com`;
    await stage.platform.signIn(email);
    return { createsFirst: { orgId: await stage.platform.organization(), email } };
  },
  ...listed(pathOf, "memberId", { member: "members" }),
  exists: async (stage, outputs) => {
    const { body } = await stage.platform.call("GET", `${pathOf(outputs)}?limit=500`);
    const { members } = body as unknown as { members: readonly { readonly user: { readonly email: string } }[] };
    return members.some(({ user }) => user.email === outputs["email"]);
  },
  // An accepted invitation stays in the list, and looks like an open one.
  absent: ({ orgId }) => `${String(orgId)}/nobody%40example.com`,
  adopt: () => true,
  replaced: {
    email: /^Changing `email` replaces this organization member\. The old member loses access/,
  },
  invalid: [
    { orgId: "org-quiet-river-302709", email: "ann@example.com", role: "member" },
    [
      [{ email: secret }, "email", "must be an e-mail address"],
      [{ role: "owner" }, "role", /"admin" or "member" or/],
      [{ memberId: secret }, "memberId", nothingHere],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/organizations/:orgId/members/:email",
    isNamed: false,
    another: async (_, stage) => organizationMember.declare(stage),
  },
};
