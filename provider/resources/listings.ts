import type { PagedRequest } from "../../api/core/request";
import { apiKeys, organizationApiKeys } from "../../api/schemas/api-key";
import { branches } from "../../api/schemas/branch";
import { buckets } from "../../api/schemas/bucket";
import { credentials } from "../../api/schemas/credential";
import { databases } from "../../api/schemas/database";
import { endpoints } from "../../api/schemas/endpoint";
import { jwksUrls } from "../../api/schemas/jwks-url";
import { neonAuths } from "../../api/schemas/neon-auth";
import { oauthProviders } from "../../api/schemas/neon-auth-oauth-provider";
import { trustedDomains } from "../../api/schemas/neon-auth-trusted-domain";
import { organizationMembers } from "../../api/schemas/organization-member";
import { projectMembers } from "../../api/schemas/project-member";
import { isGranted, permissions } from "../../api/schemas/project-permission";
import { reservedNameProblem, roles } from "../../api/schemas/role";
import { snapshots } from "../../api/schemas/snapshot";
import { vpcEndpointAssignments, vpcEndpointRestrictions } from "../../api/schemas/vpc-endpoint";
import type { Reader } from "../call/collection";
import type { KindName } from "../frozen-entry";
import type { Values } from "../values";

/** Whose objects a list holds: ids of the parents, as far as the list has any. */
export interface Scope {
  readonly orgId?: string;
  readonly projectId?: string;
  readonly branchId?: string;
  readonly databaseName?: string;
}

/** An object in a list. */
export interface Listed {
  /** What names it below its parents, as outputs. */
  readonly address: Values;
  readonly createdAt?: string | undefined;
  /** Why a program that declares the account does not declare it, if so. */
  readonly leftOut?: string | undefined;
  /** Of a branch. */
  readonly branch?: BranchFacts;
  /** Of a read-write compute: what a branch with it is read by. */
  readonly compute?: { readonly branchId: string; readonly endpointId: string; readonly host: string };
}

/** What decides which objects of a branch are copies. */
interface BranchFacts {
  readonly name: string;
  readonly parentId: string | undefined;
  /** When it received the objects of its parent. */
  readonly copiedAt: string;
}

/** How the objects of a kind are found. */
export interface Listing {
  /** What has such objects. */
  readonly of: "user" | "organization" | "project" | "branch" | "root branch" | "Neon Auth" | "database";
  /** A new branch has a copy of those of its parent. */
  readonly isCopied?: true;
  /** The objects of a parent, none if it does not exist. Without a list, there is one or none at the parent's address. */
  readonly list?: (reader: Reader, scope: Required<Scope>) => Promise<readonly Listed[]>;
}

/** Roles that Neon creates for the Data API, Neon Auth and JWKS URLs. */
const neonRoles = ["authenticator", "authenticated", "anonymous"];
const ofNeon = "Neon creates these roles for the Data API, Neon Auth and JWKS URLs";

