/** The messages of PostgreSQL's protocol 3.0 that the proxy reads and writes. All others pass through unread. */

/** The codes that a start packet can have instead of a protocol version. */
export const startCodes = {
  cancelRequest: 80877102,
  sslRequest: 80877103,
  gssEncryptionRequest: 80877104,
} as const;

/** Protocol 3.0, the only supported version. */
export const protocolVersion = 196608;

export const messageTypes = {
  authentication: "R",
  backendKeyData: "K",
  errorResponse: "E",
  negotiateProtocolVersion: "v",
  passwordMessage: "p",
  readyForQuery: "Z",
} as const;

const authenticationKinds = { ok: 0, cleartextPassword: 3, sasl: 10, saslContinue: 11, saslFinal: 12 } as const;

/** `cannot_connect_now`: the database is starting up, or shutting down. */
export const cannotConnectNow = "57P03";
/** The code of errors of the proxy itself, as the real proxy sends it. */
const proxyErrorCode = "XX000";

const lengthBytes = 4;

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** @throws RangeError if the text has a zero byte, which would begin another field. */
export function cString(text: string): Buffer {
  if (text.includes("\0")) throw new RangeError("a text for PostgreSQL contains a zero byte");
  return Buffer.from(`${text}\0`);
}

/** A message with its type and length. */
export function wireMessage(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, lengthBytes);
  return Buffer.concat([Buffer.from(type), uint32(length), ...parts]);
}

/** Messages that ask a client to authenticate. */
export const authenticationRequest = {
  cleartextPassword: (): Buffer =>
    wireMessage(messageTypes.authentication, uint32(authenticationKinds.cleartextPassword)),
  sasl: (mechanisms: readonly string[]): Buffer =>
    wireMessage(
      messageTypes.authentication,
      uint32(authenticationKinds.sasl),
      ...mechanisms.map((mechanism) => cString(mechanism)),
      cString(""),
    ),
  saslContinue: (data: string): Buffer =>
    wireMessage(messageTypes.authentication, uint32(authenticationKinds.saslContinue), Buffer.from(data)),
  saslFinal: (data: string): Buffer =>
    wireMessage(messageTypes.authentication, uint32(authenticationKinds.saslFinal), Buffer.from(data)),
};

/** Whether the body of a message of type `R` says that no more authentication is needed. */
export const isAuthenticationOk = (body: Buffer): boolean =>
  body.length === 4 && body.readUInt32BE(0) === authenticationKinds.ok;

export const backendKeyData = (key: Buffer): Buffer => wireMessage(messageTypes.backendKeyData, key);

/** An error that ends the connection. */
export const fatalError = (text: string): Buffer =>
  wireMessage(
    messageTypes.errorResponse,
    ...["SERROR", "VERROR", `C${proxyErrorCode}`, `M${text.replaceAll("\0", "")}`, ""].map((field) => cString(field)),
  );

/** The fields of the body of an ErrorResponse by their letters. */
export function errorFields(body: Buffer): ReadonlyMap<string, string> {
  const fields = body.toString("utf8").split("\0");
  return new Map(fields.filter((field) => field !== "").map((field) => [field.charAt(0), field.slice(1)]));
}

export const negotiateProtocolVersion = (unknownOptions: readonly string[]): Buffer =>
  wireMessage(
    messageTypes.negotiateProtocolVersion,
    uint32(protocolVersion),
    uint32(unknownOptions.length),
    ...unknownOptions.map((name) => cString(name)),
  );

/** A StartupMessage for the compute. */
export function startupMessage(parameters: ReadonlyMap<string, string>): Buffer {
  const pairs = [...parameters].flatMap(([name, value]) => [cString(name), cString(value)]);
  const body = Buffer.concat([uint32(protocolVersion), ...pairs, cString("")]);
  return Buffer.concat([uint32(body.length + lengthBytes), body]);
}

/** A CancelRequest for the compute. */
export function cancelRequest(key: Buffer): Buffer {
  const body = Buffer.concat([uint32(startCodes.cancelRequest), key]);
  return Buffer.concat([uint32(body.length + lengthBytes), body]);
}

/** The texts in a body, each of which ends with a zero byte; undefined if the last one does not. */
export function cStrings(body: Buffer): readonly string[] | undefined {
  if (body.length === 0 || body[body.length - 1] !== 0) return undefined;
  return body.toString("utf8", 0, body.length - 1).split("\0");
}
