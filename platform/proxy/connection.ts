import type { Duplex } from "node:stream";

/** A client's connection, before or after it is encrypted. */
export interface ClientConnection {
  readonly stream: Duplex;
  /** The address and port that the client has connected to. */
  readonly serverAddress: string;
  readonly serverPort: number;
  readonly clientAddress: string;
  /** The endpoint to which that address belongs, if computes do not share it. */
  readonly endpointId: string | undefined;
}
