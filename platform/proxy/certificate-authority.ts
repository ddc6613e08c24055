import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";

import { type Clock, systemClock } from "../clock";
import { writeWhole } from "../storage/write-whole";
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  derTime,
  utf8String,
} from "./der";

export const certificateFileName = "ca.crt";
export const keyFileName = "ca.key";
const authorityName = "neon-platform local CA";

const dayMs = 86_400_000;
const authorityLifetimeMs = 3650 * dayMs;
const leafLifetimeMs = 90 * dayMs;
/** A leaf is issued again this long before it expires. */
const renewalMs = dayMs;
/** Clients' clocks may be late by this much. */
const backdatingMs = dayMs;
/** The most certificates that are kept, because clients choose the names for which they are issued. */
const maxKeptLeaves = 1000;

const maxSerialBytes = 15;
const keyIdentifierBytes = 20;

const oids = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAlternativeName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  serverAuthentication: "1.3.6.1.5.5.7.3.1",
} as const;

/** The members of a GeneralName (RFC 5280, 4.2.1.6) that are used here. */
const dnsName = (name: string): Buffer => implicit(2, Buffer.from(name));
const ipAddress = (bytes: readonly number[]): Buffer => implicit(7, Buffer.from(bytes));

const ipv6Loopback = [...Array<number>(15).fill(0), 1];
const bytesOfLoopback = (address: string): readonly number[] =>
  isIPv4(address) ? address.split(".").map(Number) : ipv6Loopback;

/** The names for which the authority can issue certificates: only this machine. */
const permittedNames = [
  dnsName("localhost"),
  ipAddress([127, 0, 0, 0, 255, 0, 0, 0]),
  ipAddress([...ipv6Loopback, ...Array<number>(16).fill(255)]),
];

/** A name below `localhost`, such as `ep-cool-rain-12345678.localhost`. */
const nameBelowLocalhost = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.localhost$/;

interface Identity {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly keyIdentifier: Buffer;
}

interface CertificateContent {
  readonly subject: Identity;
  readonly issuer: Identity;
  readonly now: number;
  readonly lifetimeMs: number;
  readonly extensions: readonly Buffer[];
}

interface Leaf {
  readonly context: SecureContext;
  readonly renewAt: number;
}

/**
 * Issues certificates for the addresses of the proxy. The authority is created at the first start and kept in a
 * folder, so that a client has to trust it only once. Its certificates are valid for loopback addresses and
 * `localhost` only, even if somebody steals its key.
 */
export class CertificateAuthority {
  /** The certificate of the authority in PEM, for `sslrootcert` and `NODE_EXTRA_CA_CERTS`. */
  readonly certificate: string;
  /** The file of the certificate; undefined if the authority is in memory only. */
  readonly certificateFile: string | undefined;
  readonly #identity: Identity;
  readonly #clock: Clock;
  readonly #leaves = new Map<string, Leaf>();

  private constructor(identity: Identity, certificate: string, certificateFile: string | undefined, clock: Clock) {
    this.#identity = identity;
    this.certificate = certificate;
    this.certificateFile = certificateFile;
    this.#clock = clock;
  }

  /**
   * Opens the authority in a folder, which is created if it is missing. Without a folder, the authority ends with the process.
   *
   * @param clock must have the machine's time, with which clients compare the dates of certificates
   * @throws Error if the files in the folder do not belong together or cannot be read
   */
  static open(folder?: string, clock: Clock = systemClock): CertificateAuthority {
    if (folder === undefined) {
      const identity = newIdentity(authorityName);
      return new CertificateAuthority(identity, authorityCertificate(identity, clock), undefined, clock);
    }
    mkdirSync(folder, { recursive: true });
    const keyFile = join(folder, keyFileName);
    const certificateFile = join(folder, certificateFileName);
    const stored = readAuthority(keyFile, certificateFile);
    if (stored && stored.expires > clock.now() + leafLifetimeMs) {
      return new CertificateAuthority(stored.identity, stored.certificate, certificateFile, clock);
    }
    const identity = newIdentity(authorityName);
    const certificate = authorityCertificate(identity, clock);
    // Write the certificate last: without it, an interrupted start begins again.
    rmSync(certificateFile, { force: true });
    writeWhole(keyFile, pemOfKey(identity.privateKey), { mode: 0o600 });
    writeWhole(certificateFile, certificate, { mode: 0o644 });
    return new CertificateAuthority(identity, certificate, certificateFile, clock);
  }

