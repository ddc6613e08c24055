import { z } from "zod";

import { projectPages } from "../../api/all-projects";
import { camelKey, toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus, ignoreNotFound, ignoreStatus, invalid, isNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { branches, tagAnnotation } from "../../api/schemas/branch";
import {
  type Project,
  project as wireProject,
  type ProjectCreate,
  projectCreate,
  projects,
  type ProjectUpdate,
  projectUpdate,
} from "../../api/schemas/project";
import { autoscalingProblem } from "../../api/schemas/project-settings";
import type { Collection } from "../call/collection";
import type { Context } from "../call/context";
import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { changedInputs } from "../kind/differences";
import { adopt } from "../kind/inputs";
import { type Defaults, defineKind, Observation } from "../kind/kind";
import { only, type OutputsOf } from "../kind/outputs";
import { contains, omitUndefined, outputsIn } from "../values";
import { namesakes } from "../kind/options";
import { listTitles } from "./branch/obstacles";
import { firstBranch, protectedBranches, readBranch } from "./branch/read";
import { noticeReplacement } from "./branch/replaced";
import { retryFirstStart } from "./compute/change";
import { absences, createdConnection, readConnection } from "./compute/connection";
import { answeredCompute, readWriteEndpoint } from "./compute/read";
import { defaultEndpointSettings, firstBranchInputs, projectSettingInputs } from "./project/settings";
import { transferProject } from "./project/transfer";
import { regionProblems } from "./region";

const sizeAtCreation = {
  note: "It is used only when the project is created: you cannot change it later.",
  deprecationMessage: "Use `defaultEndpointSettings`.",
};
const inputs = lazy(() => {
  const wire = camelShape(projectCreate.shape);
  return z
    .strictObject({
      name: wire.name,
      regionId: wire.regionId.meta({ omitted: "chosen by Neon" }),
      pgVersion: wire.pgVersion.meta({ note: "At least 14.", omitted: "chosen by Neon" }),
      orgId: wire.orgId.meta({
        omitted: "the provider's `orgId`, or else the organization of the API key",
        change:
          "Changing it transfers the project in place, with its data and hosts, and revokes its project API keys. That needs a personal API key of the owner, or of an administrator of its organization, who is also a member of the other one. A transfer that others make is not reverted.",
      }),
      provisioner: wire.provisioner.meta({ default: "k8s-neonvm" }),
      storePasswords: wire.storePasswords.meta({ default: true }),
      historyRetentionSeconds: wire.historyRetentionSeconds.meta({
        note: "0 to 2592000; the plan can limit it.",
        default: 86_400,
      }),
      autoscalingLimitMinCu: wire.autoscalingLimitMinCu
        .describe("Minimum size of the first compute, in compute units (CU).")
        .meta(sizeAtCreation),
      autoscalingLimitMaxCu: wire.autoscalingLimitMaxCu
        .describe("Maximum size of the first compute, in compute units (CU).")
        .meta(sizeAtCreation),
      defaultEndpointSettings: defaultEndpointSettings()
        .optional()
        .describe(
          "Settings of computes that are created from now on, and of the one that is created with the project. Existing computes keep theirs.",
        ),
      settings: projectSettingInputs().optional().describe("Settings of the project. Some of them cannot be reverted."),
      branch: firstBranchInputs().optional().meta({
        description: "Names of the branch, role and database that are created with the project.",
        change: "To rename the branch instead, adopt it as a {@link Branch}.",
      }),
      adopt,
    })
    .check(
      combination((declared, report) => {
        const sizes = [
          ["defaultEndpointSettings", known(declared.defaultEndpointSettings) ?? {}],
          ["autoscalingLimitMaxCu", declared],
        ] as const;
        for (const [path, { autoscalingLimitMinCu: min, autoscalingLimitMaxCu: max }] of sizes) {
          const problem = autoscalingProblem(known(min), known(max));
          if (problem !== undefined) report(problem, path);
        }
      }),
    )
    .describe("Neon chooses the values that you omit. They never cause a diff.");
});
export type ProjectInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, ...wire } = camelShape(wireProject.shape);
  const declared = inputs().shape;
  return z.object({
    ...only(wire, "name", "regionId", "pgVersion", "orgId", "provisioner", "storePasswords", "historyRetentionSeconds"),
    ...only(declared, "autoscalingLimitMinCu", "autoscalingLimitMaxCu", "defaultEndpointSettings"),
    settings: declared.settings.describe("Settings of the project, including those that Neon chose."),
    ...only(declared, "branch"),
    projectId: id.describe("Id of the project, the same as `id`."),
    ...only(wire, "platformId", "proxyHost", "hipaaEnabledAt", "createdAt"),
    defaultBranchId: z.string().describe("Id of the branch that was created with the project."),
    endpointId: z
      .string()
      .optional()
      .meta({ description: "Id of the compute that was created with the project.", absence: absences.compute }),
    host: z
      .string()
      .optional()
      .meta({ description: "Host of the compute that was created with the project.", absence: absences.compute }),
    poolerHost: z.string().optional().meta({
      description: "Host of the connection pooler of the compute that was created with the project.",
      absence: absences.compute,
    }),
    roleName: z.string().optional().meta({
      description:
        "Name of the role that was created with the project. If a refresh no longer finds it: name of the branch's only role.",
      absence: absences.roleName,
    }),
    databaseName: z.string().optional().meta({
      description:
        "Name of the database that was created with the project. If a refresh no longer finds it: name of the branch's only database.",
      absence: absences.databaseName,
    }),
    connectionUri: z.string().optional().meta({
      description:
        "URI to connect to `databaseName` as `roleName`, including the password. A refresh reads it again. Until then, it keeps its names and its password. Absent for an adopted project that does not store passwords or has several roles: use {@link getConnectionUri}.",
      secret: true,
      absence: absences.connectionUri,
    }),
  });
};
export type ProjectOutputs = OutputsOf<typeof outputs, "defaultBranchId">;

