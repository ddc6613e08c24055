import { Hono } from "hono";

import { addConsole } from "./console-server/routes";
import type { ConsoleServices } from "./console-server/services";
import { basePath, type Env, serve, unknownRoute } from "./http/api";
import { addLocalRoute } from "./http/local-route";
import { routes } from "./routes/index";
import { localRoutes } from "./routes/local";
import { isStorage } from "./s3/request";
import { serveS3 } from "./s3/serve";
import { StorageError } from "./storage/storage-error";

/** The HTTP application: the API, the console and the routes below `/local`. */
export function createApp(services: ConsoleServices): Hono<Env> {
  const app = new Hono<Env>();
  // The address counts as it was sent, because a key may have parts that lead out of the path, such as "..".
  app.use((context, next) => (isStorage(context.env.incoming) ? serveS3(services, context) : next()));
  for (const route of routes) {
    app.on(route.method, `${basePath}${route.path}`, (context) => serve(services, route, context));
  }
  app.on("ALL", [basePath, `${basePath}/*`], (context) => serve(services, undefined, context));
  // The console comes first, because its guard also protects these routes.
  const showMissingPage = addConsole(app, services);
  for (const route of localRoutes) addLocalRoute(app, services, route);
  app.get("*", showMissingPage);
  app.onError((thrown, context) => {
    const error = services.store.explain(thrown);
    if (error instanceof StorageError)
      return context.json({ code: "", message: error.message }, error.status as 500 | 503);
    console.error(`${context.req.method} ${context.req.path}:`, error);
    return context.json({ code: "", message: "internal error of the local platform" }, 500);
  });
  app.notFound((context) => context.json({ code: "", message: unknownRoute }, 404));
  return app;
}
