import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { sleep } from "../clock";
import { HttpError } from "../http-error";
import { accountIdOf } from "../model/accounts/caller";
import type { ControlPlane } from "../model/control-plane";
import type { HttpFault } from "../model/operations/faults";
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
  readonly log: RequestLog;
  readonly rateLimit: RateLimit | undefined;
  readonly latencyMs: number;
  /** Aborted when the platform closes: every delayed response is sent at once. */
  readonly closing: AbortSignal;
}

export interface IncomingRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The route that the router found, if any. */
  readonly route: Route | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export const basePath = "/api/v2";

/** Statuses whose responses never have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** Serves the requests below {@link basePath}. */
export class Api {
  readonly #services: ApiServices;

  constructor(services: ApiServices) {
    this.#services = services;
  }

  /** The response to a request; `undefined` if a scripted fault has dropped or truncated it. */
  async serve(request: IncomingRequest): Promise<Response | undefined> {
    const { controlPlane, log, latencyMs, closing } = this.#services;
    const { incoming, outgoing } = request;
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
    if (!body) return undefined;
    log.addBody(entry, body);
    await sleep(controlPlane.clock, latencyMs + (fault?.delayMs ?? 0), closing);

    if (fault?.reset === "before") {
      incoming.socket.resetAndDestroy();
      return undefined;
    }
    const response = this.#respond(request, entry, body, fault);
    if (fault?.reset === "after") {
      incoming.socket.resetAndDestroy();
      return undefined;
    }
    const headers = {
      date: new Date(controlPlane.clock.now()).toUTCString(),
      "x-request-id": entry.requestId,
      "cache-control": "no-store",
      ...response.headers,
    };
    if (fault?.truncate === true) {
      sendTruncated(outgoing, { ...response, headers });
      return undefined;
    }
    return new Response(bodiless.includes(response.status) ? null : (response.body ?? ""), { ...response, headers });
  }

  /** Logs the status of a performed request, even if a fault answers with another one. */
  #respond(request: IncomingRequest, entry: LoggedRequest, body: Body, fault: HttpFault | undefined): ApiResponse {
    const perform = (): ApiResponse => this.#perform(request, entry, body);
    const response = fault?.status === undefined ? perform() : faultResponse(fault, fault.status);
    entry.status = fault?.perform === true ? perform().status : response.status;
    return response;
  }

  #perform({ incoming, route, parameters, query }: IncomingRequest, entry: LoggedRequest, received: Body): ApiResponse {
    const { controlPlane, store, scheduler, rateLimit } = this.#services;
    try {
      scheduler.runDueJobs();
      const caller = authenticate(controlPlane, incoming);
      rateLimit?.consume(accountIdOf(caller), route ? `${route.method} ${route.path}` : "unknown", route?.perSecond);
      if (!route) throw new HttpError(404, `unknown route: ${entry.method} ${pathOf(entry.path)}`);
      requireJson(received, incoming.headers["content-type"]);
      const body = parsedBody(received);
      const parameter = (name: string): string => parameters[name] ?? "";
      const handle = (): unknown => {
        const target = authorize(controlPlane, caller, route.authorization, parameter);
        return route.handle({ controlPlane, caller, target, parameter, query, body });
      };
      if (route.method === "GET") return successResponse(handle(), route.status);
      const result = store.transaction(() => {
        const changed = handle();
        controlPlane.keyUsage.flush(controlPlane.tables.apiKeys);
        return changed;
      });
      scheduler.reschedule();
      return successResponse(result, route.status);
    } catch (error) {
      return errorResponse(error, entry.requestId);
    }
  }
}

/** The client's own request id if it can be sent back in a header. */
function requestIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers["x-request-id"];
  return typeof given === "string" && /^[\x21-\x7e]{1,200}$/.test(given) ? given : randomUUID();
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}
