/** The entry of the provider plugin: serves all kinds to programs in every language. The executable in `plugin/` runs it. */
import { lookups } from "../api/lookups";
import { kinds } from "./kinds";
import { type PackageSchema, PluginDoor } from "./pulumi/plugin-provider";
import { serve } from "./pulumi/grpc-server";

/* oxlint-disable typescript/no-require-imports -- read when somebody asks, and part of a bundle */
const door = new PluginDoor({
  process,
  kinds,
  lookups,
  version: (require("../../package.json") as { readonly version: string }).version,
  schema: () => require("../../plugin/schema.json") as PackageSchema,
});

// The engine reads the port from the first line.
void serve(door).then((port) => console.log(port));
