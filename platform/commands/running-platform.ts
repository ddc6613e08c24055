import type { Command } from "commander";
import { realpathSync } from "node:fs";
import { z } from "zod";

import { type BranchStatus, platformStatus, type PlatformStatus, type ProjectStatus } from "../model/status";
import { readRunningFile } from "../storage/running-file";

/** The options that name a running platform. */
export interface Target {
  readonly data?: string;
  readonly url?: string;
}

/** A platform that runs in another process. */
export interface RunningPlatform {
  readonly consoleUrl: string;
  readonly status: PlatformStatus;
}

const answerMs = 10_000;
const loopback = /^(127\.0\.0\.1|localhost|\[::1\])$/;
const errorBody = z.object({ message: z.string() });

/** Adds the options that name a running platform. */
export function withTarget(command: Command): Command {
  return command
    .option("--data <folder>", "the platform that runs on this data folder")
    .option("--url <consoleUrl>", "the platform with this consoleUrl");
}

/** @throws Error if the target names no running platform */
export async function findPlatform({ data, url }: Target): Promise<RunningPlatform> {
  if ((data === undefined) === (url === undefined)) {
    throw new Error("name the running platform by either --data <folder> or --url <consoleUrl>");
  }
  const consoleUrl = url === undefined ? readRunningFile(data ?? "")?.consoleUrl : checkedUrl(url);
  if (consoleUrl === undefined) throw new Error(`no platform runs on ${data ?? ""}`);
  let status: PlatformStatus;
  try {
    status = platformStatus.parse(await ask(consoleUrl, "/local/status"));
  } catch (error) {
    const reason = error instanceof z.ZodError ? "another program answers there" : messageOf(error);
    throw new Error(`no platform runs at ${consoleUrl}: ${reason}`, { cause: error });
  }
  // The file stays after a kill, and another platform may have the port by now.
  if (data !== undefined && status.data !== realpathSync(data)) throw new Error(`no platform runs on ${data}`);
  return { consoleUrl, status };
}

/** Sends a request to a route below the console URL, and returns the body of the answer. */
export async function ask(consoleUrl: string, path: string, method = "GET", input?: object): Promise<unknown> {
  const response = await fetch(new URL(path, consoleUrl), {
    method,
    body: input === undefined ? null : JSON.stringify(input),
    signal: AbortSignal.timeout(answerMs),
  });
  const body: unknown = response.status === 204 ? undefined : await response.json();
  if (response.ok) return body;
  throw new Error(errorBody.safeParse(body).data?.message ?? `HTTP ${response.status}`);
}

export interface FoundBranch {
  readonly project: ProjectStatus;
  readonly branch: BranchStatus;
}

/**
 * Finds a branch by its id or its name.
 *
 * @param project the id or the name of its project; default: any
 * @throws Error if no branch or several branches match
 */
export function findBranch({ projects }: PlatformStatus, nameOrId: string, project: string | undefined): FoundBranch {
  const all = projects
    .filter(({ id, name }) => project === undefined || project === id || project === name)
    .flatMap((each) => each.branches.map((branch) => ({ project: each, branch })));
  const byId = all.filter(({ branch }) => branch.id === nameOrId);
  const found = byId.length > 0 ? byId : all.filter(({ branch }) => branch.name === nameOrId);
  const [first, ...others] = found;
  if (!first) {
    const names = [...new Set(all.map(({ branch }) => branch.name))].join(", ");
    throw new Error(`there is no branch "${nameOrId}"; ${names === "" ? "there are none" : `there are: ${names}`}`);
  }
  if (others.length === 0) return first;
  const ids = found.map(({ branch, project: { name } }) => `${branch.id} (project ${name})`).join(", ");
  throw new Error(`several branches are named "${nameOrId}"; use an id: ${ids}`);
}

/** Checks that a URL is on this machine, because passwords are read from there. */
function checkedUrl(url: string): string {
  if (!URL.canParse(url) || !loopback.test(new URL(url).hostname)) {
    throw new Error(`--url "${url}" is not the consoleUrl of a local platform`);
  }
  return url;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
