import { z } from "zod";

import { preloadLibraries, preloadLibrary } from "../schemas/preload-library";
import { ofProject } from "./id-argument";
import { lookup } from "./lookup";
import { resultOf } from "./result";

/** The libraries that the computes of a project can preload. */
export const getPreloadLibraries = lookup("getPreloadLibraries", () => ({
  args: ofProject,
  result: z.array(resultOf(preloadLibrary, "PreloadLibraryResult", "A library that Postgres can load when it starts.")),
  list: "libraries",
  read: async ({ client }, { projectId }) => (await client.send(preloadLibraries.list(projectId))).libraries ?? [],
}));
