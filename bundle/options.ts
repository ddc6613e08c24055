// The options of `bundle`. esbuild's own types are not used: it is an optional dependency, which the types of this package
// must not need.

/** How esbuild reads a kind of files. */
type Loader =
  | "base64"
  | "binary"
  | "copy"
  | "css"
  | "dataurl"
  | "default"
  | "empty"
  | "file"
  | "js"
  | "json"
  | "jsx"
  | "local-css"
  | "text"
  | "ts"
  | "tsx";

/**
 * Options of `bundle`: `machine`, and those of [esbuild](https://esbuild.github.io/api/) that the archive leaves open.
 *
 * @example
 * ```ts
 * const options: neon.BundleOptions = { minify: true, external: ["sharp"], define: { VERSION: JSON.stringify("1.4.0") } };
 * const code = neon.bundle("api/index.ts", options);
 * ```
 */
export interface BundleOptions {
  /**
   * The machine for which external packages with native code must be installed: Neon's, which is Linux on arm64 with glibc, or the one of
   * the local platform, which runs functions on yours. Default: `neon`.
   */
  readonly machine?: "neon" | "local";
  /** Replaces what is imported: a package by another one. */
  readonly alias?: Readonly<Record<string, string>>;
  /** Name of the files that the loaders `file` and `copy` write. Default: `[name]-[hash]`. */
  readonly assetNames?: string;
  /** Text at the beginning of a file, by `js` and `css`. */
  readonly banner?: Readonly<Record<string, string>>;
  /** Whether characters outside of ASCII are escaped. Default: `ascii`. */
  readonly charset?: "ascii" | "utf8";
  /** Conditions of `exports` in a `package.json`, besides those of Node. */
  readonly conditions?: readonly string[];
  /** Replaces global names by constants, each written as code: a text is `JSON.stringify(text)`. The code is no place for a secret: use `environment`. */
  readonly define?: Readonly<Record<string, string>>;
  /** Removes calls of `console`, or `debugger`. */
  readonly drop?: readonly ("console" | "debugger")[];
  /** Removes statements with these labels. */
  readonly dropLabels?: readonly string[];
  /**
   * Packages that stay out of the bundle, such as those with native code. They are added to the archive as they are installed, with all
   * that they depend on. `*` stands for any part of a name.
   */
  readonly external?: readonly string[];
  /** Text at the end of a file, by `js` and `css`. */
  readonly footer?: Readonly<Record<string, string>>;
  /** Keeps code that is marked as free of side effects. Default: `false`. */
  readonly ignoreAnnotations?: boolean;
  /** Files that every file imports. */
  readonly inject?: readonly string[];
  /** Treatment of JSX. Default: the `tsconfig.json`, or else `transform`. */
  readonly jsx?: "transform" | "preserve" | "automatic";
  /** Compiles JSX for development. Default: `false`. */
  readonly jsxDev?: boolean;
  /** Function that JSX elements call. */
  readonly jsxFactory?: string;
  /** Name that stands for a JSX fragment. */
  readonly jsxFragment?: string;
  /** Package that JSX imports from, if `jsx` is `automatic`. */
  readonly jsxImportSource?: string;
  /** Keeps JSX elements that nothing uses. Default: `false`. */
  readonly jsxSideEffects?: boolean;
  /** Keeps the `name` of functions and classes. Default: `false`. */
  readonly keepNames?: boolean;
  /** Place of comments with a license. Default: `eof`. */
  readonly legalComments?: "none" | "inline" | "eof" | "linked" | "external";
  /** Breaks minified lines that are longer, in characters. */
  readonly lineLimit?: number;
  /** How files are read, by extension, such as `{ ".sql": "text" }`. */
  readonly loader?: Readonly<Record<string, Loader>>;
  /** Turns a message of esbuild into a warning or an error, or silences it, by its id. */
  readonly logOverride?: Readonly<Record<string, "verbose" | "debug" | "info" | "warning" | "error" | "silent">>;
  /** Members of a `package.json` that name its main file. Default: `main`, `module`. */
  readonly mainFields?: readonly string[];
  /** Names that `mangleProps` uses for properties. */
  readonly mangleCache?: Readonly<Record<string, string | false>>;
  /** Shortens the properties that match. */
  readonly mangleProps?: RegExp;
  /** Also shortens quoted properties. Default: `false`. */
  readonly mangleQuoted?: boolean;
  /** Makes the code small. Default: `false`. */
  readonly minify?: boolean;
  /** Shortens names. Default: `minify`. */
  readonly minifyIdentifiers?: boolean;
  /** Writes statements in a shorter way. Default: `minify`. */
  readonly minifySyntax?: boolean;
  /** Removes white space. Default: `minify`. */
  readonly minifyWhitespace?: boolean;
  /** Folders with packages, besides `node_modules`. */
  readonly nodePaths?: readonly string[];
  /** `external` keeps every package out of the bundle. Default: `bundle`. */
  readonly packages?: "bundle" | "external";
  /** Plugins of esbuild. */
  readonly plugins?: readonly {
    /** Name of the plugin, for its messages. */
    readonly name: string;
    /** Registers what the plugin does. */
    readonly setup: (build: never) => unknown;
  }[];
  /** Resolves links as if they were files. Default: `false`. */
  readonly preserveSymlinks?: boolean;
  /** URL before the names of files that the loader `file` writes. */
  readonly publicPath?: string;
  /** Functions that can be removed if nothing uses their result. */
  readonly pure?: readonly string[];
  /** Properties that `mangleProps` leaves alone. */
  readonly reserveProps?: RegExp;
  /** Extensions that an import can leave out. */
  readonly resolveExtensions?: readonly string[];
  /** Member `sourceRoot` of the source map. */
  readonly sourceRoot?: string;
  /** Whether the source map contains the sources. Default: `true`. */
  readonly sourcesContent?: boolean;
  /** Features of the language that the runtime has, or lacks. */
  readonly supported?: Readonly<Record<string, boolean>>;
  /** Version of the runtime, or of the language. Default: `node24`. */
  readonly target?: string | readonly string[];
  /** Whether unused code is removed. Default: `true`. */
  readonly treeShaking?: boolean;
  /** Path of the `tsconfig.json`. Default: the nearest one above each file. */
  readonly tsconfig?: string;
  /** A `tsconfig.json` as a text or a value, instead of a file. */
  readonly tsconfigRaw?: string | object;
}

/** Options of esbuild that the form of the archive fixes, and those of messages, which Pulumi shows. */
export const fixedOptions = [
  "absPaths",
  "absWorkingDir",
  "allowOverwrite",
  "bundle",
  "chunkNames",
  "color",
  "entryNames",
  "entryPoints",
  "format",
  "globalName",
  "logLevel",
  "logLimit",
  "logStyle",
  "metafile",
  "outExtension",
  "outbase",
  "outdir",
  "outfile",
  "platform",
  "sourcemap",
  "splitting",
  "stdin",
  "write",
] as const;
