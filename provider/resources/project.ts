import { z } from "zod";

import { camelKey, camelShape, fromWire, toWire } from "../../api/camel-case";
import { HttpError, PlatformError } from "../../api/errors";
import { type Branch, branches, tagAnnotation } from "../../api/schemas/branch";
import {
  type Project,
  projectCreate,
  type ProjectCreate,
  projects,
  type ProjectUpdate,
} from "../../api/schemas/project";
import { autoscalingProblem } from "../../api/schemas/project-settings";
import type { Context } from "../kind/context";
import { identifiedBy } from "../kind/id";
import type { Changes, Kind } from "../kind/kind";
import { contains } from "../kind/values";
import { adopt } from "./shared/adopt";
import { readWriteEndpoint, startUnstarted } from "./shared/compute";
import { type Connection, createdConnection, readConnection } from "./shared/connection";
import { deleteObject, present } from "./shared/delete";

const inputs = z
  .strictObject({ ...camelShape(projectCreate.shape), adopt: adopt.optional() })
  .superRefine((value, context) => {
    const sizes = [
      { path: ["defaultEndpointSettings"], ...value.defaultEndpointSettings },
      { path: ["autoscalingLimitMaxCu"], ...value },
    ];
    for (const { path, autoscalingLimitMinCu, autoscalingLimitMaxCu } of sizes) {
      const problem = autoscalingProblem(autoscalingLimitMinCu, autoscalingLimitMaxCu);
      if (problem !== undefined) context.addIssue({ code: "custom", path, message: problem });
    }
  });
/** What a program declares of a project. */
export type ProjectInputs = z.infer<typeof inputs>;

/** What there is to know of a project. */
export interface ProjectOutputs extends Omit<ProjectInputs, "adopt" | "name" | "regionId" | "pgVersion">, Connection {
  readonly projectId: string;
  readonly name: string;
  readonly regionId: string;
  readonly pgVersion: number;
  readonly platformId: string;
  readonly proxyHost?: string;
  readonly createdAt: string;
  readonly defaultBranchId?: string;
}

const auditLevels: readonly unknown[] = ["base", "extended", "full"];
const onlyAtCreation = (): string =>
  "sizes the first compute when the project is made, and cannot change afterwards: use defaultEndpointSettings, or a Branch's compute";

/** A project. */
export const project: Kind<ProjectInputs, ProjectOutputs> = {
  name: "Project",
  noun: "project",
  version: 1,
  inputs,
  rules: {
    regionId: { onChange: "replace" },
    pgVersion: { onChange: "replace" },
    orgId: { onChange: "replace", platform: "moves" },
    provisioner: { onChange: "replace" },
    storePasswords: { onChange: "replace" },
    branch: { onChange: "replace", platform: "write-only" },
    autoscalingLimitMinCu: { refuse: onlyAtCreation, platform: "write-only" },
    autoscalingLimitMaxCu: { refuse: onlyAtCreation, platform: "write-only" },
    "settings.enableLogicalReplication": {
      refuse: (from) => (from === true ? "cannot be switched off again once it is on" : undefined),
    },
    "settings.auditLogLevel": {
      refuse: (from, to) =>
        auditLevels.indexOf(to) < auditLevels.indexOf(from)
          ? `can only be raised: it is ${String(from)} and cannot go back to ${String(to)}`
          : undefined,
    },
    "settings.allowedIps.ips": { equality: "set" },
    "settings.maintenanceWindow.weekdays": { equality: "set" },
    "settings.preloadLibraries.enabledLibraries": { equality: "set" },
  },
  controls: ["adopt"],
  defaultName: "name",
  secrets: ["connectionUri"],
  uniqueBy: [],
  lossOnReplace: "All branches of the old project, with their data and their hosts, go with it.",
  ...identifiedBy("projectId"),

  create: (context, declared) =>
    context.create({
      what: `create project ${declared.name ?? ""}`,
      request: (mark) => projects.create(createBody(context, declared, mark)),
      repeatable: false,
      record: (answer) => {
        const endpoint = answer.endpoints.find(({ type }) => type === "read_write");
        context.visibility.learn(answer.project);
        return {
          id: answer.project.id,
          outputs: {
            ...projectOutputs(answer.project),
            defaultBranchId: answer.branch.id,
            ...createdConnection(endpoint, answer.connection_uris[0], answer),
          },
        };
      },
    }),

  read: async (context, state) => {
    const { projectId = "" } = state;
    const found = await readProject(context, projectId);
    if (found === undefined) return undefined;
    return { ...projectOutputs(found), ...(await readHandles(context, projectId, state)) };
  },

  update: async (context, { projectId }, declared, changes) => {
    const body = updateBody(declared, changes);
    if (Object.keys(body).length === 0) return;
    await context.change({
      what: `update project ${projectId}`,
      project: projectId,
      request: projects.update(projectId, body),
      applies: Object.keys(body).map(camelKey),
      done: async () => contains(await readProject(context, projectId), body),
    });
  },

  remove: async (context, { projectId }) => {
    await deleteObject(context, {
      object: `project ${projectId}`,
      project: undefined,
      request: { ...projects.delete(projectId), schema: z.looseObject({}) },
      silent: true,
      isThere: async () => (await readProject(context, projectId)) !== undefined,
    });
  },

  find: async (context, declared, id) => {
    if (id !== undefined) return { projectId: id };
    const named = await projectsNamed(context, declared);
    if (named.length > 1) {
      throw new PlatformError(
        "invalid",
        `There are ${named.length} projects named "${declared.name ?? ""}": ${named.map((one) => one.id).join(", ")}. Adopt one of them by its id.`,
        undefined,
      );
    }
    return named[0] && { projectId: named[0].id };
  },

  recovery: {
    by: "tag",
    list: async (context, declared, since) => {
      const candidates =
        since === undefined ? await projectsNamed(context, declared) : await projectsSince(context, declared, since);
      const tags = await Promise.all(candidates.map(({ id }) => tagOf(context, id)));
      return candidates.flatMap(({ id: projectId }, index) => {
        const tag = tags[index];
        return tag === undefined ? [] : [{ tag, found: { projectId } }];
      });
    },
  },

  usable: async (context, { projectId, defaultBranchId }) => {
    if (defaultBranchId === undefined) return true;
    const { branch } = await context.read(branches.get(projectId, defaultBranchId));
    return branch.current_state !== "init";
  },

  repair: async (context, { projectId, defaultBranchId }) => {
    if (defaultBranchId !== undefined) await startUnstarted(context, projectId, defaultBranchId);
  },
};

