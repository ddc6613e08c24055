import { HttpError, ignoreNotFound, ignoreStatus, NeonError } from "../../../api/core/errors";
import type { Search } from "../../call/lists";
import { every } from "../../call/page-reader";
import { organizationOf } from "../../kind/inputs";
import { uniqueInputs } from "../../kind/natural-key";
import { pick, type Values } from "../../values";
import { holdersOf, keyOf, namedSo } from "../claims";
import { managedBy } from "../errors";
import type { Work } from "../work";
import { makerOf } from "./maker";
import { ageOf, alreadyExists, createdBefore, existsBeside } from "./messages";

// What is there already of the natural key or the name of a new resource, and belongs to no resource of this run. It is said, and
// never taken: only `adopt` takes.

/** Of how many objects of one name to find out what has made them: each takes a request. */
const maxTags = 20;

/**
 * Which objects count.
 *
 * - `listed`: those that this process has listed first;
 * - `now`: those that are there now;
 * - `refused`: the platform has refused to create another one, so that what is at the address of the inputs is there, too.
 */
export type Counted = "listed" | "now" | "refused";

/** The objects that have the natural key of these inputs or, where there is none, their name. */
export async function namesakesOf(work: Work, inputs: Values, counted: Counted): Promise<readonly Values[]> {
  const { kind } = work;
  const search = kind.namesakes?.(work, inputs);
  if (search !== undefined) {
    // Nothing is in what does not exist, and a key that may create an object may be unable to list others.
    const items = (await ignoreStatus(itemsOf(work, search, counted), 403, 404)) ?? [];
    if (items.length > 0 || counted !== "refused") return items.map(search.outputs);
  }
  const address = addressIn(work, inputs);
  const found = address && (await ignoreNotFound(kind.read(work, address)));
  return found === undefined ? [] : [found];
}

async function itemsOf<Item>(work: Work, search: Search<Item>, counted: Counted): Promise<readonly Item[]> {
  if (counted === "listed") {
    try {
      return await work.account.lists.find(search);
    } catch (error) {
      // The list of all creates is not tried for long. This call may have the time.
      if (work.purpose === "look" || !isOutage(error)) throw error;
    }
  }
  return (await every(search.alone?.(work) ?? search.collection.pages(work))).filter(search.matches);
}

/** Whether a later attempt may succeed: the platform does not answer, is overloaded or fails by itself. */
function isOutage(error: unknown): boolean {
  if (HttpError.isInstance(error)) return error.status === 429 || error.status >= 500;
  return NeonError.isInstance(error) && error.kind === "unreachable";
}

/** What an object is read by: nothing of what a list says of it counts as known. */
export function addressOf({ kind }: Pick<Work, "kind">, values: Values): Values {
  return pick(values, kind.addressNames);
}

/** The same with the inputs, where these hold the whole address: what the platform words otherwise stays as declared. */
export function knownOf(work: Pick<Work, "kind">, inputs: Values, found: Values): Values {
  return { ...(work.kind.namesakes === undefined ? inputs : {}), ...addressOf(work, found) };
}

/** The address that these inputs hold. Undefined if a part of it is no input. */
function addressIn(work: Work, inputs: Values): Values | undefined {
  const { kind } = work;
  const { addressNames } = kind;
  const orgId = inputs["orgId"] as string | undefined;
  const given = addressNames.includes("orgId") ? { ...inputs, orgId: organizationOf(work, orgId) } : inputs;
  const address = addressOf({ kind }, given);
  return addressNames.every((name) => address[name] !== undefined) ? address : undefined;
}

/** What is there before an object is created. */
export interface Existing {
  /** Why the object is not created, if so. */
  readonly conflict?: Error;
  /** What else there is, each with its id. */
  readonly beside: readonly { readonly id: string; readonly text: string }[];
}

