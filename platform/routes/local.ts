import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { HttpError } from "../http-error";
import { parsedBody, readBody } from "../http/body";
import type { LocalRoute } from "../http/local-route";
import type { RequestLog } from "../http/request-log";
import type { ControlPlane } from "../model/control-plane";
import type { Scheduler } from "../scheduler/scheduler";
import type { Store } from "../storage/store";
import { localAccountRoutes } from "./local-accounts";
import { faultRoutes } from "./local-faults";
import { requestLogRoutes } from "./local-requests";

interface LocalServices {
  readonly controlPlane: ControlPlane;
  readonly store: Store;
  readonly scheduler: Scheduler;
  readonly log: RequestLog;
}

/** All routes below `/local`. */
export const localRoutes: readonly LocalRoute[] = [...faultRoutes, ...requestLogRoutes, ...localAccountRoutes];

export function addLocalRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { controlPlane, store, scheduler, log }: LocalServices,
): void {
  for (const route of localRoutes) {
    app.on(route.method, route.path, async (context) => {
      const received = await readBody(context.env.incoming);
      if (!received) return RESPONSE_ALREADY_SENT;
      try {
        const body = parsedBody(received);
        const query = context.req.query();
        const parameter = (name: string): string => context.req.param(name) ?? "";
        scheduler.runDueJobs();
        const result = store.transaction(() => route.handle({ controlPlane, log, parameter, query, body }));
        scheduler.reschedule();
        return result === undefined ? context.body(null, 204) : context.json(result, route.status ?? 200);
      } catch (error) {
        if (!(error instanceof HttpError)) throw error;
        const { code, message, status, headers } = error;
        return context.json({ code, message }, status as ContentfulStatusCode, headers);
      }
    });
  }
}
