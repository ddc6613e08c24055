import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

import { statusOf } from "./grpc-error";
import type { PluginDoor } from "./plugin-provider";

/** The methods of Pulumi's provider service that a plugin answers. Any other one is not implemented. */
const methods = [
  "getPluginInfo",
  "getSchema",
  "attach",
  "checkConfig",
  "diffConfig",
  "configure",
  "cancel",
  "invoke",
  "check",
  "diff",
  "create",
  "update",
  "read",
  "delete",
] as const satisfies readonly (keyof PluginDoor)[];

type Method = (request: unknown) => unknown;

/** Serves a plugin on a port of its own, which it returns. */
export function serve(door: PluginDoor): Promise<number> {
  // Pulumi does not limit the size of a message, and neither does its engine.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const implementation = Object.fromEntries(methods.map((name) => [name, unary((door[name] as Method).bind(door))]));
  server.addService(ResourceProviderService, implementation);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

type Callback = (error: object | null, response?: unknown) => void;

function unary(method: Method) {
  return async ({ request }: { readonly request: unknown }, callback: Callback): Promise<void> => {
    try {
      callback(null, await method(request));
    } catch (error) {
      callback(statusOf(error));
    }
  };
}
