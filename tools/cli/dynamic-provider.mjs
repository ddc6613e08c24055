import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

// The CLI starts this program in the folder of the user's program, and it must use that program's own SDK. The SDK is
// usually in a `node_modules` folder above. Only if it is not, the script asks Node, which takes 80 ms.
const script = `#!/bin/sh
main=node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js
folder=$(pwd -P)
while [ ! -f "$folder/$main" ] && [ -n "$folder" ]; do folder=\${folder%/*}; done
if [ -n "$folder" ]; then script=$folder/$main
else script=$(node -p 'require.resolve("@pulumi/pulumi/cmd/dynamic-provider")') || exit 1
fi
exec node "$script" "$@"
`;

/**
 * Writes `pulumi-resource-pulumi-nodejs`, the program that serves dynamic resources.
 *
 * @param {string} folder
 */
export function writeDynamicProvider(folder) {
  const path = join(folder, "pulumi-resource-pulumi-nodejs");
  // Replace the file in one step, because another process may be starting it.
  const part = `${path}.${process.pid}`;
  writeFileSync(part, script);
  chmodSync(part, 0o755);
  renameSync(part, path);
}