const auditLevels: readonly unknown[] = ["base", "extended", "full"];
const onlyAtCreation = (): string =>
  "sets the size of the first compute when the project is created, and cannot be changed later: use defaultEndpointSettings, or the compute of a Branch";

const onceEnabled = (from: unknown): string | undefined =>
  from === true ? "cannot be disabled again once it is enabled" : undefined;

const carries = { roleName: "branch.roleName", databaseName: "branch.databaseName" } as const;
export type ProjectCarries = typeof carries;

/** A project. */
export const project = defineKind<ProjectInputs, ProjectOutputs>({
  name: "Project",
  noun: "project",
  inputs,
  outputs,
  identifiedBy: ["projectId"],
  rules: {
    regionId: { onChange: "replace", onDrift: "ignore" },
    pgVersion: { onChange: "replace", onDrift: "ignore" },
    // If the owner transfers the project elsewhere, the program does not revert that.
    orgId: { platform: "moves", present: (owner) => ("orgId" in owner ? owner.orgId : undefined) },
    provisioner: { onChange: "replace", onDrift: "ignore" },
    storePasswords: { onChange: "replace", onDrift: "ignore" },
    branch: { onChange: "replace", platform: "write-only" },
    autoscalingLimitMinCu: { refuse: onlyAtCreation, platform: "write-only" },
    autoscalingLimitMaxCu: { refuse: onlyAtCreation, platform: "write-only" },
    // Enabling Realtime turns it on, and nothing turns it off.
    "settings.enableLogicalReplication": { refuse: onceEnabled, onDrift: "ignore" },
    "settings.hipaa": { refuse: onceEnabled, affects: ["hipaaEnabledAt"] },
    "settings.auditLogLevel": {
      refuse: (from, to) =>
        auditLevels.indexOf(to) < auditLevels.indexOf(from)
          ? `can only be raised: it is ${String(from)} and cannot be lowered to ${String(to)}`
          : undefined,
    },
    "settings.allowedIps.ips": { equality: "set" },
    "settings.maintenanceWindow.weekdays": { equality: "set" },
    "settings.preloadLibraries.enabledLibraries": { equality: "set" },
  },
  carries,
  defaultName: "name",
  uniqueBy: [],
  replacement: { loss: "All branches of the old project, their data and their hosts are deleted." },
  scope: { isProject: true },
  preview: {
    problems: regionProblems,
    overwrites: (_, { orgId }, changed) =>
      changed.has("orgId") && orgId !== undefined
        ? "Changing `orgId` transfers this project to another organization. Its project API keys are revoked."
        : undefined,
  },

  create: (declared, defaults) =>
    creation({
      what: "create project",
      request: (tag) => projects.create(createBody(defaults, declared, tag)),
      repeatable: false,
      outputs: (answer) => {
        const endpoint = answer.endpoints.find(({ type }) => type === "read_write");
        return {
          ...projectOutputs(answer.project),
          defaultBranchId: answer.branch.id,
          ...createdConnection(endpoint, answer.connection_uris[0], answer),
        };
      },
      answers: (answer) => answeredCompute(answer.branch, answer.endpoints),
    }),

  read: async (context, state) => {
    const { projectId = "" } = state;
    const [reading, readingDefaults] = [readProject(context, projectId), readDefaults(context, projectId, state)];
    // If the project does not exist, reading its defaults may fail as well.
    await Promise.allSettled([reading, readingDefaults]);
    const found = await reading;
    if (found === undefined) return undefined;
    const defaults = await readingDefaults.catch(async (error: unknown) => {
      const { defaultBranchId } = state;
      if (!isNotFound(error) || defaultBranchId === undefined) throw error;
      // The project may have been deleted between the two reads, and its first branch at any time.
      if ((await readProject(context, projectId)) === undefined) return undefined;
      if ((await readBranch(context, projectId, defaultBranchId)) === undefined)
        return { outputs: { defaultBranchId }, seen: context.kept };
      throw error;
    });
    return defaults && new Observation({ ...projectOutputs(found), ...defaults.outputs }, defaults.seen);
  },

  update: async (context, { projectId }, declared, changes) => {
    const { orgId } = declared;
    if (changes.has("orgId") && orgId !== undefined) {
      const present = await readProject(context, projectId);
      if (present !== undefined && present.org_id !== orgId) {
        await transferProject(context, present, orgId, () => readProject(context, projectId));
      }
    }
    const body: ProjectUpdate = toWire(changedInputs(declared, patchable, changes));
    if (Object.keys(body).length === 0) return;
    await context.change({
      what: "update project",
      request: projects.update(projectId, body),
      applies: Object.keys(body).map(camelKey),
      done: async () => contains(await readProject(context, projectId), body),
    });
  },

  remove: async (context, { projectId }) => {
    await context.delete({
      what: "delete project",
      object: `project ${projectId}`,
      project: undefined,
      request: { ...projects.delete(projectId), schema: z.looseObject({}) },
      silent: true,
      exists: async () => (await readProject(context, projectId)) !== undefined,
      explain: (error) => explainedByProtection(context, projectId, error),
    });
  },

  namesakes: (context, { name, orgId = context.orgId }) =>
    namesakes({
      collection: projectsOf(orgId),
      matches: (one) => one.name === name,
      outputs: projectOutputs,
      alone: (reader) => projectPages(reader, { search: name, orgId }),
    }),
  adopted: async (context, { orgId }, projectId) => {
    await assertOwner(context, projectId, orgId);
    return { projectId };
  },
  recovery: async (context, { orgId = context.orgId }, { projectId = "" }) => {
    const { projects: deleted } = await context.read(projects.list({ recoverable: true, search: projectId, orgId }));
    const until = deleted.find(({ id }) => id === projectId)?.recoverable_until;
    if (until === undefined) return undefined;
    return `\`neon projects recover ${projectId}\` brings it back with its branches and data, until ${until}. Then run the same command again.`;
  },

  tagOf: async (context, { projectId = "" }) =>
    (await ignoreStatus(firstBranch(context, projectId), 403, 404))?.annotations[tagAnnotation],

  finishing: {
    readsState: true,
    usable: async (context, { projectId, defaultBranchId }) => {
      if (defaultBranchId === undefined) return true;
      const { branch } = await context.read(branches.get(projectId, defaultBranchId));
      return branch.current_state !== "init";
    },
    repair: async (context, { projectId, defaultBranchId }) => {
      if (defaultBranchId === undefined) return;
      await retryFirstStart(context, await readWriteEndpoint(context, projectId, defaultBranchId));
    },
  },
});

