import { root } from "./paths.mjs";
import { run } from "./run.mjs";

/** Options of the npm that runs this tool, which it hands on: `npm pack --workspace` must not install one workspace only. */
const ofTheCommand = /^npm_config_(workspaces?|include_workspace_root|dry_run|json)$/;

/**
 * Runs npm in the repository. If npm runs this tool, uses the same npm.
 *
 * @param {string[]} args
 */
export async function npm(args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofTheCommand.test(name)));
  const options = { cwd: root, env };
  const own = process.env["npm_execpath"];
  if (own && /npm-cli\.[cm]?js$/.test(own)) return await run(process.execPath, [own, ...args], options);
  return await run("npm", args, options);
}
