// The plugin as one file of JavaScript.
import { build } from "esbuild";
import { packagesIn } from "../base/licenses.mjs";
import { built, root } from "../base/paths.mjs";
import { bundleNodeFetch } from "../node-fetch.mjs";

/**
 * Bundles the compiled code with all packages that it needs.
 *
 * @param {string} file Where to write it.
 * @param {string} schema The text of the schema that the plugin serves.
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
    // Licenses are in a separate file.
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
        // Drop zod's other locales, which are a sixth of the bundle: messages are in English.
        name: "locales",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.cjs$/ }, () => ({ contents: "" })),
      },
    ],
  });
  // The bundle of `node-fetch` is an input of this one, so add its packages.
  return [...new Set([...packagesIn(metafile), ...(await bundleNodeFetch())])].sort();
}