/** Explains the 422 for a project if it has protected branches. Returns any other error as it is. */
async function explainedByProtection(context: Context, projectId: string, error: unknown): Promise<unknown> {
  if (!hasStatus(error, 422)) return error;
  const isProtected = await protectedBranches(context, projectId).catch(() => []);
  if (isProtected.length === 0) return error;
  const [subject, object] = isProtected.length === 1 ? ["is", "that branch"] : ["are", "these branches"];
  return explained(
    `The project ${projectId} was not deleted: its ${listTitles(isProtected)} ${subject} protected`,
    error,
    `Set \`protected: false\` on ${object}, run \`pulumi up\`, then delete the project. A branch that no program declares can be unprotected in Neon's console.`,
  );
}

/**
 * Fails if a project to adopt belongs to another organization. Adopting never transfers a project, because a mistake in
 * the program would revoke its keys.
 */
async function assertOwner(context: Context, id: string, orgId: string | undefined): Promise<void> {
  if (orgId === undefined) return;
  const found = await readProject(context, id);
  if (found === undefined || found.org_id === orgId) return;
  const owner = found.org_id === undefined ? "a user" : `organization ${found.org_id}`;
  throw invalid(
    `The project ${id} cannot be adopted: the program declares another value for \`orgId\` (it belongs to ${owner})`,
    {
      fix: "Adopt it as it is, and then change `orgId` to transfer it.",
    },
  );
}

