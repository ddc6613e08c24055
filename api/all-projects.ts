import type { NeonClient, SendOptions } from "./client";
import { ignoreNotFound } from "./errors";
import type { PageOptions } from "./http/pagination";
import { type Project, type ProjectListQuery, projects } from "./schemas/project";

/**
 * Lists projects, including those that the platform could not load in time and returned as ids only
 * (`unavailable_project_ids`): these are fetched one by one.
 */
export async function* allProjects(
  client: NeonClient,
  query: ProjectListQuery,
  options: PageOptions & SendOptions = {},
): AsyncGenerator<Project, void> {
  const request = projects.list(query);
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
