import { z } from "zod";

import { apiKeyCreate } from "../../api/schemas/api-key";
import { createKey, keyEntry, keysOf, revokedAnswer, revokeKey } from "../model/api-key";
import { read, route } from "../route";

const keyId = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);

export const apiKeyRoutes = [
  route({
    method: "GET",
    path: "/api_keys",
    handle: ({ plane, caller }) => keysOf(plane, caller.user).map((row) => keyEntry(row, caller.user)),
  }),
  route({
    method: "POST",
    path: "/api_keys",
    body: apiKeyCreate,
    handle: ({ plane, caller, body }) => {
      const { key, row } = createKey(plane, caller.user, body.key_name);
      return { id: row.id, key, name: row.name, created_at: row.created_at, created_by: row.user_id };
    },
  }),
  route({
    method: "DELETE",
    path: "/api_keys/:key_id",
    handle: ({ plane, caller, parameter }) =>
      revokedAnswer(revokeKey(plane, caller.user, read(keyId, parameter("key_id"), "key_id"))),
  }),
];
