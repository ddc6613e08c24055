import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Everything the quickstart keeps: git-ignored, removed by `npm run destroy` unless other programs use the platform. */
export const state = join(root, ".state");

/**
 * A file of an installed package, as a path for `node`.
 *
 * @param {...string} segments
 */
export const installed = (...segments) => join(root, "node_modules", ...segments);

/**
 * A built file.
 *
 * @param {...string} segments
 */
export const built = (...segments) => join(root, "dist", ...segments);

/** The compiler. The package `typescript` is what the linter and API Extractor read programs with. */
export const compiler = installed("typescript-7", "bin", "tsc");
