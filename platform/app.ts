import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";

import { Api, basePath, type ApiParts } from "./api";
import { consolePage } from "./console-page";
import type { Route } from "./route";
import { routes } from "./routes/index";
import { addLocalRoutes } from "./routes/local";

type Env = { Bindings: HttpBindings };

/** The whole server: the API, the console's page, and what only a local platform has. */
export function appOf(parts: ApiParts): Hono<Env> {
  const app = new Hono<Env>();
  const api = new Api(parts);
  const serve =
    (route?: Route) =>
    async (context: Context<Env>): Promise<Response> => {
      const { incoming, outgoing } = context.env;
      await api.serve({ incoming, outgoing, route, parameters: context.req.param(), query: context.req.query() });
      return RESPONSE_ALREADY_SENT;
    };
  for (const route of routes) app.on(route.method, `${basePath}${route.path}`, serve(route));
  app.all(`${basePath}/*`, serve());
  app.all(basePath, serve());
  addLocalRoutes(app, parts);
  app.get("/", (context) => {
    parts.alarm.ring();
    context.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return context.html(consolePage(parts.plane));
  });
  app.notFound((context) =>
    context.json({ code: "", message: `unknown route: ${context.req.method} ${context.req.path}` }, 404),
  );
  return app;
}
