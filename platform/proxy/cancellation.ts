import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { once } from "node:events";

import { assertAddressAllowed } from "./allowed-ips";
import { type ProxiedCompute, socketPath } from "./compute-directory";
import { cancelRequest } from "./wire-protocol";

const keyBytes = 8;
/** The first four bytes are a process id, which clients show as a positive number. */
const signBit = 0x80;

/** A session in a compute whose query can be cancelled. */
export interface CancelTarget {
  readonly compute: ProxiedCompute;
  readonly socketFolder: string;
  /** The process id and the secret of the session in the compute. */
  readonly backendKey: Buffer;
}

/** The keys that clients get instead of the keys of their computes, which only the proxy knows. */
export class CancelKeys {
  readonly #targets = new Map<string, CancelTarget>();

  /** A new key for a session. */
  issue(target: CancelTarget): Buffer {
    const key = randomBytes(keyBytes);
    key.writeUInt8(key.readUInt8(0) & ~signBit, 0);
    const text = key.toString("hex");
    if (this.#targets.has(text)) return this.issue(target);
    this.#targets.set(text, target);
    return key;
  }

  revoke(key: Buffer): void {
    this.#targets.delete(key.toString("hex"));
  }

  /** Cancels the query of the session that has a key. An unknown key has no effect, and the client learns nothing of it. */
  async cancel(key: Buffer, clientAddress: string): Promise<void> {
    const target = this.#targets.get(key.toString("hex"));
    if (!target) return;
    assertAddressAllowed(target.compute, clientAddress);
    await sendCancelRequest(target);
  }

  /** The number of sessions that have a key. */
  get size(): number {
    return this.#targets.size;
  }
}

/** Asks a compute to cancel the query of a session. Resolves when the compute has received that, without a result. */
export async function sendCancelRequest(target: Omit<CancelTarget, "compute">): Promise<void> {
  const socket = connect(socketPath(target.socketFolder));
  // A compute that has stopped meanwhile runs no query anyway.
  socket.on("error", () => undefined);
  socket.end(cancelRequest(target.backendKey));
  socket.resume();
  await once(socket, "close");
}
