import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { z } from "zod";

import { sleep } from "../clock";
import { HttpError } from "../http-error";
import { accountIdOf } from "../model/accounts/caller";
import type { ControlPlane } from "../model/control-plane";
import type { Processes } from "../model/status";
import type { Scheduler } from "../scheduler/scheduler";
import type { Store } from "../storage/store";
import { authenticate } from "./authentication";
import { authorize } from "../model/routing/authorization";
import { type Body, parsedBody, readBody, requireType } from "./body";
import type { RateLimit } from "./rate-limit";
import type { LoggedRequest, RequestLog } from "./request-log";
import { type ApiResponse, errorResponse, faultResponse, sendTruncated, successResponse } from "./response";
import { decodingRequest, type Route } from "../model/routing/route";
import type { RunJournal } from "./run-journal";

export interface ApiServices {
  readonly controlPlane: ControlPlane;
  readonly store: Store;
  readonly scheduler: Scheduler;
  /** The folder that the data is stored in; undefined if it is in memory. */
  readonly dataFolder: string | undefined;
  /** Updates the rows of a project from Postgres, before a request for it is performed. */
  readonly dataPlane: ({ refresh(projectId: string): Promise<void> } & Processes) | undefined;
  /** Waits until the functions match their rows. */
  readonly functions: { settled(): Promise<void> };
  readonly log: RequestLog;
  /** The requests from which the timeline of Pulumi's runs is drawn. */
  readonly journal: RunJournal;
  readonly rateLimit: RateLimit | undefined;
  readonly latencyMs: number;
  /** Aborted when the platform closes: every delayed response is then sent at once. */
  readonly closing: AbortSignal;
}

/** The environment of the HTTP application. */
export interface Env {
  Bindings: HttpBindings;
}

export const basePath = "/api/v2";

/** The message of a 404 for a path or a method that the API does not have. */
export const unknownRoute = "this route does not exist";

const maxUserAgentLength = 200;

/** Answers of the API hold secrets, and change at any time. */
const uncached = { "cache-control": "no-store" } as const;

/** Statuses whose responses never have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** Serves a request below {@link basePath}, for which the router has found a route or none. */
export async function serve(services: ApiServices, route: Route | undefined, context: Context<Env>): Promise<Response> {
  const { incoming } = context.env;
  return await exchange(services, context, async (entry) => {
    const body = await readBody(incoming, route?.bodyKind);
    if (!body) return undefined;
    services.log.addBody(entry, body);
    return () => performRequest(services, route, context.req, incoming, body, entry);
  });
}

/**
 * Logs a request and answers it, unless a scripted fault does.
 *
 * @param receive reads the request and returns how to perform it, or nothing if the client has disconnected
 * @param usual header fields that an answer has unless it has others
 */
export async function exchange(
  services: ApiServices,
  { env: { incoming, outgoing } }: Context<Env>,
  receive: (entry: LoggedRequest) => Promise<(() => Promise<ApiResponse>) | undefined>,
  usual: ApiResponse["headers"] = uncached,
): Promise<Response> {
  const { controlPlane, log, latencyMs, closing } = services;
  const method = incoming.method ?? "GET";
  const url = incoming.url ?? "/";
  const began = controlPlane.clock.now();
  const entry = log.add({
    time: new Date(began).toISOString(),
    method,
    path: url,
    requestId: requestIdOf(incoming),
    userAgent: incoming.headers["user-agent"]?.slice(0, maxUserAgentLength) ?? "",
  });
  /** The log has the status of the performed request, even if a fault answers with another one. */
  const finish = (status: number | null): void => log.finish(entry, status, controlPlane.clock.now() - began);
  const fault = controlPlane.faults.forRequest(method, url, basePath);
  const perform = await receive(entry);
  if (!perform) return RESPONSE_ALREADY_SENT;
  await sleep(controlPlane.clock, latencyMs + (fault?.delayMs ?? 0), closing);

  if (fault?.reset === "before") {
    finish(null);
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  const response = fault?.status === undefined ? await perform() : faultResponse(fault, fault.status);
  finish(fault?.perform === true ? (await perform()).status : response.status);
  await services.functions.settled();
  if (fault?.reset === "after") {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  const headers = {
    date: new Date(controlPlane.clock.now()).toUTCString(),
    "x-neon-ret-request-id": entry.requestId,
    ...usual,
    ...(services.rateLimit === undefined ? { "x-rate-limit": "none" } : {}),
    ...response.headers,
  };
  if (fault?.truncate === true) {
    sendTruncated(outgoing, { ...response, headers });
    return RESPONSE_ALREADY_SENT;
  }
  const isBodiless = bodiless.includes(response.status) || method === "HEAD";
  return new Response(isBodiless ? null : bodyOf(response), { ...response, headers });
}

function bodyOf({ body = "", open }: ApiResponse): string | ReadableStream {
  return open === undefined ? body : (Readable.toWeb(open()) as ReadableStream);
}

/**
 * Performs a request. A change is performed at once, in one transaction. A request that changes nothing can wait, for Postgres or
 * a signature. A caller that may not use the route is refused first.
 */
async function performRequest(
  { controlPlane, store, scheduler, dataPlane, rateLimit }: ApiServices,
  route: Route | undefined,
  request: Context<Env>["req"],
  incoming: IncomingMessage,
  received: Body,
  entry: LoggedRequest,
): Promise<ApiResponse> {
  const { requestId } = entry;
  try {
    const caller = authenticate(controlPlane, incoming);
    rateLimit?.consume(accountIdOf(caller), route ? `${route.method} ${route.path}` : "unknown", route?.perSecond);
    if (!route) throw new HttpError(404, unknownRoute);
    requireType(received, route.bodyKind ?? "json", incoming.headers["content-type"]);
    const body = decodingRequest(route, () => parsedBody(received));
    // A list is several values, or one value with commas.
    const query = Object.fromEntries(Object.entries(request.queries()).map(([name, all]) => [name, all.join(",")]));
    const parameter = (name: string): string => request.param(name) ?? "";
    const { project } = authorize(controlPlane, caller, route, parameter);
    if (project && route.ignoresPostgres !== true) await dataPlane?.refresh(project.id);
    await route.check?.(controlPlane, body);
    const handle = (): unknown => {
      // The rights of the caller may have changed meanwhile.
      const target = authorize(controlPlane, caller, route, parameter);
      return route.handle({ controlPlane, caller, target, parameter, query, body });
    };
    scheduler.runDueJobs();
    if (route.method === "GET" || route.changesNothing === true) {
      return successResponse(await handle(), route.status);
    }
    const result = store.transaction(() => {
      const changed = handle();
      controlPlane.keyUsage.flush(controlPlane.tables.apiKeys);
      return changed;
    });
    entry.operations = operationIdsOf(result);
    return successResponse(result, route.status);
  } catch (error) {
    return errorResponse(store.explain(error), requestId, route?.notFound);
  }
}

const startedOperations = z.object({ operations: z.array(z.object({ id: z.string() })) });

function operationIdsOf(result: unknown): string[] {
  return startedOperations.safeParse(result).data?.operations.map(({ id }) => id) ?? [];
}

/** The client's own request id if it can be sent back in a header. */
function requestIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers["x-request-id"];
  return typeof given === "string" && /^[\x21-\x7e]{1,200}$/.test(given) ? given : randomUUID();
}
