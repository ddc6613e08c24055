import { readFileSync } from "node:fs";

import { projectFile, sectionOf } from "../provider/settings/project-file";
import type { KindName } from "./kind-name";
import { runError } from "./run-error";

/**
 * The provider that serves the resources of a program: Pulumi's dynamic provider, which needs no installation, or the
 * provider plugin of this package. Their type tokens differ.
 */
export type Door = "dynamic" | "plugin";

/** A kind that a resource class names. Only the dynamic provider serves migrations, also in a program with the plugin. */
export type ServedName = KindName | "Migration";

let chosen: Door | undefined;

/**
 * The door of this program. The entry in `Pulumi.yaml` that locates the plugin also selects it. The environment
 * variable `NEON_PULUMI_PROVIDER` overrides that, for programs without the file, such as tests and inline programs.
 */
export function door(): Door {
  return (chosen ??=
    namedDoor(process.env["NEON_PULUMI_PROVIDER"]) ?? (locatesPlugin(process.cwd()) ? "plugin" : "dynamic"));
}

function namedDoor(name = ""): Door | undefined {
  if (name === "") return undefined;
  if (name === "dynamic" || name === "plugin") return name;
  throw runError(`NEON_PULUMI_PROVIDER must be "dynamic" or "plugin", not ${JSON.stringify(name)}.`);
}

/** The type tokens of a kind by door. They are stored in users' state files and never change. */
export function typeTokens(kind: ServedName): Readonly<Record<Door, string>> {
  return { dynamic: `pulumi-nodejs:dynamic/neon:${kind}`, plugin: `neon:index:${kind}` };
}

/** The provider that serves a kind in this program. */
export function doorOf(kind: ServedName): Door {
  return kind === "Migration" ? "dynamic" : door();
}

/** The type token of a kind in this program. */
export function typeToken(kind: ServedName): string {
  return typeTokens(kind)[doorOf(kind)];
}

/** Whether the project file, which is in this folder or above it, locates a plugin named `neon`. */
function locatesPlugin(folder: string): boolean {
  const file = projectFile(folder);
  if (file === undefined) return false;
  const plugins = sectionOf(readFileSync(file, "utf8"), "plugins") as Plugins | null | undefined;
  return plugins?.providers?.some(({ name }) => name === "neon") ?? false;
}

interface Plugins {
  readonly providers?: readonly { readonly name?: unknown }[] | null;
}
