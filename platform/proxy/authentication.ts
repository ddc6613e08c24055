import { randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";

import type { ByteReader } from "./byte-reader";
import type { ComputeDirectory, ProxiedCompute } from "./compute-directory";
import { computeError, ProxyError, proxyErrors } from "./proxy-error";
import { matchesVerifier, parseVerifier, type Verifier, verifierOfUnknownRole } from "../storage/scram-verifier";
import { ScramError, ScramServer } from "./scram";
import { authenticationRequest } from "./wire-protocol";

/** The limit of the real proxy for messages before a client is authenticated. */
const maxPasswordBytes = 512;

/** The secret for the salts of unknown roles, so that these salts are as constant as those of others. */
const secretOfUnknownRoles = randomBytes(32);

/** Asks for the password in plain text, which WebSockets and passwords that name the endpoint need. */
export async function requestPassword(stream: Duplex, reader: ByteReader): Promise<string> {
  stream.write(authenticationRequest.cleartextPassword());
  const body = await reader.password(maxPasswordBytes);
  return body.toString("utf8", 0, body.at(-1) === 0 ? body.length - 1 : body.length);
}

/** @throws ProxyError if the role does not exist, or has another password */
export async function checkPassword(
  directory: ComputeDirectory,
  compute: ProxiedCompute,
  role: string,
  password: string,
): Promise<void> {
  if (!(await matchesVerifier(password, await verifierOf(directory, compute, role)))) {
    throw proxyErrors.authenticationFailed(role);
  }
}

/**
 * Authenticates a client by SCRAM-SHA-256, or SCRAM-SHA-256-PLUS where `serverEndPoint` is given.
 *
 * @throws ProxyError if the client does not prove that it knows the password.
 */
export async function authenticateByScram(
  { stream, reader }: { readonly stream: Duplex; readonly reader: ByteReader },
  verifier: Verifier,
  role: string,
  serverEndPoint: Buffer | undefined,
): Promise<void> {
  const server = new ScramServer(verifier, serverEndPoint);
  try {
    stream.write(authenticationRequest.sasl(server.mechanisms));
    const { mechanism, first } = initialResponse(await reader.password(maxPasswordBytes));
    const { answer, finish } = server.begin(mechanism, first);
    stream.write(authenticationRequest.saslContinue(answer));
    const final = finish((await reader.password(maxPasswordBytes)).toString("utf8"));
    if (final === undefined) throw proxyErrors.authenticationFailed(role);
    stream.write(authenticationRequest.saslFinal(final));
  } catch (error) {
    throw error instanceof ScramError ? new ProxyError(error.message) : error;
  }
}

/**
 * The verifier of a role; for an unknown one, a verifier that no password matches.
 *
 * @throws ProxyError if the verifiers cannot be read at the moment.
 */
export async function verifierOf(
  directory: ComputeDirectory,
  compute: ProxiedCompute,
  role: string,
): Promise<Verifier> {
  const stored = await directory.verifier(compute, role).catch((error: unknown) => {
    throw computeError(error);
  });
  const verifier = stored === undefined ? undefined : parseVerifier(stored);
  return verifier ?? verifierOfUnknownRole(`${compute.endpointId} ${role}`, secretOfUnknownRoles);
}

/** A SASLInitialResponse: the mechanism, a length, and the first message of the mechanism. */
function initialResponse(body: Buffer): { readonly mechanism: string; readonly first: string } {
  const end = body.indexOf(0);
  const lengthBytes = 4;
  if (end === -1 || body.length < end + 1 + lengthBytes) throw new ScramError("malformed SASL response");
  const first = body.subarray(end + 1 + lengthBytes);
  if (body.readInt32BE(end + 1) !== first.length) throw new ScramError("malformed SASL response");
  return { mechanism: body.toString("utf8", 0, end), first: first.toString("utf8") };
}
