// Runs the installer in a separate process, so that it can be ended if it hangs: `node official-install.mjs <folder>
// <version>`.
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { createRequire } from "node:module";

// The installer wants a `SemVer` of the copy of semver that the SDK itself uses.
const { SemVer } = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"))("semver");

const [, , root, version] = process.argv;
try {
  await PulumiCommand.install({ root, version: new SemVer(version) });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
