import * as pulumi from "@pulumi/pulumi";

import { allProjects } from "../../api/all-projects";
import { type Project, projects } from "../../api/schemas/project";
import type { Lookup } from "../configured-settings";
import { known } from "../known-members";
import { type Inputs, look, lookOutput, type LookupOptions } from "../lookup";
import { failure } from "../run-error";

/** A project, as the platform tells it. */
export interface ProjectResult {
  /** The project's id. */
  readonly id: string;
  /** The project's name; names are not unique. */
  readonly name: string;
  /** The cloud platform, such as `aws`. */
  readonly platformId: string;
  /** The region, such as `aws-eu-central-1`. */
  readonly regionId: string;
  /** Major version of Postgres. */
  readonly pgVersion: number;
  /** How computes are provisioned. */
  readonly provisioner?: string;
  /** The organization the project belongs to. */
  readonly orgId?: string;
  /** Whether the platform keeps role passwords so that they can be read again. Not in the list of projects. */
  readonly storePasswords?: boolean;
  /** How far back history is kept, in seconds. */
  readonly historyRetentionSeconds?: number;
  /** Host of the connection proxy. */
  readonly proxyHost?: string;
  /** Size limit of a branch, in mebibytes. */
  readonly branchLogicalSizeLimit?: number;
  /** When it was made; ISO 8601 in UTC. */
  readonly createdAt: string;
  /** When it last changed; ISO 8601 in UTC. */
  readonly updatedAt?: string;
}

/** Which projects to list. */
export interface GetProjectsArgs {
  /** Part of a name or id. Default: all projects. */
  readonly search?: string;
  /** The organization whose projects to list. Default: `neon:orgId`. */
  readonly orgId?: string;
}

/**
 * All projects that this account sees, through every page. A failure is an error, never an empty list.
 *
 * @example
 * ```ts
 * const all = await neon.getProjects({ search: "shop" });
 * ```
 */
export function getProjects(args: GetProjectsArgs = {}, options?: LookupOptions): Promise<ProjectResult[]> {
  return look(options, async (lookup) => (await listProjects(lookup, args)).map(projectResult));
}

/** {@link getProjects} for arguments that are outputs. */
export function getProjectsOutput(
  args: Inputs<GetProjectsArgs> = {},
  options?: LookupOptions,
): pulumi.Output<ProjectResult[]> {
  return lookOutput(args, options, getProjects);
}

/** Which project to fetch: by its id, or by its name. */
export interface GetProjectArgs {
  /** The project's id. */
  readonly projectId?: string;
  /** The project's exact name, instead of its id. */
  readonly name?: string;
  /** The organization to search for the name. Default: `neon:orgId`. */
  readonly orgId?: string;
}

/**
 * One project. Fails if there is none, or if more than one has that name.
 *
 * @example
 * ```ts
 * const shop = await neon.getProject({ name: "shop" });
 * ```
 */
export function getProject(args: GetProjectArgs, options?: LookupOptions): Promise<ProjectResult> {
  return look(options, async (lookup) => projectResult(await findProject(lookup, args)));
}

/** {@link getProject} for arguments that are outputs. */
export function getProjectOutput(args: Inputs<GetProjectArgs>, options?: LookupOptions): pulumi.Output<ProjectResult> {
  return lookOutput(args, options, getProject);
}

async function findProject(lookup: Lookup, { projectId, name, orgId }: GetProjectArgs): Promise<Project> {
  if ((projectId === undefined) === (name === undefined)) {
    throw failure("getProject takes either `projectId` or `name`.");
  }
  if (projectId !== undefined) return (await lookup.client.send(projects.get(projectId))).project;
  const found = await listProjects(lookup, { search: name ?? "", ...(orgId === undefined ? {} : { orgId }) });
  const [one, ...others] = found.filter((project) => project.name === name);
  if (one === undefined) {
    const asked = orgId ?? lookup.orgId;
    throw failure(
      asked === undefined
        ? `There is no project named "${name ?? ""}" that this API key sees. If it belongs to an organization, name that by \`orgId\`.`
        : `There is no project named "${name ?? ""}" in organization ${asked} that this API key sees.`,
    );
  }
  if (others.length > 0) {
    const ids = [one, ...others].map(({ id }) => id).join(", ");
    throw failure(`There are ${others.length + 1} projects named "${name ?? ""}" (${ids}): ask by id.`);
  }
  return (await lookup.client.send(projects.get(one.id))).project;
}

async function listProjects({ client, orgId }: Lookup, args: GetProjectsArgs): Promise<Project[]> {
  const found: Project[] = [];
  const query = { search: args.search, orgId: args.orgId ?? orgId };
  for await (const project of allProjects(client, query)) found.push(project);
  return found;
}

function projectResult(project: Project): ProjectResult {
  return known<ProjectResult>(project, {
    id: true,
    name: true,
    platformId: true,
    regionId: true,
    pgVersion: true,
    provisioner: true,
    orgId: true,
    storePasswords: true,
    historyRetentionSeconds: true,
    proxyHost: true,
    branchLogicalSizeLimit: true,
    createdAt: true,
    updatedAt: true,
  });
}
