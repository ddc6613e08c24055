import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A user of the operating system. */
export interface OsUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Postgres refuses to run as root. `initdb` also needs a user that the system knows by name. */
const unprivileged = "nobody";

/**
 * The user that Postgres runs as instead of root; undefined if this process does not run as root.
 *
 * @throws Error if the system has no such user
 */
export function postgresUser(): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name, , uid, gid] = line.split(":");
    if (name === unprivileged) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`Postgres cannot run as root, and this system has no user "${unprivileged}"`);
}

/** Whether a user can enter a folder, and all folders above it. */
export function canEnter(user: OsUser, folder: string): boolean {
  return spawnSync("sh", ["-c", 'cd "$1"', "sh", folder], runAs(user)).status === 0;
}

/** The options of a child process that runs as a user. Every user can enter its working folder. */
export function runAs(user: OsUser | undefined): {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
} {
  return { ...(user && { uid: user.uid, gid: user.gid }), cwd: "/" };
}
