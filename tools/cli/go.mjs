import { join } from "node:path";
import { buildWithGo, findGo } from "../go.mjs";
import { step } from "../progress.mjs";
import { writeDynamicProvider } from "./dynamic-provider.mjs";
import { cliVersion, languageHostVersion } from "./versions.mjs";

const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

const sources = [
  {
    name: "pulumi",
    module: "pulumi",
    program: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    version: cliVersion,
    title: `Pulumi CLI ${cliVersion} from its Go module (some minutes, once)`,
  },
  {
    name: "pulumi-language-nodejs",
    module: "language-nodejs",
    program: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    version: languageHostVersion,
    title: "Pulumi's Node language host from its Go module",
  },
];

/**
 * Builds the CLI from its Go modules, pinned by `go.mod` and `go.sum` in the folders beside this file.
 *
 * @param {string} bin The folder for the programs.
 * @param {string} cache Where Go keeps its own caches if it has no home.
 * @returns {Promise<string | undefined>} Why it is impossible, or undefined when it is done.
 */
export async function buildCli(bin, cache) {
  const go = await findGo(cache);
  if (typeof go === "string") return go;
  for (const { name, module, program, version, title } of sources) {
    const file = join(bin, process.platform === "win32" ? `${name}.exe` : name);
    const flags = `-s -w -X ${versionVariable}=${version}`;
    await step(title, () => buildWithGo(go, { module: join(import.meta.dirname, module), program, file, flags }));
  }
  writeDynamicProvider(bin);
  return undefined;
}
