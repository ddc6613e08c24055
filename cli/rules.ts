import type { KindName } from "../provider/frozen-entry";
import { kinds } from "../provider/kinds";
import type { Values } from "../provider/values";

/** An object that an input names. */
export interface Reference {
  readonly kind: KindName;
  /** The output that holds the value of the input. */
  readonly output: string;
  /** The id that the object has in a Pulumi state. */
  readonly id: (inputs: Values) => string;
}

/** How objects of a kind appear in a program. */
export interface Rule {
  /** The name to derive resource names from. Default: the object's name or label, or else its kind. */
  readonly title: (outputs: Values) => string;
  /** The output or input that cannot be read, so that an imported object lacks it. */
  readonly unreadable?: string;
  /** A text about inputs that are missing until the platform has finished its work; undefined if none are. */
  readonly unsettled?: (outputs: Values) => string | undefined;
  /** Inputs that are not written: they change by themselves, only serve the creation, or are chosen by Neon. */
  readonly omits?: readonly string[];
  /**
   * The values that Neon usually chooses for omitted inputs, by path. A value that Neon always chooses is the input's
   * `default`.
   */
  readonly usual?: (outputs: Values) => Values;
  /** The objects that an input may refer to, by input. The first one in the program is used. */
  readonly references: Readonly<Record<string, readonly Reference[]>>;
}

const project: Reference = { kind: "Project", output: "id", id: (inputs) => kinds.Project.id(inputs) };
const branch: Reference = { kind: "Branch", output: "branchId", id: (inputs) => kinds.Branch.id(inputs) };
const auth: Reference = { kind: "NeonAuth", output: "branchId", id: (inputs) => kinds.NeonAuth.id(inputs) };
const defaultBranch: Reference = { ...project, output: "defaultBranchId" };
/** The references of inputs that most kinds have. */
const parents = { projectId: [project], branchId: [branch, defaultBranch] };
const onAuth = { branchId: [auth, ...parents.branchId] };
/** The reference of an input that names a function of the branch. */
const functionNamed = (input: string): Readonly<Record<string, readonly Reference[]>> => ({
  [input]: [
    {
      kind: "Function",
      output: "slug",
      id: ({ projectId, branchId, [input]: slug }) => kinds.Function.id({ projectId, branchId, slug }),
    },
  ],
});

/** The value of a text output. */
const text = (outputs: Values, name: string): string => {
  const value = outputs[name];
  return typeof value === "string" ? value : "";
};
const named = (outputs: Values): string => text(outputs, "name") || text(outputs, "label");
const mailbox = (outputs: Values): string => text(outputs, "email").split("@", 1)[0] ?? "";

/** How a kind appears in a program. */
export function ruleOf(kind: KindName): Rule {
  const { references, ...own } = special[kind] ?? {};
  return { title: named, ...own, references: { ...parents, ...references } };
}

/** The rules of kinds that differ from the default. */
const special: Readonly<Partial<Record<KindName, Partial<Rule>>>> = {
  Project: {
    omits: ["settings.maintenanceWindow"],
    usual: () => ({
      "defaultEndpointSettings.autoscalingLimitMinCu": 0.25,
      "defaultEndpointSettings.autoscalingLimitMaxCu": 2,
      "defaultEndpointSettings.suspendTimeoutSeconds": 0,
    }),
  },
  Branch: {
    unsettled: ({ maskingState, maskingRules }) =>
      maskingState === undefined || maskingRules !== undefined
        ? undefined
        : `only their \`maskingRules\`, which are not applied yet (masking is ${JSON.stringify(maskingState)}): import again once the data is masked`,
    omits: ["parentLsn", "parentTimestamp"],
    references: {
      parentId: [
        { ...branch, id: ({ projectId, parentId }) => kinds.Branch.id({ projectId, branchId: parentId }) },
        defaultBranch,
      ],
      snapshotId: [{ kind: "Snapshot", output: "snapshotId", id: (inputs) => kinds.Snapshot.id(inputs) }],
    },
  },
  Endpoint: {
    title: (outputs) => named(outputs) || (outputs["type"] === "read_only" ? "replica" : "compute"),
    omits: ["regionId"],
  },
  Database: {
    references: {
      ownerName: [
        {
          kind: "Role",
          output: "name",
          id: ({ projectId, branchId, ownerName }) => kinds.Role.id({ projectId, branchId, name: ownerName }),
        },
      ],
    },
  },
  DataApi: {
    title: (outputs) => `${text(outputs, "databaseName")}-api`,
    references: {
      databaseName: [
        {
          kind: "Database",
          output: "name",
          id: ({ projectId, branchId, databaseName }) => kinds.Database.id({ projectId, branchId, name: databaseName }),
        },
      ],
    },
  },
  BucketObject: {
    title: (outputs) => text(outputs, "key"),
    unreadable: "source",
    usual: () => ({ contentType: "binary/octet-stream" }),
    references: {
      bucketName: [
        {
          kind: "Bucket",
          output: "name",
          id: ({ projectId, branchId, bucketName }) => kinds.Bucket.id({ projectId, branchId, name: bucketName }),
        },
      ],
    },
  },
  // Neon returns neither code nor values of variables.
  Function: { title: (outputs) => text(outputs, "slug"), unreadable: "code", usual: ({ slug }) => ({ name: slug }) },
  ApiKey: { unreadable: "key" },
  OrganizationApiKey: { unreadable: "key" },
  ProjectApiKey: { unreadable: "key" },
  ProjectPermission: { title: mailbox },
  JwksUrl: {
    title: (outputs) => text(outputs, "providerName"),
    usual: () => ({ roleNames: ["authenticator", "authenticated", "anonymous"] }),
  },
  Snapshot: {
    omits: ["lsn", "timestamp"],
  },
  BackupSchedule: { title: () => "backups" },
  OrganizationMember: { title: mailbox },
  ProjectMemberRole: { title: () => "member" },
  NeonAuth: { title: () => "auth" },
  NeonAuthOauthProvider: {
    title: (outputs) => text(outputs, "providerId"),
    unreadable: "clientSecret",
    references: onAuth,
  },
  NeonAuthOauthClient: { unreadable: "clientSecret", references: onAuth },
  NeonAuthTrustedDomain: {
    title: (outputs) => text(outputs, "domain").replace(/^[^:]+:\/\//, ""),
    references: onAuth,
  },
  Trigger: { references: functionNamed("functionSlug") },
  CustomDomain: { title: (outputs) => text(outputs, "domain"), references: functionNamed("entityId") },
};
