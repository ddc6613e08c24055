import type { RequestView } from "../console-server/protocol";

/** A word of a shell command. */
export const quoted = (text: string): string =>
  /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A shell command that sends a request of the API again. The key stays in the environment. */
export function requestCommand({ method, path, body }: RequestView, origin: string): string {
  return [
    "curl",
    ...(method === "GET" ? [] : ["-X", method]),
    '-H "Authorization: Bearer $NEON_API_KEY"',
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", "-d", quoted(body)]),
    quoted(origin + path),
  ].join(" ");
}

/** A shell command that adds a fault, as for a script. */
export const faultCommand = (fault: unknown, origin: string): string =>
  `curl -d ${quoted(JSON.stringify(fault))} ${quoted(`${origin}/local/faults`)}`;
