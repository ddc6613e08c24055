/**
 * Required by provider processes before anything else: does not load what Pulumi's SDK requires for other purposes only, to
 * serialize functions and to manage packages. That is two thirds of what starting one costs, and there are thousands of them.
 */
import Module from "node:module";

type Load = (this: unknown, request: string, ...others: readonly unknown[]) => unknown;

const unneeded: ReadonlySet<string> = new Set([
  "typescript",
  "ts-node",
  "@npmcli/arborist",
  "read-package-tree",
  "execa",
  "@logdna/tail-file",
  "minimist",
  "source-map-support/register",
]);

const loader = Module as unknown as { _load: Load };
const load = loader._load;

loader._load = function (request, ...others) {
  if (!unneeded.has(request)) return load.call(this, request, ...others);
  const absent = (): never => {
    throw new Error(`${request} was not expected to be needed by a provider process`);
  };
  // Importing it is no use of it.
  return new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : absent()) });
};
