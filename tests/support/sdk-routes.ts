import { raw } from "@neon/sdk";

const methods = ["get", "post", "put", "patch", "delete"] as const;

/** The routes of the vendor's typed client, which is newer than the OpenAPI document: each of its functions is called. */
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