function createBody(
  { orgId }: Defaults,
  { adopt: _, ...declared }: ProjectInputs,
  tag: Readonly<Record<string, string>>,
): ProjectCreate {
  const body: ProjectCreate = toWire(declared);
  return {
    ...body,
    ...omitUndefined({ org_id: declared.orgId ?? orgId }),
    branch: { ...body.branch, annotations: { ...body.branch?.annotations, ...tag } },
  };
}

/** The inputs that a PATCH of the project changes. */
const patchable = Object.keys(camelShape(projectUpdate.shape));

function projectOutputs(found: Project): ProjectOutputs {
  const reported = outputsIn(
    found,
    "org_id",
    "provisioner",
    "store_passwords",
    "history_retention_seconds",
    "default_endpoint_settings",
    "settings",
    "proxy_host",
    "hipaa_enabled_at",
  );
  return {
    ...(reported as Partial<ProjectOutputs>),
    projectId: found.id,
    ...outputsIn(found, "name", "region_id", "pg_version", "platform_id", "created_at"),
  };
}

/**
 * The branch that was created with a project, and the connection to it. The first branch stays the same, but its
 * compute can change.
 */
async function readDefaults(
  context: Context,
  projectId: string,
  state: Partial<ProjectOutputs>,
): Promise<Observation<Partial<ProjectOutputs>>> {
  const defaultBranchId = state.defaultBranchId ?? (await firstBranch(context, projectId))?.branch.id;
  if (defaultBranchId === undefined) return new Observation({}, context.kept);
  const endpoint = await readWriteEndpoint(context, projectId, defaultBranchId);
  const lacksCompute = endpoint === undefined && state.endpointId !== undefined;
  const obstacle = lacksCompute
    ? await noticeReplacement(context, { projectId, branchId: defaultBranchId })
    : undefined;
  const { connection, latestOperation } = await readConnection(context, projectId, defaultBranchId, endpoint, state);
  return new Observation({ defaultBranchId, ...connection }, { asOf: latestOperation, obstacle });
}

async function readProject(context: Context, projectId: string): Promise<Project | undefined> {
  const found = (await ignoreNotFound(context.read(projects.get(projectId))))?.project;
  if (found !== undefined) context.visibility.learn(found);
  return found;
}

/** The projects of an organization, or of the account that the key belongs to. */
function projectsOf(orgId: string | undefined): Collection<Project> {
  return {
    name: `projects/${orgId ?? ""}`,
    pages: (reader) => projectPages(reader, { orgId }),
    keyOf: ({ id }) => id,
  };
}
