import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

import type { CertificateAuthority } from "./certificate-authority";

/** Protocols that a client can name in the TLS handshake. Without a name, the first byte after the handshake decides. */
const applicationProtocols = ["postgresql", "http/1.1"];

/**
 * Encrypts a client's connection.
 *
 * @throws Error if the handshake fails.
 */
export async function encrypt(
  socket: Socket,
  authority: CertificateAuthority,
  serverAddress: string,
): Promise<TLSSocket> {
  const encrypted = new TLSSocket(socket, {
    isServer: true,
    ALPNProtocols: applicationProtocols,
    secureContext: authority.contextFor(serverAddress),
    SNICallback: (name, done) => {
      try {
        done(null, authority.contextFor(serverAddress, name));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
    minVersion: "TLSv1.2",
  });
  // A failed handshake also closes the stream, so the rejection below reports it.
  encrypted.on("error", () => undefined);
  await Promise.race([
    once(encrypted, "secure"),
    once(encrypted, "close").then(() => Promise.reject(new Error("no TLS"))),
  ]);
  return encrypted;
}

/** The channel binding data `tls-server-end-point` (RFC 5929) of a connection whose certificate is signed with SHA-256. */
export function serverEndPoint(encrypted: TLSSocket): Buffer | undefined {
  const certificate = encrypted.getCertificate();
  return certificate && "raw" in certificate && Buffer.isBuffer(certificate.raw)
    ? createHash("sha256").update(certificate.raw).digest()
    : undefined;
}
