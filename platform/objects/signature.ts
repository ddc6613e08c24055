import { SignatureV4 } from "@smithy/signature-v4";
import { createHash, createHmac } from "node:crypto";

import { hashOf, isEqualHash } from "../storage/hash";

type HttpRequest = Parameters<SignatureV4["presign"]>[0];
type SourceData = string | ArrayBuffer | ArrayBufferView;

/** The parts of a request that a signature covers. */
export interface SignableRequest {
  readonly method: string;
  /** Percent-encoded, as it is sent. */
  readonly path: string;
  /** Decoded. */
  readonly query: Readonly<Record<string, string>>;
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** An access key of S3. */
export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

/** The sender that a request claims to have. */
export interface SignatureClaim {
  readonly accessKeyId: string;
  /** In milliseconds since 1970. */
  readonly signedAt: number;
  /** The time at which the URL expires, in milliseconds since 1970; undefined if the signature is in a header. */
  readonly expiresAt: number | undefined;
  /** Whether the request is signed with a secret. */
  readonly isSignedWith: (secret: string) => Promise<boolean>;
}

const payloadHeader = "x-amz-content-sha256";
const unsignedPayload = "UNSIGNED-PAYLOAD";
const algorithm = "AWS4-HMAC-SHA256";
/** The parameters of a presigned URL that describe its signature, which the library writes. */
const signatureParameters = ["Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"].map(
  (name) => `X-Amz-${name}`,
);

/** SHA-256 with the interface that the library expects. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash | typeof createHmac>;

  constructor(secret?: SourceData) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error("not used");
  }
}

function bytesOf(data: SourceData): Buffer {
  if (typeof data === "string") return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}

/** The parts of a presigned URL besides the request itself. */
export interface PresignOptions {
  readonly key: AccessKey;
  readonly region: string;
  readonly signedAt: Date;
  readonly expiresInSeconds: number;
}

/** The query of a URL that needs no other credential until it expires (AWS Signature Version 4). */
export async function presignedQuery(
  request: SignableRequest,
  { key, region, signedAt, expiresInSeconds }: PresignOptions,
): Promise<string> {
  const { query } = await presign(request, key, region, signedAt, expiresInSeconds);
  return Object.entries(query)
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .join("&");
}

/** Percent-encodes a text as signatures do: everything but letters, digits and `-_.~`. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The signature of a request; `undefined` if it has none, `"malformed"` if it cannot be parsed. */
export function signatureOf(request: SignableRequest): SignatureClaim | "malformed" | undefined {
  const { authorization } = request.headers;
  if (request.query["X-Amz-Signature"] !== undefined) return presignedClaim(request) ?? "malformed";
  return authorization === undefined ? undefined : (headerClaim(request, authorization) ?? "malformed");
}

function headerClaim(request: SignableRequest, authorization: string): SignatureClaim | undefined {
  const [, credential = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([0-9a-f]{64})$/.exec(authorization) ??
    [];
  const scope = scopeOf(credential);
  const signedAt = dateOf(request.headers["x-amz-date"] ?? "");
  if (!scope || !signedAt) return undefined;
  return {
    accessKeyId: scope.accessKeyId,
    signedAt: signedAt.getTime(),
    expiresAt: undefined,
    isSignedWith: async (secret) => {
      const signer = signerWith({ id: scope.accessKeyId, secret }, scope.region);
      const signed = await signer.sign(httpRequest(request, request.query, onlyThose(request, names)), {
        signingDate: signedAt,
        signableHeaders: new Set(names.split(";")),
      });
      return isSame(signature, /Signature=([0-9a-f]+)/.exec(authorizationOf(signed.headers) ?? "")?.[1] ?? "");
    },
  };
}

function presignedClaim(request: SignableRequest): SignatureClaim | undefined {
  const of = (name: string): string => request.query[`X-Amz-${name}`] ?? "";
  const scope = scopeOf(of("Credential"));
  const signedAt = dateOf(of("Date"));
  const seconds = /^\d{1,6}$/.test(of("Expires")) ? Number(of("Expires")) : 0;
  if (of("Algorithm") !== algorithm || !scope || !signedAt || seconds < 1 || seconds > 604_800) return undefined;
  const covered = {
    ...request,
    query: Object.fromEntries(Object.entries(request.query).filter(([name]) => !signatureParameters.includes(name))),
    headers: onlyThose(request, of("SignedHeaders")),
  };
  return {
    accessKeyId: scope.accessKeyId,
    signedAt: signedAt.getTime(),
    expiresAt: signedAt.getTime() + seconds * 1000,
    isSignedWith: async (secret) => {
      const key = { id: scope.accessKeyId, secret };
      const { query } = await presign(covered, key, scope.region, signedAt, seconds);
      return isSame(of("Signature"), query["X-Amz-Signature"] ?? "");
    },
  };
}

async function presign(
  request: SignableRequest,
  key: AccessKey,
  region: string,
  signedAt: Date,
  expiresIn: number,
): Promise<{ readonly query: Readonly<Record<string, string>> }> {
  const names = Object.keys(request.headers);
  const presigned = await signerWith(key, region).presign(
    httpRequest(request, request.query, { [payloadHeader]: unsignedPayload, ...request.headers }),
    {
      signingDate: signedAt,
      expiresIn,
      signableHeaders: new Set(names),
      unsignableHeaders: new Set([payloadHeader].filter((name) => !names.includes(name))),
      unhoistableHeaders: new Set([payloadHeader, ...names]),
    },
  );
  return { query: (presigned.query ?? {}) as Readonly<Record<string, string>> };
}

function signerWith({ id: accessKeyId, secret: secretAccessKey }: AccessKey, region: string): SignatureV4 {
  return new SignatureV4({
    service: "s3",
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
}

function httpRequest(
  { method, path }: SignableRequest,
  query: SignableRequest["query"],
  headers: SignableRequest["headers"],
): HttpRequest {
  const present = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { method, protocol: "http:", hostname: "", path, query: { ...query }, headers: Object.fromEntries(present) };
}

function onlyThose({ headers }: SignableRequest, names: string): SignableRequest["headers"] {
  return Object.fromEntries(names.split(";").map((name) => [name, headers[name]]));
}

const authorizationOf = ({ authorization }: HttpRequest["headers"]): string | undefined => authorization;

function scopeOf(credential: string): { readonly accessKeyId: string; readonly region: string } | undefined {
  const [, accessKeyId, region] = /^([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request$/.exec(credential) ?? [];
  return accessKeyId === undefined || region === undefined ? undefined : { accessKeyId, region };
}

function dateOf(text: string): Date | undefined {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const [year, month, day, hours, minutes, seconds] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(time) ? undefined : new Date(time);
}

const isSame = (one: string, other: string): boolean => isEqualHash(hashOf(one), hashOf(other));
