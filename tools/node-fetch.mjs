// Replaces the compiled `api/http/node-fetch.ts` by a bundle in CommonJS. Part of `npm run build`.
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { packagesIn, writeLicenses } from "./base/licenses.mjs";
import { built, root } from "./base/paths.mjs";

/** @returns The folders of the packages in the bundle, in `node_modules`. */
export async function bundleNodeFetch() {
  const { metafile } = await build({
    entryPoints: ["api/http/node-fetch.ts"],
    outfile: built("api", "http", "node-fetch.js"),
    absWorkingDir: root,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    bundle: true,
    // Use Node's own streams. `fetch-blob` loads a polyfill if Node lacks them.
    alias: { "web-streams-polyfill/dist/ponyfill.es2018.js": "node:stream/web" },
    // Licenses are in a separate file.
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const packages = packagesIn(metafile);
  writeLicenses(built("api", "http", "node-fetch.licenses.txt"), packages);
  return packages;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundleNodeFetch();
