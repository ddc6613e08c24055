import { HttpError, ignoreNotFound, ignoreStatus, NeonError } from "../../../api/core/errors";
import { every } from "../../call/collection";
import type { Search } from "../../call/lists";
import { organizationOf } from "../../kind/inputs";
import { pick, type Values } from "../../values";
import type { Work } from "../work";

// What is there already of the natural key or the name of a new resource, and belongs to no resource of this run. It is said, and
// never taken: only `adopt` takes.

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
