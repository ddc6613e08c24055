/**
 * Provider processes require this module first. It does not load modules that Pulumi's SDK requires only to serialize
 * functions and to manage packages: they are two thirds of the start of a process, and there are thousands of processes.
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
  // To import a module is not to use it.
  return new Proxy({}, { get: (_, name) => (name === "__esModule" ? true : absent()) });
};
