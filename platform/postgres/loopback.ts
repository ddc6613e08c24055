import { once } from "node:events";
import { createServer } from "node:net";
import { randomInt } from "node:crypto";

/** Whether this machine lets a program listen on several loopback addresses at a port. */
export async function hasOwnAddresses(port: number): Promise<boolean> {
  // Computes have addresses of another range.
  const addresses = [1, 2].map((last) => `127.${randomInt(128, 255)}.${randomInt(256)}.${last}`);
  const servers = addresses.map(() => createServer());
  try {
    for (const [index, server] of servers.entries()) {
      await once(server.listen({ port, host: addresses[index], exclusive: true }), "listening");
    }
    return true;
  } catch {
    return false;
  } finally {
    for (const server of servers) server.close();
  }
}
