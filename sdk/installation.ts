import { createRequire } from "node:module";

import { frozenEntry } from "../provider/frozen-entry";
import { door } from "./door";
import { currentHost } from "./host";
import { runError } from "./run-error";

/** The program's folder, in which the provider process also runs. Read before the program can change it. */
const programFolder = process.cwd();
let isInstalled: boolean | undefined;

/**
 * Fails if the provider process cannot resolve this package from the program's folder, for example because only a
 * component library depends on it. Otherwise, the provider process would fail with a stack trace. Call this before
 * anything is registered.
 *
 * Checks once, and only in programs that Pulumi's language host runs and in components for programs in other languages.
 * A unit test has no provider process, and the provider process of an inline program runs in another folder.
 *
 * @param described the resource as the error message names it, such as `Branch "pr-42"`
 */
export function assertInstalled(described: string): void {
  // Pulumi.yaml locates the plugin, so the package need not be resolvable.
  if (door() === "plugin") return;
  const host = currentHost();
  if (host === "nothing" || host === "inline" || (isInstalled ??= isResolvableFrom(programFolder))) return;
  const missing = `${described}: neon-pulumi is not installed in the program's folder (${programFolder}), from which Pulumi loads the provider.`;
  throw runError(
    host === "program"
      ? `${missing} Add it to the dependencies there, from where this program has it.`
      : `${missing} A component that a program in another language uses needs the provider plugin: locate it with \`plugins\` in the program's Pulumi.yaml, and set NEON_PULUMI_PROVIDER=plugin.`,
  );
}

function isResolvableFrom(folder: string): boolean {
  try {
    createRequire(`${folder}/_.js`).resolve(frozenEntry);
    return true;
  } catch {
    return false;
  }
}
