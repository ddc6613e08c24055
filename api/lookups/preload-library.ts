import { z } from "zod";

import { preloadLibraries } from "../schemas/preload-library";
import { idArgument } from "./id-argument";
import { lookup } from "./lookup";

/** The libraries that the computes of a project can preload. */
export const getPreloadLibraries = lookup("getPreloadLibraries", () => ({
  args: {
    projectId: idArgument.describe("Project whose version of Postgres loads them."),
  },
  result: z.array(
    z
      .strictObject({
        libraryName: z.string().describe("Name of the library, as `enabledLibraries` takes it."),
        description: z.string().describe("What the library does."),
        isDefault: z.boolean().describe("Whether it is loaded if `useDefaults` is set."),
        isExperimental: z.boolean().describe("Whether it is experimental."),
        version: z.string().describe("Version of the library."),
      })
      .meta({ title: "PreloadLibraryResult", description: "A library that Postgres can load when it starts." }),
  ),
  list: "libraries",
  read: async ({ client }, { projectId }) => (await client.send(preloadLibraries.list(projectId))).libraries ?? [],
}));
