import type { TestPlatform } from "../../support/platform";
import type { StoredResource } from "../../support/stack";

/** What there is, as `<kind> <id in state>`. */
export type Things = ReadonlySet<string>;

/** What every project has without anybody having declared it; the console has a key of its own. */
const born = { role: "neondb_owner", database: "neondb", key: "console sign-in" } as const;

interface Key {
  readonly id: number;
  readonly name: string;
}

/** Everything in the account that somebody must have made, and the computes that came with projects. */
export async function thingsOf(platform: TestPlatform): Promise<Things> {
  const things: string[] = [];
  const get = async (path: string) => (await platform.call("GET", path)).body;
  for (const { id: project } of (await get("/projects?limit=400")).projects) {
    things.push(`project ${project}`);
    for (const branch of (await get(`/projects/${project}/branches?limit=1000`)).branches) {
      if (!branch.default) things.push(`branch ${project}/${branch.id}`);
      if (!branch.default) continue;
      // Every other branch holds copies of what its parent held.
      const at = `/projects/${project}/branches/${branch.id}`;
      for (const { name } of (await get(`${at}/roles`)).roles) {
        if (name !== born.role) things.push(`role ${project}/${branch.id}/${name}`);
      }
      for (const { name } of (await get(`${at}/databases`)).databases) {
        if (name !== born.database) things.push(`database ${project}/${branch.id}/${name}`);
      }
    }
    for (const { id } of (await get(`/projects/${project}/endpoints`)).endpoints) {
      things.push(`compute ${project}/${id}`);
    }
    for (const { id } of (await get(`/projects/${project}/snapshots`)).snapshots) {
      things.push(`snapshot ${project}/${id}`);
    }
  }
  const keys = (await get("/api_keys")) as unknown as readonly Key[];
  for (const { id, name } of keys) if (name !== born.key) things.push(`key ${id}`);
  return new Set(things);
}

const nouns: Readonly<Record<string, string>> = {
  Project: "project",
  Branch: "branch",
  Role: "role",
  Database: "database",
  Endpoint: "compute",
  Snapshot: "snapshot",
  ApiKey: "key",
};

/** The same, as the state has it. */
export function thingsInState(resources: readonly StoredResource[]): Things {
  return new Set(
    resources.flatMap(({ type, id = "", outputs }) => {
      const [, kind = ""] = type.split("/neon:");
      const noun = nouns[kind];
      if (noun === undefined) return [];
      if (noun === "database") return [`database ${addressOf(outputs)}/${String(outputs["name"])}`];
      const compute = noun === "project" || noun === "branch" ? outputs["endpointId"] : undefined;
      const parts = typeof compute === "string" ? [`compute ${String(outputs["projectId"])}/${compute}`] : [];
      return [`${noun} ${id}`, ...parts];
    }),
  );
}

/** A renamed database keeps its id in state. */
function addressOf({ projectId, branchId }: Readonly<Record<string, unknown>>): string {
  return `${String(projectId)}/${String(branchId)}`;
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

/** Removes what nobody can know to be ours, as the owner of the account would. */
export async function remove(platform: TestPlatform, things: readonly string[]): Promise<void> {
  for (const thing of things) {
    const [noun = "", id = ""] = thing.split(" ");
    const [project = "", one = ""] = id.split("/");
    const path =
      noun === "key"
        ? `/api_keys/${id}`
        : `/projects/${project}/${noun === "snapshot" ? "snapshots" : "endpoints"}/${one}`;
    await platform.call("DELETE", path);
    if (noun !== "key") await platform.settled(project);
  }
}
