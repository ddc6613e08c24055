import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Installer } from "./cases";
import { environmentWith, npmInstall, programOf, run, versions } from "./programs";

/** How a package manager installs what a folder's `package.json` names. */
interface Method {
  readonly install: (folder: string, node: string) => Promise<void>;
  /** Options for every Node that runs in the folder. */
  readonly nodeOptions?: (folder: string) => string;
}

/** How each package manager installs a folder. */
export const installers: Readonly<Record<Installer, Method>> = {
  npm: { install: (folder, node) => npmInstall(folder, [], node) },
  "npm, nested": { install: (folder, node) => npmInstall(folder, ["--install-strategy=nested"], node) },
  pnpm: {
    install: async (folder, node) => {
      const pnpm = join(await programOf("pnpm", versions.pnpm), "bin", "pnpm.cjs");
      const args = ["install", "--prefer-offline", "--ignore-scripts", "--no-frozen-lockfile", "--reporter=silent"];
      await run(node, [pnpm, ...args], folder, environmentWith(node));
    },
  },
  "yarn, node_modules": { install: yarn("node-modules") },
  "yarn, PnP": {
    install: yarn("pnp"),
    nodeOptions: (folder) =>
      `--require=${join(folder, ".pnp.cjs")} --experimental-loader=${join(folder, ".pnp.loader.mjs")}`,
  },
};

function yarn(nodeLinker: string): Method["install"] {
  return async (folder, node) => {
    const cli = join(await programOf("@yarnpkg/cli-dist", versions["@yarnpkg/cli-dist"]), "bin", "yarn.js");
    // Yarn does not read npm's settings.
    const registry = (await run("npm", ["config", "get", "registry"], folder, environmentWith(node))).trim();
    const settings = {
      nodeLinker,
      enableTelemetry: false,
      enableScripts: false,
      enableImmutableInstalls: false,
      npmRegistryServer: registry,
      unsafeHttpWhitelist: [new URL(registry).hostname],
    };
    // JSON is YAML, too.
    writeFileSync(join(folder, ".yarnrc.yml"), JSON.stringify(settings));
    await run(node, [cli, "install"], folder, environmentWith(node));
  };
}
