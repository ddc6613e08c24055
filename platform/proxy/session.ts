import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

import type { Clock } from "../clock";
import { assertAddressAllowed } from "./allowed-ips";
import { authenticateByScram, checkPassword, requestPassword, verifierOf } from "./authentication";
import { ByteReader } from "./byte-reader";
import type { CancelKeys } from "./cancellation";
import type { ComputeConnector, ComputeSession } from "./compute-connection";
import type { ComputeDirectory, ProxiedCompute } from "./compute-directory";
import type { ClientConnection } from "./connection";
import { type EndpointHints, parsePasswordWithEndpoint, routeToEndpoint } from "./endpoint-routing";
import { ProxyError, proxyErrors } from "./proxy-error";
import { parseStartupOptions, type StartupOptions } from "./startup-options";
import { authenticationMs, withTimeLimit } from "./time-limit";
import { serverEndPoint } from "./tls";
import { backendKeyData, fatalError } from "./wire-protocol";

/** Startup parameters that go to the compute. `options` goes there without the part for the proxy. */
const forwardedParameters = ["user", "database", "application_name", "replication"];

export interface SessionServices {
  readonly directory: ComputeDirectory;
  readonly connector: ComputeConnector;
  readonly cancelKeys: CancelKeys;
  readonly clock: Clock;
}

/** A client that has sent its StartupMessage. */
export interface SessionClient extends ClientConnection {
  /** The way in which the client proves its password. Over a WebSocket, the password comes in plain text with the first query. */
  readonly authentication: "scram" | "cleartext";
  /** The name under which the client has addressed the server. */
  readonly serverName: string | undefined;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Serves a session until the client or the compute ends it: authenticates the client, wakes the compute, and then passes the
 * bytes on in both directions. An error is sent to the client.
 *
 * @throws Error if the client does not speak the protocol or leaves early. The caller closes its stream.
 */
export async function serveSession(services: SessionServices, client: SessionClient): Promise<void> {
  const { stream } = client;
  try {
    const { compute, user, options } = await withTimeLimit(
      services.clock,
      authenticationMs,
      proxyErrors.authenticationTimedOut,
      authenticateClient(services, client),
    );
    const session = await services.connector.session(compute, parametersForCompute(client.parameters, user, options));
    await connectBoth(services, stream, compute, session);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    stream.end(fatalError(error.message));
  }
}

interface Authenticated {
  readonly compute: ProxiedCompute;
  readonly user: string;
  readonly options: StartupOptions;
}

async function authenticateClient(services: SessionServices, client: SessionClient): Promise<Authenticated> {
  const { stream, parameters } = client;
  const reader = new ByteReader(stream);
  const user = parameters.get("user");
  if (user === undefined || user === "") throw proxyErrors.userMissing();
  const options = parseStartupOptions(parameters.get("options"));
  const hints: EndpointHints = {
    serverName: client.serverName,
    option: options.endpointId,
    ofAddress: client.endpointId,
  };
  const endpointId = routeToEndpoint(hints);
  const findAllowed = (id: string): ProxiedCompute => {
    const compute = services.directory.find(id);
    if (!compute) throw proxyErrors.endpointNotFound();
    assertAddressAllowed(compute, client.clientAddress);
    return compute;
  };
  if (endpointId === undefined) {
    const sent = parsePasswordWithEndpoint(await requestPassword(stream, reader));
    if (!sent) throw proxyErrors.endpointMissing();
    const compute = findAllowed(sent.endpointId);
    await checkPassword(services.directory, compute, user, sent.password);
    return { compute, user, options };
  }
  const compute = findAllowed(endpointId);
  if (client.authentication === "cleartext") {
    await checkPassword(services.directory, compute, user, await requestPassword(stream, reader));
  } else {
    const verifier = await verifierOf(services.directory, compute, user);
    const endPoint = stream instanceof TLSSocket ? serverEndPoint(stream) : undefined;
    await authenticateByScram({ stream, reader }, verifier, user, endPoint);
  }
  return { compute, user, options };
}

function parametersForCompute(
  sent: ReadonlyMap<string, string>,
  user: string,
  options: StartupOptions,
): ReadonlyMap<string, string> {
  const names = options.forwardsAllParameters ? [...sent.keys()] : forwardedParameters;
  const parameters = new Map([["client_encoding", "UTF8"]]);
  for (const name of names) {
    const value = sent.get(name);
    if (value !== undefined && name !== "options") parameters.set(name, value);
  }
  if (options.forCompute !== undefined) parameters.set("options", options.forCompute);
  if (!parameters.has("database")) parameters.set("database", user);
  return parameters;
}

/** Passes on the greeting of the compute, with a key of the proxy, and then all bytes until one side closes. */
async function connectBoth(
  { directory, cancelKeys }: SessionServices,
  client: Duplex,
  compute: ProxiedCompute,
  { socket, socketFolder, greeting, backendKey, keyPosition }: ComputeSession,
): Promise<void> {
  if (client.destroyed) {
    socket.destroy();
    return;
  }
  const key = backendKey && cancelKeys.issue({ compute, socketFolder, backendKey });
  client.write(
    Buffer.concat([
      ...greeting.slice(0, keyPosition),
      ...(key ? [backendKeyData(key)] : []),
      ...greeting.slice(keyPosition),
    ]),
  );
  client.on("data", () => {
    directory.recordActivity(compute);
  });
  client.pipe(socket);
  socket.pipe(client);
  await new Promise<void>((resolve) => {
    socket.once("close", resolve);
    client.once("close", () => {
      socket.destroy();
    });
  });
  if (key) cancelKeys.revoke(key);
  client.end();
}
