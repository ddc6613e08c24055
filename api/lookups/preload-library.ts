import { z } from "zod";

import { camelObject } from "../camel-shape";
import { preloadLibraries, preloadLibrary } from "../schemas/preload-library";
import { objectId } from "../schemas/wire";
import { lookup } from "./lookup";

/** The libraries that the computes of a project can preload. */
export const getPreloadLibraries = lookup("getPreloadLibraries", {
  args: { projectId: objectId },
  result: z.array(camelObject(preloadLibrary)),
  list: "libraries",
  read: async ({ client }, { projectId }) => (await client.send(preloadLibraries.list(projectId))).libraries ?? [],
});
