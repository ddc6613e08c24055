import { exchange } from "../../support/wire";
import type { TestPlatform } from "../../support/platform";
import type { HostileCase, Target } from "./cases";

/** A platform with a project and a branch as the target. */
export async function targetOn(platform: TestPlatform): Promise<Target> {
  const { project, branch } = await platform.project();
  const { host } = new URL(platform.apiUrl);
  return { host, key: platform.apiKey, projectId: project.id, branchId: branch.id };
}

/** Sends a hostile request. @returns what is wrong with the response, if anything */
export async function attempt({ bytes, status: expected }: HostileCase, target: Target): Promise<string | undefined> {
  const { statuses, isClosed, milliseconds } = await exchange(`http://${target.host}`, bytes(target));
  if (!isClosed) return `the connection is still open after ${Math.round(milliseconds)} ms`;
  const [status] = statuses;
  if (status === expected || (expected === undefined && status === 400)) return undefined;
  return status === undefined ? "no response" : `answered ${status}, not ${expected ?? 400}`;
}
