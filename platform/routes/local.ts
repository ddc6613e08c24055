import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { HttpError, unprocessable } from "../http-error";
import { bodyOf, valueOf } from "../http/body";
import type { RequestLog } from "../http/request-log";
import { read } from "../http/route";
import type { ControlPlane } from "../model/control-plane";
import { fault } from "../model/faults";
import { release } from "../model/operation";
import type { Scheduler } from "../scheduler/scheduler";
import type { Store } from "../storage/store";
import { accountRoutes, type LocalRoute } from "./local-account";

interface LocalParts {
  readonly plane: ControlPlane;
  readonly store: Store;
  readonly alarm: Scheduler;
  readonly log: RequestLog;
}
type Env = { Bindings: HttpBindings };

/** More than any test orders; what is to come is in memory. */
const mostFaults = 500;

/**
 * What only a local platform has: scripted faults, the log of requests, and what the real one does in its console about
 * users and organizations. It needs no key.
 */
export function addLocalRoutes(app: Hono<Env>, parts: LocalParts): void {
  const { plane, store, alarm, log } = parts;
  app.post("/local/faults", (context) =>
    answered(context, (body) => {
      if (plane.faults.list().length >= mostFaults) throw unprocessable(`more than ${mostFaults} faults are to come`);
      plane.faults.add(read(fault, body, "fault"));
      return context.json({ faults: plane.faults.list() }, 201);
    }),
  );
  app.get("/local/faults", (context) => context.json({ faults: plane.faults.list() }));
  app.delete("/local/faults", (context) => {
    plane.faults.clear();
    store.transaction(() => release(plane));
    alarm.set();
    alarm.ring();
    return context.body(null, 204);
  });
  app.get("/local/requests", (context) => context.json(log.list()));
  app.delete("/local/requests", (context) => {
    log.clear();
    return context.body(null, 204);
  });
  for (const route of accountRoutes) addAccountRoute(app, parts, route);
}

function addAccountRoute(app: Hono<Env>, { plane, store, alarm }: LocalParts, route: LocalRoute): void {
  app.on(route.method, route.path, (context) =>
    answered(context, (body) => {
      alarm.ring();
      const query = context.req.query();
      const parameter = (name: string): string => context.req.param(name) ?? "";
      const result = store.transaction(() => route.answer({ plane, parameter, query, body }));
      return context.json(result, route.status ?? 200);
    }),
  );
}

async function answered(context: Context<Env>, work: (body: unknown) => Response): Promise<Response> {
  const brought = await bodyOf(context.env.incoming);
  if (!brought) return RESPONSE_ALREADY_SENT;
  try {
    return work(valueOf(brought));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { code, message, status, headers } = error;
    return context.json({ code, message }, status as ContentfulStatusCode, headers);
  }
}
