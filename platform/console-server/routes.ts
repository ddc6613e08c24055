import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { randomBytes, randomUUID } from "node:crypto";

import { HttpError } from "../http-error";
import type { Env } from "../http/api";
import { Assets } from "./assets";
import { localOnly, newToken } from "./guard";
import { callFunction } from "./function-call";
import { LiveStreams } from "./live";
import { downloadObject } from "./object-download";
import { signInWith } from "./sign-in";
import { pageDocument, securityHeaders } from "./page";
import type { ConsoleServices } from "./services";
import { runSql } from "./sql-route";
import { foundRequests, operationViews, pagePaths, pageState } from "./state";

const nonceBytes = 16;
const yearSeconds = 31_536_000;
const latestTime = 8_640_000_000_000_000;

/**
 * Adds the console: the page, its files, its state, the stream that keeps it current, SQL, calls of functions, and
 * contents of objects. For everything else, the page uses the routes below `/local`, like other programs. All of
 * these routes are for this machine only.
 *
 * @returns what answers a browser at an address that does not exist: a page instead of JSON
 */
export function addConsole(app: Hono<Env>, services: ConsoleServices): MiddlewareHandler<Env> {
  const token = newToken();
  const instance = randomUUID();
  const assets = new Assets();
  const live = new LiveStreams(services, instance);
  const guard = localOnly(token);
  const signIn = signInWith(services);
  const stateOf = (path: string, requestUrl: string) => {
    services.scheduler.runDueJobs();
    return pageState(services, { instance, version: live.version, path, origin: new URL(requestUrl).origin });
  };

  const showPage = async (context: Context<Env>): Promise<Response> => {
    const url = new URL(context.req.url);
    const state = stateOf(url.pathname + url.search, context.req.url);
    const [{ script, styles }, { render, titleOf }] = await Promise.all([assets.manifest(), assets.renderer()]);
    const nonce = randomBytes(nonceBytes).toString("base64");
    const page = pageDocument({ state, title: titleOf(state), body: render(state), script, styles, token, nonce });
    return context.html(page, state.view.kind === "missing" ? 404 : 200, securityHeaders(nonce));
  };

  for (const prefix of ["/local/*", "/console/*", ...pagePaths]) app.use(prefix, guard);
  for (const path of pagePaths) app.get(path, showPage);
  app.get("/console/assets/:name", async (context) => {
    const asset = await assets.file(context.req.param("name"));
    if (!asset) return context.notFound();
    return context.body(new Uint8Array(asset.content), 200, {
      "content-type": asset.type,
      "content-encoding": "gzip",
      // The name of a file changes with its content.
      "cache-control": `public, max-age=${yearSeconds}, immutable`,
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
  });
  app.get("/console/state", (context) => context.json(stateOf(context.req.query("path") ?? "/", context.req.url)));
  app.get("/console/operations", (context) => {
    const { project: projectId, action, before } = context.req.query();
    const filter = { projectId, action, before: before === undefined ? undefined : timeOf(before) };
    return context.json({ operations: operationViews(services, filter) });
  });
  app.get("/console/requests", (context) =>
    context.json({ requests: foundRequests(services, context.req.query("search") ?? "") }),
  );
  app.get("/console/events", (context) => {
    live.open(context.env.outgoing, context.req.query("requests") !== undefined);
    return RESPONSE_ALREADY_SENT;
  });
  app.post("/console/sql", (context) => answering(context, () => runSql(services, context)));
  app.post("/console/function-call", (context) => answering(context, () => callFunction(services, context)));
  app.get("/console/object", (context) => answering(context, () => downloadObject(services, context)));
  app.post("/console/key", (context) => context.json({ key: signIn() }));
  return async (context, next) => {
    if (context.req.header("accept")?.includes("text/html") !== true) {
      await next();
      return undefined;
    }
    return (await guard(context, () => Promise.resolve())) ?? (await showPage(context));
  };
}

/** A time from a client, limited to the range of `Date`. */
const timeOf = (text: string): number => Math.min(latestTime, Math.max(0, Number(text) || 0));

/** Answers a request. A refusal has the same form as on the routes below `/local`. */
async function answering(context: Context<Env>, answer: () => Response | Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { code, message, status } = error;
    return context.json({ code, message }, status as ContentfulStatusCode);
  }
}
