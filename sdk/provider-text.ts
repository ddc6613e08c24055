import { frozenEntry } from "../provider/frozen-entry";

/**
 * The code from which the engine loads the provider of a kind. It is stored in the state of every resource.
 *
 * It is a literal rather than a serialized function, so that it is small and the same in every release. It resolves the
 * package from the program's folder, whether the package is installed, linked, or the repository itself.
 */
export function providerText(kind: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("${frozenEntry}").provider("${kind}")`;
}
