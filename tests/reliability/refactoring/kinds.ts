import type { KindName } from "../../../provider/frozen-entry";
import type { Values } from "../../support/provider-server";
import type { Sample } from "../../support/sample";
import { samples } from "../../support/samples";
import { assignedVpcEndpoint } from "../../support/samples/vpc-endpoint-restriction";
import type { Stage } from "../../support/stage";

/** What refactorings depend on in a kind, according to the published document. */
export interface KindFacts {
  /** The path of the object in an account, with the outputs that it contains. */
  readonly path: string;
  /**
   * What happens when an object with the same declaration is created a second time: the platform creates another object,
   * refuses, or changes the existing object.
   */
  readonly twice: "another" | "refused" | "the same";
  /** Whether the name is the logical name where the program declares none. */
  readonly isNamed: boolean;
  /** Whether its secret is returned once only, so that an orphan is of no use. */
  readonly secretOnce: boolean;
  /** Whether a deleted object can never be created again. */
  readonly once: boolean;
  /** Whether `adopt: true` finds it. */
  readonly isAdoptedByName: boolean;
  /** A declaration of another object next to this one. */
  readonly another: (declared: Values, stage: Stage) => Values | Promise<Values>;
}

export function factsOf({ kind }: Sample): KindFacts {
  return kinds[kind];
}

/** The path of the object of a resource. */
export function pathOf({ kind, outputs }: { readonly kind: KindName; readonly outputs: Values }): string {
  return kinds[kind].path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(outputs[name])));
}

const project = "/projects/:projectId";
const branch = `${project}/branches/:branchId`;

const usual = {
  twice: "refused",
  isNamed: true,
  secretOnce: false,
  once: false,
  isAdoptedByName: true,
  another: (declared: Values, stage: Stage) => ({ ...declared, name: stage.name("other") }),
} as const;
const organizationKey = {
  ...usual,
  path: "/organizations/:orgId/api_keys/:keyId",
  twice: "another",
  secretOnce: true,
  isAdoptedByName: false,
} as const;

export const kinds: Readonly<Record<KindName, KindFacts>> = {
  Project: { ...usual, path: project, twice: "another" },
  Branch: { ...usual, path: branch },
  Endpoint: {
    ...usual,
    path: `${branch}/endpoints/:endpointId`,
    another: (declared, stage) => ({ ...declared, type: "read_only", name: stage.name("reader") }),
  },
  Role: { ...usual, path: `${branch}/roles/:name` },
  Database: { ...usual, path: `${branch}/databases/:name` },
  DataApi: {
    ...usual,
    path: `${branch}/data-api/:databaseName`,
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(String(declared["projectId"]));
      return { ...declared, branchId: id, databaseName: "neondb" };
    },
  },
  Credential: {
    ...usual,
    path: `${branch}/credentials/:tokenId`,
    twice: "another",
    secretOnce: true,
    isAdoptedByName: false,
  },
  Bucket: { ...usual, path: `${branch}/buckets/:name` },
  ApiKey: { ...organizationKey, path: "/api_keys/:keyId" },
  OrganizationApiKey: organizationKey,
  ProjectApiKey: organizationKey,
  ProjectPermission: {
    ...usual,
    path: `${project}/permissions/:permissionId`,
    isNamed: false,
    another: (declared, stage) => ({ ...declared, email: `${stage.name("guest")}@example.com` }),
  },
  JwksUrl: {
    ...usual,
    path: `${project}/jwks/:jwksId`,
    isNamed: false,
    another: (declared, stage) => ({ ...declared, jwksUrl: `https://auth.example.com/${stage.name("keys")}` }),
  },
  Snapshot: { ...usual, path: `${project}/snapshots/:snapshotId`, twice: "another" },
  BackupSchedule: {
    ...usual,
    path: `${branch}/backup_schedule`,
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(String(declared["projectId"]), { branch: { init_source: "schema-only" } });
      return { ...declared, branchId: id };
    },
  },
  VpcEndpointAssignment: {
    ...usual,
    path: "/organizations/:orgId/vpc/region/:regionId/vpc_endpoints/:vpcEndpointId",
    twice: "the same",
    isNamed: false,
    once: true,
    another: (declared, stage) => ({ ...declared, vpcEndpointId: stage.name("vpce") }),
  },
  OrganizationMember: {
    ...usual,
    path: "/organizations/:orgId/members/:email",
    isNamed: false,
    another: async (_, stage) => samples.OrganizationMember.declare(stage),
  },
  ProjectMemberRole: {
    ...usual,
    path: `${project}/member_roles/:memberId`,
    twice: "the same",
    isNamed: false,
    another: async (_, stage) => samples.ProjectMemberRole.declare(stage),
  },
  SpendingLimit: {
    ...usual,
    path: "/organizations/:orgId/spending_limit/:orgId",
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => ({ ...declared, orgId: await stage.platform.organization() }),
  },
  NeonAuth: {
    ...usual,
    path: `${branch}/auth`,
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(String(declared["projectId"]), { branch: { init_source: "schema-only" } });
      return { ...declared, branchId: id };
    },
  },
  NeonAuthOauthProvider: {
    ...usual,
    path: `${branch}/auth/oauth_providers/:providerId`,
    isNamed: false,
    another: (declared) => ({ ...declared, providerId: "vercel" }),
  },
  NeonAuthTrustedDomain: {
    ...usual,
    path: `${branch}/auth/domains/:domain`,
    isNamed: false,
    another: (declared, stage) => ({ ...declared, domain: `https://${stage.name("other")}.example.com` }),
  },
  VpcEndpointRestriction: {
    ...usual,
    path: `${project}/vpc_endpoints/:vpcEndpointId`,
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => ({ ...declared, vpcEndpointId: await assignedVpcEndpoint(stage) }),
  },
};