  /**
   * The key and certificate for a connection.
   *
   * @param address the loopback address that the client has connected to
   * @param serverName the name that the client has sent (SNI)
   */
  contextFor(address: string, serverName?: string): SecureContext {
    const name = serverName !== undefined && nameBelowLocalhost.test(serverName) ? serverName : undefined;
    const key = `${address} ${name ?? ""}`;
    const now = this.#clock.now();
    const kept = this.#leaves.get(key);
    if (kept && now < kept.renewAt) return kept.context;
    if (this.#leaves.size >= maxKeptLeaves) this.#leaves.clear();
    const context = this.#issue(address, name);
    this.#leaves.set(key, { context, renewAt: now + leafLifetimeMs - renewalMs });
    return context;
  }

  #issue(address: string, name: string | undefined): SecureContext {
    const subject = newIdentity(name ?? address);
    const names = [
      ipAddress(bytesOfLoopback(address)),
      dnsName("localhost"),
      ...(name === undefined ? [] : [dnsName(name)]),
    ];
    const certificate = issueCertificate({
      subject,
      issuer: this.#identity,
      now: this.#clock.now(),
      lifetimeMs: leafLifetimeMs,
      extensions: [
        extension(oids.basicConstraints, true, sequence()),
        // digitalSignature
        extension(oids.keyUsage, true, bitString(Buffer.from([0b1000_0000]), 7)),
        extension(oids.extendedKeyUsage, false, sequence(objectIdentifier(oids.serverAuthentication))),
        extension(oids.subjectAlternativeName, false, sequence(...names)),
      ],
    });
    return createSecureContext({ key: pemOfKey(subject.privateKey), cert: certificate, minVersion: "TLSv1.2" });
  }
}

function newIdentity(name: string): Identity {
  return identityOf(name, generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey);
}

function identityOf(name: string, privateKey: KeyObject): Identity {
  const keyIdentifier = createHash("sha256").update(publicKeyInfo(privateKey)).digest().subarray(0, keyIdentifierBytes);
  return { name, privateKey, keyIdentifier };
}

const publicKeyInfo = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ type: "spki", format: "der" });

const pemOfKey = (privateKey: KeyObject): string => privateKey.export({ type: "pkcs8", format: "pem" }).toString();

function authorityCertificate(identity: Identity, clock: Clock): string {
  return issueCertificate({
    subject: identity,
    issuer: identity,
    now: clock.now(),
    lifetimeMs: authorityLifetimeMs,
    extensions: [
      // A CA whose certificates cannot issue others.
      extension(oids.basicConstraints, true, sequence(boolean(true), integer(Buffer.from([0])))),
      // keyCertSign, cRLSign
      extension(oids.keyUsage, true, bitString(Buffer.from([0b0000_0110]), 1)),
      extension(oids.nameConstraints, true, sequence(explicit(0, ...permittedNames.map((name) => sequence(name))))),
    ],
  });
}

/** An X.509 certificate in PEM, signed with ECDSA and SHA-256: another hash would rule out channel binding for clients. */
function issueCertificate({ subject, issuer, now, lifetimeMs, extensions }: CertificateContent): string {
  const algorithm = sequence(objectIdentifier(oids.ecdsaWithSha256));
  const version3 = explicit(0, integer(Buffer.from([2])));
  const content = sequence(
    version3,
    integer(Buffer.concat([Buffer.from([1]), randomBytes(maxSerialBytes)])),
    algorithm,
    distinguishedName(issuer.name),
    sequence(derTime(now - backdatingMs), derTime(now + lifetimeMs)),
    distinguishedName(subject.name),
    publicKeyInfo(subject.privateKey),
    explicit(
      3,
      sequence(
        ...extensions,
        extension(oids.subjectKeyIdentifier, false, octetString(subject.keyIdentifier)),
        extension(oids.authorityKeyIdentifier, false, sequence(implicit(0, issuer.keyIdentifier))),
      ),
    ),
  );
  const encoded = sequence(content, algorithm, bitString(sign("sha256", content, issuer.privateKey)));
  return new X509Certificate(encoded).toString();
}

const distinguishedName = (commonName: string): Buffer =>
  sequence(set(sequence(objectIdentifier(oids.commonName), utf8String(commonName))));

const extension = (oid: string, isCritical: boolean, value: Buffer): Buffer =>
  sequence(objectIdentifier(oid), ...(isCritical ? [boolean(true)] : []), octetString(value));

interface StoredAuthority {
  readonly identity: Identity;
  readonly certificate: string;
  readonly expires: number;
}

function readAuthority(keyFile: string, certificateFile: string): StoredAuthority | undefined {
  const certificate = readIfPresent(certificateFile);
  if (certificate === undefined) return undefined;
  const key = readIfPresent(keyFile);
  try {
    const parsed = new X509Certificate(certificate);
    const privateKey = createPrivateKey(key ?? "");
    if (!parsed.checkPrivateKey(privateKey)) throw new Error("the key belongs to another certificate");
    return { identity: identityOf(authorityName, privateKey), certificate, expires: Date.parse(parsed.validTo) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `${certificateFile} and ${keyFile} are not a certificate with its key (${reason}); delete both to create new ones, which clients then have to trust`,
      { cause },
    );
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
