import { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { regions } from "../model/region";
import { notFound } from "../refusal";
import { route } from "../route";

export const regionRoutes = [
  route({
    method: "GET",
    path: "/regions",
    query: z.object({ org_id: platformId.optional() }),
    handle: ({ query }) => {
      if (query.org_id !== undefined) throw notFound("organization");
      return { regions };
    },
  }),
];
