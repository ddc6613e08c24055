import { createAdaptorServer } from "@hono/node-server";
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";

import { appOf } from "./app";
import { type Clock, systemClock } from "./clock";
import { basePath } from "./http/api";
import { arrivalWithin, Listener } from "./http/listener";
import { RateLimit } from "./http/rate-limit";
import { RequestLog } from "./http/request-log";
import { createKey } from "./model/api-key";
import { planChecks } from "./model/availability";
import type { ControlPlane } from "./model/control-plane";
import { Faults } from "./model/faults";
import { KeyUse } from "./model/key-use";
import { operationTime } from "./model/operation-time";
import { firstOrganization } from "./model/organization";
import { latestStamp, tablesOf } from "./model/tables";
import { firstUser } from "./model/user";
import { jobsOf } from "./scheduler/jobs";
import { Scheduler } from "./scheduler/scheduler";
import { seededRandom } from "./storage/seeded-random";
import { Store } from "./storage/store";
import { Timestamps } from "./storage/timestamps";

export type { Clock } from "./clock";

/** How a local platform is started. */
export interface PlatformOptions {
  /** Port to listen on; default 0, any free one. */
  readonly port?: number;
  /** Address to listen on; only loopback addresses are accepted. Default `127.0.0.1`. */
  readonly host?: string;
  /** Folder to keep everything in; default: in memory, for this process only. */
  readonly data?: string;
  /**
   * How long operations take: a duration (`200ms`), a range drawn log-uniformly (`200ms-5s`), or a list with times for
   * single actions (`500ms,start_compute=2s`). Default `1s`.
   */
  readonly operationTime?: string;
  /** Makes the drawn operation times the same in every run; default: others each time. */
  readonly seed?: string;
  /** Milliseconds that every answer of the API is held back; default 0. */
  readonly latencyMs?: number;
  /** Milliseconds within which a request has to arrive as a whole; default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Whether the real platform's rate limits are in force; default false. */
  readonly rateLimit?: boolean;
  /** Whether the real platform's limit of 20 computes active at the same time in a project is in force; default false. */
  readonly computeLimit?: boolean;
  /** Whether the control plane checks availability and suspends inactive computes by itself; default false. */
  readonly background?: boolean;
  /** Where time comes from; default: the machine's own. */
  readonly clock?: Clock;
}

/** A running local platform. */
export interface Platform {
  /** Base URL of the API, which ends in `/api/v2`. */
  readonly apiUrl: string;
  /** Where a page shows what there is, and below which `/local/…` is what only a local platform has. */
  readonly consoleUrl: string;
  /** A personal access key, made at this start. */
  readonly apiKey: string;
  /** Stops it; what it was asked to keep is kept. */
  close(): Promise<void>;
}

const signInKeyName = "console sign-in";
const loopbackHosts: readonly string[] = ["127.0.0.1", "localhost", "::1"];

/**
 * Starts a local platform: a server that speaks the API of the real one.
 *
 * @example
 * ```ts
 * import { startPlatform } from "neon-platform";
 *
 * const platform = await startPlatform({ operationTime: "200ms" });
 * const response = await fetch(`${platform.apiUrl}/projects`, {
 *   headers: { authorization: `Bearer ${platform.apiKey}` },
 * });
 * console.log(await response.json());
 * await platform.close();
 * ```
 *
 * @throws RangeError naming the option that cannot be used; Error when the port or the data folder is taken.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { port = 0, host = "127.0.0.1", clock = systemClock, latencyMs = 0, requestTimeoutMs = 60_000 } = options;
  if (!loopbackHosts.includes(host)) {
    throw new RangeError(`host "${host}" is not a loopback address; use one of ${loopbackHosts.join(", ")}`);
  }
  if (!(requestTimeoutMs >= 1)) throw new RangeError(`requestTimeoutMs ${requestTimeoutMs} is not at least 1`);
  const draw = seededRandom(options.seed ?? randomUUID());
  const times = operationTime(options.operationTime ?? "1s", draw);

  const store = new Store(options.data);
  try {
    const tables = tablesOf(store);
    const plane: ControlPlane = {
      clock,
      tables,
      stamps: new Timestamps(clock, latestStamp(tables)),
      operationTime: times,
      faults: new Faults(),
      keyUse: new KeyUse(),
      background: options.background ?? false,
      computeLimit: options.computeLimit ?? false,
    };
    if (plane.background) store.transaction(() => planChecks(plane));
    const alarm = new Scheduler(plane, store, jobsOf(plane));
    const closing = new AbortController();
    const app = appOf({
      plane,
      store,
      alarm,
      log: new RequestLog(),
      rateLimit: options.rateLimit === true ? new RateLimit(clock) : undefined,
      latencyMs,
      closing: closing.signal,
    });
    const serverOptions = arrivalWithin(requestTimeoutMs);
    const listener = new Listener(createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server);
    const consoleUrl = await listener.open(port, host);
    const { key } = store.transaction(() => {
      firstOrganization(plane);
      return createKey(plane, { user_id: firstUser(plane).id }, signInKeyName);
    });
    alarm.set();
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      closing.abort();
      alarm.stop();
      await listener.close();
      store.transaction(() => plane.keyUse.write(tables.apiKeys));
      store.close();
    };
    return { apiUrl: `${consoleUrl}${basePath}`, consoleUrl, apiKey: key, close: () => (closed ??= close()) };
  } catch (error) {
    store.close();
    throw error;
  }
}
