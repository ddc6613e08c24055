import { collect } from "../../api/http/pagination";
import type { Project } from "../../api/schemas/project";
import type { Account } from "../account";
import { dataSource, type Inputs, type LookupOptions } from "../data-source";
import { lateApi } from "../late-api";
import { resultOf } from "../result-members";
import { runError } from "../run-error";

/** A project. */
export interface ProjectResult {
  /** Id of the project. */
  readonly id: string;
  /** Name of the project. Names are not unique. */
  readonly name: string;
  /** Cloud platform, such as `aws`. */
  readonly platformId: string;
  /** Region, such as `aws-eu-central-1`. */
  readonly regionId: string;
  /** Major version of Postgres. */
  readonly pgVersion: number;
  /** Provisioner of the computes, such as `k8s-neonvm`. */
  readonly provisioner?: string;
  /** Organization that owns the project. */
  readonly orgId?: string;
  /** Whether Neon stores the passwords of roles, so that they can be read again. Absent in lists. */
  readonly storePasswords?: boolean;
  /** How long history is retained, in seconds. */
  readonly historyRetentionSeconds?: number;
  /** Host of the connection proxy. */
  readonly proxyHost?: string;
  /** Maximum logical size of a branch, in mebibytes. */
  readonly branchLogicalSizeLimit?: number;
  /** Time of creation (ISO 8601, UTC). */
  readonly createdAt: string;
  /** Time of the last change (ISO 8601, UTC). */
  readonly updatedAt?: string;
}

/** Arguments of `getProjects`. */
export interface GetProjectsArgs {
  /** Text that the name or the id contains. Default: all projects. */
  readonly search?: string;
  /** Organization whose projects to list. Default: `neon:orgId`. */
  readonly orgId?: string;
}

const projectsSource = dataSource({
  name: "getProjects",
  isList: true,
  read: async (account, args: GetProjectsArgs) => (await listProjects(account, args)).map(projectResult),
});

/**
 * Lists the projects that the API key in use can see. All pages are read.
 *
 * Fails if the list cannot be read. It never returns an empty list instead.
 *
 * Neon API: `GET /projects`.
 *
 * @example
 * ```ts
 * const all = await neon.getProjects({ search: "shop" });
 * ```
 */
export function getProjects(args: GetProjectsArgs = {}, options?: LookupOptions) {
  return projectsSource.invoke(args, options);
}

/** Output form of {@link getProjects}: the arguments can be outputs. */
export function getProjectsOutput(args: Inputs<GetProjectsArgs> = {}, options?: LookupOptions) {
  return projectsSource.output(args, options);
}

/** Arguments of `getProject`. Exactly one of `projectId` and `name` is required. */
export interface GetProjectArgs {
  /** Id of the project. Conflicts with `name`. */
  readonly projectId?: string;
  /** Exact name of the project. Conflicts with `projectId`. */
  readonly name?: string;
  /** Organization in which to search for the name. Default: `neon:orgId`. */
  readonly orgId?: string;
}

const projectSource = dataSource({
  name: "getProject",
  oneOf: ["projectId", "name"],
  read: async (account, args: GetProjectArgs) =>
    projectResult((await account.client.send(lateApi.project.projects.get(await idOfProject(account, args)))).project),
});

/**
 * Reads a project by its id or its name.
 *
 * Fails if no project, or more than one, has the name.
 *
 * Neon API: `GET /projects/{project_id}`, `GET /projects`.
 *
 * @example
 * ```ts
 * const shop = await neon.getProject({ name: "shop" });
 * ```
 */
export function getProject(args: GetProjectArgs, options?: LookupOptions) {
  return projectSource.invoke(args, options);
}

/** Output form of {@link getProject}: the arguments can be outputs. */
export function getProjectOutput(args: Inputs<GetProjectArgs>, options?: LookupOptions) {
  return projectSource.output(args, options);
}

async function idOfProject(account: Account, { projectId, name = "", orgId }: GetProjectArgs): Promise<string> {
  if (projectId !== undefined) return projectId;
  const query = { search: name, ...(orgId === undefined ? {} : { orgId }) };
  const [found, ...others] = (await listProjects(account, query)).filter((project) => project.name === name);
  if (found === undefined) {
    const searched = orgId ?? account.orgId;
    throw runError(
      searched === undefined
        ? `This API key can see no project named "${name}". If the project belongs to an organization, set \`orgId\`.`
        : `This API key can see no project named "${name}" in organization ${searched}.`,
    );
  }
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => id).join(", ");
  throw runError(`There are ${others.length + 1} projects named "${name}" (${ids}). Set \`projectId\` to one of them.`);
}

function listProjects({ client, orgId }: Account, args: GetProjectsArgs): Promise<Project[]> {
  return collect(lateApi.allProjects(client, { search: args.search, orgId: args.orgId ?? orgId }));
}

const projectResult = resultOf<ProjectResult>(() =>
  lateApi.project.project.omit({
    locked: true,
    cpu_used_sec: true,
    owner_id: true,
    default_endpoint_settings: true,
    settings: true,
  }),
);
