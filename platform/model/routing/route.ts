import type { Readable } from "node:stream";
import type { z } from "zod";

import { badRequest, HttpError, notFound } from "../../http-error";
import { getBranch } from "../branches/branch-state";
import type { ControlPlane } from "../control-plane";
import { id as platformId } from "../../published/values";
import type { Authorization, authorize, Authorized } from "./authorization";
import { type BodyKind, mediaTypes } from "./body-kind";
import { validate } from "./validation";

/** Returned by a handler that answers 204. */
export const noContent = Symbol("204");
/** Returned by a handler that answers with the status of its route and without a body. */
export const emptyBody = Symbol("empty");

/** The answer of a handler that returns something other than JSON. */
export class ContentResult {
  readonly headers: Readonly<Record<string, string>>;
  /** Opens the content, when it is sent. */
  readonly open: () => Readable;

  constructor(headers: Readonly<Record<string, string>>, open: () => Readable) {
    this.headers = headers;
    this.open = open;
  }
}

/** The answer of a handler: the object to send as JSON, a content, or one of the two answers without a body. */
export type HandlerResult = object | ContentResult | typeof noContent | typeof emptyBody;

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Routes by path and method. Paths are below the base URL; `:name` is a variable segment. */
export type Paths<Definition> = Readonly<Record<string, Readonly<Partial<Record<Method, Definition>>>>>;

export type RouteOf<Definition> = Definition & { readonly method: Method; readonly path: string };

/** The routes of a table, in its order. If two match a request, the first one is used. */
export function routesOf<Definition>(paths: Paths<Definition>): RouteOf<Definition>[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, definition]) => ({ ...definition, method: method as Method, path })),
  );
}

interface RequestContext {
  readonly controlPlane: ControlPlane;
  /** Returns a variable segment of the path, decoded. */
  readonly parameter: (name: string) => string;
}

/** An authorized request whose query and body are not validated yet. */
interface RawRequestContext extends RequestContext {
  readonly caller: Authorized<Authorization>["caller"];
  readonly target: ReturnType<typeof authorize>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface RouteSettings {
  /** The operation's id in the published document, for errors about a body. */
  readonly operationId?: string;
  /** Requests per second for one account; default: the limit that all routes have. */
  readonly perSecond?: number;
  /** The status of a successful response with a body; default 200. */
  readonly status?: number;
  /**
   * Whether the route changes nothing although it is not a GET. It then needs no transaction, may wait, and viewers may call it.
   */
  readonly changesNothing?: boolean;
  /** A check before the transaction, for checks that take time. The body is not validated yet. */
  readonly check?: (controlPlane: ControlPlane, body: unknown) => Promise<void>;
  /** The members that the body of a 404 has in addition to code and message, instead of a request id. */
  readonly notFound?: object;
  /** The form of the request's body; default `json`. */
  readonly bodyKind?: BodyKind;
  /** Whether the route answers without a look at Postgres, because clients poll it; default false. */
  readonly ignoresPostgres?: boolean;
}

/** The definition of a path's method: its handler, and who may call it. */
type RouteDefinition = Authorization &
  RouteSettings & { readonly handle: (context: RawRequestContext) => HandlerResult };

export type ApiPaths = Paths<RouteDefinition>;

export type Route = RouteOf<RouteDefinition>;

interface RouteOptions<Query extends z.ZodType, Body extends z.ZodType> extends RouteSettings {
  readonly query?: Query;
  readonly body?: Body;
  readonly isBodyOptional?: boolean;
}

/** Answers an authorized and validated request in one transaction, which is rolled back if this throws. */
type Handler<Access extends Authorization, Query extends z.ZodType, Body extends z.ZodType> = (
  context: RequestContext & Authorized<Access> & { readonly query: z.infer<Query>; readonly body: z.infer<Body> },
) => HandlerResult;

/** Defines a method of a path: who may call it, with which query and body, and what it does. */
export function allow<
  Access extends Authorization,
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(definition: Access & RouteOptions<Query, Body>, handle: Handler<Access, Query, Body>): RouteDefinition {
  const { query: querySchema, body: bodySchema, isBodyOptional = false } = definition;
  return {
    ...definition,
    handle: ({ target, query: rawQuery, body: rawBody, ...context }) => {
      const query = querySchema && validate(querySchema, rawQuery, "query parameter");
      if (bodySchema && rawBody === undefined && !isBodyOptional) throw badRequest("the request has no body");
      const body =
        bodySchema &&
        decodingRequest(definition, () => validate(bodySchema, rawBody === undefined ? {} : rawBody, "body"));
      const branch =
        definition.target === "branch" && target.project
          ? getBranch(context.controlPlane, target.project.id, context.parameter("branch_id"))
          : undefined;
      // The compiler cannot know that the target and the values are those that the definition declares.
      return handle({ ...context, ...target, branch, query, body } as unknown as Parameters<typeof handle>[0]);
    },
  };
}

/**
 * The value that reading a body returns.
 *
 * @throws HttpError if the body is invalid: a 400 names the operation.
 */
export function decodingRequest<Value>(
  { operationId, bodyKind = "json" }: Pick<RouteSettings, "operationId" | "bodyKind">,
  read: () => Value,
): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    const operation = operationId === undefined ? "" : `operation ${operationId.replace(/^./, upperCase)}: `;
    throw badRequest(`invalid request: ${operation}decode request: decode ${mediaTypes[bodyKind]}: ${error.message}`);
  }
}

const upperCase = (letter: string): string => letter.toUpperCase();

/**
 * The result of deleting an object that does not exist. It may have been deleted earlier, so this succeeds.
 *
 * @throws HttpError 404 if no object can have this id.
 */
export function alreadyDeleted(what: string, id: string): typeof noContent {
  if (!platformId.safeParse(id).success) throw notFound(what);
  return noContent;
}
