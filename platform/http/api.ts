import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { sleep } from "../clock";
import { HttpError } from "../http-error";
import { accountOf, type Caller, callerOf } from "../model/caller";
import type { ControlPlane } from "../model/control-plane";
import type { HttpFault } from "../model/faults";
import type { Scheduler } from "../scheduler/scheduler";
import type { Store } from "../storage/store";
import { authorize } from "./authorization";
import { type Body, bodyOf, requireJson, valueOf } from "./body";
import type { RateLimit } from "./rate-limit";
import type { LoggedRequest, RequestLog } from "./request-log";
import { emptyBody, noContent, type Route } from "./route";

/** What an API needs besides the objects it is about. */
export interface ApiParts {
  readonly plane: ControlPlane;
  readonly store: Store;
  readonly alarm: Scheduler;
  readonly log: RequestLog;
  readonly rateLimit: RateLimit | undefined;
  readonly latencyMs: number;
  /** Fires when the platform closes: nobody waits for a delay any more. */
  readonly closing: AbortSignal;
}

/** A request as it came in, its route found by the router, if there is one. */
export interface Arrival {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly route: Route | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What goes back; a missing body is an answer without one. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Where the API begins. */
export const basePath = "/api/v2";

/** Answers requests to the API. */
export class Api {
  readonly #parts: ApiParts;

  constructor(parts: ApiParts) {
    this.#parts = parts;
  }

  /** Answers one request, unless a scripted fault orders its connection to be dropped. */
  async serve(arrival: Arrival): Promise<Response | undefined> {
    const { plane, log, latencyMs, closing } = this.#parts;
    const { incoming, outgoing } = arrival;
    const method = incoming.method ?? "GET";
    const target = incoming.url ?? "/";
    const entry = log.add({
      time: new Date(plane.clock.now()).toISOString(),
      method,
      path: target,
      status: null,
      requestId: requestIdOf(incoming),
    });
    const fault = plane.faults.forRequest(method, target, basePath);
    const body = await bodyOf(incoming);
    if (!body) return undefined;
    log.keepBody(entry, body);
    await sleep(plane.clock, latencyMs + (fault?.delayMs ?? 0), closing);

    if (fault?.reset === "before") {
      incoming.socket.resetAndDestroy();
      return undefined;
    }
    const answer = this.#answer(arrival, entry, body, fault);
    if (fault?.reset === "after") {
      incoming.socket.resetAndDestroy();
      return undefined;
    }
    const headers = {
      date: new Date(plane.clock.now()).toUTCString(),
      "x-request-id": entry.requestId,
      "cache-control": "no-store",
      ...answer.headers,
    };
    if (fault?.truncate === true) {
      cutOff(outgoing, { ...answer, headers });
      return undefined;
    }
    return new Response(bodiless.includes(answer.status) ? null : (answer.body ?? ""), { ...answer, headers });
  }

  /** Answers as the fault says, else as the request deserves. The log tells what was made of a request that was performed. */
  #answer(arrival: Arrival, entry: LoggedRequest, body: Body, fault: HttpFault | undefined): Answer {
    const perform = (): Answer => this.#perform(arrival, entry, body);
    const answer = fault?.status === undefined ? perform() : faultAnswer(fault, fault.status);
    entry.status = fault?.perform === true ? perform().status : answer.status;
    return answer;
  }

  #perform(arrival: Arrival, entry: LoggedRequest, brought: Body): Answer {
    const { plane, store, alarm, rateLimit } = this.#parts;
    const { route, incoming } = arrival;
    try {
      alarm.ring();
      const caller = this.#authenticate(incoming);
      rateLimit?.admit(accountOf(caller), route ? `${route.method} ${route.path}` : "unknown", route?.perSecond);
      if (!route) throw new HttpError(404, `unknown route: ${entry.method} ${pathOf(entry.path)}`);
      requireJson(brought, incoming.headers["content-type"]);
      const body = valueOf(brought);
      const parameter = (name: string): string => arrival.parameters[name] ?? "";
      const work = (): unknown => {
        const reached = authorize(plane, caller, route.scope, parameter);
        return route.answer({ plane, caller, reached, parameter, query: arrival.query, body });
      };
      const result = route.method === "GET" ? work() : store.transaction(() => this.#change(work));
      if (route.method !== "GET") alarm.set();
      if (result === noContent) return { status: 204, headers: {} };
      if (result === emptyBody) return { status: 200, headers: {} };
      return { status: route.status ?? 200, headers: json, body: JSON.stringify(result) };
    } catch (error) {
      return refusalAnswer(error, entry);
    }
  }

  #change(work: () => unknown): unknown {
    const { keyUse, tables } = this.#parts.plane;
    const result = work();
    keyUse.write(tables.apiKeys);
    return result;
  }

  #authenticate(incoming: IncomingMessage): Caller {
    const { plane } = this.#parts;
    const secret = /^bearer +(\S+) *$/i.exec(incoming.headers.authorization ?? "")?.[1];
    const caller = secret === undefined ? undefined : callerOf(plane, secret);
    if (!caller) {
      const problem = secret === undefined ? "no API key was given" : "the API key is invalid or revoked";
      throw new HttpError(401, `${problem}; send one as Authorization: Bearer <API key>`);
    }
    plane.keyUse.note(caller.key.id, {
      last_used_at: new Date(plane.clock.now()).toISOString(),
      last_used_from_addr: incoming.socket.remoteAddress ?? "",
    });
    return caller;
  }
}

/** Statuses whose answers never have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** Sends half of an answer that was announced in full. */
function cutOff(outgoing: ServerResponse, { status, headers, body = "" }: Answer): void {
  const content = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, "content-length": content.length });
  outgoing.write(content.subarray(0, content.length >> 1), () => outgoing.socket?.destroy());
}

const json = { "content-type": "application/json" } as const;

/** An answer of the form that all refusals have; what nobody foresaw is a fault of the platform itself. */
function refusalAnswer(error: unknown, { requestId }: LoggedRequest): Answer {
  const known = error instanceof HttpError ? error : undefined;
  if (!known) console.error(`request ${requestId}:`, error);
  const refusal = known ?? new HttpError(500, "internal error of the local platform");
  const { status, message, code, headers, body = { request_id: requestId, code, message } } = refusal;
  return { status, headers: { ...json, ...headers }, body: JSON.stringify(body) };
}

function faultAnswer({ body, headers = {} }: HttpFault, status: number): Answer {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  return {
    status,
    headers: { ...(names.includes("content-type") ? {} : { "content-type": type }), ...headers },
    body: text ?? JSON.stringify({ code: "", message: `scripted fault: ${status}` }),
  };
}

/** The client's own id if it sent one that can be sent back. */
function requestIdOf(incoming: IncomingMessage): string {
  const given = incoming.headers["x-request-id"];
  return typeof given === "string" && /^[\x21-\x7e]{1,200}$/.test(given) ? given : randomUUID();
}

function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? target;
}
