import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";

/**
 * The test files that a source file is mutated against: those of the same folder that have its name or import it.
 *
 * @param {string} source From the repository's root, with or without a range of lines.
 * @param {string[]} [chosen] Test files or folders of them, instead.
 * @returns {string[]}
 */
export function testsFor(source, chosen) {
  const path = source.replace(/:.*/, "");
  if (!/^(api|provider|sdk|platform)\/.*\.ts$/.test(path) || !existsSync(join(root, path))) {
    throw new Failure(`${path} is not a source file of api/, provider/, sdk/ or platform/.`);
  }
  if (chosen) return chosen.flatMap(filesOf);
  const name = basename(path, ".ts");
  const folder = `tests/${path.split("/", 1)[0]}`;
  const imported = new RegExp(`from "\\.\\./\\.\\./${path.replace(/\.ts$/, "").replaceAll(".", "\\.")}"`);
  const found = filesOf(folder).filter((file) => {
    const noun = basename(file, ".test.ts");
    return noun === name || noun.startsWith(`${name}-`) || imported.test(readFileSync(join(root, file), "utf8"));
  });
  if (found.length === 0) {
    throw new Failure(
      `No file of ${folder} has the name of ${path} or imports it. Choose tests: \`--tests ${folder}\`.`,
    );
  }
  return found;
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  if (!existsSync(join(root, path))) throw new Failure(`There is no ${path}.`);
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .map((name) => `${path}/${name}`.replaceAll("\\", "/"));
}
