import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { type LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** Something that a provider had to say while it worked. */
export interface LogLine {
  /** The resource in whose row it shows. */
  readonly urn: string;
  readonly text: string;
  readonly is: "progress" | "warning";
}

/** The part of the engine that providers talk to: it only takes down what they say. */
export class EngineLog {
  readonly lines: LogLine[] = [];
  readonly #server = new Server();
  #address = "";

  static async start(): Promise<EngineLog> {
    const log = new EngineLog();
    const take: UntypedServiceImplementation = {
      log: ({ request }: { request: LogRequest }, callback: (error: null, answer: Empty) => void) => {
        const is = request.getSeverity() === LogSeverity.WARNING ? "warning" : "progress";
        log.lines.push({ urn: request.getUrn(), text: request.getMessage(), is });
        callback(null, new Empty());
      },
    };
    log.#server.addService(EngineService, take);
    const port = await new Promise<number>((resolve, reject) => {
      log.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    log.#address = `127.0.0.1:${port}`;
    return log;
  }

  /** Where it listens. */
  get address(): string {
    return this.#address;
  }

  stop(): void {
    this.#server.forceShutdown();
  }
}
