import { z } from "zod";

import { allProjects, allSharedProjects } from "../all-projects";
import { invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { collect } from "../http/pagination";
import { type Project, project, projects } from "../schemas/project";
import { idArgument } from "./id-argument";
import { type Account, lookup } from "./lookup";
import { resultOf } from "./result";

const result = lazy(() =>
  resultOf(
    project.omit({
      locked: true,
      cpu_used_sec: true,
      owner_id: true,
      default_endpoint_settings: true,
      settings: true,
    }),
    "ProjectResult",
    "A project. Lists do not have `storePasswords`.",
  ),
);

/** The projects that the API key in use can see. */
export const getProjects = lookup("getProjects", () => ({
  args: {
    search: z.string().optional().describe("Text that the name or the id contains. Default: all projects."),
    orgId: idArgument.optional().describe("Organization whose projects to list. Default: the provider's `orgId`."),
    recoverable: z
      .boolean()
      .optional()
      .describe("Whether to list the deleted projects that can be recovered instead. Default: `false`."),
  },
  result: z.array(result()),
  list: "projects",
  read: (account, { search, orgId, recoverable }) => listProjects(account, search, orgId, recoverable),
}));

/** The projects that other accounts share with the user. */
export const getSharedProjects = lookup("getSharedProjects", () => ({
  args: {
    search: z.string().optional().describe("Text that the name or the id contains. Default: all projects."),
  },
  result: z.array(result()),
  list: "projects",
  read: ({ client }, { search }) => collect(allSharedProjects(client, { search })),
}));

/** A project, by its id or its name. */
export const getProject = lookup("getProject", () => ({
  args: {
    projectId: idArgument.optional().describe("Id of the project. Conflicts with `name`."),
    name: z.string().optional().describe("Exact name of the project. Conflicts with `projectId`."),
    orgId: idArgument
      .optional()
      .describe("Organization in which to search for the name. Default: the provider's `orgId`."),
  },
  oneOf: ["projectId", "name"],
  result: result(),
  read: async (account, { projectId, name = "", orgId }) => {
    const id = projectId ?? (await idOfProject(account, name, orgId));
    return (await account.client.send(projects.get(id))).project;
  },
}));

async function idOfProject(account: Account, name: string, orgId: string | undefined): Promise<string> {
  const [found, ...others] = (await listProjects(account, name, orgId)).filter((one) => one.name === name);
  if (found === undefined) {
    const searched = orgId ?? account.orgId;
    throw invalid(
      searched === undefined
        ? `This API key can see no project named "${name}". If the project belongs to an organization, set \`orgId\`.`
        : `This API key can see no project named "${name}" in organization ${searched}.`,
    );
  }
  if (others.length === 0) return found.id;
  const ids = [found, ...others].map(({ id }) => id).join(", ");
  throw invalid(`There are ${others.length + 1} projects named "${name}" (${ids}). Set \`projectId\` to one of them.`);
}

function listProjects(
  account: Account,
  search: string | undefined,
  orgId = account.orgId,
  recoverable = false,
): Promise<Project[]> {
  return collect(allProjects(account.client, { search, orgId, recoverable: recoverable || undefined }));
}
