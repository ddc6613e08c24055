import Module from "node:module";

/**
 * Modules that Pulumi's runtime loads when it starts and uses only to serialize functions, which neither this package nor
 * the programs of the tests do. Together they take about half of the start of a process.
 */
const deferred = new Set(["typescript", "@npmcli/arborist"]);

interface Loader {
  _load(request: string, ...rest: unknown[]): unknown;
}

const loader = Module as unknown as Loader;
const load = loader._load.bind(loader);

/** Loads the deferred modules when they are first used. Preload this file with `node --require`. */
loader._load = (request, ...rest) => {
  if (!deferred.has(request)) return load(request, ...rest);
  let loaded: object | undefined;
  return new Proxy(
    {},
    {
      get: (_, name) => {
        // Read by each import of the module.
        if (name === "__esModule") return true;
        loaded ??= load(request, ...rest) as object;
        return Reflect.get(loaded, name) as unknown;
      },
    },
  );
};
