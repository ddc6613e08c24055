import { z } from "zod";

/** The body of a refusal. `code` is often empty, so decide on the HTTP status. */
export const errorBody = z.looseObject({
  request_id: z.string().optional(),
  code: z.string().optional(),
  message: z.string(),
});

/** The same, wrapped, as some gateways in front of the platform send it. */
export const wrappedErrorBody = z.looseObject({
  error: z.looseObject({ code: z.string().optional(), message: z.string() }),
});
