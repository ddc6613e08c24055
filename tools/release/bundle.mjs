// The plugin as one file of JavaScript.
import { build } from "esbuild";
import { packagesIn } from "../base/licenses.mjs";
import { built, root } from "../base/paths.mjs";
import { bundleNodeFetch } from "../node-fetch.mjs";

/**
 * Bundles what is compiled, with everything that it needs besides Node.
 *
 * @param {string} file Where to write it.
 * @param {string} schema The text of the schema that it serves.
 * @returns {Promise<string[]>} The folders of the packages in it, in `node_modules`.
 */
export async function bundle(file, schema) {
  const { metafile } = await build({
    entryPoints: [built("cli", "plugin.js")],
    outfile: file,
    absWorkingDir: root,
    platform: "node",
    target: "node20.19",
    format: "cjs",
    bundle: true,
    minify: true,
    // They are in a file of their own.
    legalComments: "none",
    metafile: true,
    logLevel: "error",
    plugins: [
      {
        name: "schema",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[/\\]plugin[/\\]schema\.json$/ }, () => ({ contents: schema, loader: "json" })),
      },
      {
        // Messages are in English. The other languages are a sixth of the bundle.
        name: "locales",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.cjs$/ }, () => ({ contents: "" })),
      },
    ],
  });
  // Its bundle is an input of this one.
  return [...new Set([...packagesIn(metafile), ...(await bundleNodeFetch())])].sort();
}
