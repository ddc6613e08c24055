import type { OrganizationMembersResponse } from "@neondatabase/api-client";

import type { Values } from "../provider-server";
import { inProject } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import type { Stage } from "../stage";

const pathOf = ({ projectId }: Values): string => `/projects/${String(projectId)}/members`;

/** A new member of an organization. */
async function memberOf(stage: Stage, orgId: string): Promise<string> {
  const email = `${stage.name("reader")}@example.com`;
  await stage.platform.member(orgId, email);
  const { body } = await stage.platform.call("GET", `/organizations/${orgId}/members?limit=500`);
  const { members } = body as unknown as OrganizationMembersResponse;
  return members.find(({ user }) => user.email === email)?.member.id ?? "";
}

const grant: readonly ExpectedRequest[] = [
  { method: "PUT", path: /\/members\/[^/]+\/role$/, body: { role: "editor" } },
];

/** The role of a member in a project. */
export const projectMemberRole: KindSample = {
  kind: "ProjectMemberRole",
  creates: () => grant,
  declare: async (stage) => {
    const orgId = await stage.platform.firstOrganization();
    const { id } = await stage.project({ org_id: orgId });
    return { projectId: id, memberId: await memberOf(stage, orgId), role: "viewer" };
  },
  inPlace: () => [
    { input: "role", to: "editor", sends: grant },
    { input: "confirmSelfDemotion", to: true, sends: [] },
    { input: "confirmSelfLockout", to: true, sends: [] },
    { input: "confirmSelfDemotion", to: undefined, sends: [] },
    { input: "confirmSelfLockout", to: undefined, sends: [] },
  ],
  replaces: async (_, stage) => {
    const orgId = await stage.platform.firstOrganization();
    const { id } = await stage.project({ org_id: orgId });
    return { createsFirst: { projectId: id, memberId: await memberOf(stage, orgId) } };
  },
  remove: async (stage, outputs) => {
    await stage.platform.call("DELETE", `${pathOf(outputs)}/${String(outputs["memberId"])}/role`);
  },
  exists: async (stage, outputs) => {
    const { status, body } = await stage.platform.call("GET", `${pathOf(outputs)}?limit=500`);
    const { project_members: members = [] } = body as unknown as { project_members?: readonly Values[] };
    const found = members.find((one) => one["member_id"] === outputs["memberId"]);
    return status === 200 && found?.["project_role"] !== undefined;
  },
  adopt: () => true,
  replaced: {
    memberId: undefined,
  },
  readAt: { path: /\/projects\/[^/]+\/members/, isList: true },
  needs: [{ memberId: "5b3e6d1c-6f0c-4c3c-9d7f-0123456789ab", role: "viewer" }, "`OrganizationMember`"],
  overwritable: ({ projectId, memberId }) => ({
    input: "role",
    us: "viewer",
    them: "editor",
    set: ["PUT", `/projects/${String(projectId)}/members/${String(memberId)}/role`],
    at: `/projects/${String(projectId)}/members?limit=500`,
    read: (body) => body.project_members.find((one) => one["member_id"] === memberId)?.["project_role"],
    isConfirmed: true,
  }),
  invalid: [
    { ...inProject, memberId: "one", role: "viewer" },
    [
      [{ memberId: undefined }, "memberId", "is required"],
      [{ role: "owner" }, "role", /"admin" or|"editor" or/],
    ],
  ],
  facts: {
    ...usualFacts,
    path: "/projects/:projectId/member_roles/:memberId",
    twice: "the same",
    isNamed: false,
    another: async (_, stage) => projectMemberRole.declare(stage),
  },
};
