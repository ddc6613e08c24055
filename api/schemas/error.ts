import { z } from "zod";

/** The body of an HTTP error. `code` is often empty, so use the HTTP status to tell errors apart. */
export const errorBody = z.looseObject({
  request_id: z.string().optional(),
  code: z.string().optional(),
  message: z.string(),
});

/** A wrapped error body, as some gateways in front of the platform return it. */
export const wrappedErrorBody = z.looseObject({
  error: z.looseObject({ code: z.string().optional(), message: z.string() }),
});
