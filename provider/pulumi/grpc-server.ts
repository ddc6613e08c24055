import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

import type { KeySource } from "../settings/key-source";
import { statusOf } from "./grpc-error";
import type { PluginDoor } from "./plugin-provider";
import type { PluginResources } from "./plugin-resources";

// The methods of Pulumi's provider service that a plugin answers. Any other one is not implemented.

const ofProvider = [
  "getPluginInfo",
  "getSchema",
  "getMapping",
  "getMappings",
  "attach",
  "checkConfig",
  "diffConfig",
  "configure",
  "cancel",
  "invoke",
] as const satisfies readonly (keyof PluginDoor)[];

const ofResources = [
  "check",
  "diff",
  "create",
  "update",
  "read",
  "delete",
] as const satisfies readonly (keyof PluginResources)[];

type Method = (request: unknown) => unknown;

/** Serves a plugin on a port of its own, which it returns. */
export function serve(door: PluginDoor): Promise<number> {
  // Pulumi does not limit the size of a message, and neither does its engine.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, {
    ...implementationOf(door, door, ofProvider),
    ...implementationOf(door, door.resources, ofResources),
  });
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

function implementationOf<Service>(
  door: PluginDoor,
  service: Service,
  names: readonly (keyof Service & string)[],
): UntypedServiceImplementation {
  return Object.fromEntries(
    names.map((name) => [name, unary((service[name] as Method).bind(service), () => door.keySource)]),
  );
}

type Callback = (error: object | null, response?: unknown) => void;

function unary(method: Method, key: () => KeySource) {
  return async ({ request }: { readonly request: unknown }, callback: Callback): Promise<void> => {
    try {
      callback(null, await method(request));
    } catch (error) {
      callback(statusOf(error, key()));
    }
  };
}
