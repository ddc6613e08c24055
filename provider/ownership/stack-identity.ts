import { realpathSync } from "node:fs";

import { type BackendFacts, backendOf } from "./backend";
import { hashOf, newNumber } from "./journal";

/** What a provider process knows of the stack that it works for. */
export interface StackFacts extends BackendFacts {
  /** The Pulumi organization, as the program's constructor knows it. */
  readonly organization: string | undefined;
  /** The URN of any of the stack's resources, which names stack and project. */
  readonly urn: string;
}

/**
 * A hash that only this stack has on this machine, as far as a provider can tell: backend, organization, project, stack and
 * program folder. If nothing names the backend, it differs each time: no stack has it.
 */
export function stackIdentity({ organization, urn, ...facts }: StackFacts): string {
  const [stack = "", project = ""] = urn.split("::");
  const backend = backendOf(facts) ?? newNumber();
  return hashOf(backend, organization ?? "", stack, project, realPath(facts.folder));
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
