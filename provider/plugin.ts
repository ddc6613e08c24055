/** The entry of the provider plugin: serves all kinds to programs in every language. The executable in `plugin/` runs it. */
import { lookups } from "../api/lookups";
import { kinds } from "./kinds";
import { dependenciesOf } from "./pulumi/dependencies";
import { serve } from "./pulumi/grpc-server";
import { type PackageSchema, PluginDoor } from "./pulumi/plugin-provider";

const dependencies = dependenciesOf(process);

// From the start: an engine that ends before it has configured the provider leaves nobody who would end this process.
dependencies.engine().follow();

/* oxlint-disable typescript/no-require-imports -- read when somebody asks, and part of a bundle */
const door = new PluginDoor({
  dependencies,
  kinds,
  lookups,
  version: (require("../../package.json") as { readonly version: string }).version,
  schema: () => require("../../plugin/schema.json") as PackageSchema,
});

// The engine reads the port from the first line.
void serve(door).then((port) => console.log(port));
