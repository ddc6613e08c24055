import { connect } from "node:net";

import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

import type { Clock } from "../../api/clock";

/**
 * Shows text at a resource while a call for it runs. Best effort: without an engine, or without a URN, nothing happens,
 * and nothing ever fails by it.
 */
export interface Rows {
  /** Live text in the resource's own row, which is gone when the call ends. */
  readonly progress: (urn: string, text: string) => void;
  /** A warning that stays. */
  readonly warn: (urn: string, text: string) => void;
}

/** The engine's address, which is the first argument of a provider process. */
export function engineAddress(argument: string | undefined): string | undefined {
  return argument !== undefined && /^(127\.0\.0\.1|localhost):\d{1,5}$/.test(argument) ? argument : undefined;
}

/** Rows of the engine at this address. */
export function engineRows(address: string | undefined): Rows {
  if (address === undefined || !/:\d+$|^\d+$/.test(address))
    return { progress: () => undefined, warn: () => undefined };
  let client: EngineClient | undefined;
  // One after the other: the engine handles calls at the same time in any order, and the last text has to stay.
  let told: Promise<void> = Promise.resolve();
  const log = (urn: string, text: string, severity: LogSeverity, ephemeral: boolean): void => {
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(text);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    told = told
      .then(() => {
        const engine = (client ??= new EngineClient(address, credentials.createInsecure()));
        return new Promise<void>((resolve) => engine.log(request, () => resolve()));
      })
      // The engine is gone or never was: there is nobody to show this to.
      .catch(() => undefined);
  };
  return {
    progress: (urn, text) => log(urn, text, LogSeverity.INFO, true),
    warn: (urn, text) => log(urn, text, LogSeverity.WARNING, false),
  };
}

/** How often to see whether the engine is still there, in milliseconds, and how many times it may be missing. */
const engineCheck = { pause: 500, misses: 3 };

/**
 * Ends this process when the engine that started it is gone: killed, it can neither end its providers nor take their
 * results, and what is under way is found again by whoever comes next.
 */
export async function endWithEngine(address: string | undefined, clock: Clock): Promise<void> {
  if (address === undefined) return;
  for (let misses = 0; misses < engineCheck.misses;) {
    await clock.sleep(engineCheck.pause);
    misses = (await refuses(address)) ? misses + 1 : 0;
  }
  process.exit(1);
}

/** Whether nothing listens at an address. Any other fault says something about this machine, not about the engine. */
function refuses(address: string): Promise<boolean> {
  const [host, port] = address.split(":");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) });
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "ECONNREFUSED"));
  });
}
