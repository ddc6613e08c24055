import { z } from "zod";

import { allProjects, allSharedProjects } from "../all-projects";
import { camelObject } from "../camel-shape";
import { invalid } from "../errors";
import { collect } from "../http/pagination";
import { type Project, project, projects } from "../schemas/project";
import { objectId } from "../schemas/wire";
import { type Account, lookup } from "./lookup";

const result = camelObject(
  project
    .omit({
      locked: true,
      cpu_used_sec: true,
      owner_id: true,
      default_endpoint_settings: true,
      settings: true,
    })
    .extend({
      pg_version: z.int(),
      history_retention_seconds: z.int().optional(),
      branch_logical_size_limit: z.int().optional(),
    }),
);

/** The projects that the API key in use can see. */
export const getProjects = lookup("getProjects", {
  args: { search: z.string().optional(), orgId: objectId.optional() },
  result: z.array(result),
  list: "projects",
  read: (account, { search, orgId }) => listProjects(account, search, orgId),
});

/** The projects that other accounts share with the user. */
export const getSharedProjects = lookup("getSharedProjects", {
  args: { search: z.string().optional() },
  result: z.array(result),
  list: "projects",
  read: ({ client }, { search }) => collect(allSharedProjects(client, { search })),
});

/** A project, by its id or its name. */
export const getProject = lookup("getProject", {
  args: { projectId: objectId.optional(), name: z.string().optional(), orgId: objectId.optional() },
  oneOf: ["projectId", "name"],
  result,
  read: async (account, { projectId, name = "", orgId }) => {
    const id = projectId ?? (await idOfProject(account, name, orgId));
    return (await account.client.send(projects.get(id))).project;
  },
});

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

function listProjects(account: Account, search: string | undefined, orgId = account.orgId): Promise<Project[]> {
  return collect(allProjects(account.client, { search, orgId }));
}
