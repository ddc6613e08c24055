import { type Attempt, NeonClient } from "../../api/client";
import type { Settings } from "./client-settings";

const clients = new Map<string, NeonClient>();

/** Returns the process's client for these settings. All callers of an account share one, and with it the rate limiter. */
export function connect(settings: Settings, log: (line: string) => void): NeonClient {
  const key = JSON.stringify([settings.apiUrl, settings.apiKey]);
  let client = clients.get(key);
  if (client === undefined) {
    client = new NeonClient({
      apiKey: settings.apiKey,
      apiUrl: settings.apiUrl,
      ...(settings.logRequests ? { onAttempt: (attempt) => log(attemptLine(attempt)) } : {}),
    });
    clients.set(key, client);
  }
  return client;
}

/** Formats an HTTP attempt as one log line. The line contains no secret, neither the key nor a body. */
export function attemptLine({ method, path, status, error, milliseconds: time, requestId }: Attempt): string {
  return `neon: ${method} ${path} ${status ?? `no response (${error ?? "unknown error"})`} ${time} ms ${requestId}`;
}
