import type { TestPlatform } from "../../support/platform";
import type { Colleague } from "./colleague";
import type { EngineStack } from "./engine-stack";

/** Objects by their kind and their ids, such as `branch project/branch`. */
export type Inventory = ReadonlySet<string>;

/** The lists of the platform, asked with the key of somebody whose requests do not count for the account under test. */
type Ask = (path: string) => Promise<Awaited<ReturnType<TestPlatform["call"]>>["body"]>;

/** A key of another account that sees everything. */
export async function auditorKey(platform: TestPlatform): Promise<string> {
  const email = "auditor@example.com";
  const key = await platform.signIn(email);
  await platform.member(await platform.firstOrganization(), email, "admin");
  return key;
}

/** Everything that there is on the platform and that nobody got with something else. */
export async function inventoryOf(platform: TestPlatform, key: string): Promise<Inventory> {
  const ask: Ask = async (path) => {
    for (;;) {
      const { status, body } = await platform.call("GET", path, undefined, {
        key,
        headers: { "x-request-id": "audit" },
      });
      if (status === 200) return body;
      if (status !== 429) throw new Error(`GET ${path} answers ${status}: ${body.message}`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  const found = new Set<string>();
  const organization = await platform.firstOrganization();
  const { projects } = await ask(`/projects?limit=400&org_id=${organization}`);
  for (const { id: project } of projects) {
    found.add(`project ${project}`);
    const { branches } = await ask(`/projects/${project}/branches?limit=1000`);
    const first = branches.find((branch) => branch.default);
    const namesOf = async (branch: string): Promise<string[]> => {
      const { roles } = await ask(`/projects/${project}/branches/${branch}/roles`);
      const { databases } = await ask(`/projects/${project}/branches/${branch}/databases`);
      return [...roles.map(({ name }) => `role ${name}`), ...databases.map(({ name }) => `database ${name}`)];
    };
    // Every branch begins as a copy of the first one, on which nobody works.
    const inherited = first === undefined ? [] : await namesOf(first.id);
    for (const { id } of branches.filter((branch) => branch !== first)) {
      found.add(`branch ${project}/${id}`);
      for (const one of await namesOf(id)) {
        if (!inherited.includes(one)) found.add(one.replace(" ", ` ${project}/${id}/`));
      }
    }
    const { endpoints } = await ask(`/projects/${project}/endpoints`);
    for (const { id, branch_id: branch } of endpoints) {
      if (branch !== first?.id) found.add(`compute ${project}/${id}`);
    }
  }
  return found;
}

/** What a stack has in its state. */
export function inventoryOfState({ resources }: EngineStack): Inventory {
  const has = new Set<string>();
  for (const { kind, state } of resources.values()) {
    if (state === undefined) continue;
    for (const one of objectsOf(kind, state.outputs)) has.add(one);
  }
  return has;
}

/** The objects that a resource is. */
export function objectsOf(kind: string, outputs: Readonly<Record<string, unknown>>): readonly string[] {
  const { projectId, branchId, endpointId, name } = Object.fromEntries(
    Object.entries(outputs).map(([key, value]) => [key, typeof value === "string" ? value : ""]),
  );
  switch (kind) {
    case "Project":
      return [`project ${projectId}`];
    case "Branch":
      return [
        `branch ${projectId}/${branchId}`,
        ...(outputs["compute"] === undefined ? [] : [`compute ${projectId}/${endpointId}`]),
      ];
    case "Endpoint":
      return [`compute ${projectId}/${endpointId}`];
    case "Role":
    case "Database":
      return [`${kind.toLowerCase()} ${projectId}/${branchId}/${name}`];
    default:
      throw new Error(`no program here declares a ${kind}`);
  }
}

/** What is not as it has to be: lost is what somebody has and is not there, doubled what is there and nobody has. */
export function disagreements(there: Inventory, owners: readonly Inventory[]): string[] {
  const owned = owners.flatMap((owner) => [...owner]);
  return [
    ...owned.filter((one) => !there.has(one)).map((one) => `lost: ${one}`),
    ...[...there].filter((one) => !owned.includes(one)).map((one) => `doubled or left behind: ${one}`),
    ...owned.filter((one, index) => owned.indexOf(one) !== index).map((one) => `had by two: ${one}`),
  ];
}

/** What a colleague has, as an inventory. */
export function inventoryOfColleague({ has }: Colleague): Inventory {
  return has;
}
