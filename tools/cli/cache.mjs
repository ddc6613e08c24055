import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Failure } from "../base/failure.mjs";

/**
 * The folder outside the repository where the CLI is kept, made if it is not there.
 *
 * `NEON_PULUMI_CACHE` names it; else it is in the user's cache folder, or under the system's temporary one where there
 * is no home to write to.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cacheFolder(env = process.env) {
  const named = env["NEON_PULUMI_CACHE"];
  const candidates = named ? [resolve(named)] : [join(userCache(env), "neon-pulumi"), join(tmpdir(), ownName())];
  /** @type {unknown} */
  let cause;
  for (const folder of candidates) {
    if (!isAbsolute(folder)) continue;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.W_OK);
      return folder;
    } catch (error) {
      cause = error;
    }
  }
  throw new Failure(
    `Cannot write to ${candidates.join(" nor ")} (${/** @type {NodeJS.ErrnoException} */ (cause)?.code}). ` +
      "Set NEON_PULUMI_CACHE to a folder for the Pulumi CLI.",
  );
}

/** @param {NodeJS.ProcessEnv} env */
function userCache(env) {
  if (process.platform === "win32") return env["LOCALAPPDATA"] ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  const named = env["XDG_CACHE_HOME"];
  // The convention: a relative path there is to be ignored.
  return named && isAbsolute(named) ? named : join(homedir(), ".cache");
}

function ownName() {
  try {
    return `neon-pulumi-${userInfo().username}`;
  } catch {
    return "neon-pulumi";
  }
}

/**
 * What makes Go keep modules and compiled packages in a folder, and build the same whatever the user has set.
 *
 * @param {string} folder
 * @param {string[]} [flags] More flags for all its commands.
 */
export function goSettings(folder, flags = []) {
  return {
    GOPATH: folder,
    GOMODCACHE: join(folder, "modules"),
    GOCACHE: join(folder, "compiled"),
    // Otherwise Go makes the modules read-only: they could not be removed.
    GOFLAGS: ["-buildvcs=false", "-mod=readonly", "-modcacherw", ...flags].join(" "),
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
}
