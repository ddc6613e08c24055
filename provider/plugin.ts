/** The entry of the provider plugin: serves all kinds to programs in every language. The executable in `plugin/` runs it. */
import { systemClock } from "../api/core/clock";
import { lookups } from "../api/lookups";
import { kinds } from "./kinds";
import { engineAddress, exitWithEngine } from "./pulumi/engine";
import { serve } from "./pulumi/grpc-server";
import { type PackageSchema, PluginDoor } from "./pulumi/plugin-provider";

// From the start: an engine that ends before it has configured the provider leaves nobody who would end this process.
void exitWithEngine(engineAddress(process.argv.slice(2)), systemClock);

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