function createBody(
  context: Context,
  { adopt: _, ...declared }: ProjectInputs,
  mark: Readonly<Record<string, string>>,
): ProjectCreate {
  const orgId = declared.orgId ?? context.orgId;
  const body: ProjectCreate = toWire(declared);
  return {
    ...body,
    ...(orgId === undefined ? {} : { org_id: orgId }),
    branch: { ...body.branch, annotations: { ...body.branch?.annotations, ...mark } },
  };
}

/** Of the settings only the members that changed, each of them whole: how deeper parts are merged is not specified. */
function updateBody(declared: ProjectInputs, changes: Changes): ProjectUpdate {
  const { name, historyRetentionSeconds, defaultEndpointSettings, settings = {} } = declared;
  const changedSettings = Object.fromEntries(
    Object.entries(settings).filter(([member]) => changes.has(`settings.${member}`)),
  );
  const changed = {
    ...(changes.has("name") ? { name } : {}),
    ...(changes.has("historyRetentionSeconds") ? { historyRetentionSeconds } : {}),
    ...(changes.has("defaultEndpointSettings") ? { defaultEndpointSettings } : {}),
    ...(Object.keys(changedSettings).length > 0 ? { settings: changedSettings } : {}),
  };
  return toWire(changed);
}

function projectOutputs(found: Project): ProjectOutputs {
  const said = fromWire({
    ...(found.org_id === undefined ? {} : { org_id: found.org_id }),
    ...(found.provisioner === undefined ? {} : { provisioner: found.provisioner }),
    ...(found.store_passwords === undefined ? {} : { store_passwords: found.store_passwords }),
    ...(found.history_retention_seconds === undefined
      ? {}
      : { history_retention_seconds: found.history_retention_seconds }),
    ...(found.default_endpoint_settings === undefined
      ? {}
      : { default_endpoint_settings: found.default_endpoint_settings }),
    ...(found.settings === undefined ? {} : { settings: found.settings }),
    ...(found.proxy_host === undefined ? {} : { proxy_host: found.proxy_host }),
  });
  return {
    ...(said as Partial<ProjectOutputs>),
    projectId: found.id,
    name: found.name,
    regionId: found.region_id,
    pgVersion: found.pg_version,
    platformId: found.platform_id,
    createdAt: found.created_at,
  };
}

/** What a project was born with. The branch is looked up once; its compute can be another one by now. */
async function readHandles(
  context: Context,
  projectId: string,
  state: Partial<ProjectOutputs>,
): Promise<Partial<ProjectOutputs>> {
  const defaultBranchId = state.defaultBranchId ?? (await firstBranchOf(context, projectId))?.branch.id;
  if (defaultBranchId === undefined) return {};
  const connection = async (): Promise<Connection> =>
    readConnection(
      context,
      projectId,
      defaultBranchId,
      await readWriteEndpoint(context, projectId, defaultBranchId),
      state,
    );
  return { defaultBranchId, ...(await present(connection())) };
}

async function readProject(context: Context, projectId: string): Promise<Project | undefined> {
  const found = (await present(context.read(projects.get(projectId))))?.project;
  if (found !== undefined) context.visibility.learn(found);
  return found;
}

async function projectsNamed(context: Context, { name, orgId }: ProjectInputs): Promise<readonly Project[]> {
  const named: Project[] = [];
  for await (const one of context.projects({ search: name, orgId: orgId ?? context.orgId })) {
    if (one.name === name) named.push(one);
  }
  return named;
}

async function projectsSince(context: Context, { orgId }: ProjectInputs, since: Date): Promise<readonly Project[]> {
  const recent: Project[] = [];
  for await (const one of context.projects({ orgId: orgId ?? context.orgId })) {
    if (Date.parse(one.created_at) >= since.getTime()) recent.push(one);
  }
  return recent;
}

async function firstBranchOf(
  context: Context,
  projectId: string,
): Promise<{ readonly branch: Branch; readonly annotations: Readonly<Record<string, string>> } | undefined> {
  for await (const first of context.list(branches.list(projectId, { sortOrder: "asc" }), { limit: 1 })) return first;
  return undefined;
}

/** The tag of a project, which its first branch carries. A project that this key may not read is not its own. */
async function tagOf(context: Context, projectId: string): Promise<string | undefined> {
  try {
    return (await firstBranchOf(context, projectId))?.annotations[tagAnnotation];
  } catch (error) {
    if (HttpError.isInstance(error) && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}
