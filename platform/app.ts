import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";

import { Api, type ApiParts, basePath } from "./http/api";
import { consolePage } from "./http/console-page";
import type { Route } from "./http/route";
import { routes } from "./routes/index";
import { addLocalRoutes } from "./routes/local";

type Env = { Bindings: HttpBindings };

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * What needs no key must not be open to the pages in the user's browser: neither to one that sends requests across
 * sites, nor to one whose own host name was made to point here.
 */
const keyless = createMiddleware<Env>(async (context, next) => {
  const isForeign = context.req.header("origin") !== undefined;
  if (isForeign || !loopbackHost.test(context.req.header("host") ?? "")) {
    return context.json({ code: "", message: "only for programs on this machine" }, 403);
  }
  await next();
  return undefined;
});

/** The whole server: the API, the console's page, and what only a local platform has. */
export function appOf(parts: ApiParts): Hono<Env> {
  const app = new Hono<Env>();
  const api = new Api(parts);
  const serve =
    (route?: Route) =>
    async (context: Context<Env>): Promise<Response> => {
      const { incoming, outgoing } = context.env;
      const { req: request } = context;
      const arrival = { incoming, outgoing, route, parameters: request.param(), query: request.query() };
      return (await api.serve(arrival)) ?? RESPONSE_ALREADY_SENT;
    };
  for (const route of routes) app.on(route.method, `${basePath}${route.path}`, serve(route));
  app.all(`${basePath}/*`, serve());
  app.all(basePath, serve());
  app.use("/local/*", keyless);
  addLocalRoutes(app, parts);
  app.get("/", keyless, (context) => {
    parts.alarm.ring();
    context.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return context.html(consolePage(parts.plane));
  });
  app.onError((error, context) => {
    console.error(`${context.req.method} ${context.req.path}:`, error);
    return context.json({ code: "", message: "internal error of the local platform" }, 500);
  });
  app.notFound((context) =>
    context.json({ code: "", message: `unknown route: ${context.req.method} ${context.req.path}` }, 404),
  );
  return app;
}
