import type { NeonClient, SendOptions } from "./client";
import { ignoreNotFound } from "./errors";
import type { PageOptions } from "./http/pagination";
import { type Project, type ProjectListQuery, projects } from "./schemas/project";

type ListOptions = PageOptions & SendOptions;

/**
 * Lists projects, including those that the platform could not load in time and returned as ids only
 * (`unavailable_project_ids`): these are fetched one by one.
 */
export function allProjects(
  client: NeonClient,
  query: ProjectListQuery,
  options: ListOptions = {},
): AsyncGenerator<Project, void> {
  return withUnavailable(client, projects.list(query), options);
}

/** The same for the projects that other accounts share with the user. */
export function allSharedProjects(
  client: NeonClient,
  query: Pick<ProjectListQuery, "search">,
): AsyncGenerator<Project, void> {
  return withUnavailable(client, projects.listShared(query), {});
}

async function* withUnavailable(
  client: NeonClient,
  request: ReturnType<typeof projects.list>,
  options: ListOptions,
): AsyncGenerator<Project, void> {
  const unavailable = new Set<string>();
  yield* client.list(
    {
      ...request,
      items: (page) => {
        for (const id of page.unavailable_project_ids ?? []) unavailable.add(id);
        return request.items(page);
      },
    },
    options,
  );
  for (const id of unavailable) {
    // It may have been deleted after the list was read.
    const found = await ignoreNotFound(client.send(projects.get(id), options));
    if (found !== undefined) yield found.project;
  }
}