/** How to look for what is there. */
interface Looked {
  readonly counted?: Counted;
  /** The object is about to be created. */
  readonly isCreating?: boolean;
  /** What the platform has answered to the creation. */
  readonly error?: unknown;
}

/** Finds what is there already. What a list says is confirmed by a read. */
export async function existing(
  work: Work,
  inputs: Values,
  { counted = "listed", isCreating = false, error }: Looked,
): Promise<Existing> {
  const { kind, services, call } = work;
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const free: Values[] = [];
  for (const listed of await namesakesOf(work, inputs, counted)) {
    const key = keyOf(kind, listed);
    const [other] = services.registry.claimsOfOthers(key, call.urn);
    if (other !== undefined && isUnique) return { conflict: managedBy(kind, key.id, other, error), beside: [] };
    if (isHeld(work, inputs, listed, isCreating)) continue;
    const found =
      kind.secretOnce === true
        ? unlessReleased(work, listed)
        : await ignoreStatus(kind.read(work, addressOf(work, listed)), 403);
    if (found !== undefined) free.push(found);
  }
  if (free.length === 0) return { beside: [] };
  const [first = {}] = free;
  const naming = namedSo(work, inputs);
  if (isUnique) {
    // The resource that calls its object so has not said yet which one it has.
    const other = naming.find(({ urn }) => urn !== call.urn);
    if (other !== undefined) return { conflict: managedBy(kind, kind.id(first), other, error), beside: [] };
    return { conflict: alreadyExists(work, inputs, first, await makerOf(work, first), error), beside: [] };
  }
  if (kind.tagOf !== undefined) return ofSameUrn(work, inputs, free);
  // Those of resources that have not said yet which object they have are among them.
  const unknown = naming.filter(({ urn }) => !services.registry.hasObject(kind.name, urn));
  if (free.length <= unknown.length) return { beside: [] };
  return { beside: free.map((one) => ({ id: kind.id(one), text: existsBeside(work, one) })) };
}

/**
 * Whether a resource of this run has an object.
 *
 * @param isCreating what a replacement deletes first is deleted by then: a resource that still has an object of a unique name has lost it
 */
export function isHeld(work: Work, inputs: Values, found: Values, isCreating: boolean): boolean {
  const { kind, call } = work;
  const hasLostIt = isCreating && uniqueInputs(kind, inputs).length > 0;
  return holdersOf(work, found).some(({ urn }) => urn !== call.urn || !hasLostIt);
}

/** There can be many of them, so each is taken as the list has it, unless this process has deleted it since. */
function unlessReleased({ kind, services }: Work, listed: Values): Values | undefined {
  return services.registry.hasReleased(keyOf(kind, listed)) ? undefined : listed;
}

/** How long ago an object of this URN can have been created by a killed run of this stack, in milliseconds: a day. */
const youth = 24 * 3600 * 1000;

/**
 * Where names can repeat, only the tag tells what has made an object. One of this very resource is probably the one that it lost; and so
 * is a young one of this URN, where nothing tells stacks apart. Unless it was to be kept (`retainOnDelete`), or the program says
 * that it means another one.
 */
async function ofSameUrn(work: Work, inputs: Values, free: readonly Values[]): Promise<Existing> {
  const { kind, call } = work;
  const made = await Promise.all(
    free.slice(0, maxTags).map(async (found) => ({ found, maker: await makerOf(work, found) })),
  );
  const meansAnother = call.isRetained || inputs["adopt"] === false;
  const own = made.find(
    ({ found, maker }) => maker?.by === "this-resource" || (maker?.by === "this-urn" && ageOf(work, found) < youth),
  );
  if (own !== undefined && !meansAnother) {
    return { conflict: alreadyExists(work, inputs, own.found, own.maker), beside: [] };
  }
  const beside = made.flatMap(({ found, maker }) =>
    maker === undefined || maker.by === "another-resource"
      ? []
      : [{ id: kind.id(found), text: createdBefore(work, found, maker) }],
  );
  return { beside };
}
