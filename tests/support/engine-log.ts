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
  /** Where it listens. */
  address = "";
  readonly #server = new Server();

  /** `slowness`: how long it takes to receive a line, in milliseconds. */
  static async start(slowness = 0): Promise<EngineLog> {
    const log = new EngineLog();
    const take: UntypedServiceImplementation = {
      log: ({ request }: { request: LogRequest }, callback: (error: null, answer: Empty) => void) => {
        const is = request.getSeverity() === LogSeverity.WARNING ? "warning" : "progress";
        const receive = (): void => {
          log.lines.push({ urn: request.getUrn(), text: request.getMessage(), is });
          callback(null, new Empty());
        };
        if (slowness === 0) receive();
        else setTimeout(receive, slowness);
      },
    };
    log.#server.addService(EngineService, take);
    const port = await new Promise<number>((resolve, reject) => {
      log.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    log.address = `127.0.0.1:${port}`;
    return log;
  }

  stop(): void {
    this.#server.forceShutdown();
  }
}
