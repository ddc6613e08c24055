import type { z } from "zod";

import { platformId } from "../../api/schemas/wire";
import { badRequest, notFound } from "../http-error";
import type { Caller } from "../model/caller";
import type { ControlPlane } from "../model/control-plane";
import type { OrganizationRow, ProjectRow } from "../model/rows";
import type { Authorization, Reached } from "./authorization";

/** An answer that says in its status that it has no body. */
export const noContent = Symbol("204");
/** A successful answer with an empty body. */
export const emptyBody = Symbol("200, empty");

/** A request that has been found to be in order. */
export interface Call<Query, Body> {
  readonly plane: ControlPlane;
  readonly caller: Caller;
  /** The variable segments of the path, decoded. */
  readonly parameter: (name: string) => string;
  /** The project that the path names, which the caller may see. */
  readonly project: () => ProjectRow;
  /** The organization that the path names, which the caller may see. */
  readonly organization: () => OrganizationRow;
  readonly query: Query;
  readonly body: Body;
}

/** One route of the API, as data. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the base URL; `:name` is a variable segment. */
  readonly path: string;
  /** Whose keys it is for. */
  readonly scope: Authorization;
  /** Requests per second that an account may send, where that is not what holds for all routes. */
  readonly perSecond?: number;
  /** Of a successful answer that has a body; 200 unless given. */
  readonly status?: number;
  /** Whether it can be called without a body. */
  readonly isBodyOptional?: boolean;
  readonly answer: (context: CallContext) => unknown;
}

/** What is known of a request before it is read. */
export interface CallContext {
  readonly plane: ControlPlane;
  readonly caller: Caller;
  /** What the path names, as far as the scope of the route has let the caller get to it. */
  readonly reached: Reached;
  readonly parameter: (name: string) => string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface RouteWith<Query extends z.ZodType, Body extends z.ZodType> extends Omit<Route, "answer"> {
  readonly query?: Query;
  readonly body?: Body;
  /** Runs in one transaction: what it throws takes back everything it has done. */
  readonly handle: (call: Call<z.infer<Query>, z.infer<Body>>) => object | typeof noContent | typeof emptyBody;
}

/** Makes a route whose query and body are read by their schemas. */
export function route<Query extends z.ZodType = z.ZodUnknown, Body extends z.ZodType = z.ZodUnknown>({
  query,
  body,
  handle,
  ...rest
}: RouteWith<Query, Body>): Route {
  return {
    ...rest,
    answer: ({ plane, caller, reached, parameter, query: givenQuery, body: givenBody }) => {
      const readQuery = (query ? read(query, givenQuery, "query parameter") : givenQuery) as z.infer<Query>;
      const isRead = body !== undefined && !(rest.isBodyOptional === true && givenBody === undefined);
      if (isRead && givenBody === undefined) throw badRequest("the request has no body, and this one needs one");
      const readBody = (isRead ? read(body, givenBody, "body") : {}) as z.infer<Body>;
      const project = (): ProjectRow => named(reached.project);
      const organization = (): OrganizationRow => named(reached.organization);
      return handle({ plane, caller, parameter, project, organization, query: readQuery, body: readBody });
    },
  };
}

/** What deleting answers of an object that is not there: it may have been, unless no object can have such an id. */
export function absent(what: string, given: string): typeof noContent {
  if (!platformId.safeParse(given).success) throw notFound(what);
  return noContent;
}

function named<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error("the scope of this route names no such object");
  return row;
}

/** Reads a value by a schema; what is wrong with it is refused by the name of the member. */
export function read<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? `${where}: ${message}` : `${where} ${path.join(".")}: ${message}`,
  );
  throw badRequest(problems.join("; "));
}
