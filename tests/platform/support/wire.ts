import { connect, type Socket } from "node:net";

/** Milliseconds after which nothing more is waited for: less than the server's own timeouts for what is idle. */
const patience = 50_000;

/** What came back on a connection of its own. */
interface Exchange {
  /** The statuses of the answers, in their order. */
  readonly statuses: readonly number[];
  readonly text: string;
  /** Whether the server has closed the connection, before patience was over. */
  readonly isClosed: boolean;
  readonly milliseconds: number;
}

interface ExchangeOptions {
  /** Whether the client says that it sends nothing more. */
  readonly end?: boolean;
  /** Sent again and again, with so many milliseconds between, after what was sent first. */
  readonly drip?: { readonly bytes: string; readonly every: number };
}

type Bytes = string | Uint8Array;

/** Sends bytes as they are, on a connection of its own, and waits until the server closes it. */
export async function exchange(
  url: string,
  pieces: readonly Bytes[],
  { end = false, drip }: ExchangeOptions = {},
): Promise<Exchange> {
  const { hostname, port } = new URL(url);
  const began = performance.now();
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("latin1").on("data", (more: string) => (text += more));
  const closed = new Promise<boolean>((resolve) =>
    socket.once("close", () => resolve(true)).on("error", () => undefined),
  );
  let timer: NodeJS.Timeout | undefined;
  const tired = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), patience)));
  void send(socket, pieces).then(() => {
    if (end) socket.end();
  });
  const dripping = drip && setInterval(() => socket.write(drip.bytes), drip.every);
  const isClosed = await Promise.race([closed, tired]);
  clearTimeout(timer);
  clearInterval(dripping);
  socket.destroy();
  return { statuses: statusesIn(text), text, isClosed, milliseconds: performance.now() - began };
}

/** Opens a connection that the test holds in its hand. */
export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

async function send(socket: Socket, pieces: readonly Bytes[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    if (piece.length > 0) await new Promise((resolve) => socket.write(piece, resolve));
  }
}

/** Those of answers, without the one that only asks for the body. */
function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)]
    .map(([, status]) => Number(status))
    .filter((status) => status >= 200);
}
