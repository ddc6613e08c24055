import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { filesIn } from "../support/files";
import { tool } from "../support/tool";
import { environmentWith, npmInstall, run } from "./compatibility/programs";

/** The packages as a user has them: packed, and installed in a folder of their own. */
export interface Installation {
  /** The user's folder; programs in folders below it find what is installed. */
  readonly folder: string;
}

/** The packages of this repository, by the folders that they are packed from. */
const packages = { "neon-pulumi": ".", "neon-platform": "platform" } as const;
export type PackageName = keyof typeof packages;

interface Lock {
  readonly tryLock: (path: string) => { readonly release: () => void } | { readonly holder: number };
}

const prefix = `neon-pulumi-consumer-${userInfo().uid}-`;
/** What a user's project has besides; the versions are those of this repository's lock file. */
const companions = ["@pulumi/pulumi", "typescript", "@types/node"];
/** An installation that no run has used for so long goes when another is made. */
const unusedMs = 3_600_000;

let made: Promise<Installation> | undefined;

/** Packs and installs the packages, once for all test files and worker processes that have the same build. */
export function installation(): Promise<Installation> {
  return (made ??= make());
}

async function make(): Promise<Installation> {
  const folder = join(tmpdir(), prefix + fingerprint());
  const ready = join(folder, "ready");
  const { tryLock } = await tool<Lock>("base/lock.mjs");
  for (;;) {
    const lock = tryLock(`${folder}.lock`);
    if ("release" in lock) {
      try {
        if (!existsSync(ready)) {
          await removeUnused();
          await rm(folder, { recursive: true, force: true });
          mkdirSync(folder, { recursive: true });
          await pack(folder);
          await install(folder);
          writeFileSync(ready, "");
        }
        touch(ready);
        return { folder };
      } finally {
        lock.release();
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A hash of everything that is packed. The platform's package compiles the sources of `dist/platform` again. */
function fingerprint(): string {
  const files = Object.values(packages).flatMap((from) =>
    ["package.json", "README.md", "LICENSE", "tsconfig.json"].map((name) => join(from, name)),
  );
  const compiled = ["api", "bundle", "cli", "platform", "provider", "sdk"].flatMap((name) =>
    filesIn(join("dist", name)),
  );
  const documents = [
    ...["docs", "examples"].flatMap((name) => filesIn(name)),
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
  ];
  const hash = createHash("sha256");
  for (const file of [...files, ...compiled, ...documents, "package-lock.json"])
    hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Everything is built: no script has to build it again, least of all while others read it. */
async function pack(folder: string): Promise<void> {
  const source = join(folder, "platform");
  await buildPlatform(source);
  await Promise.all(
    Object.keys(packages).map(async (name) => {
      const from = name === "neon-platform" ? source : ".";
      const args = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
      const packed = await run("npm", args, from, environmentWith(process.execPath));
      renameSync(join(folder, packed.trim()), join(folder, `${name}.tgz`));
    }),
  );
  await rm(source, { recursive: true });
}

/** The local platform's package as its own build makes it. */
async function buildPlatform(source: string): Promise<void> {
  mkdirSync(source);
  for (const name of ["package.json", "README.md", "LICENSE"]) {
    cpSync(join(packages["neon-platform"], name), join(source, name));
  }
  // The types were checked when the repository was built.
  const args = ["-p", packages["neon-platform"], "--outDir", join(source, "dist"), "--noCheck"];
  const compiler = "node_modules/typescript-7/bin/tsc";
  await run(process.execPath, [compiler, ...args], process.cwd(), environmentWith(process.execPath));
}

async function install(folder: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const wanted = [
    ...Object.keys(packages).map((name) => `./${name}.tgz`),
    ...companions.map((name) => `${name}@${lockedVersion(name)}`),
  ];
  await npmInstall(folder, wanted);
}

/** The version of a package that this repository's lock file names. */
export function lockedVersion(name: string): string {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, { version?: string } | undefined>;
  };
  const version = packages[`node_modules/${name}`]?.version;
  if (version === undefined) throw new Error(`package-lock.json does not name a version of ${name}.`);
  return version;
}

/** Not at once: while a process does nothing else, it does not touch its lock, and another one takes that from it. */
async function removeUnused(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!name.startsWith(prefix) || name.endsWith(".lock") || usedWithin(folder, unusedMs)) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

function usedWithin(folder: string, milliseconds: number): boolean {
  const ready = join(folder, "ready");
  return Date.now() - statSync(existsSync(ready) ? ready : folder).mtimeMs < milliseconds;
}

function touch(file: string): void {
  const now = new Date();
  utimesSync(file, now, now);
}

/** Where Node finds a package, for those who install it. */
export function installedPackage({ folder }: Installation, name: PackageName = "neon-pulumi"): string {
  return join(folder, "node_modules", name);
}
