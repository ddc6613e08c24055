import type { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { badRequest, notFound } from "../http-error";
import type { Caller } from "../model/accounts/caller";
import type { ControlPlane } from "../model/control-plane";
import type { Authorization, AuthorizedTarget } from "./authorization";
import { type HandlerResult, noContent } from "./response";
import { validate } from "./validation";

/** An authorized request. */
interface RequestContext {
  readonly controlPlane: ControlPlane;
  readonly caller: Caller;
  /** Returns a variable segment of the path, decoded. */
  readonly parameter: (name: string) => string;
}

/** A request whose query and body are not validated yet. */
interface RawRequestContext extends RequestContext {
  readonly target: AuthorizedTarget<Authorization>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** One route of the API. */
export interface Route<Access extends Authorization = Authorization> {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the base URL; `:name` is a variable segment. */
  readonly path: string;
  /** Who may call it. */
  readonly authorization: Access;
  /** Requests per second for one account; default: the limit that all routes have. */
  readonly perSecond?: number;
  /** The status of a successful response with a body; default 200. */
  readonly status?: number;
  readonly isBodyOptional?: boolean;
  readonly handle: (context: RawRequestContext) => HandlerResult;
}

/** A route with the schemas of its query and body, whose handler gets the validated values. */
interface RouteDefinition<Access extends Authorization, Query extends z.ZodType, Body extends z.ZodType> extends Omit<
  Route<Access>,
  "handle"
> {
  readonly query?: Query;
  readonly body?: Body;
  /** Runs in one transaction, which is rolled back if this throws. */
  readonly handle: (
    context: RequestContext &
      AuthorizedTarget<Access> & { readonly query: z.infer<Query>; readonly body: z.infer<Body> },
  ) => HandlerResult;
}

export function route<
  Access extends Authorization,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>({ query: querySchema, body: bodySchema, handle, ...rest }: RouteDefinition<Access, Query, Body>): Route<Access> {
  return {
    ...rest,
    handle: ({ target, query: rawQuery, body: rawBody, ...context }) => {
      const query = (querySchema ? validate(querySchema, rawQuery, "query parameter") : rawQuery) as z.infer<Query>;
      const hasBody = bodySchema !== undefined && !(rest.isBodyOptional === true && rawBody === undefined);
      if (hasBody && rawBody === undefined) throw badRequest("the request has no body");
      const body = (hasBody ? validate(bodySchema, rawBody, "body") : {}) as z.infer<Body>;
      return handle({ ...context, ...(target as AuthorizedTarget<Access>), query, body });
    },
  };
}

/**
 * The result of deleting an object that does not exist. It may have been deleted earlier, so this succeeds.
 *
 * @throws HttpError 404 if no object can have this id.
 */
export function alreadyDeleted(what: string, id: string): typeof noContent {
  if (!platformId.safeParse(id).success) throw notFound(what);
  return noContent;
}
