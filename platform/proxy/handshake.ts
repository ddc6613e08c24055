import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

import { ByteReader } from "./byte-reader";
import type { CertificateAuthority } from "./certificate-authority";
import type { ClientConnection } from "./connection";
import { readStart } from "./start-packet";
import { encrypt } from "./tls";

const firstByteOfStartPacket = 0x00;
const firstByteOfTls = 0x16;

/** The request of a client, after all negotiation. */
export type Negotiation =
  | { readonly kind: "http"; readonly connection: ClientConnection }
  | { readonly kind: "cancel"; readonly connection: ClientConnection; readonly key: Buffer }
  | {
      readonly kind: "session";
      readonly connection: ClientConnection;
      readonly serverName: string | undefined;
      readonly parameters: ReadonlyMap<string, string>;
    };

/**
 * Negotiates with the client of a new connection. One port serves PostgreSQL and HTTP, both plain and encrypted; the first byte
 * of a client shows which.
 *
 * @throws Error if the client speaks neither, or closes the connection
 */
export async function negotiate(
  socket: Socket,
  connection: ClientConnection,
  authority: CertificateAuthority,
): Promise<Negotiation> {
  const first = await new ByteReader(socket).peek();
  if (first === firstByteOfStartPacket) return negotiatePostgres(socket, connection, authority);
  if (first !== firstByteOfTls) return { kind: "http", connection };
  const encrypted = await encrypt(socket, authority, connection.serverAddress);
  const isPostgres =
    encrypted.alpnProtocol === "postgresql" ||
    (encrypted.alpnProtocol === false && (await new ByteReader(encrypted).peek()) === firstByteOfStartPacket);
  return isPostgres
    ? negotiatePostgres(encrypted, connection, authority)
    : { kind: "http", connection: { ...connection, stream: encrypted } };
}

async function negotiatePostgres(
  socket: Socket,
  connection: ClientConnection,
  authority: CertificateAuthority,
): Promise<Negotiation> {
  const isEncrypted = socket instanceof TLSSocket;
  const start = await readStart(socket, new ByteReader(socket), { encrypted: isEncrypted, canEncrypt: !isEncrypted });
  if (start.kind === "encrypt") {
    const encrypted = await encrypt(socket, authority, connection.serverAddress);
    return negotiatePostgres(encrypted, connection, authority);
  }
  const current = { ...connection, stream: socket };
  if (start.kind === "cancel") return { kind: "cancel", connection: current, key: start.key };
  return { kind: "session", connection: current, serverName: serverNameOf(socket), parameters: start.parameters };
}

/** The server name of the TLS handshake. Without one it is false, which its type does not say. */
function serverNameOf(socket: Socket): string | undefined {
  const name: unknown = socket instanceof TLSSocket ? (socket as { servername?: unknown }).servername : undefined;
  return typeof name === "string" ? name : undefined;
}
