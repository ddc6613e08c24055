import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { dirname, join, resolve, sep } from "node:path";
import { deserialize, serialize } from "node:v8";
import { Script } from "node:vm";

/** What earlier processes that ran the same program have found out about modules. */
interface Known {
  /** What Node keeps of its searches: files by request and folders. */
  readonly paths: Readonly<Record<string, string>>;
  /** V8's code by the state of the file. */
  readonly code: ReadonlyMap<string, Buffer>;
}

/** The parts of Node's loader that its types leave out. */
interface Loader {
  readonly _pathCache: Record<string, string>;
  readonly _extensions: NodeJS.Require["extensions"];
  readonly _cache: NodeJS.Require["cache"];
  _resolveLookupPaths(request: string, parent: Module): string[] | null;
  _resolveFilename(request: string, parent: Module, isMain: boolean, options?: unknown): string;
  wrap(source: string): string;
  readonly prototype: { _compile: (this: Module, source: string, file: string, format?: string) => unknown };
}

type Wrapper = (this: unknown, ...scope: unknown[]) => unknown;

const loader = Module as unknown as Loader;
const compile = loader.prototype._compile;
/** A process that has compiled nothing for so long has loaded what it needs. */
const settledMs = 3_000;
/** So many modules that the cache lacks are worth writing it again. */
const fewest = 10;
/** So many modules, most of them of earlier builds, are too many to read. */
const most = 3_000;

const built = resolve(__dirname, "..", "..");
const installed = `${sep}node_modules${sep}`;
/** Only these programs start often enough: Pulumi's, and the plugin as the CLI and as tests start it. */
const [, program = ""] = process.argv;
const startsOften =
  /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]|[\\/]pulumi-resource-neon$|[\\/]provider[\\/]plugin(\.js)?$/.test(program);
/** What this process had to compile, by the state of the file. */
const scripts = new Map<string, Script>();

if (startsOften) useCache(cacheOf(realpathSync(program)));

/** Beside the packages that the program belongs to, and only for this state of them. */
function cacheOf(path: string): string {
  const end = path.indexOf(installed);
  const packages = end < 0 ? join(dirname(built), "node_modules") : path.slice(0, end + installed.length - 1);
  const list = join(packages, ".package-lock.json");
  const hash = createHash("sha256").update(path).update(process.version);
  if (existsSync(list)) hash.update(readFileSync(list));
  return join(packages, ".cache", "neon-pulumi-tests", hash.digest("hex"));
}

/**
 * Loads modules faster than Node does: searching for them and compiling them takes a quarter of the start of a process. Preload
 * this file with `node --require`. Only packages and the build are kept, and code only for a file that has not changed.
 */
function useCache(cache: string): void {
  const known = read(cache);
  const end = (): void => {
    if (scripts.size >= fewest) write(cache, known);
    scripts.clear();
  };
  const timer = setTimeout(end, settledMs).unref();
  process.once("exit", end);
  for (const [key, file] of Object.entries(known.paths)) if (existsSync(file)) loader._pathCache[key] = file;
  loader.prototype._compile = function (source, file, format) {
    if (format === "module" || !isFixed(file) || importsLater(source, file))
      return compile.call(this, source, file, format);
    const state = stateOf(file);
    let script: Script;
    try {
      script = new Script(loader.wrap(source.replace(/^#!.*/, "")), {
        filename: file,
        cachedData: known.code.get(state),
      });
    } catch {
      // Node may understand it in another way, or says what is wrong.
      return compile.call(this, source, file, format);
    }
    if (!known.code.has(state)) {
      scripts.set(state, script);
      timer.refresh();
    }
    const run = script.runInThisContext() as Wrapper;
    return run.call(this.exports, this.exports, requireOf(this), this, file, dirname(file));
  };
}

/** Changes when the file does. Files of packages have no time of their own, but the cache belongs to one state of the packages. */
function stateOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `${file} ${size} ${mtimeMs}`;
}

/** What a module calls `require`. */
function requireOf(module: Module): NodeJS.Require {
  const find = (request: string, options?: unknown): string => loader._resolveFilename(request, module, false, options);
  const paths = (request: string): string[] | null => loader._resolveLookupPaths(request, module);
  return Object.assign((request: string): unknown => module.require(request), {
    resolve: Object.assign(find, { paths }),
    main: (process as { readonly mainModule?: Module }).mainModule,
    extensions: loader._extensions,
    cache: loader._cache,
  });
}

/** Whether a module may call `import()`, which fails in cached code. TypeScript only writes about it. */
function importsLater(source: string, file: string): boolean {
  return /\bimport\(/.test(source) && !file.endsWith("typescript.js");
}

/** Whether a file changes only when packages are installed or this project is built. */
function isFixed(file: string): boolean {
  return file.includes(installed) || file.startsWith(built + sep);
}

function read(cache: string): Known {
  try {
    const known = deserialize(readFileSync(cache)) as Known;
    if (known.code.size < most) return known;
  } catch {
    // No process has written it yet.
  }
  return { paths: {}, code: new Map() };
}

function write(cache: string, known: Known): void {
  const paths = Object.fromEntries(Object.entries(loader._pathCache).filter(([, file]) => isFixed(file)));
  const code = new Map(known.code);
  for (const [state, script] of scripts) code.set(state, script.createCachedData());
  try {
    mkdirSync(dirname(cache), { recursive: true });
    writeFileSync(`${cache}.${process.pid}`, serialize({ paths, code } satisfies Known));
    renameSync(`${cache}.${process.pid}`, cache);
  } catch {
    // Whoever may not write there starts more slowly.
  }
}
