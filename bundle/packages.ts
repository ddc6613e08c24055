import { existsSync } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { assertNative, fits, type Machine, type MachineFields, notForNeon } from "./native";

/** A package that the bundle imports, and does not contain. */
export interface ExternalPackage {
  readonly name: string;
  /** The folder of the file that imports it. */
  readonly from: string;
  /** Whether the bundle cannot do without it. */
  readonly isRequired: boolean;
}

/** The members of a `package.json` that are read. */
interface Manifest extends MachineFields {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface InstalledPackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Packages by their places in the archive, such as `node_modules/pg/node_modules/pg-types`. */
type Layout = Map<string, InstalledPackage>;

const modules = "node_modules/";
/** Names that are no part of a package. A linked package is a working folder, whose `.env` files hold secrets. */
const skipped = /^(node_modules|\.git|\.env(\..*)?)$/;

/**
 * The files of packages and of all that they depend on, by their names in the archive. Each package finds the same versions there as
 * on the disk.
 *
 * @throws Error if a package is not installed, or not for the machine
 */
export async function packageFiles(
  wanted: readonly ExternalPackage[],
  machine: Machine,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const layout = await importedByBundle(wanted);
  const files = new Map<string, Uint8Array>();
  // The loop also reaches the packages that it adds.
  for (const [place, { folder, manifest }] of layout) {
    const name = place.slice(place.lastIndexOf(modules) + modules.length);
    if (!fits(manifest, machine)) throw notForNeon(name, "is for other machines");
    const missing: string[] = [];
    for (const [needed, isRequired] of needsOf(manifest)) {
      const found = await installedPackage(needed, folder);
      if (found === undefined && isRequired) {
        throw new Error(`${needed}, a dependency of the external package ${name}, is not installed.`);
      }
      if (found === undefined) missing.push(needed);
      else if (isRequired || fits(found.manifest, machine)) addTo(layout, place, needed, found);
    }
    const own = await filesOf(folder);
    assertNative(name, own, missing, machine);
    for (const [path, content] of own) files.set(`${place}/${path}`, content);
  }
  return files;
}

/** The packages that the bundle itself imports: they are at the root of the archive. */
async function importedByBundle(wanted: readonly ExternalPackage[]): Promise<Layout> {
  const layout: Layout = new Map();
  for (const { name, from, isRequired } of [...wanted].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const found = await installedPackage(name, from);
    const known = layout.get(modules + name) ?? found;
    if (found === undefined) {
      if (isRequired) throw new Error(`The external package ${name} is not installed.`);
    } else if (found.folder !== known?.folder) {
      throw new Error(`The external package ${name} is imported in two versions. The bundle can have one.`);
    } else {
      layout.set(modules + name, found);
    }
  }
  return layout;
}

/** The packages that a package may load, in a fixed order, and whether each must be there. Types are never loaded. */
function needsOf(manifest: Manifest): readonly (readonly [name: string, isRequired: boolean])[] {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])]
    .filter((name) => !name.startsWith("@types/"))
    .sort()
    .map((name) => [name, name in dependencies && !(name in optionalDependencies)]);
}

/** Adds a dependency where the package at a place finds it: at the root or, if another version is visible, in the package. */
function addTo(layout: Layout, place: string, name: string, found: InstalledPackage): void {
  let visible: InstalledPackage | undefined;
  for (let above = `${place}/`; visible === undefined; above = above.slice(0, above.lastIndexOf(modules))) {
    visible = layout.get(above + modules + name);
    if (above === "") break;
  }
  if (visible?.folder === found.folder) return;
  layout.set((visible === undefined ? "" : `${place}/`) + modules + name, found);
}

/** A package as Node finds it from a folder. */
async function installedPackage(name: string, from: string): Promise<InstalledPackage | undefined> {
  for (let above = from; ; above = dirname(above)) {
    const path = join(above, "node_modules", name);
    if (basename(above) !== "node_modules" && existsSync(join(path, "package.json"))) {
      const folder = await realpath(path);
      return { folder, manifest: await manifestOf(name, join(folder, "package.json")) };
    }
    if (above === dirname(above)) return undefined;
  }
}

async function manifestOf(name: string, file: string): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Manifest;
  } catch (cause) {
    throw new Error(`The package.json of the external package ${name} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** The files of a package by name. Links are followed. */
async function filesOf(
  folder: string,
  prefix = "",
  above: readonly string[] = [],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const real = await realpath(folder);
  if (above.includes(real)) return files;
  for (const entry of (await readdir(folder)).filter((name) => !skipped.test(name)).sort()) {
    const path = join(folder, entry);
    if ((await stat(path)).isDirectory()) {
      for (const [name, content] of await filesOf(path, `${prefix}${entry}/`, [...above, real]))
        files.set(name, content);
    } else {
      files.set(prefix + entry, await readFile(path));
    }
  }
  return files;
}
