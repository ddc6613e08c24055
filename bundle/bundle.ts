import { existsSync, realpathSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import type * as esbuild from "esbuild";

import type { Machine } from "./native";
import { type BundleOptions, fixedOptions } from "./options";
import { type ExternalPackage, packageFiles } from "./packages";

type Esbuild = typeof esbuild;
type PassedOptions = Omit<esbuild.BuildOptions, (typeof fixedOptions)[number]>;

/** `true` if each type can be assigned to the other one. */
type Mutual<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

// A new esbuild with another option, or another value of one, does not compile.
true satisfies Mutual<Exclude<keyof BundleOptions, "machine">, keyof PassedOptions>;
true satisfies PassedOptions extends BundleOptions ? true : false;

/** The source of a function as the files of its archive. */
export interface Bundle {
  /** The files by name: equal for equal sources, on any machine and in any folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Warnings of esbuild, in its words. */
  readonly warnings: readonly string[];
}

const machines: readonly unknown[] = ["neon", "local"] satisfies readonly Machine[];

/** How many messages of esbuild an error shows. */
const mostMessages = 6;

/** Modules of CommonJS in the bundle use these names, which an ES module lacks. */
const banner = `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url);
const __bundleFolder = import.meta.dirname, __bundleFile = import.meta.filename;`;
const definitions = { __dirname: "__bundleFolder", __filename: "__bundleFile" };

/**
 * Bundles the source of a function, with esbuild as the program has it.
 *
 * @param folder the program's folder: relative paths start here
 * @throws Error if the source, an option or an external package cannot be used
 */
export async function bundled(folder: string, entry: string, options: BundleOptions): Promise<Bundle> {
  const fixed = fixedOptions.find((name) => Object.hasOwn(options, name));
  if (fixed !== undefined) throw new Error(`The option \`${fixed}\` cannot be set: the bundle fixes it.`);
  const { machine = "neon", ...passed } = options;
  if (!machines.includes(machine)) throw new Error(`The option \`machine\` must be "${machines.join('" or "')}".`);
  const tool = esbuildOf(folder);
  const source = realPath(resolve(folder, entry));
  if (source.endsWith(".css")) throw new Error("The source is a style sheet, not a program.");
  const root = rootOf(realPath(folder), source);
  const { outputFiles, metafile, warnings } = await build(tool, {
    target: "node24",
    ...(passed as PassedOptions),
    banner: { ...passed.banner, js: [banner, passed.banner?.["js"] ?? ""].join("\n").trimEnd() },
    define: { ...definitions, ...passed.define },
    absWorkingDir: root,
    entryPoints: [source],
    outfile: join(root, "index.mjs"),
    // Nothing is written: the source may have the name of the bundle.
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    platform: "node",
    sourcemap: "linked",
    logLevel: "silent",
  });
  const files = new Map<string, Uint8Array>();
  for (const { path, contents, text } of outputFiles) {
    const name = relative(root, path).split(sep).join("/");
    if (name.startsWith("../")) throw new Error(`${name} would be outside of the archive.`);
    if (name === "index.mjs") files.set(name, Buffer.from(withStablePaths(text, metafile)));
    else if (/\.(mjs|css)\.map$/.test(name)) files.set(name, Buffer.from(mapWithStablePaths(text)));
    else files.set(name, contents);
  }
  const external = externalPackages(metafile, root, passed.external ?? []);
  for (const [name, content] of await packageFiles(external, machine)) files.set(name, content);
  return { files, warnings: await inWords(tool, warnings, "warning") };
}

/** Loads esbuild from the program's packages, or from those next to this one. */
function esbuildOf(folder: string): Esbuild {
  for (const from of [join(folder, "_.js"), __filename]) {
    const load = createRequire(from);
    let path: string;
    try {
      path = load.resolve("esbuild");
    } catch {
      continue;
    }
    return load(path) as Esbuild;
  }
  throw new Error(
    `It needs esbuild, which is not installed in ${folder}. Run \`npm install --save-dev esbuild\` there.`,
  );
}

/** Runs esbuild without writing files. */
async function build(tool: Esbuild, options: esbuild.BuildOptions) {
  try {
    return await tool.build({ ...options, metafile: true, write: false });
  } catch (error) {
    const { errors = [], message } = error as Partial<esbuild.BuildFailure>;
    const words = errors.length === 0 ? [message ?? String(error)] : await inWords(tool, errors, "error");
    throw new Error(words.join("\n\n"), { cause: error });
  }
}

/** The texts that esbuild prints for messages. */
async function inWords(
  tool: Esbuild,
  messages: readonly esbuild.Message[],
  kind: "error" | "warning",
): Promise<readonly string[]> {
  // The place and the stack of an exception, of a plugin or of esbuild itself, say nothing about the source.
  const shown = messages
    .slice(0, mostMessages)
    .map((one) => (one.detail instanceof Error ? { ...one, location: null, notes: [] } : one));
  const words = await tool.formatMessages(shown, { kind, color: false });
  const more = messages.length - words.length;
  return [...words.map((one) => one.trim()), ...(more > 0 ? [`and ${more} more`] : [])];
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * The folder that paths in code, source map and messages are relative to: the program's or, for a source elsewhere, that of
 * its package. So they do not depend on the folder of a checkout.
 */
function rootOf(folder: string, source: string): string {
  const path = relative(folder, source);
  if (path.split(sep)[0] !== ".." && !isAbsolute(path)) return folder;
  for (let above = dirname(source); above !== dirname(above); above = dirname(above)) {
    if (existsSync(join(above, "package.json"))) return above;
  }
  return dirname(source);
}

/** The path of a file of a package without the folders around it: a package manager chooses those. */
function stablePath(path: string): string {
  return path.slice(Math.max(0, path.lastIndexOf("node_modules/")));
}

function mapWithStablePaths(text: string): string {
  const map = JSON.parse(text) as { readonly sources: readonly string[] };
  return JSON.stringify({ ...map, sources: map.sources.map(stablePath) });
}

/** Code with stable paths in the two kinds of lines in which esbuild writes paths, where these stand alone. */
function withStablePaths(code: string, { inputs }: esbuild.Metafile): string {
  return code.replace(/^(\/\/ | {2}")(.+?)((?:"\(.*)?)$/gm, (line, before: string, path: string, after: string) =>
    Object.hasOwn(inputs, path) ? before + stablePath(path) + after : line,
  );
}

/** The packages that the bundle imports and does not contain, and those that `external` names without a `*`. */
function externalPackages(
  { inputs, outputs }: esbuild.Metafile,
  root: string,
  named: readonly string[],
): readonly ExternalPackage[] {
  const kept = new Set(outputs["index.mjs"]?.imports.filter((one) => one.external).map((one) => one.path));
  const imported = Object.entries(inputs).flatMap(([input, { imports }]) => {
    const file = resolve(root, input);
    const from = existsSync(file) ? dirname(file) : root;
    return imports
      .filter(({ path, external }) => external && kept.has(path) && !isOfRuntime(path))
      .map(({ path, kind }) => ({
        name: packageName(path),
        from,
        // A package may try to require another one and go on without it.
        isRequired: kind === "import-statement" || !input.includes("node_modules/"),
      }));
  });
  const others = named.filter((path) => /^[@\w][^*:]*$/.test(path) && !isOfRuntime(path));
  return [...imported, ...others.map((path) => ({ name: packageName(path), from: root, isRequired: false }))];
}

/** Whether a module comes with the runtime: one of Node, or one with a scheme. */
function isOfRuntime(path: string): boolean {
  return isBuiltin(path) || /^[\w+-]+:/.test(path);
}

function packageName(path: string): string {
  if (!/^[@\w]/.test(path)) {
    throw new Error(`${JSON.stringify(path)} is external and not the name of a package, so the archive would lack it.`);
  }
  return path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
}
