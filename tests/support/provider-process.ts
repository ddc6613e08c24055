import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { credentials, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Message } from "google-protobuf";

import type { Door } from "./door";
import {
  backend,
  CallError,
  type Connection,
  marked,
  type PartialFailure,
  type ProviderPlace,
} from "./provider-connection";

/** The variable with the active mutant of a mutation test. Without it, the process would run the original code. */
const mutant = "__STRYKER_ACTIVE_MUTANT__";

const scripts: Readonly<Record<Door, string>> = {
  dynamic: "@pulumi/pulumi/cmd/dynamic-provider",
  plugin: "../../provider/plugin",
};

type Call = (request: Message, callback: (error: ServiceError | null, answer: unknown) => void) => void;

/**
 * Starts a provider as the engine does: Pulumi's real dynamic-provider server, or the plugin.
 *
 * @param args the arguments of the CLI: flags, such as for `--logflow`, then the engine's address
 */
export async function startProcess(door: Door, args: readonly string[], place: ProviderPlace): Promise<Connection> {
  const home = place.home ?? mkdtempSync(join(tmpdir(), "neon-pulumi-home-"));
  const child = spawn(process.execPath, [require.resolve(scripts[door]), ...args], {
    cwd: place.folder ?? process.cwd(),
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: backend,
      ...(process.env[mutant] === undefined ? {} : { [mutant]: process.env[mutant] }),
      ...place.environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (data: Buffer) => resolve(String(data).trim()));
    child.once("exit", (code) => reject(new Error(`the provider ended with ${code ?? "a signal"}`)));
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (printed += String(data)));
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const methods = client as unknown as Readonly<Record<string, Call>>;
  return {
    process: child,
    printed: () => printed,
    call: (method, request) =>
      new Promise((resolve, reject) => {
        methods[method]?.call(client, request, (error, answer) => {
          if (error === null) resolve(answer);
          else reject(new CallError(error.details, partialFailure(error.metadata)));
        });
      }),
    end: async (signal) => {
      client.close();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill(signal);
        await ended;
      }
      if (place.home === undefined) rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The object in the metadata of an error, which the engine has to store. */
export function partialFailure(metadata: Metadata | undefined): PartialFailure | undefined {
  const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
  if (!(bytes instanceof Buffer)) return undefined;
  const [detail] = Status.deserializeBinary(bytes).getDetailsList();
  if (detail === undefined) return undefined;
  const failure = ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  const { outputs: properties, secrets } = marked(failure.getProperties());
  return { id: failure.getId(), properties, secrets, reasons: failure.getReasonsList() };
}
