import type { Duplex } from "node:stream";

import { type ByteReader, ProtocolViolation } from "./byte-reader";
import { cStrings, negotiateProtocolVersion, protocolVersion, startCodes } from "./wire-protocol";

const headerBytes = 8;
/** The limit of PostgreSQL and of the real proxy. */
const maxPacketBytes = 10_000;
const cancelKeyBytes = 8;
const majorVersion = protocolVersion >>> 16;

/** The request of a client, as soon as nothing is left to negotiate. */
export type Start =
  | { readonly kind: "session"; readonly parameters: ReadonlyMap<string, string> }
  | { readonly kind: "cancel"; readonly key: Buffer }
  | { readonly kind: "encrypt" };

/** The state of the negotiation. Each request may come once, and none inside TLS. */
export interface Negotiated {
  readonly encrypted: boolean;
  /** Whether this connection can be encrypted; if not, an SSLRequest is refused. */
  readonly canEncrypt: boolean;
}

/**
 * Reads start packets until one of them starts a session, cancels a query, or asks for TLS. In that case, the `S` that accepts
 * TLS is already sent; the caller encrypts the stream and calls again.
 *
 * @throws ProtocolViolation, ConnectionClosed
 */
export async function readStart(stream: Duplex, reader: ByteReader, negotiated: Negotiated): Promise<Start> {
  const refused = new Set<number>();
  for (;;) {
    const header = await reader.read(headerBytes);
    const length = header.readUInt32BE(0);
    const code = header.readUInt32BE(4);
    if (length < headerBytes || length > maxPacketBytes)
      throw new ProtocolViolation("invalid length of a start packet");
    const body = await reader.read(length - headerBytes);
    if (code === startCodes.cancelRequest) return cancellation(body);
    if (code === startCodes.sslRequest || code === startCodes.gssEncryptionRequest) {
      if (negotiated.encrypted || refused.has(code) || body.length > 0) throw new ProtocolViolation("repeated request");
      if (code === startCodes.sslRequest && negotiated.canEncrypt) {
        // Bytes before the handshake are not encrypted, so an attacker could have sent them.
        if (stream.readableLength > 0) throw new ProtocolViolation("data before the TLS handshake");
        stream.write("S");
        return { kind: "encrypt" };
      }
      refused.add(code);
      stream.write("N");
      continue;
    }
    if (code >>> 16 !== majorVersion) throw new ProtocolViolation("unsupported protocol version");
    return session(stream, code, body);
  }
}

function cancellation(body: Buffer): Start {
  if (body.length !== cancelKeyBytes) throw new ProtocolViolation("invalid CancelRequest");
  return { kind: "cancel", key: body };
}

function session(stream: Duplex, version: number, body: Buffer): Start {
  const parameters = parametersOf(body);
  const unknownOptions = [...parameters.keys()].filter((name) => name.startsWith("_pq_."));
  if (version !== protocolVersion || unknownOptions.length > 0) stream.write(negotiateProtocolVersion(unknownOptions));
  for (const name of unknownOptions) parameters.delete(name);
  return { kind: "session", parameters };
}

/** Parses pairs of names and values, with an empty name at the end. */
function parametersOf(body: Buffer): Map<string, string> {
  const texts = cStrings(body);
  if (texts?.at(-1) !== "" || texts.length % 2 === 0) throw new ProtocolViolation("malformed startup parameters");
  const parameters = new Map<string, string>();
  for (let index = 0; index + 1 < texts.length; index += 2) {
    const name = texts[index];
    if (name === undefined || name === "") throw new ProtocolViolation("malformed startup parameters");
    parameters.set(name, texts[index + 1] ?? "");
  }
  return parameters;
}
