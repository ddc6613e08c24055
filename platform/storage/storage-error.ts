import { realpathSync } from "node:fs";
import { resolve, sep } from "node:path";

import { HttpError } from "../http-error";

/**
 * The data folder cannot be used, because of the disk or the folder and not because of a request. A 503 means that nothing was
 * changed, so the request can be sent again. A 500 means that the change may have been stored.
 */
export class StorageError extends HttpError {
  constructor(status: 500 | 503, problem: string, remedy: string, options?: ErrorOptions) {
    super(status, `${problem}. ${remedy}`);
    this.name = "StorageError";
    if (options) this.cause = options.cause;
  }
}

interface Problem {
  readonly status: 500 | 503;
  readonly reason: string;
  /** The remedies while the platform runs, and at its start. */
  readonly remedy: string;
  readonly startRemedy: string;
}

const problems = {
  full: {
    status: 503,
    reason: "the disk is full or a limit is reached",
    remedy: "Free some space: the platform continues by itself",
    startRemedy: "Free some space and start again",
  },
  refused: {
    status: 503,
    reason: "access is denied",
    remedy: "Restore its permissions: the platform continues by itself",
    startRemedy: "Change its permissions, or name another folder",
  },
  gone: {
    status: 503,
    reason: "it was moved or removed, at least in part",
    remedy: "Move it back, and the platform continues by itself; otherwise restart the platform",
    startRemedy: "Name a folder that exists or can be created",
  },
  replaced: {
    status: 503,
    reason: "it was replaced by another folder",
    remedy: "Move the original folder back, and the platform continues by itself; otherwise restart the platform",
    startRemedy: "Start again",
  },
  damaged: {
    status: 500,
    reason: "its file platform.db is damaged",
    remedy: "Restart the platform with a copy of the folder, or with another one",
    startRemedy: "Use a copy of the folder, or another one",
  },
  failing: {
    status: 500,
    reason: "the disk reports an error",
    remedy: "Check the disk and the limits of the process; restart the platform if this goes on",
    startRemedy: "Check the disk and the limits of the process",
  },
} as const satisfies Record<string, Problem>;

export type ProblemKind = keyof typeof problems;

const problemKinds: readonly (readonly [RegExp, ProblemKind])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)$/, "full"],
  [/^(SQLITE_PERM|SQLITE_READONLY.*|EACCES|EPERM|EROFS)$/, "refused"],
  [/^(SQLITE_CANTOPEN.*|ENOENT|ENOTDIR|EEXIST|EISDIR)$/, "gone"],
  [/^(SQLITE_CORRUPT.*|SQLITE_NOTADB)$/, "damaged"],
  [/^(SQLITE_IOERR.*|EIO|ESTALE|ENXIO)$/, "failing"],
];

/** The problem of the storage that an error's code shows; undefined for other errors. */
export function problemOf(error: unknown): ProblemKind | undefined {
  const { code } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return code === undefined ? undefined : problemKinds.find(([pattern]) => pattern.test(code))?.[1];
}

/** The error for a problem of a running platform. */
export function storageError(kind: ProblemKind, folder: string, cause?: unknown): StorageError {
  const { status, reason, remedy } = problems[kind];
  return new StorageError(status, `the data folder ${folder} cannot be used: ${detailed(reason, cause)}`, remedy, {
    cause,
  });
}

/** The error for a platform that cannot start. Errors that are not about its data folder stay as they are. */
export function startError(error: unknown, folder: string): unknown {
  const cause = error instanceof StorageError ? error.cause : error;
  const kind = problemOf(cause);
  const { path } = cause as NodeJS.ErrnoException;
  // Errors of other files and of ports have the same codes.
  const isOther = path === undefined ? !isOfDatabase(cause) : !isOnTheWay(path, folder);
  if (kind === undefined || isOther) return error;
  const { reason, startRemedy } = problems[kind];
  // At the start, the system's message is the clearest.
  const said = kind === "gone" && cause instanceof Error ? cause.message : detailed(reason, cause);
  return new Error(`the data folder ${folder} cannot be used: ${said}. ${startRemedy}`, { cause: error });
}

/** Whether an error is from the database file. */
export const isOfDatabase = (error: unknown): boolean =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("SQLITE_");

/** Whether a path is in a folder or leads to it. */
function isOnTheWay(path: string, folder: string): boolean {
  const folders = [resolve(folder)];
  try {
    folders.push(realpathSync(folder));
  } catch {
    // The folder does not exist.
  }
  const at = resolve(path);
  return folders.some((each) => at.startsWith(each) || each.startsWith(`${at}${sep}`));
}

function detailed(reason: string, cause: unknown): string {
  return cause instanceof Error ? `${reason} (${cause.message})` : reason;
}
