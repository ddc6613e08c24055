import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { projectFile, sectionOf } from "../settings/project-file";
import { hashOf } from "./ids";

/** The environment and folder of a provider process. */
export interface Place {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the program, or of its `main`. */
  readonly folder: string;
}

export function pulumiHome({ PULUMI_HOME: named = "" }: Place["environment"]): string {
  return named || join(homedir(), ".pulumi");
}

/**
 * A hash of a stack: of its backend, organization, project and name. Undefined if the backend can hold several stacks
 * of this name: a folder, because each colleague can have one, or a service whose organization the protocol does not
 * tell.
 *
 * @param organization the Pulumi organization, if the backend has any and it is known
 * @param urn the URN of any resource of the stack, which names stack and project
 */
export function stackHash(place: Place, organization: string | undefined, urn: string): string | undefined {
  const backend = backendOf(place);
  const isService = /^https?:/.test(backend ?? "");
  const isOneStack =
    backend !== undefined && !backend.startsWith("file:") && (!isService || organization !== undefined);
  const [stack = "", project = ""] = urn.split("::");
  return isOneStack ? hashOf(backend, organization ?? "", stack, project) : undefined;
}

/** The URL of the backend, from the first place that names one, in the same order as in Pulumi. */
function backendOf({ environment, folder }: Place): string | undefined {
  const { PULUMI_BACKEND_URL: named, PULUMI_CREDENTIALS_PATH: credentials } = environment;
  return (
    nonEmpty(named) ??
    projectBackend(folder) ??
    nonEmpty(membersOf(join(nonEmpty(credentials) ?? pulumiHome(environment), "credentials.json"))["current"])
  );
}

/** `backend.url` in the project file. */
function projectBackend(folder: string): string | undefined {
  try {
    const text = readFileSync(projectFile(folder) ?? "", "utf8");
    return nonEmpty((sectionOf(text, "backend") as { readonly url?: unknown } | null | undefined)?.url);
  } catch {
    return undefined;
  }
}

/** The members of a JSON file; empty if it cannot be read. */
function membersOf(file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
