import type { LoggedRequest } from "../../platform/http/request-log";
import { routes } from "../../platform/routes";
import type { Values } from "../support/provider-server";

/** A moment at which a fault can strike: a request that a verb sends, or an operation that it starts. */
export interface Point {
  readonly is: "request" | "operation";
  /** Its part of the name of a case, the same in every run. */
  readonly title: string;
  /** Where an ordered fault strikes; the fault adds what it does. */
  readonly order: Values;
  readonly method: string;
  /** Whether it polls operations, whose number depends on the time. */
  readonly isPoll: boolean;
}

/** The requests of a verb, numbered among those with the same method and route. */
export function requestPoints(
  requests: readonly Pick<LoggedRequest, "method" | "path" | "status">[],
): readonly Point[] {
  const sent = requests.map(({ method, path }) => ({ method, route: routeOf(method, path) }));
  return numbered(sent, ({ method, route }) => `${method} ${route}`).flatMap(
    ({ one: { method, route }, title, skip }) => {
      const isPoll = method === "GET" && route.includes("/operations");
      const path = patternOf(route);
      return isPoll && skip > 0 ? [] : [{ is: "request", title, order: { method, path, skip }, method, isPoll }];
    },
  );
}

/** The operations that a verb starts, oldest first. */
export function operationPoints(actions: readonly string[]): readonly Point[] {
  return numbered(actions, (action) => action).map(({ one: action, title, skip }) => ({
    is: "operation",
    title,
    order: { action, skip },
    method: "",
    isPoll: false,
  }));
}

/** The items of a list, numbered among those with the same title. */
export function numbered<One>(
  all: readonly One[],
  titleOf: (one: One) => string,
): { readonly one: One; readonly title: string; readonly skip: number }[] {
  const counts = new Map<string, number>();
  return all.map((one) => {
    const title = titleOf(one);
    const skip = counts.get(title) ?? 0;
    counts.set(title, skip + 1);
    return { one, title: `${title} #${skip + 1}`, skip };
  });
}

/** The addresses of S3, which have no routes. A key has slashes. */
const storage = ["/storage/:branch_id/:bucket_name", "/storage/:branch_id/:bucket_name/:object_key"] as const;

const patternOf = (route: string): string =>
  `^${route.replace(/(?<=^.storage.+):object_key$/, ".+").replaceAll(/:\w+/g, "[^/]+")}$`;

/** The route of a request: its path without the ids. */
function routeOf(method: string, target: string): string {
  const [path = ""] = target.replace("/api/v2", "").split("?", 1);
  const all = [...routes, ...storage.map((one) => ({ method, path: one }))];
  const found = all.find((route) => route.method === method && new RegExp(patternOf(route.path)).test(path));
  if (found === undefined) throw new Error(`no route answers ${method} ${path}`);
  return found.path;
}
