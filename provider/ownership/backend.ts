import { readFileSync } from "node:fs";
import { join } from "node:path";

import { projectFile, sectionOf } from "../../api/project-file";

/** What tells a provider process where Pulumi keeps the state. */
export interface BackendFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Pulumi's home folder. */
  readonly home: string;
  /** The folder in which the provider runs: the program's, or the one of its `main`. */
  readonly folder: string;
}

/**
 * The URL of the backend, from the first place that names one, in Pulumi's own order. Undefined if none does, or if it is a
 * path that depends on the folder in which somebody calls `pulumi`, which a provider does not know.
 */
export function backendOf({ environment, home, folder }: BackendFacts): string | undefined {
  const { PULUMI_BACKEND_URL: named, PULUMI_CREDENTIALS_PATH: credentials, HOME: user = "" } = environment;
  const url = nonEmpty(named) ?? projectBackend(folder) ?? currentBackend(nonEmpty(credentials) ?? home);
  const absolute = url?.replace(/^file:\/\/~(?=\/|$)/, `file://${user}`);
  return /^file:\/\/(?!\/)/.test(absolute ?? "") ? undefined : absolute;
}

/** The folder in which a backend keeps its state files. Undefined for a service or a bucket. */
export function stateFolder(backend: string | undefined): string | undefined {
  const path = /^file:\/\/([^?]*)/.exec(backend ?? "")?.[1];
  return path === undefined ? undefined : join(unescaped(path), ".pulumi");
}

/** A path of a URL as the file system has it. Pulumi accepts unescaped paths, too. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `backend.url` of the project file. */
function projectBackend(folder: string): string | undefined {
  const file = projectFile(folder);
  const text = file === undefined ? undefined : textOf(file);
  try {
    const backend = sectionOf(text ?? "", "backend") as { readonly url?: unknown } | null | undefined;
    return nonEmpty(backend?.url);
  } catch {
    return undefined;
  }
}

/** The backend of the last `pulumi login`. */
function currentBackend(folder: string): string | undefined {
  try {
    const { current } = JSON.parse(textOf(join(folder, "credentials.json")) ?? "") as { readonly current?: unknown };
    return nonEmpty(current);
  } catch {
    return undefined;
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
