const meta = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";

/** Lets the editor add its styles. */
export const styleNonce = (): string => meta("console-nonce");

/** Sends a request to the platform, with the token of this page. */
export function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(path, {
    method,
    headers: {
      "x-console-token": meta("console-token"),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** Sends a request, and returns the answer. Rejects with the message of the platform. */
export async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await send(method, path, body);
  if (!response.ok) throw new Error(await messageOf(response));
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** The message of an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The reason why a request has failed, in the words of the platform. */
export async function messageOf(response: Response): Promise<string> {
  if (response.status === 403) return "This page is out of date: reload it.";
  const body = (await response.json().catch(() => ({}))) as { readonly message?: string };
  return body.message ?? `HTTP ${response.status}`;
}
