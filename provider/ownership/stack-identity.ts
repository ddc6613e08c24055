import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

import { hashOf } from "./journal";

/** What a provider process knows of the stack that it works for. */
export interface StackFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Pulumi's home folder. */
  readonly home: string;
  /** The program's folder. */
  readonly folder: string;
  /** The Pulumi organization, as the program's constructor knows it. */
  readonly organization: string | undefined;
  /** The URN of any of the stack's resources, which names stack and project. */
  readonly urn: string;
}

/**
 * A hash that only this stack has on this machine, as far as a provider can tell: backend, organization, project, stack and
 * program folder.
 */
export function stackIdentity({ environment, home, folder, organization, urn }: StackFacts): string {
  const [stack = "", project = ""] = urn.split("::");
  const parts = [backendOf(environment, home, folder), organization ?? "", stack, project, realPath(folder)];
  return hashOf(...parts);
}

/** The backend, from the first place that names one, in Pulumi's own order. */
function backendOf(environment: StackFacts["environment"], home: string, folder: string): string {
  const { PULUMI_BACKEND_URL: named = "" } = environment;
  return named || projectBackend(folder) || currentBackend(home);
}

/** `backend.url` of the project file. One line of a known form: no reason to load a YAML parser in every process. */
function projectBackend(folder: string): string {
  const text = textOf(join(folder, "Pulumi.yaml"));
  return /^backend:\s*(?:\r?\n[ \t]+\S[^\n]*)*?\r?\n?[ \t]*\{?[ \t]*url:[ \t]*["']?([^"'\s}]+)/m.exec(text)?.[1] ?? "";
}

/** The backend of the last `pulumi login`. */
function currentBackend(home: string): string {
  try {
    const { current } = JSON.parse(textOf(join(home, "credentials.json"))) as { readonly current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return "";
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
