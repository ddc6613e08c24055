import { realpathSync, statSync } from "node:fs";

import { type BackendFacts, backendOf, stateFolder } from "./backend";
import { hashOf, newId } from "./ids";

/** What a provider process knows of the stack that it works for. */
export interface StackFacts extends BackendFacts {
  /** The Pulumi organization, as the program's constructor knows it. */
  readonly organization: string | undefined;
  /** The URN of any of the stack's resources, which names stack and project. */
  readonly urn: string;
}

/**
 * A hash that only this stack has on this machine, as far as a provider can tell: backend, organization, project, stack and
 * program folder. If nothing names the backend, or its folder cannot be read, it differs each time: no stack has it.
 */
export function stackIdentity({ organization, urn, ...facts }: StackFacts): string {
  const [stack = "", project = ""] = urn.split("::");
  const backend = backendOf(facts);
  return hashOf(
    backend ?? newId(),
    folderIdentity(stateFolder(backend)),
    organization ?? "",
    stack,
    project,
    realPath(facts.folder),
  );
}

/** Distinguishes a folder from another one that takes its place, or that a symbolic link leads to later. */
function folderIdentity(folder: string | undefined): string {
  if (folder === undefined) return "";
  try {
    const { dev, ino, birthtimeMs } = statSync(folder);
    return [dev, ino, birthtimeMs].join();
  } catch {
    return newId();
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
