import { root } from "./paths.mjs";
import { run } from "./run.mjs";

/**
 * Runs npm in the repository. If npm runs this tool, uses the same npm.
 *
 * @param {string[]} args
 */
export async function npm(args) {
  const own = process.env["npm_execpath"];
  if (own && /npm-cli\.[cm]?js$/.test(own)) return await run(process.execPath, [own, ...args], { cwd: root });
  if (process.platform === "win32") return await run("cmd.exe", ["/d", "/s", "/c", "npm", ...args], { cwd: root });
  return await run("npm", args, { cwd: root });
}
