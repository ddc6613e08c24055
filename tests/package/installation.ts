import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { tool } from "../support/tool";

/** The package as a user has it: packed, and installed in a folder of its own. */
export interface Installation {
  /** The user's folder; programs in folders below it find what is installed. */
  readonly folder: string;
  /** The packed package. */
  readonly tarball: string;
}

interface Lock {
  readonly tryLock: (path: string) => { readonly release: () => void } | { readonly holder: number };
}

const prefix = `neon-pulumi-consumer-${userInfo().uid}-`;
const packageName = "neon-pulumi";
/** What a user's project has besides; the versions are those of this repository's lock file. */
const companions = ["@pulumi/pulumi", "typescript", "@types/node"];
/** An installation that no run has used for so long goes when another is made. */
const unusedMs = 3_600_000;

let made: Promise<Installation> | undefined;

/** Packs and installs the package, once for all test files and worker processes that have the same build. */
export function installation(): Promise<Installation> {
  return (made ??= make());
}

async function make(): Promise<Installation> {
  const packed = await pack();
  const hash = createHash("sha256").update(readFileSync(packed.file)).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), prefix + hash);
  const tarball = join(folder, "package.tgz");
  const ready = join(folder, "ready");
  const { tryLock } = await tool<Lock>("lock.mjs");
  for (;;) {
    const lock = tryLock(`${folder}.lock`);
    if ("release" in lock) {
      try {
        if (!existsSync(ready)) {
          removeUnused();
          rmSync(folder, { recursive: true, force: true });
          mkdirSync(folder, { recursive: true });
          renameSync(packed.file, tarball);
          await install(folder, tarball);
          writeFileSync(ready, "");
        }
        touch(ready);
        return { folder, tarball };
      } finally {
        lock.release();
        rmSync(packed.folder, { recursive: true, force: true });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function pack(): Promise<{ folder: string; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-packed-"));
  // The tests run from the build, which is there: no script has to make it again, least of all while others read it.
  await npm(process.cwd(), ["pack", "--ignore-scripts", "--pack-destination", folder]);
  const [file] = readdirSync(folder);
  if (file === undefined) throw new Error("`npm pack` made no file.");
  return { folder, file: join(folder, file) };
}

async function install(folder: string, tarball: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const wanted = companions.map((name) => `${name}@${lockedVersion(name)}`);
  const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await npm(folder, ["install", ...options, tarball, ...wanted]);
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

/** Runs npm in a folder, without what an npm around this process has set for its own scripts. */
export async function npm(folder: string, args: readonly string[]): Promise<string> {
  const own = process.env["npm_execpath"];
  const [command, first] = own !== undefined && /npm-cli\.[cm]?js$/.test(own) ? [process.execPath, [own]] : ["npm", []];
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle|command|config_(local_)?prefix)/.test(name) && name !== "INIT_CWD",
    ),
  );
  const { stdout } = await promisify(execFile)(command, [...first, ...args], { cwd: folder, env });
  return stdout;
}

function removeUnused(): void {
  for (const name of readdirSync(tmpdir())) {
    const folder = join(tmpdir(), name);
    if (!name.startsWith(prefix) || name.endsWith(".lock") || usedWithin(folder, unusedMs)) continue;
    rmSync(folder, { recursive: true, force: true });
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

/** Where Node finds the package, for those who install it. */
export function installedPackage({ folder }: Installation): string {
  return join(folder, "node_modules", packageName);
}
