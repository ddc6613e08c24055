import type { z } from "zod";

import type { ControlPlane } from "./control-plane";
import type { ApiKeyRow, ProjectRow, UserRow } from "./model/rows";
import { visibleProject } from "./model/project";
import { badRequest } from "./refusal";

/** Who asks: the user behind a key. */
export interface Caller {
  readonly key: ApiKeyRow;
  readonly user: UserRow;
}

/** An answer without a body. */
export const noContent = Symbol("204");

/** A request that has been found to be in order. */
export interface Call<Query, Body> {
  readonly plane: ControlPlane;
  readonly caller: Caller;
  /** The variable segments of the path, decoded. */
  readonly parameter: (name: string) => string;
  /** The project that the path names, if the caller may see it. */
  readonly project: () => ProjectRow;
  readonly query: Query;
  readonly body: Body;
}

/** One route of the API, as data. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below the base URL; `:name` is a variable segment. */
  readonly path: string;
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
  readonly parameter: (name: string) => string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface RouteWith<Query extends z.ZodType, Body extends z.ZodType> extends Omit<Route, "answer"> {
  readonly query?: Query;
  readonly body?: Body;
  /** Runs in one transaction: what it throws takes back everything it has done. */
  readonly handle: (call: Call<z.infer<Query>, z.infer<Body>>) => object | typeof noContent;
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
    answer: ({ plane, caller, parameter, query: givenQuery, body: givenBody }) => {
      const readQuery = (query ? read(query, givenQuery, "query parameter") : givenQuery) as z.infer<Query>;
      const isRead = body !== undefined && !(rest.isBodyOptional === true && givenBody === undefined);
      if (isRead && givenBody === undefined) throw badRequest("the request has no body, and this one needs one");
      const readBody = (isRead ? read(body, givenBody, "body") : {}) as z.infer<Body>;
      const project = (): ProjectRow => visibleProject(plane, caller.user, parameter("project_id"));
      return handle({ plane, caller, parameter, project, query: readQuery, body: readBody });
    },
  };
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
