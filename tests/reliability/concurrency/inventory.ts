import type { KindName } from "../../../provider/v1";
import type { Values } from "../../support/dynamic-server";
import type { TestPlatform } from "../../support/platform";
import { pathOf } from "../refactoring/kinds";
import type { EngineStack } from "./engine-stack";

/** The paths of objects. */
export type Inventory = ReadonlySet<string>;

/** A key of another account that sees everything, and whose requests do not count for the account under test. */
export async function auditorKey(platform: TestPlatform): Promise<string> {
  const email = "auditor@example.com";
  const key = await platform.signIn(email);
  await platform.member(await platform.firstOrganization(), email, "admin");
  return key;
}

/** Every object on the platform that was not created with another one. */
export async function inventoryOf(platform: TestPlatform, key: string): Promise<Inventory> {
  const ask = async (path: string) => {
    for (;;) {
      const headers = { "x-request-id": "audit" };
      const { status, body } = await platform.call("GET", path, undefined, { key, headers });
      if (status === 200) return body;
      if (status !== 429) throw new Error(`GET ${path} answers ${status}: ${body.message}`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  };
  const found = new Set<string>();
  const organization = await platform.firstOrganization();
  const { projects } = await ask(`/projects?limit=400&org_id=${organization}`);
  for (const project of projects.map(({ id }) => `/projects/${id}`)) {
    found.add(project);
    const { branches } = await ask(`${project}/branches?limit=1000`);
    const first = branches.find((branch) => branch.default);
    const contentsOf = async (branch: string): Promise<string[]> => {
      const { roles } = await ask(`${project}/branches/${branch}/roles`);
      const { databases } = await ask(`${project}/branches/${branch}/databases`);
      return [...roles.map(({ name }) => `roles/${name}`), ...databases.map(({ name }) => `databases/${name}`)];
    };
    // Every branch begins as a copy of the first one, on which no stack works.
    const inherited = first === undefined ? [] : await contentsOf(first.id);
    for (const { id } of branches.filter((branch) => branch !== first)) {
      found.add(`${project}/branches/${id}`);
      const own = (await contentsOf(id)).filter((one) => !inherited.includes(one));
      for (const one of own) found.add(`${project}/branches/${id}/${one}`);
    }
    const { endpoints } = await ask(`${project}/endpoints`);
    for (const { id, branch_id: branch } of endpoints) {
      if (branch !== first?.id) found.add(`${project}/branches/${branch}/endpoints/${id}`);
    }
  }
  return found;
}

/** The objects in the state of a stack. */
export function inventoryOfState({ resources }: EngineStack): Inventory {
  return new Set(
    [...resources.values()].flatMap(({ kind, state }) => (state === undefined ? [] : objectsOf(kind, state.outputs))),
  );
}

/** The object of a resource, and the compute of a branch. */
export function objectsOf(kind: KindName, outputs: Values): readonly string[] {
  const hasCompute = kind === "Branch" && outputs["compute"] !== undefined;
  return [pathOf({ kind, outputs }), ...(hasCompute ? [pathOf({ kind: "Endpoint", outputs })] : [])];
}

/** Objects that an owner has lost, that have no owner, or that have two owners. */
export function disagreements(there: Inventory, owners: readonly Inventory[]): string[] {
  const owned = owners.flatMap((owner) => [...owner]);
  return [
    ...owned.filter((one) => !there.has(one)).map((one) => `lost: ${one}`),
    ...[...there].filter((one) => !owned.includes(one)).map((one) => `doubled or left behind: ${one}`),
    ...owned.filter((one, index) => owned.indexOf(one) !== index).map((one) => `had by two: ${one}`),
  ];
}
