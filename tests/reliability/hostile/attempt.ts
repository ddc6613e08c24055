import { exchange } from "../../support/wire";
import type { TestPlatform } from "../../support/platform";
import type { HostileCase, Target } from "./cases";

/** A platform as a target, with a project and a branch that are there. */
export async function targetOn(platform: TestPlatform): Promise<Target> {
  const { project, branch } = await platform.project();
  const { host } = new URL(platform.apiUrl);
  return { host, key: platform.apiKey, projectId: project.id, branchId: branch.id };
}

/** Sends a hostile request; says what is wrong with the answer, if anything is. */
export async function attempt({ bytes, statuses: right }: HostileCase, target: Target): Promise<string | undefined> {
  const { statuses, isClosed, milliseconds } = await exchange(`http://${target.host}`, bytes(target));
  if (!isClosed) return `the connection is still open after ${Math.round(milliseconds)} ms`;
  const [status] = statuses;
  if (right.length === 0 && (status === undefined || status === 400)) return undefined;
  if (status === undefined) return "no answer";
  return right.includes(status) ? undefined : `answered ${status}, not ${right.join(" or ")}`;
}
