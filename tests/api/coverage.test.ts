import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { before, describe, it } from "mocha";

import type { Request } from "../../api/core/request";
import { routes } from "../../platform/routes/index";
import { publishedRoutes } from "../support/openapi";
import { coveragePage as page, pagesRoutes, routeShape, sdkRoutes } from "../support/sdk-routes";

/** An argument that is a segment of a path, a body or the settings of a list, as the request needs it. */
const anything = Object.assign(["x"], { metrics: ["x"], projectIds: ["x"] });

type Members = Readonly<Record<string, unknown>>;

/** The routes of all requests in `api/schemas`, with `x` for each segment that a caller gives. */
async function sentRoutes(): Promise<string[]> {
  const folder = join(__dirname, "../../api/schemas");
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const modules = await Promise.all(
    files.map(async (name) => ((await import(join(folder, name))) as { default: Members }).default),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter((group): group is Members => typeof group === "object" && group?.constructor === Object)
    .flatMap((group) => Object.values(group))
    .filter((build): build is (...args: unknown[]) => unknown => typeof build === "function")
    .map((build) => build(anything, anything, anything, anything))
    .filter((built): built is Request<unknown> => typeof built === "object" && built !== null && "schema" in built)
    .map(({ method, path }) => `${method} ${path}`);
}

/** The operations on the page, each with the reason why the local platform does not serve it, if it does not. */
function listed(): readonly (readonly [route: string, reason: string | undefined])[] {
  const [first = ""] = readFileSync(page, "utf8").split("\n## ");
  return [...first.matchAll(/^([A-Z]+ \/\S+)(?: +(\w+))?$/gm)].map(
    ([, route = "", reason]) => [route, reason] as const,
  );
}

describe("the operations of Neon's API", () => {
  let sent: readonly string[];
  let documents: readonly string[];
  let published: readonly string[];
  before(async () => {
    sent = await sentRoutes();
    const shapes = new Set<string>();
    documents = [...publishedRoutes(), ...(await sdkRoutes())];
    published = [...documents, ...pagesRoutes()].filter((route) => {
      const isNew = !shapes.has(routeShape(route));
      shapes.add(routeShape(route));
      return isNew;
    });
  });

  /** The operation of a request; several if a caller chooses between `start`, `suspend` and `restart`. */
  function operationsOf(request: string): readonly string[] {
    const fits = (route: string, part: RegExp): boolean =>
      new RegExp(`^${route.replaceAll(part, "[^/]+")}$`).test(request) ||
      new RegExp(`^${request.replaceAll(/\bx\b/g, "[^/]+")}$`).test(route);
    const all = published.filter((route) => fits(route, /\{\w+\}/g));
    const named = all.filter((route) => route.replaceAll(/\{\w+\}/g, "x") === request);
    return named.length > 0 ? named : all;
  }

  it("include every request of the client", () => {
    assert.ok(sent.length > 100, `${sent.length} requests`);
    assert.deepEqual(
      sent.filter((route) => operationsOf(route).length === 0),
      [],
      `neither published document has these: if a page of the vendor's reference does, add it to ${page}`,
    );
  });

  it(`that only pages describe are on ${page} until a published document has them`, () => {
    const shapes = new Set(documents.map(routeShape));
    assert.notDeepEqual(pagesRoutes(), []);
    assert.deepEqual(
      pagesRoutes().filter((route) => shapes.has(routeShape(route))),
      [],
    );
  });

  it(`that the client does not send are those on ${page}`, () => {
    const operations = new Set(sent.flatMap(operationsOf));
    const rest = published.filter((route) => !operations.has(route));
    assert.deepEqual(
      listed()
        .map(([route]) => route)
        .sort(),
      rest.sort(),
    );
  });

  it(`that the local platform does not serve have a reason on ${page}`, () => {
    const served = new Set(routes.map(({ method, path }) => routeShape(`${method} ${path}`)));
    const rest = published.filter((route) => !served.has(routeShape(route)));
    assert.deepEqual(
      listed()
        .flatMap(([route, reason]) => (reason === undefined ? [] : [route]))
        .sort(),
      rest.sort(),
    );
  });
});
