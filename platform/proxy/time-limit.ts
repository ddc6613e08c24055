import type { Duplex } from "node:stream";

import type { Clock } from "../clock";

/** The real proxy's limits, in milliseconds: until a client has sent its StartupMessage, and then until it is authenticated. */
export const handshakeMs = 15_000;
export const authenticationMs = 15_000;
/** How long a client may take to close its side after the proxy has closed its own. */
const lingerMs = 5_000;

/** Returns the result of work, or throws once a time in milliseconds has passed. The work itself is not stopped. */
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

/** Closes a connection once the client has received everything, or after a time limit. */
export function endGracefully(clock: Clock, stream: Duplex, destroy: () => void): void {
  if (stream.destroyed) return;
  stream.end();
  // Read and drop what the client still sends, because it would keep the connection open.
  stream.resume();
  const cancel = clock.after(lingerMs, destroy);
  stream.once("close", cancel);
}
