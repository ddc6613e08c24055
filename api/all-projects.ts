import type { NeonClient, SendOptions } from "./client";
import { ignoreNotFound } from "./core/errors";
import type { PagedRequest, Request } from "./core/request";
import { type ListPage, type PageOptions, pages } from "./http/pagination";
import { type Project, type ProjectListQuery, projects } from "./schemas/project";

/** Sends requests that only read. */
interface Reader {
  readonly read: <Response>(request: Request<Response>) => Promise<Response>;
  readonly pages: <Item, Page>(request: PagedRequest<Item, Page>) => AsyncIterable<ListPage<Item>>;
}

type ListOptions = PageOptions & SendOptions;

/** Lists projects: see {@link projectPages}. */
export async function* allProjects(
  client: NeonClient,
  query: ProjectListQuery,
  options: ListOptions = {},
): AsyncGenerator<Project, void> {
  for await (const { items } of projectPages(readerOf(client, options), query)) yield* items;
}

/** Lists the projects that other accounts share with the user: see {@link projectPages}. */
export async function* allSharedProjects(
  client: NeonClient,
  query: Pick<ProjectListQuery, "search">,
): AsyncGenerator<Project, void> {
  for await (const { items } of withUnavailable(readerOf(client, {}), projects.listShared(query))) yield* items;
}

/**
 * Lists projects page by page. Projects that the platform could not load in time are returned as ids only
 * (`unavailable_project_ids`) and are fetched one by one at the end.
 */
export function projectPages(reader: Reader, query: ProjectListQuery): AsyncGenerator<ListPage<Project>, void> {
  return withUnavailable(reader, projects.list(query));
}

function readerOf(client: NeonClient, options: ListOptions): Reader {
  return {
    read: (request) => client.send(request, options),
    pages: (request) => pages(request, (page) => client.send(page, options), options),
  };
}

async function* withUnavailable(
  reader: Reader,
  request: ReturnType<typeof projects.list>,
): AsyncGenerator<ListPage<Project>, void> {
  const unavailable = new Set<string>();
  const listed = reader.pages({
    ...request,
    items: (page: Parameters<typeof request.items>[0]) => {
      for (const id of page.unavailable_project_ids ?? []) unavailable.add(id);
      return request.items(page);
    },
  });
  for await (const { items, isLast } of listed) yield { items, isLast: isLast && unavailable.size === 0 };
  const left: Project[] = [];
  for (const id of unavailable) {
    // The project may have been deleted after the list was read.
    const found = await ignoreNotFound(reader.read(projects.get(id)));
    if (found !== undefined) left.push(found.project);
  }
  if (unavailable.size > 0) yield { items: left, isLast: true };
}
