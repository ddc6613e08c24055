import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The CLI starts this program in the folder of the user's program, whose own SDK is the one to serve it. Node finds the SDK and
// runs it in one process: each one takes 80 ms to start.
const posix = `#!/bin/sh
exec node -e 'require("@pulumi/pulumi/cmd/dynamic-provider")' dynamic-provider "$@"
`;

/** The first lines of what was written before, which the cache may still hold. */
const earlier = "#!/bin/sh\nscript=$(node -p ";

const windows = [
  "@echo off",
  "setlocal",
  `for /f "delims=" %%i in ('node -p "require.resolve('@pulumi/pulumi/cmd/dynamic-provider')"') do set SCRIPT=%%i`,
  'node "%SCRIPT%" %*',
  "",
].join("\r\n");

const name = "pulumi-resource-pulumi-nodejs";

/**
 * Replaces an earlier version of the program; what Pulumi's installer has installed stays.
 *
 * @param {string} folder
 */
export function updateDynamicProvider(folder) {
  if (readFileSync(join(folder, name), "utf8").startsWith(earlier)) writeDynamicProvider(folder);
}

/**
 * Writes `pulumi-resource-pulumi-nodejs`, the program that serves dynamic resources.
 *
 * @param {string} folder
 */
export function writeDynamicProvider(folder) {
  const path = join(folder, name);
  // In one step: another process may be starting it.
  const part = `${path}.${process.pid}`;
  writeFileSync(part, posix);
  chmodSync(part, 0o755);
  renameSync(part, path);
  if (process.platform === "win32") writeFileSync(`${path}.cmd`, windows);
}