/** The lists of all kinds, those of parents first. Projects are listed by the account that has them. */
export const listings: Readonly<Record<Exclude<KindName, "Project">, Listing>> = {
  ApiKey: {
    of: "user",
    list: async ({ read }) => (await read(apiKeys.list())).map(({ id }) => ({ address: { keyId: id } })),
  },
  OrganizationApiKey: { of: "organization", list: keysOf((projectId) => projectId === undefined) },
  OrganizationMember: {
    of: "organization",
    list: async (reader, { orgId }) =>
      (await all(reader, organizationMembers.list(orgId))).map(({ user: { email } }) => ({ address: { email } })),
  },
  SpendingLimit: { of: "organization" },
  VpcEndpointAssignment: {
    of: "organization",
    list: async ({ read }, { orgId }) =>
      (await read(vpcEndpointAssignments.listAll(orgId))).endpoints.map(({ region_id, vpc_endpoint_id }) => ({
        address: { regionId: region_id, vpcEndpointId: vpc_endpoint_id },
      })),
  },
  ProjectApiKey: { of: "organization", list: keysOf((projectId) => projectId !== undefined) },
  ProjectPermission: {
    of: "project",
    list: async ({ read }, { projectId }) =>
      (await read(permissions.list(projectId))).project_permissions
        .filter(isGranted)
        .map(({ id }) => ({ address: { permissionId: id } })),
  },
  ProjectMemberRole: {
    of: "project",
    list: async (reader, { projectId }) =>
      (await all(reader, projectMembers.list(projectId)))
        .filter(({ project_role: role }) => role !== undefined)
        .map(({ member_id }) => ({ address: { memberId: member_id } })),
  },
  JwksUrl: {
    of: "project",
    list: async ({ read }, { projectId }) =>
      (await read(jwksUrls.list(projectId))).jwks.map(({ id }) => ({ address: { jwksId: id } })),
  },
  VpcEndpointRestriction: {
    of: "project",
    list: async ({ read }, { projectId }) =>
      (await read(vpcEndpointRestrictions.list(projectId))).endpoints.map(({ vpc_endpoint_id }) => ({
        address: { vpcEndpointId: vpc_endpoint_id },
      })),
  },
  Branch: {
    of: "project",
    list: async (reader, { projectId }) =>
      (await all(reader, branches.list(projectId, { sortOrder: "asc" }))).map(({ branch }) => ({
        address: { branchId: branch.id },
        leftOut: branch.current_state === "init" ? "Neon has not finished creating them" : undefined,
        branch: {
          name: branch.name,
          parentId: branch.parent_id,
          copiedAt: branch.last_reset_at ?? branch.created_at,
        },
      })),
  },
  Snapshot: {
    of: "project",
    list: async ({ read }, { projectId }) =>
      (await read(snapshots.list(projectId))).snapshots.map(({ id, manual }) => ({
        address: { snapshotId: id },
        leftOut: manual === false ? "a backup schedule takes and deletes them" : undefined,
      })),
  },
  Endpoint: {
    of: "project",
    list: async ({ read }, { projectId }) =>
      (await read(endpoints.list(projectId))).endpoints.map(({ id, branch_id, host, type }) => ({
        address: { endpointId: id },
        ...(type === "read_write" && { compute: { branchId: branch_id, endpointId: id, host } }),
      })),
  },
  BackupSchedule: { of: "root branch" },
  Role: {
    of: "branch",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) =>
      (await read(roles.list(projectId, branchId))).roles.map(({ name, created_at }) => ({
        address: { name },
        createdAt: created_at,
        leftOut: neonRoles.includes(name) ? ofNeon : reservedNameProblem(name) && "their names are reserved",
      })),
  },
  Database: {
    of: "branch",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) =>
      (await read(databases.list(projectId, branchId))).databases.map(({ name, created_at }) => ({
        address: { name },
        createdAt: created_at,
      })),
  },
  Bucket: {
    of: "branch",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) =>
      (await read(buckets.list(projectId, branchId))).buckets.map(({ name, created_at }) => ({
        address: { name },
        createdAt: created_at,
      })),
  },
  Credential: {
    of: "branch",
    list: async ({ read }, { projectId, branchId }) =>
      (await read(credentials.list(projectId, branchId))).credentials
        .filter(({ revoked_at }) => (revoked_at ?? undefined) === undefined)
        .map(({ token_id }) => ({ address: { tokenId: token_id } })),
  },
  NeonAuth: {
    of: "branch",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) => {
      const { created_at: createdAt } = await read(neonAuths.get(projectId, branchId));
      return [{ address: {}, createdAt }];
    },
  },
  NeonAuthOauthProvider: {
    of: "Neon Auth",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) =>
      (await read(oauthProviders.list(projectId, branchId))).providers.map(({ id, type }) => ({
        address: { providerId: id },
        leftOut: type === "shared" ? "Neon provides the keys of their applications" : undefined,
      })),
  },
  NeonAuthTrustedDomain: {
    of: "Neon Auth",
    isCopied: true,
    list: async ({ read }, { projectId, branchId }) =>
      (await read(trustedDomains.list(projectId, branchId))).domains.map(({ domain }) => ({ address: { domain } })),
  },
  DataApi: { of: "database" },
};

/** The keys of an organization, without or with a project. */
function keysOf(isOfKind: (projectId: string | undefined) => boolean): NonNullable<Listing["list"]> {
  return async ({ read }, { orgId }) =>
    (await read(organizationApiKeys.list(orgId)))
      .filter(({ project_id: projectId }) => isOfKind(projectId))
      .map(({ id, project_id: projectId }) => ({ address: { keyId: id, ...(projectId && { projectId }) } }));
}

async function all<Item, Page>({ pages }: Reader, request: PagedRequest<Item, Page>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages(request)) items.push(...page.items);
  return items;
}
