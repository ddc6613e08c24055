// Builds the page: `node platform/console/build.mjs <folder>`.
import { build } from "esbuild";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const source = fileURLToPath(new URL(".", import.meta.url));
const target = resolve(process.argv[2] ?? join(source, "..", "..", "dist", "platform", "console"));
const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", svg: "image/svg+xml" };

/** @param {import("esbuild").BuildOptions} options */
const bundle = (options) =>
  build({
    absWorkingDir: source,
    bundle: true,
    minify: true,
    write: false,
    outdir: target,
    logLevel: "warning",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    ...options,
  });

const [page, renderer] = await Promise.all([
  bundle({
    entryPoints: { page: "main.tsx", styles: "styles/index.css" },
    format: "esm",
    splitting: true,
    target: ["chrome120", "firefox121", "safari17"],
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
  }),
  bundle({
    entryPoints: { render: "render.tsx" },
    platform: "node",
    format: "cjs",
    target: "node20",
    outExtension: { ".js": ".cjs" },
    // Only a browser opens the editor.
    external: ["../sql/editor"],
  }),
]);

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
/** @type {Record<string, string>} */
const files = {};
/** @param {string} name @param {Uint8Array} content */
function put(name, content) {
  writeFileSync(join(target, `${name}.gz`), gzipSync(content, { level: 9 }));
  files[name] = types[/** @type {keyof typeof types} */ (name.split(".").at(-1))];
}
for (const { path, contents } of page.outputFiles ?? []) put(basename(path), contents);
const icon = readFileSync(join(source, "icon.svg"));
put("icon.svg", icon);
for (const { path, contents } of renderer.outputFiles ?? []) writeFileSync(path, contents);
const nameOf = (/** @type {RegExp} */ pattern) => Object.keys(files).find((name) => pattern.test(name));
const manifest = { script: nameOf(/^page-.*\.js$/), styles: nameOf(/^styles-.*\.css$/), files };
// Write the manifest last: when it exists, all other files do.
writeFileSync(join(target, "manifest.json"), JSON.stringify(manifest, undefined, 2));
