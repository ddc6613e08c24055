import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { type Clock, sleep } from "../clock";
import { ByteReader } from "./byte-reader";
import { type ComputeDirectory, type ProxiedCompute, socketPath } from "./compute-directory";
import { computeError, proxyErrors } from "./proxy-error";
import {
  cannotConnectNow,
  errorFields,
  isAuthenticationOk,
  wireMessage,
  messageTypes,
  startupMessage,
} from "./wire-protocol";

/** The pauses before another attempt to reach a compute that is starting or stopping, in milliseconds. */
const retryPausesMs = [50, 100, 200, 400, 800];
/** The longest message before a compute is ready: a parameter, a notice, or an error with a long text. */
const maxStartMessageBytes = 1 << 20;

/** A session in a compute that is ready for queries, or has refused the client. */
export interface ComputeSession {
  readonly socket: Socket;
  readonly socketFolder: string;
  /** The messages that the client has to receive first. The last one is ReadyForQuery, or ErrorResponse if there is no key. */
  readonly greeting: readonly Buffer[];
  /**
   * The body of the compute's BackendKeyData, which the client must
   * not see. The proxy's own goes into the greeting at `keyPosition`.
   */
  readonly backendKey: Buffer | undefined;
  readonly keyPosition: number;
}

/** Wakes computes and connects to them. */
export class ComputeConnector {
  readonly #directory: ComputeDirectory;
  readonly #clock: Clock;

  constructor(directory: ComputeDirectory, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /**
   * The folder of the socket of a compute. Starts the compute if it is suspended.
   *
   * @throws ProxyError
   */
  async wake(compute: ProxiedCompute): Promise<string> {
    // The rows may have changed since the client began to authenticate.
    const current = this.#directory.find(compute.endpointId);
    if (!current) throw proxyErrors.endpointNotFound();
    if (current.disabled) throw proxyErrors.endpointDisabled();
    try {
      return (await this.#directory.wake(current)).socketFolder;
    } catch (error) {
      throw computeError(error);
    }
  }

  /**
   * Opens a session or the like in a compute. If the compute stops meanwhile, it is started again.
   *
   * @param open returns undefined if the compute cannot be reached at the moment
   * @throws ProxyError
   */
  async open<Opened>(
    compute: ProxiedCompute,
    open: (socketFolder: string) => Promise<Opened | undefined>,
  ): Promise<Opened> {
    for (const pause of [...retryPausesMs, undefined]) {
      const opened = await open(await this.wake(compute));
      if (opened !== undefined) return opened;
      if (pause !== undefined) await sleep(this.#clock, pause);
    }
    throw proxyErrors.computeUnreachable();
  }

  /**
   * Starts a session in a compute, which trusts the proxy.
   *
   * @throws ProxyError
   */
  session(compute: ProxiedCompute, parameters: ReadonlyMap<string, string>): Promise<ComputeSession> {
    return this.open(compute, (socketFolder) => startSession(socketFolder, parameters));
  }
}

/** @returns undefined if the compute cannot be reached at the moment */
async function startSession(
  socketFolder: string,
  parameters: ReadonlyMap<string, string>,
): Promise<ComputeSession | undefined> {
  const socket = connect(socketPath(socketFolder));
  // Every error also closes the connection, which is handled below.
  socket.on("error", () => undefined);
  try {
    await Promise.race([
      once(socket, "connect"),
      once(socket, "close").then(() => Promise.reject(new Error("closed"))),
    ]);
    socket.write(startupMessage(parameters));
    const session = await readGreeting(socket, socketFolder);
    if (session === undefined) socket.destroy();
    return session;
  } catch {
    socket.destroy();
    return undefined;
  }
}

async function readGreeting(socket: Socket, socketFolder: string): Promise<ComputeSession | undefined> {
  const reader = new ByteReader(socket);
  const greeting: Buffer[] = [];
  let backendKey: Buffer | undefined;
  let keyPosition = 0;
  for (;;) {
    const { type, body } = await reader.message(maxStartMessageBytes);
    if (type === messageTypes.authentication && !isAuthenticationOk(body)) {
      throw new Error("the compute does not trust its socket");
    }
    if (type === messageTypes.errorResponse && errorFields(body).get("C") === cannotConnectNow) return undefined;
    if (type === messageTypes.backendKeyData) {
      backendKey = body;
      keyPosition = greeting.length;
      continue;
    }
    greeting.push(wireMessage(type, body));
    if (type === messageTypes.readyForQuery || type === messageTypes.errorResponse) {
      return { socket, socketFolder, greeting, backendKey, keyPosition };
    }
  }
}
