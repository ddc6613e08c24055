import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { HttpError } from "../http-error";
import type { ControlPlane } from "../model/control-plane";
import type { Topic } from "../storage/change-feed";
import type { ApiServices, Env } from "./api";
import { parsedBody, readBody } from "./body";
import type { RequestLog } from "./request-log";
import type { Paths, RouteOf } from "../model/routing/route";
import type { RunJournal } from "./run-journal";

/** A method of a path below `/local`. Only the local platform has these routes; they need no key. */
interface LocalDefinition {
  /** The status of a successful response with a body; default 200. */
  readonly status?: 201;
  /** Runs in one transaction, unless it is a GET. Without a result, the response is 204. */
  readonly handle: (context: LocalContext) => object | undefined | Promise<object>;
}

interface LocalContext {
  readonly controlPlane: ControlPlane;
  readonly log: RequestLog;
  readonly journal: RunJournal;
  readonly dataFolder: ApiServices["dataFolder"];
  readonly dataPlane: ApiServices["dataPlane"];
  readonly parameter: (name: string) => string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Publishes a change of something that is only in memory. */
  readonly publish: (topic: Topic) => void;
}

export type LocalPaths = Paths<LocalDefinition>;
export type LocalRoute = RouteOf<LocalDefinition>;

export function addLocalRoute(app: Hono<Env>, { store, scheduler, ...services }: ApiServices, route: LocalRoute): void {
  app.on(route.method, route.path, async (context) => {
    const received = await readBody(context.env.incoming);
    if (!received) return RESPONSE_ALREADY_SENT;
    try {
      const body = parsedBody(received);
      const query = context.req.query();
      const parameter = (name: string): string => context.req.param(name) ?? "";
      scheduler.runDueJobs();
      const publish = (topic: Topic): void => store.feed.publish([{ topic }]);
      const handle = () => route.handle({ ...services, parameter, query, body, publish });
      const result = route.method === "GET" ? await handle() : await store.transaction(handle);
      return result === undefined ? context.body(null, 204) : context.json(result, route.status ?? 200);
    } catch (thrown) {
      const error = store.explain(thrown);
      if (!(error instanceof HttpError)) throw error;
      const { code, message, status, headers } = error;
      return context.json({ code, message }, status as ContentfulStatusCode, headers);
    }
  });
}
