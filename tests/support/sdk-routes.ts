import { readFileSync } from "node:fs";

import { raw } from "@neon/sdk";

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The routes of the vendor's typed client, which is newer than the OpenAPI document, found by calling each of its functions. */
export async function sdkRoutes(): Promise<string[]> {
  const routes = new Set<string>();
  const client = Object.fromEntries(
    methods.map((method) => [
      method,
      ({ url }: { readonly url: string }) => {
        routes.add(`${method.toUpperCase()} ${url}`);
        return Promise.resolve({});
      },
    ]),
  );
  for (const send of Object.values(raw as Record<string, unknown>)) {
    if (typeof send === "function") await (send as (options: object) => unknown)({ client });
  }
  return [...routes];
}

/** A route without the names of its variables. */
export function routeShape(route: string): string {
  return route.replaceAll(/\{\w+\}|:\w+/g, "{}");
}

/** The page with the operations that only pages describe, and those that this package does not send. */
export const coveragePage = "docs/internals/coverage.md";

/** The routes that only pages of the vendor's reference describe, as `GET /projects/{project_id}`. */
export function pagesRoutes(): string[] {
  const [, section = ""] = readFileSync(coveragePage, "utf8").split("\n## Operations that only pages describe\n");
  return [...section.matchAll(/^([A-Z]+ \/\S+)/gm)].map(([, route = ""]) => route);
}
