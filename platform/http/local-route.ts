import type { ControlPlane } from "../model/control-plane";
import type { RequestLog } from "./request-log";

/** A route below `/local`, which only the local platform has. It needs no key. */
export interface LocalRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The status of a successful response with a body; default 200. */
  readonly status?: 201;
  /** Runs in one transaction. Without a result, the response is 204. */
  readonly handle: (context: LocalContext) => object | undefined;
}

interface LocalContext {
  readonly controlPlane: ControlPlane;
  readonly log: RequestLog;
  readonly parameter: (name: string) => string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}
