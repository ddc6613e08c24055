import Module from "node:module";

import "./module-cache";

/**
 * What Pulumi's runtime and zod load when they start, and neither this package nor the programs of the tests use:
 * serialization of functions, the Automation API, manifests of packages, tracing, texts in other languages, and source maps of
 * Pulumi's own code, which are read for each stack trace. Together they take more than half of the start of a process.
 */
const deferred = new Set([
  "typescript",
  "semver",
  "@npmcli/arborist",
  "normalize-package-data",
  "./automation",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "../locales/index.cjs",
  "source-map-support/register",
  "js-yaml",
  "fdir",
]);

/**
 * For functions that it serializes, Pulumi attaches V8's debugger before it runs a program. With it, each function is compiled
 * more slowly. A function that is serialized nevertheless attaches it then.
 */
const v8Hooks = "../../runtime/closure/v8Hooks";
const notAttached = { isInitializedAsync: () => Promise.resolve() };

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

const loader = Module as unknown as Loader;
const load = loader._load.bind(loader);

/** Loads the deferred modules when they are first used. Preload this file with `node --require`. */
loader._load = (request, ...rest) => {
  if (request === v8Hooks) return notAttached;
  if (!deferred.has(request)) return load(request, ...rest);
  let loaded: object | undefined;
  return new Proxy(
    {},
    {
      get: (_, name) => {
        // Read by each import of the module.
        if (name === "__esModule") return true;
        loaded ??= load(request, ...rest) as object;
        // A CommonJS module is its own default export.
        if (name === "default" && !("__esModule" in loaded)) return loaded;
        return Reflect.get(loaded, name) as unknown;
      },
    },
  );
};
