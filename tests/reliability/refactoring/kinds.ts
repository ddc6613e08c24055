import type { KindName } from "../../../provider/v1";
import type { Values } from "../../support/dynamic-server";
import type { Stage } from "../../support/stage";

/** What a refactoring has to know of a kind, as the published document says it. */
export interface KindFacts {
  /** Where the object of these outputs is in an account. */
  readonly path: (outputs: Values) => string;
  /**
   * What comes of creating an object that is declared the same once more: another object, a refusal, or a change of the
   * one that is there.
   */
  readonly twice: "another" | "refused" | "the same";
  /** Whether the name is the logical name where the program declares none. */
  readonly isNamed: boolean;
  /** Whether the platform stores an ownership tag with it. */
  readonly isTagged: boolean;
  /** Whether its secret is returned once only, so that an orphan is of no use. */
  readonly secretOnce: boolean;
  /** Whether one that was deleted can never be created again. */
  readonly once: boolean;
  /** Whether `adopt: true` finds it. */
  readonly isAdoptedByName: boolean;
  /** The same declaration for an object of its own beside the first. */
  readonly another: (declared: Values, stage: Stage) => Promise<Values>;
}

const text = (value: unknown): string => String(value);
const project = ({ projectId }: Values): string => `/projects/${text(projectId)}`;
const branch = (outputs: Values): string => `${project(outputs)}/branches/${text(outputs["branchId"])}`;
const organizationKey = ({ orgId, keyId }: Values): string => `/organizations/${text(orgId)}/api_keys/${text(keyId)}`;

const renamed = (declared: Values, stage: Stage): Promise<Values> =>
  Promise.resolve({ ...declared, name: stage.name("other") });

const usual = { isTagged: false, secretOnce: false, once: false, isAdoptedByName: true };

export const kinds: Readonly<Record<KindName, KindFacts>> = {
  Project: { ...usual, path: project, twice: "another", isNamed: true, isTagged: true, another: renamed },
  Branch: { ...usual, path: branch, twice: "refused", isNamed: true, isTagged: true, another: renamed },
  Endpoint: {
    ...usual,
    path: (outputs) => `${branch(outputs)}/endpoints/${text(outputs["endpointId"])}`,
    twice: "refused",
    isNamed: true,
    another: (declared, stage) => Promise.resolve({ ...declared, type: "read_only", name: stage.name("reader") }),
  },
  Role: {
    ...usual,
    path: (outputs) => `${branch(outputs)}/roles/${encodeURIComponent(text(outputs["name"]))}`,
    twice: "refused",
    isNamed: true,
    another: renamed,
  },
  Database: {
    ...usual,
    path: (outputs) => `${branch(outputs)}/databases/${encodeURIComponent(text(outputs["name"]))}`,
    twice: "refused",
    isNamed: true,
    another: renamed,
  },
  ApiKey: {
    ...usual,
    path: ({ keyId }) => `/api_keys/${text(keyId)}`,
    twice: "another",
    isNamed: true,
    secretOnce: true,
    isAdoptedByName: false,
    another: renamed,
  },
  OrganizationApiKey: {
    ...usual,
    path: organizationKey,
    twice: "another",
    isNamed: true,
    secretOnce: true,
    isAdoptedByName: false,
    another: renamed,
  },
  ProjectApiKey: {
    ...usual,
    path: organizationKey,
    twice: "another",
    isNamed: true,
    secretOnce: true,
    isAdoptedByName: false,
    another: renamed,
  },
  ProjectPermission: {
    ...usual,
    path: (outputs) => `${project(outputs)}/permissions/${text(outputs["permissionId"])}`,
    twice: "refused",
    isNamed: false,
    another: (declared, stage) => Promise.resolve({ ...declared, email: `${stage.name("guest")}@example.com` }),
  },
  JwksUrl: {
    ...usual,
    path: (outputs) => `${project(outputs)}/jwks/${text(outputs["jwksId"])}`,
    twice: "refused",
    isNamed: false,
    another: (declared, stage) =>
      Promise.resolve({ ...declared, jwksUrl: `https://auth.example.com/${stage.name("keys")}` }),
  },
  Snapshot: {
    ...usual,
    path: (outputs) => `${project(outputs)}/snapshots/${text(outputs["snapshotId"])}`,
    twice: "another",
    isNamed: true,
    another: renamed,
  },
  BackupSchedule: {
    ...usual,
    path: (outputs) => `${branch(outputs)}/backup_schedule`,
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => {
      const { id } = await stage.branch(text(declared["projectId"]), { branch: { init_source: "schema-only" } });
      return { ...declared, branchId: id };
    },
  },
  VpcEndpointAssignment: {
    ...usual,
    path: ({ orgId, regionId, vpcEndpointId }) =>
      `/organizations/${text(orgId)}/vpc/region/${text(regionId)}/vpc_endpoints/${text(vpcEndpointId)}`,
    twice: "the same",
    isNamed: false,
    once: true,
    another: (declared, stage) => Promise.resolve({ ...declared, vpcEndpointId: stage.name("vpce") }),
  },
  VpcEndpointRestriction: {
    ...usual,
    path: (outputs) => `${project(outputs)}/vpc_endpoints/${text(outputs["vpcEndpointId"])}`,
    twice: "the same",
    isNamed: false,
    another: async (declared, stage) => {
      const vpcEndpointId = stage.name("vpce");
      const organization = await stage.platform.firstOrganization();
      const path = `/organizations/${organization}/vpc/region/aws-us-east-2/vpc_endpoints/${vpcEndpointId}`;
      await stage.platform.call("POST", path, { label: "office" });
      return { ...declared, vpcEndpointId };
    },
  },
};
