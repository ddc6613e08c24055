import type { z } from "zod";

import type { KindName } from "../provider/frozen-entry";
import { containersOf } from "../provider/kind/containers";
import type { AnyKind } from "../provider/kind/kind";
import { kinds } from "../provider/kinds";
import { atPath, type Values } from "../provider/values";

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
  /** The inputs and outputs that cannot be read, so that an imported object lacks them, besides its lost secrets. */
  readonly unreadable?: (outputs: Values) => readonly string[];
  /** A text about inputs that are missing until the platform has finished its work; undefined if none are. */
  readonly unsettled?: (outputs: Values) => string | undefined;
  /** Inputs that are not written: they change by themselves, only serve the creation, or are chosen by Neon. */
  readonly omits?: readonly string[];
  /**
   * The values that Neon usually chooses for omitted inputs, by path. A value that Neon always chooses is the input's
   * `default`.
   */
  readonly usual?: (outputs: Values) => Values;
  /**
   * The objects that an input may refer to, by input, besides the containers of the object. The first one in the
   * program is used.
   */
  readonly references: Readonly<Record<string, readonly Reference[]>>;
}

const project: Reference = { kind: "Project", output: "id", id: (inputs) => kinds.Project.id(inputs) };
const branch: Reference = { kind: "Branch", output: "branchId", id: (inputs) => kinds.Branch.id(inputs) };
const defaultBranch: Reference = { ...project, output: "defaultBranchId" };
/** The references of inputs that most kinds have. */
const parents: Rule["references"] = { projectId: [project], branchId: [branch, defaultBranch] };

/** The references to the containers of a kind's objects. A container that a branch has once stands for the branch. */
function containerReferences(kind: KindName): Rule["references"] {
  const found = Object.entries(kinds[kind].within ?? {}).flatMap(([name, outputs]) => {
    if (outputs === false) return [];
    const container = name as KindName;
    const input = outputs.at(-1) ?? "branchId";
    const id = (inputs: Values): string =>
      containersOf(kinds[kind], inputs).find((one) => one.kind === container)?.id ?? "";
    const reference = { kind: container, output: kinds[container].addressNames.at(-1) ?? "", id };
    return [[input, [reference, ...(parents[input] ?? [])]] as const];
  });
  return Object.fromEntries(found);
}

/** The value of a text output. */
const text = (outputs: Values, name: string): string => {
  const value = outputs[name];
  return typeof value === "string" ? value : "";
};
const named = (outputs: Values): string => text(outputs, "name") || text(outputs, "label");
const mailbox = (outputs: Values): string => text(outputs, "email").split("@", 1)[0] ?? "";

/** The members of an object that an imported object lacks: Neon does not return them, or did so once. */
export function missingMembers(kind: KindName, found: Values): readonly string[] {
  return [...lostSecrets(kinds[kind], found), ...(ruleOf(kind).unreadable?.(found) ?? [])];
}

function lostSecrets({ outputs }: AnyKind, found: Values): readonly string[] {
  const isLost = ([name, schema]: readonly [string, z.ZodType]): boolean => {
    const { isReturnedOnce = false, absence } = schema.meta() ?? {};
    const unless = absence?.unless;
    const hasNone = unless !== undefined && found[unless.output] === unless.value;
    return isReturnedOnce && found[name] === undefined && !hasNone;
  };
  return Object.entries(outputs().shape as Readonly<Record<string, z.ZodType>>)
    .filter(isLost)
    .map(([name]) => name);
}

/** How a kind appears in a program. */
export function ruleOf(kind: KindName): Rule {
  const { references, ...own } = special[kind] ?? {};
  return { title: named, ...own, references: { ...parents, ...containerReferences(kind), ...references } };
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
  DataApi: { title: (outputs) => `${text(outputs, "databaseName")}-api` },
  BucketObject: {
    title: (outputs) => text(outputs, "key"),
    unreadable: () => ["source"],
    usual: () => ({ contentType: "binary/octet-stream" }),
  },
  // Neon returns neither code nor values of variables.
  Function: {
    title: (outputs) => text(outputs, "slug"),
    unreadable: () => ["code"],
    usual: ({ slug }) => ({ name: slug }),
  },
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
  NeonAuth: {
    title: () => "auth",
    unreadable: (outputs) => [
      ...(outputs["authProvider"] === "stack" ? ["secretServerKey"] : []),
      ...(atPath(outputs, "emailProvider.type") === "standard" ? ["emailProviderPassword"] : []),
    ],
  },
  NeonAuthOauthProvider: { title: (outputs) => text(outputs, "providerId"), unreadable: () => ["clientSecret"] },
  NeonAuthTrustedDomain: { title: (outputs) => text(outputs, "domain").replace(/^[^:]+:\/\//, "") },
  CustomDomain: { title: (outputs) => text(outputs, "domain") },
};
