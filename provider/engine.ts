import { connect } from "node:net";

import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

import type { Clock } from "../api/clock";

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

/** Rows of the engine at this address, which is the first argument of a provider process. */
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

/** How often to see whether the engine is still there, in milliseconds. */
const engineCheck = 5_000;

/**
 * Ends this process when the engine that started it is gone: killed, it can neither end its providers nor take their
 * results, and what is under way is found again by whoever comes next.
 */
export async function endWithEngine(address: string | undefined, clock: Clock): Promise<void> {
  const [host, port] = address?.split(":") ?? [];
  if (host === undefined || port === undefined) return;
  do await clock.sleep(engineCheck);
  while (await answers(host, Number(port)));
  process.exit(1);
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => resolve(false)).once("connect", () => socket.destroy());
  });
}
