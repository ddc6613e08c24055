import { z } from "zod";

import { path, request } from "../core/request";

/** A library that Postgres can load when it starts. */
export const preloadLibrary = z.looseObject({
  library_name: z.string().describe("Name of the library, as `enabledLibraries` takes it."),
  description: z.string().describe("The purpose of the library."),
  is_default: z.boolean().describe("Whether it is loaded if `useDefaults` is set."),
  is_experimental: z.boolean().describe("Whether it is experimental."),
  version: z.string().describe("Version of the library."),
});

const libraryList = z.looseObject({ libraries: z.array(preloadLibrary).optional() });

/** Requests for the libraries that a project can preload. */
export const preloadLibraries = {
  list: (projectId: string) => request("GET", path`/projects/${projectId}/available_preload_libraries`, libraryList),
};
