import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { runToEnd } from "../../support/ended";
import type { NodeVersion } from "./cases";

/** What the cases are run with, besides the package: versions that install without a download of their own. */
export const versions = {
  node: { "20": "20.19.0", "22": "22.23.3", "24": "24.21.0" },
  pnpm: "10.34.8",
  "@yarnpkg/cli-dist": "4.18.1",
  typescript: { "5.9": "5.9.3", "6.0": "6.0.3" },
  tsx: "4.23.15",
  "ts-node": "10.9.2",
  "Jest 29": "29.7.0",
  "Jest 30": "30.5.2",
  "vitest, vmThreads": "4.1.12",
} as const;

/** Something that this machine cannot have, so that a case cannot be run here. */
export class Unavailable extends Error {}

const folder = join(tmpdir(), `neon-pulumi-compatibility-${String(userInfo().uid)}`);

/** Runs a command that must succeed, and returns what it prints. */
export async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(command, args, { cwd, env: environment });
  if (code !== 0) throw new Error(`${[command, ...args].join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** Installs packages in a folder with npm, or what its `package.json` names. */
export async function npmInstall(folder: string, args: readonly string[] = [], node = process.execPath): Promise<void> {
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await run("npm", ["install", ...options, ...args], folder, environmentWith(process.execPath, { NODE: node }));
}

/** The environment without what npm sets for its own scripts, and with this Node first. */
export function environmentWith(node: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(registry|cache))|INIT_CWD|NODE_OPTIONS)/.test(name),
  );
  return { ...Object.fromEntries(kept), PATH: [dirname(node), process.env["PATH"]].join(delimiter), ...more };
}

/** Installs a package that brings a program, once for all runs, and returns its folder. */
export async function programOf(name: string, version: string): Promise<string> {
  const own = join(folder, `${name.replace("/", "+")}-${version}`);
  const installed = join(own, "node_modules", name);
  if (existsSync(join(own, "ready"))) return installed;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), '{ "private": true }');
  await npmInstall(own, [`${name}@${version}`]);
  writeFileSync(join(own, "ready"), "");
  return installed;
}

/** The program `node` of a major version: this one, or one from the package registry. */
export async function nodeOf(major: NodeVersion): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  try {
    return join(await programOf(name, versions.node[major]), "bin", "node");
  } catch (error) {
    throw new Unavailable(`Node ${major} is not installed here, and ${name} could not be installed.`, { cause: error });
  }
}
