import type { Hono } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import type { Alarm } from "../alarm";
import { jsonOf } from "../body";
import type { ControlPlane } from "../control-plane";
import { fault } from "../faults";
import { release } from "../model/operation";
import { Refusal } from "../refusal";
import type { RequestLog } from "../request-log";
import { read } from "../route";
import type { Store } from "../store";

interface LocalParts {
  readonly plane: ControlPlane;
  readonly store: Store;
  readonly alarm: Alarm;
  readonly log: RequestLog;
}

/** What only a local platform has: scripted faults, and the log of requests. It needs no key. */
export function addLocalRoutes(app: Hono<{ Bindings: HttpBindings }>, { plane, store, alarm, log }: LocalParts): void {
  app.post("/local/faults", async (context) => {
    try {
      plane.faults.add(read(fault, jsonOf(await context.req.text()), "fault"));
      return context.json({ faults: plane.faults.list() }, 201);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return context.json({ code: error.code, message: error.message }, error.status as ContentfulStatusCode);
    }
  });
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
}
