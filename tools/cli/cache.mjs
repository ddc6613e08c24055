import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Failure } from "../base/failure.mjs";

/**
 * The folder outside the repository where the CLI is kept. Created if it does not exist.
 *
 * `NEON_PULUMI_CACHE` sets the folder. Default: in the user's cache folder, or in the system's temporary folder if the
 * home is not writable.
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
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  const named = env["XDG_CACHE_HOME"];
  // The XDG specification says to ignore a relative path here.
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
 * Environment variables that make Go keep modules and compiled packages in a folder, and build the same despite the
 * user's settings.
 *
 * @param {string} folder
 * @param {string[]} [flags] More flags for all its commands.
 */
export function goSettings(folder, flags = []) {
  return {
    GOPATH: folder,
    GOMODCACHE: join(folder, "modules"),
    GOCACHE: join(folder, "compiled"),
    // `-modcacherw`: by default, Go makes modules read-only, so that they could not be removed.
    GOFLAGS: ["-buildvcs=false", "-mod=readonly", "-modcacherw", ...flags].join(" "),
    GOTOOLCHAIN: "local",
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
}
