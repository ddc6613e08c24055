import { z } from "zod";

import { path, request } from "../core/request";

/** A library that Postgres can load when it starts. */
export const preloadLibrary = z.looseObject({
  library_name: z.string(),
  description: z.string(),
  is_default: z.boolean(),
  is_experimental: z.boolean(),
  version: z.string(),
});

const libraryList = z.looseObject({ libraries: z.array(preloadLibrary).optional() });

/** Requests for the libraries that a project can preload. */
export const preloadLibraries = {
  list: (projectId: string) => request("GET", path`/projects/${projectId}/available_preload_libraries`, libraryList),
};
