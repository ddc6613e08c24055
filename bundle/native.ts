/** Neon's machines run the function, or the one that bundles it. */
export type Machine = "neon" | "local";

/** The members of a `package.json` that name the machines of a package. */
export interface MachineFields {
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
}

const neon = { os: "linux", cpu: "arm64", libc: "glibc" } as const;
/** Names of the optional packages that bring the native code for Neon's machines. */
const forNeon = /linux[-_]?(arm64|aarch64)(?!.*musl)/;
const howTo =
  'Neon runs functions on Linux with arm64. Give the source a package.json of its own that names the package, and run `npm install --os=linux --cpu=arm64 --libc=glibc` in its folder. For the local platform on this machine, set `machine: "local"`.';

/** Whether a package can be used on a machine. What is installed here can be used here. */
export function fits(fields: MachineFields, machine: Machine): boolean {
  return machine === "local" || (["os", "cpu", "libc"] as const).every((field) => allows(fields[field], neon[field]));
}

/** npm's rule: a name with `!` excludes, and other names exclude all that they do not list. */
function allows(listed: string | readonly string[] = [], value: string): boolean {
  const names = typeof listed === "string" ? [listed] : listed;
  const allowed = names.filter((name) => !name.startsWith("!"));
  return !names.includes(`!${value}`) && (allowed.length === 0 || allowed.includes(value) || allowed.includes("any"));
}

/**
 * Makes sure that a package has its native code for the machine.
 *
 * @param missing the optional packages of this one that are not installed
 * @throws Error if it has native code, but only for other machines
 */
export function assertNative(
  name: string,
  files: ReadonlyMap<string, Uint8Array>,
  missing: readonly string[],
  machine: Machine,
): void {
  if (machine === "local") return;
  const lacks = missing.find((one) => forNeon.test(one));
  if (lacks !== undefined) throw notForNeon(name, `lacks ${lacks}`);
  const systems = [...files].filter(([file]) => file.endsWith(".node")).map(([, content]) => systemOf(content));
  if (systems.length > 0 && !systems.includes("Linux with arm64")) {
    throw notForNeon(name, `is installed for ${[...new Set(systems)].sort().join(", ")}`);
  }
}

/** The error of an external package that cannot be used on Neon's machines. */
export function notForNeon(name: string, why: string): Error {
  return new Error(`The external package ${name} ${why}. ${howTo}`);
}

/** The system that a native file is for, by its first bytes. */
function systemOf(content: Uint8Array): string {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const magic = bytes.toString("hex", 0, 4);
  if (magic === "7f454c46" && bytes.length >= 20) {
    const processor = bytes.readUInt16LE(18);
    return `Linux with ${{ 0x3e: "x64", 0xb7: "arm64" }[processor] ?? "another processor"}`;
  }
  if (["cffaedfe", "cafebabe"].includes(magic)) return "macOS";
  return magic.startsWith("4d5a") ? "Windows" : "another system";
}
