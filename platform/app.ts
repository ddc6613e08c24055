import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

import { type ApiServices, basePath, type Env, serve } from "./http/api";
import { consolePage } from "./http/console-page";
import { addLocalRoute } from "./http/local-route";
import { routes } from "./routes/index";
import { localRoutes } from "./routes/local";
import { StorageError } from "./storage/storage-error";

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

/**
 * Protects the routes that need no key from web pages in the user's browser: cross-site requests have an `origin`, and
 * DNS rebinding shows in the `host`.
 */
const localProgramsOnly = createMiddleware<Env>(async (context, next) => {
  const isCrossSite = context.req.header("origin") !== undefined;
  if (isCrossSite || !loopbackHost.test(context.req.header("host") ?? "")) {
    return context.json({ code: "", message: "only for programs on this machine" }, 403);
  }
  await next();
  return undefined;
});

/** The HTTP application: the API, the console page and the routes below `/local`. */
export function createApp(services: ApiServices): Hono<Env> {
  const app = new Hono<Env>();
  for (const route of routes) {
    app.on(route.method, `${basePath}${route.path}`, (context) => serve(services, route, context));
  }
  app.on("ALL", [basePath, `${basePath}/*`], (context) => serve(services, undefined, context));
  app.use("/local/*", localProgramsOnly);
  for (const route of localRoutes) addLocalRoute(app, services, route);
  app.get("/", localProgramsOnly, (context) => {
    services.scheduler.runDueJobs();
    context.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return context.html(consolePage(services.controlPlane));
  });
  app.onError((thrown, context) => {
    const error = services.store.explain(thrown);
    if (error instanceof StorageError)
      return context.json({ code: "", message: error.message }, error.status as 500 | 503);
    console.error(`${context.req.method} ${context.req.path}:`, error);
    return context.json({ code: "", message: "internal error of the local platform" }, 500);
  });
  app.notFound((context) =>
    context.json({ code: "", message: `unknown route: ${context.req.method} ${context.req.path}` }, 404),
  );
  return app;
}
