import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { before } from "mocha";

import { installers } from "../package/compatibility/installers";
import { environmentWith, programOf, run, versions } from "../package/compatibility/programs";
import { installation, lockedVersion } from "../package/installation";
import { suiteFolder } from "../support/folder";
import type { StackPlace } from "../support/stack";

/** The examples that are one npm package each. */
export const examples = readdirSync("examples").filter((name) => existsSync(join("examples", name, "tsconfig.json")));

/** Copies of the examples, as they are, in an empty folder with the packed package. */
export interface ExampleCopies {
  /** The folder of a copy. */
  readonly folder: (name: string) => string;
  /** Where to run a copy. Stacks of the same copies share their state. */
  readonly place: (name: string, stack?: string) => StackPlace;
}

/** Copies the examples for a suite, and installs what their `package.json` names. */
export function suiteExamples(): ExampleCopies {
  const root = suiteFolder("neon-pulumi-examples-");
  const folder = (name: string): string => join(root, "examples", name);
  before(async () => {
    cpSync("examples", join(root, "examples"), {
      recursive: true,
      filter: (path) => !/[/\\](node_modules|dist)$/.test(path),
    });
    const tarball = join((await installation()).folder, "neon-pulumi.tgz");
    for (const place of [root, folder("branch-per-pull-request")])
      copyFileSync(tarball, join(place, "neon-pulumi-0.1.0.tgz"));
    // One installation for all of them, with versions that this repository has.
    const pinned = ["@pulumi/pulumi", "typescript", "@types/node"].map((name) => [name, lockedVersion(name)] as const);
    const workspaces = examples.map((name) => `examples/${name}`);
    const manifest = { name: "copies", private: true, workspaces, overrides: Object.fromEntries(pinned) };
    writeFileSync(join(root, "package.json"), JSON.stringify(manifest));
    await installers.npm.install(root, process.execPath);
    mkdirSync(join(root, "backend"));
  });
  return {
    folder,
    place: (name, stack = "dev") => ({
      stack,
      project: name,
      home: join(root, "home"),
      backend: `file://${join(root, "backend")}`,
      folder: folder(name),
    }),
  };
}

/** `pnpm install && pnpm run build`, without a `pnpm` on the `PATH`. */
export async function installWorkspace(folder: string): Promise<void> {
  await installers.pnpm.install(folder, process.execPath);
  const pnpm = join(await programOf("pnpm", versions.pnpm), "bin", "pnpm.cjs");
  await run(process.execPath, [pnpm, "-r", "build"], folder, environmentWith(process.execPath));
}
