import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

import type { KeySource } from "../settings/key-source";
import { statusOf } from "./grpc-error";
import type { PluginDoor } from "./plugin-provider";
import type { PluginResources } from "./plugin-resources";

// The methods of Pulumi's provider service that a plugin implements.

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

/** The methods of a plugin by name. */
export function methodsOf(door: PluginDoor): Readonly<Record<string, Method>> {
  return { ...bound(door, ofProvider), ...bound(door.resources, ofResources) };
}

/** Serves a plugin on a free port, and returns the port. */
export function serve(door: PluginDoor): Promise<number> {
  // Neither Pulumi nor its engine limits the size of a message.
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const methods = Object.entries(methodsOf(door));
  const implementation = methods.map(([name, method]) => [name, unary(method, () => door.keySource)]);
  server.addService(ResourceProviderService, Object.fromEntries(implementation) as UntypedServiceImplementation);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

function bound<Service>(service: Service, names: readonly (keyof Service & string)[]): Record<string, Method> {
  return Object.fromEntries(names.map((name) => [name, (service[name] as Method).bind(service)]));
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
