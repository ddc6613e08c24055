import type { Duplex } from "node:stream";

import type { Clock } from "../clock";

/** The real proxy's limits, in milliseconds: until a client has sent its StartupMessage, and then until it is authenticated. */
export const handshakeMs = 15_000;
export const authenticationMs = 15_000;
/** How long a client may take to close its side after the proxy has closed its own. */
const lingerMs = 5_000;

/** The result of some work, or an error once a time in milliseconds has passed. The work itself is not stopped. */
export async function withTimeLimit<Result>(
  clock: Clock,
  milliseconds: number,
  timedOut: () => Error,
  work: Promise<Result>,
): Promise<Result> {
  let cancel: (() => void) | undefined;
  const limit = new Promise<never>((_, reject) => {
    cancel = clock.after(milliseconds, () => {
      reject(timedOut());
    });
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel?.();
  }
}

/** Closes a connection when the client has received everything, or does not read it. */
export function endGracefully(clock: Clock, stream: Duplex, destroy: () => void): void {
  if (stream.destroyed) return;
  stream.end();
  // What the client still sends would keep the connection open.
  stream.resume();
  const cancel = clock.after(lingerMs, destroy);
  stream.once("close", cancel);
}
