import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { sleep } from "../clock";
import { HttpError } from "../http-error";
import { accountIdOf } from "../model/accounts/caller";
import type { ControlPlane } from "../model/control-plane";
import type { Processes } from "../model/status";
import type { Scheduler } from "../scheduler/scheduler";
import type { Store } from "../storage/store";
import { authenticate } from "./authentication";
import { authorize } from "./authorization";
import { type Body, parsedBody, readBody, requireJson } from "./body";
import type { RateLimit } from "./rate-limit";
import type { LoggedRequest, RequestLog } from "./request-log";
import { type ApiResponse, errorResponse, faultResponse, sendTruncated, successResponse } from "./response";
import type { Route } from "./route";

export interface ApiServices {
  readonly controlPlane: ControlPlane;
  readonly store: Store;
  readonly scheduler: Scheduler;
  /** The folder that the data is stored in; undefined if it is in memory. */
  readonly dataFolder: string | undefined;
  /** Reads what Postgres says of a project, before a request for it is performed. */
  readonly dataPlane: ({ refresh(projectId: string): Promise<void> } & Processes) | undefined;
  readonly log: RequestLog;
  readonly rateLimit: RateLimit | undefined;
  readonly latencyMs: number;
  /** Aborted when the platform closes: every delayed response is sent at once. */
  readonly closing: AbortSignal;
}

/** The environment of the HTTP application. */
export interface Env {
  Bindings: HttpBindings;
}

export const basePath = "/api/v2";

/** Statuses whose responses never have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** Serves a request below {@link basePath}, for which the router has found a route or none. */
export async function serve(
  services: ApiServices,
  route: Route | undefined,
  { req: request, env: { incoming, outgoing } }: Context<Env>,
): Promise<Response> {
  const { controlPlane, log, latencyMs, closing } = services;
  const method = incoming.method ?? "GET";
  const url = incoming.url ?? "/";
  const entry = log.add({
    time: new Date(controlPlane.clock.now()).toISOString(),
    method,
    path: url,
    status: null,
    requestId: requestIdOf(incoming),
  });
  const fault = controlPlane.faults.forRequest(method, url, basePath);
  const body = await readBody(incoming);
  if (!body) return RESPONSE_ALREADY_SENT;
  log.addBody(entry, body);
  await sleep(controlPlane.clock, latencyMs + (fault?.delayMs ?? 0), closing);

  if (fault?.reset === "before") {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  const refusal = await refusalOf(services, route, incoming, body, entry);
  const projectId = request.param("project_id");
  if (projectId !== undefined && route?.ignoresPostgres !== true) await services.dataPlane?.refresh(projectId);
  const perform = async (): Promise<ApiResponse> =>
    refusal ?? (await performRequest(services, route, request, incoming, body, entry));
  const response = fault?.status === undefined ? await perform() : faultResponse(fault, fault.status);
  // The log has the status of the performed request, even if the fault answers with another one.
  entry.status = fault?.perform === true ? (await perform()).status : response.status;
  if (fault?.reset === "after") {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  const headers = {
    date: new Date(controlPlane.clock.now()).toUTCString(),
    "x-request-id": entry.requestId,
    "cache-control": "no-store",
    ...(services.rateLimit === undefined ? { "x-rate-limit": "none" } : {}),
    ...response.headers,
  };
  if (fault?.truncate === true) {
    sendTruncated(outgoing, { ...response, headers });
    return RESPONSE_ALREADY_SENT;
  }
  return new Response(bodiless.includes(response.status) ? null : (response.body ?? ""), { ...response, headers });
}

/** The response to a request that fails the check of its route, which needs a key as the route does. */
async function refusalOf(
  { controlPlane }: ApiServices,
  route: Route | undefined,
  incoming: IncomingMessage,
  { value }: Body,
  { requestId }: LoggedRequest,
): Promise<ApiResponse | undefined> {
  if (route?.check === undefined) return undefined;
  try {
    authenticate(controlPlane, incoming);
    await route.check(controlPlane, value);
    return undefined;
  } catch (error) {
    return errorResponse(error, requestId);
  }
}

/** Performs a request: a change at once, in one transaction; a GET can wait for Postgres. */
async function performRequest(
  { controlPlane, store, scheduler, rateLimit }: ApiServices,
  route: Route | undefined,
  request: Context<Env>["req"],
  incoming: IncomingMessage,
  received: Body,
  { method, path, requestId }: LoggedRequest,
): Promise<ApiResponse> {
  try {
    scheduler.runDueJobs();
    const caller = authenticate(controlPlane, incoming);
    rateLimit?.consume(accountIdOf(caller), route ? `${route.method} ${route.path}` : "unknown", route?.perSecond);
    if (!route) throw new HttpError(404, `unknown route: ${method} ${path.split("?", 1)[0] ?? path}`);
    requireJson(received, incoming.headers["content-type"]);
    const body = parsedBody(received);
    const query = request.query();
    const parameter = (name: string): string => request.param(name) ?? "";
    const handle = (): unknown => {
      const target = authorize(controlPlane, caller, route, parameter);
      return route.handle({ controlPlane, caller, target, parameter, query, body });
    };
    if (route.method === "GET") return successResponse(await handle(), route.status);
    const result = store.transaction(() => {
      const changed = handle();
      controlPlane.keyUsage.flush(controlPlane.tables.apiKeys);
      return changed;
    });
    scheduler.reschedule();
    return successResponse(result, route.status);
  } catch (error) {
    return errorResponse(store.explain(error), requestId);
  }
}

/** The client's own request id if it can be sent back in a header. */
function requestIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers["x-request-id"];
  return typeof given === "string" && /^[\x21-\x7e]{1,200}$/.test(given) ? given : randomUUID();
}
