import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { ManualPlatformClock } from "../../support/platform-clock";
import { systemClock } from "../../../platform/clock";
import { CertificateAuthority } from "../../../platform/proxy/certificate-authority";
import { suitePaths } from "../support/paths";
import { day } from "../support/time";

/** The certificate that a client accepts from a server with a certificate of the authority; rejects if it does not. */
async function handshake(
  authority: CertificateAuthority,
  address: string,
  servername: string,
): Promise<X509Certificate> {
  const server = createServer({ SNICallback: (name, done) => done(null, authority.contextFor(address, name)) });
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, servername, ca: authority.certificate });
  try {
    await once(socket, "secureConnect");
    const certificate = socket.getPeerX509Certificate();
    assert.ok(certificate);
    return certificate;
  } finally {
    socket.destroy();
    server.close();
  }
}

describe("certificate authority", () => {
  const folder = suitePaths();

  it("stays the same in its folder, where only the owner reads the key", () => {
    const first = CertificateAuthority.open(folder("same"));
    assert.equal(first.certificateFile, folder("same/ca.crt"));
    assert.equal(readFileSync(first.certificateFile, "utf8"), first.certificate);
    assert.equal(statSync(folder("same/ca.key")).mode & 0o777, 0o600);
    assert.equal(CertificateAuthority.open(folder("same")).certificate, first.certificate);
    assert.notEqual(CertificateAuthority.open().certificate, first.certificate);
  });

  it("issues certificates for an address and localhost that clients accept", async () => {
    const authority = CertificateAuthority.open(folder("addresses"));
    const certificate = await handshake(CertificateAuthority.open(folder("addresses")), "127.77.0.2", "localhost");
    assert.equal(certificate.checkIP("127.77.0.2"), "127.77.0.2");
    assert.equal(certificate.checkIP("127.77.0.3"), undefined);
    assert.ok(certificate.verify(new X509Certificate(authority.certificate).publicKey));
    assert.equal((await handshake(authority, "::1", "localhost")).checkIP("::1"), "::1");
  });

  it("issues certificates for names below localhost, and for no others", async () => {
    const authority = CertificateAuthority.open();
    await handshake(authority, "127.0.0.1", "ep-a.localhost");
    for (const name of ["ep-a.example.com", "a.b.localhost"]) {
      await assert.rejects(handshake(authority, "127.0.0.1", name), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    }
  });

  it("is trusted for this machine only", () => {
    const authority = new X509Certificate(CertificateAuthority.open().certificate);
    assert.ok(authority.ca);
    // The extension for name constraints, marked as critical.
    assert.ok(authority.raw.includes(Buffer.from("0603551d1e0101ff", "hex")));
  });

  it("a certificate that is about to expire is issued again", async () => {
    const clock = new ManualPlatformClock(systemClock.now() - 89.5 * day);
    const authority = CertificateAuthority.open(folder("renewed"), clock);
    const first = await handshake(authority, "127.0.0.1", "localhost");
    assert.equal((await handshake(authority, "127.0.0.1", "localhost")).serialNumber, first.serialNumber);
    clock.advance(89 * day);
    assert.notEqual((await handshake(authority, "127.0.0.1", "localhost")).serialNumber, first.serialNumber);
  });

  it("an authority that expires soon is replaced at the next start", () => {
    const clock = new ManualPlatformClock(systemClock.now());
    const first = CertificateAuthority.open(folder("replaced"), clock);
    clock.advance(3500 * day);
    assert.equal(CertificateAuthority.open(folder("replaced"), clock).certificate, first.certificate);
    clock.advance(100 * day);
    assert.notEqual(CertificateAuthority.open(folder("replaced"), clock).certificate, first.certificate);
  });

  it("files that are damaged or do not fit together are reported, not replaced", () => {
    const open = () => CertificateAuthority.open(folder("damaged"));
    const { certificate, certificateFile = "" } = open();
    writeFileSync(certificateFile, CertificateAuthority.open().certificate);
    assert.throws(open, /ca\.crt and .*ca\.key are not a certificate with its key .*delete both/);
    writeFileSync(certificateFile, "nonsense");
    assert.throws(open, /ca\.crt/);
    writeFileSync(certificateFile, certificate);
    rmSync(folder("damaged/ca.key"));
    assert.throws(open, /ca\.key/);
    rmSync(certificateFile);
    open();
  });
});
