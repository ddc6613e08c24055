import type { KindName } from "../../../provider/v1";
import type { Values } from "../../support/dynamic-server";
import type { TestPlatform } from "../../support/platform";
import type { StoredResource } from "../../support/stack";
import { objectsOf, type Objects } from "../refactoring/account";
import { kinds, pathOf } from "../refactoring/kinds";

/** The paths of objects. */
export type Things = ReadonlySet<string>;

/** The names of the role and the database of every project, and of the console's own key. */
const defaults: ReadonlySet<unknown> = new Set(["neondb_owner", "neondb", "console sign-in"]);

/** Every object of the account that a program can have created, and the computes of its projects. */
export async function thingsOf(platform: TestPlatform): Promise<Things> {
  const objects = await objectsOf(platform, [platform], { passwords: false });
  return new Set([...objects.keys()].filter((path) => isCreated(path, objects)));
}

function isCreated(path: string, objects: Objects): boolean {
  const { name, default: isDefault } = objects.get(path) ?? {};
  if (isDefault === true || defaults.has(name) || path.endsWith("/backup_schedule")) return false;
  const branch = /^(.*)\/(?:roles|databases)\//.exec(path)?.[1];
  // Every other branch holds copies of the objects of its parent.
  return branch === undefined || objects.get(branch)?.["default"] === true;
}

/** The same objects according to the state. */
export function thingsInState(resources: readonly StoredResource[]): Things {
  return new Set(
    resources.flatMap(({ type, outputs }) => {
      const kind = type.split("/neon:")[1] as KindName | undefined;
      if (kind === undefined || !(kind in kinds)) return [];
      const path = pathOf({ kind, outputs });
      return kind === "Project" || kind === "Branch" ? [path, ...computeOf(outputs)] : [path];
    }),
  );
}

/** The compute of a branch, or of the default branch of a project. */
function computeOf({ projectId, branchId, defaultBranchId, endpointId }: Values): string[] {
  if (typeof endpointId !== "string") return [];
  return [pathOf({ kind: "Endpoint", outputs: { projectId, branchId: branchId ?? defaultBranchId, endpointId } })];
}

/** What is in one of the two only. */
export function difference(
  platform: Things,
  state: Things,
): { readonly orphans: string[]; readonly dangling: string[] } {
  return {
    orphans: [...platform].filter((thing) => !state.has(thing)),
    dangling: [...state].filter((thing) => !platform.has(thing)),
  };
}

/** Whether an object is neither tagged nor named uniquely, so that only the journal tells whose it is. */
export function isUnidentified(thing: string): boolean {
  return /^\/api_keys\/|\/(snapshots|endpoints)\//.test(thing);
}

/** Removes objects as the owner of the account does. */
export async function remove(platform: TestPlatform, things: readonly string[]): Promise<void> {
  for (const thing of things) {
    // A compute is deleted by its path in the project.
    await platform.call("DELETE", thing.replace(/\/branches\/[^/]+(?=\/endpoints\/)/, ""));
    const project = /^\/projects\/([^/]+)/.exec(thing)?.[1];
    if (project !== undefined) await platform.settled(project);
  }
}
