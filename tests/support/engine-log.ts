import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

import type { Engine } from "../../provider/pulumi/dependencies";
import { TestClaimLog } from "./claim-logs";

/** A message of a provider during a call. */
export interface LogLine {
  /** The resource in whose row the message is shown. */
  readonly urn: string;
  readonly text: string;
  /** The next progress text replaces the last one; a line stays. */
  readonly is: "progress" | "line" | "warning";
}

/** The part of the engine that receives messages of providers. It only records them. */
export class EngineLog {
  readonly lines: LogLine[] = [];
  /** The address on which the log listens, if it was started. */
  address = "";
  readonly #claims = new TestClaimLog();
  #server: Server | undefined;

  /**
   * Starts a log for providers in processes of their own.
   *
   * @param slowness how long the log takes to receive a line, in milliseconds
   */
  static async start(slowness = 0): Promise<EngineLog> {
    const log = new EngineLog();
    const server = new Server();
    log.#server = server;
    const take: UntypedServiceImplementation = {
      log: ({ request }: { request: LogRequest }, callback: (error: null, answer: Empty) => void) => {
        const shown = request.getEphemeral() ? "progress" : "line";
        const is = request.getSeverity() === LogSeverity.WARNING ? "warning" : shown;
        const receive = (): void => {
          log.#take(request.getUrn(), request.getMessage(), is);
          callback(null, new Empty());
        };
        if (slowness === 0) receive();
        else setTimeout(receive, slowness);
      },
    };
    server.addService(EngineService, take);
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    log.address = `127.0.0.1:${port}`;
    return log;
  }

  /** The engine for another provider in this process. */
  engine(): Engine {
    return {
      rows: {
        progress: (urn, text) => this.#take(urn, text, "progress"),
        say: (urn, line) => this.#take(urn, line, "line"),
        warn: (urn, text) => this.#take(urn, text, "warning"),
        log: (line) => this.#take("", line, "line"),
        afterLines: async (call) => call(),
      },
      claims: this.#claims.process(),
      follow: () => undefined,
    };
  }

  stop(): void {
    this.#server?.forceShutdown();
  }

  #take(urn: string, text: string, is: LogLine["is"]): void {
    this.lines.push({ urn, text, is });
  }
}
