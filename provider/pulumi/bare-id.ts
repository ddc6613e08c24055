import { allProjects } from "../../api/all-projects";
import type { NeonClient } from "../../api/client";
import { ignoreStatus, invalid } from "../../api/core/errors";
import { collect } from "../../api/http/pagination";
import { organizations } from "../../api/schemas/organization";
import { onePage, type Reader } from "../call/collection";
import { pageSize } from "../call/lists";
import type { Account } from "../call/services";
import { idOf, segmentsOf } from "../kind/id";
import type { AnyKind } from "../kind/kind";
import type { Listed, Listing, Scope } from "../kind/listing";
import type { Values } from "../values";

// The Terraform providers store ids without the ids of the parents, such as `br-wispy-meadow-118737`, and Pulumi's
// converter passes them on.

/** The objects of one kind in one parent. */
interface OfParent {
  readonly scope: Scope;
  readonly listed: readonly Listed[];
}

/**
 * Finds the address of an object by the last part of its id, in all projects or organizations that the key can see.
 * Undefined if ids of this kind are not given in this way.
 *
 * @throws NeonError `invalid` if there is no such object, or more than one
 */
export async function addressOfBareId(
  { name, noun, addressNames: parts, address, id, listing }: AnyKind,
  { client, lists, settings }: Account,
  given: string,
): Promise<Values | undefined> {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const { list } = listing ?? {};
  const segments = segmentsOf(given);
  if (name === "VpcEndpointRestriction" && segments.length === 2 && /^vpce-/.test(segments[0] ?? "")) {
    return address(idOf(...[...segments].reverse()));
  }
  const isOfProject = first === "projectId" && parts.length === 2;
  if (list === undefined || given === "" || segments.length !== 1 || !(isOfProject || first === "orgId"))
    return undefined;
  const scopes = (): Promise<readonly Scope[]> => (isOfProject ? projectsOf : organizationsOf)(client, settings.orgId);
  const collection = {
    name: `${name} of each ${first}`,
    pages: (reader: Reader) => onePage(() => ofEachParent(reader, scopes, list)),
    keyOf: ({ scope }: OfParent) => JSON.stringify(scope),
  };
  const all = await lists.find({ collection, matches: () => true });
  const matches = all.flatMap(({ scope, listed }) =>
    listed.filter((one) => String(one.address[last]) === segments[0]).map((one) => ({ ...scope, ...one.address })),
  );
  const [found, ...others] = matches;
  if (found !== undefined && others.length === 0) return found;
  const parent = isOfProject ? "projects" : "organizations";
  const where = `${all.length} ${parent} that this API key sees`;
  throw invalid(
    found === undefined
      ? `The ${noun} ${given} was not found in the ${where}`
      : `There are ${matches.length} objects ${given} in the ${where}: ${matches.map((one) => id(one)).join(", ")}`,
    {
      fix: `Use the whole id, such as \`${parts.map((part) => `<${part}>`).join("/")}\`, and a key of the account.`,
    },
  );
}

/** Lists the objects of all parents that the key can see. */
async function ofEachParent(
  reader: Reader,
  scopes: () => Promise<readonly Scope[]>,
  list: NonNullable<Listing["list"]>,
): Promise<readonly OfParent[]> {
  const found: OfParent[] = [];
  for (const scope of await scopes()) {
    const listed = await ignoreStatus(list(reader, scope as Required<Scope>), 403, 404);
    if (listed !== undefined) found.push({ scope, listed });
  }
  return found;
}

async function projectsOf(client: NeonClient, orgId: string | undefined): Promise<readonly Scope[]> {
  const owners = [undefined, ...(await organizationsOf(client, orgId)).map((scope) => scope.orgId)];
  const ids = new Set<string>();
  for (const owner of owners) {
    const found = await ignoreStatus(collect(allProjects(client, { orgId: owner }, { pageSize })), 400, 403, 404);
    for (const { id } of found ?? []) ids.add(id);
  }
  return [...ids].map((projectId) => ({ projectId }));
}

async function organizationsOf(client: NeonClient, orgId: string | undefined): Promise<readonly Scope[]> {
  const own = await ignoreStatus(client.send(organizations.list()), 400, 403, 404);
  const ids = new Set([...(orgId === undefined ? [] : [orgId]), ...(own?.organizations ?? []).map(({ id }) => id)]);
  return [...ids].map((id) => ({ orgId: id }));
}
