import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The CLI starts this program in the folder of the user's program, whose own SDK is the one to serve it.
const posix = `#!/bin/sh
script=$(node -p 'require.resolve("@pulumi/pulumi/cmd/dynamic-provider")') || exit 1
exec node "$script" "$@"
`;

const windows = [
  "@echo off",
  "setlocal",
  `for /f "delims=" %%i in ('node -p "require.resolve('@pulumi/pulumi/cmd/dynamic-provider')"') do set SCRIPT=%%i`,
  'node "%SCRIPT%" %*',
  "",
].join("\r\n");

/**
 * Writes `pulumi-resource-pulumi-nodejs`, the program that serves dynamic resources.
 *
 * @param {string} folder
 */
export function writeDynamicProvider(folder) {
  const path = join(folder, "pulumi-resource-pulumi-nodejs");
  writeFileSync(path, posix);
  chmodSync(path, 0o755);
  if (process.platform === "win32") writeFileSync(`${path}.cmd`, windows);
}
