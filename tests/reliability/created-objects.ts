import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import type { Values } from "../support/provider-server";
import type { TestPlatform } from "../support/platform";
import { objectsOf, type Objects } from "../support/account";
import { pathOf, samples } from "../support/samples";

/** The paths of objects below the base URL. */
export type ObjectPaths = ReadonlySet<string>;

/** The names of the role and the database of every project, of the roles of Data APIs, of what Neon issues, and of the console's own key. */
const defaults: ReadonlySet<unknown> = new Set([
  ...["neondb_owner", "neondb", "console sign-in"],
  ...["authenticator", "authenticated", "anonymous"],
  ...["Default AI gateway credential", "Default object storage credential"],
]);
/** What exists with the account, and with every Neon Auth integration. */
const alwaysThere = /\/members\/(?:developer|auditor-\d+)%40[\w.-]+$|\/oauth_providers\/google$/;

const patterns = Object.values(samples).map(({ kind, facts: { path } }) => {
  const pattern = path.replaceAll(/:(\w+)/g, (member, name: string, at: number) =>
    path.indexOf(member) < at ? `\\k<${name}>` : `(?<${name}>[^/]+)`,
  );
  return { kind, pattern: new RegExp(`^${pattern}$`) };
});

/** The kind of the object at a path, and its id in state. */
export function objectAt(path: string) {
  for (const { kind, pattern } of patterns) {
    const groups = pattern.exec(path)?.groups;
    if (groups === undefined) continue;
    const outputs = Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
    return { kind, id: kinds[kind].id(outputs), outputs };
  }
  throw new Error(`no kind has objects at ${path}: what \`objectsOf\` reads is a path of a sample`);
}

export function kindAt(path: string): KindName {
  return objectAt(path).kind;
}

/** Every object of an account that a program can have created, and the computes of its projects. */
export async function createdObjects(platform: TestPlatform): Promise<ObjectPaths> {
  return createdAmong(await objectsOf(platform, [platform], { passwords: false }));
}

/**
 * The objects among these that a program can have created, and the computes of its projects.
 *
 * @param copies whether objects of other branches than the default one count that a branch has from its parent
 */
export function createdAmong(objects: Objects, { copies = true }: { readonly copies?: boolean } = {}): ObjectPaths {
  return new Set([...objects.keys()].filter((path) => isCreated(path, objects, copies)));
}

function isCreated(path: string, objects: Objects, copies: boolean): boolean {
  const { name, default: isDefault } = objects.get(path) ?? {};
  if (isDefault === true || defaults.has(name) || alwaysThere.test(path)) return false;
  const [, branch = ""] = /^(.*\/branches\/[^/]+)\//.exec(path) ?? [];
  const isCopied = kinds[kindAt(path)].listing?.isCopied !== undefined;
  return copies || !isCopied || objects.get(branch)?.["default"] === true;
}

/** The path of the request that deletes an object: a compute is deleted by its path in the project. */
export function requestPath(path: string): string {
  return path.replace(/\/branches\/[^/]+(?=\/endpoints\/)/, "");
}

/** The same objects according to the state. */
export function objectsInState(resources: readonly { readonly type: string; readonly outputs: Values }[]): ObjectPaths {
  return new Set(
    resources.flatMap(({ type, outputs }) => {
      const kind = /(?:\/neon|^neon:index):(\w+)$/.exec(type)?.[1] as KindName | undefined;
      if (kind === undefined || !(kind in samples)) return [];
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

/** Objects without an owner, objects of an owner that do not exist, and objects of two owners. */
export function disagreementTexts(existing: ObjectPaths, owners: readonly ObjectPaths[]): string[] {
  const owned = owners.flatMap((owner) => [...owner]);
  return [
    ...[...existing].filter((path) => !owned.includes(path)).map((path) => `${path} has no owner`),
    ...owned.filter((path) => !existing.has(path)).map((path) => `${path} does not exist`),
    ...owned.filter((path, index) => owned.indexOf(path) !== index).map((path) => `${path} has two owners`),
  ];
}
