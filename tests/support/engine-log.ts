import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

import type { Engine } from "../../provider/pulumi/dependencies";
import { TestClaimLog } from "./claim-logs";

/** Something that a provider had to say while it worked. */
export interface LogLine {
  /** The resource in whose row it shows. */
  readonly urn: string;
  readonly text: string;
  /** A progress text is replaced by the next one; a line stays. */
  readonly is: "progress" | "line" | "warning";
}

/** The part of the engine that providers talk to: it only takes down what they say. */
export class EngineLog {
  readonly lines: LogLine[] = [];
  /** Where it listens, if it was started. */
  address = "";
  readonly #claims = new TestClaimLog();
  #server: Server | undefined;

  /**
   * An engine for providers that have processes of their own.
   *
   * @param slowness how long it takes to receive a line, in milliseconds
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

  /** The engine as one more provider in this process knows it. */
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
