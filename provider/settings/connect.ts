import { type Attempt, type ClientOptions, NeonClient } from "../../api/client";
import type { Settings } from "./client-settings";

/** Returns a client for these settings. All callers of an account share one, and with it the rate limiter. */
export type Connect = (settings: Settings, log: (line: string) => void) => NeonClient;

/** Connects with the clients of one process. */
export function connector(options: Pick<ClientOptions, "transport" | "clock"> = {}): Connect {
  const clients = new Map<string, NeonClient>();
  return ({ apiUrl, apiKey, logRequests }, log) => {
    const key = JSON.stringify([apiUrl, apiKey]);
    const onAttempt = logRequests ? { onAttempt: (attempt: Attempt) => log(attemptLine(attempt)) } : {};
    const client = clients.get(key) ?? new NeonClient({ ...options, ...onAttempt, apiKey, apiUrl });
    clients.set(key, client);
    return client;
  };
}

/** Connects this process. */
export const connect = connector();

/** Formats an HTTP attempt as one log line. The line contains no secret, neither the key nor a body. */
export function attemptLine({ method, path, status, error, milliseconds: time, requestId }: Attempt): string {
  return `neon: ${method} ${path} ${status ?? `no response (${error ?? "unknown error"})`} ${time} ms ${requestId}`;
}
