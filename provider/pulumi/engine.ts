import { connect, type Socket } from "node:net";

import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

import type { Clock } from "../../api/core/clock";
import type { Services } from "../call/services";

/**
 * The engine's address in the arguments of a provider process. CLI flags such as `--logflow -v=9` and `--tracing` add
 * arguments before it.
 */
export function engineAddress(args: readonly string[]): string | undefined {
  return args.findLast((argument) => /^(127\.0\.0\.1|localhost):\d{1,5}$/.test(argument));
}

/** The rows in an engine's output. */
export interface EngineRows extends Pick<Services, "progress" | "say" | "warn"> {
  /** Shows a line at the stack. It stays in the output. */
  readonly log: (line: string) => void;
  /**
   * Ends a call once the engine has received all texts so far. The engine may stop this process as soon as it has the
   * last result, and a preview's text is the last one in its row.
   */
  readonly afterLines: <Result>(call: () => Promise<Result> | Result) => Promise<Result>;
}

/** Shows text in the rows of the engine at this address. Best effort: without an engine it does nothing. */
export function engineRows(address: string | undefined): EngineRows {
  if (address === undefined) {
    const nothing = (): void => undefined;
    return { progress: nothing, say: nothing, warn: nothing, log: nothing, afterLines: async (call) => call() };
  }
  let client: EngineClient | undefined;
  // Texts of a row are sent in sequence, because the engine handles concurrent calls in any order and the last text has
  // to win.
  const lastOfRow = new Map<string, Promise<void>>();
  const unreceived = new Set<Promise<void>>();
  const show = (urn: string, text: string, severity: LogSeverity, ephemeral = false): void => {
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(text);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    const received = (lastOfRow.get(urn) ?? Promise.resolve())
      .then(() => {
        const engine = (client ??= new EngineClient(address, credentials.createInsecure()));
        return new Promise<void>((resolve) => engine.log(request, () => resolve()));
      })
      // There is no engine to show the text.
      .catch(() => undefined)
      .then(() => {
        if (lastOfRow.get(urn) === received) lastOfRow.delete(urn);
        unreceived.delete(received);
      });
    lastOfRow.set(urn, received);
    unreceived.add(received);
  };
  return {
    progress: (urn, text) => show(urn, text, LogSeverity.INFO, true),
    say: (urn, line) => show(urn, line, LogSeverity.INFO),
    warn: (urn, text) => show(urn, text, LogSeverity.WARNING),
    log: (line) => show("", line, LogSeverity.INFO),
    afterLines: async (call) => {
      try {
        return await call();
      } finally {
        await Promise.all(unreceived);
      }
    },
  };
}

/** How long to wait before reconnecting to an engine that has closed a connection, in milliseconds. */
const pause = 50;

/**
 * Exits when the engine that started this process is gone. The system reports that by closing the connection. A killed
 * engine can neither stop its providers nor receive their results. The next run continues the work in progress, so this
 * process must not change anything while that run reads.
 */
export async function exitWithEngine(address: string, clock: Clock): Promise<void> {
  for (;;) {
    await lastingConnection(address);
    if (await isEngineGone(address)) process.exit(1);
    await clock.sleep(pause);
  }
}

/** Whether nothing listens at the engine's address. Any other error concerns this machine, not the engine. */
function isEngineGone(address: string): Promise<boolean> {
  const socket = connectTo(address);
  return new Promise((resolve) => {
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  });
}

/** Connects, and resolves when the connection is closed or cannot be made. */
function lastingConnection(address: string): Promise<void> {
  // A socket reports that it was closed only if it is read to its end.
  const socket = connectTo(address).resume();
  return new Promise((resolve) => socket.on("error", () => undefined).once("close", () => resolve()));
}

function connectTo(address: string): Socket {
  const [host, port] = address.split(":");
  return connect({ host, port: Number(port) });
}
