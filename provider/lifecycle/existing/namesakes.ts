import { HttpError, ignoreNotFound, ignoreStatus, NeonError } from "../../../api/core/errors";
import { every } from "../../call/collection";
import type { Search } from "../../call/lists";
import { organizationOf } from "../../kind/inputs";
import { pick, type Values } from "../../values";
import type { Work } from "../work";

// Finds the objects that already have the natural key or the name of a new resource and belong to no resource of this
// run. They are reported and never taken: only `adopt` takes an object.

/**
 * Which objects count.
 *
 * - `listed`: those that existed when this process first listed them;
 * - `now`: those that exist now;
 * - `refused`: the platform has refused to create another object, so the one at the address of the inputs counts, too.
 */
export type Counted = "listed" | "now" | "refused";

/** The objects that have the natural key of these inputs or, if the kind has none, their name. */
export async function namesakesOf(work: Work, inputs: Values, counted: Counted): Promise<readonly Values[]> {
  const { kind } = work;
  const search = kind.namesakes?.(work, inputs);
  if (search !== undefined) {
    // If the parent does not exist, the list is empty. A key may also be allowed to create but not to list.
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
      // The list that all creates share gives up early. This call may have more time.
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

/** The outputs by which an object is read. Nothing else from a list counts as known. */
export function addressOf({ kind }: Pick<Work, "kind">, values: Values): Values {
  return pick(values, kind.addressNames);
}

/**
 * The address, with the inputs added if they hold the whole address: a value that the platform words differently stays
 * as declared.
 */
export function knownOf(work: Pick<Work, "kind">, inputs: Values, found: Values): Values {
  return { ...(work.kind.namesakes === undefined ? inputs : {}), ...addressOf(work, found) };
}

/** The address in these inputs. Undefined if they lack a part of it. */
function addressIn(work: Work, inputs: Values): Values | undefined {
  const { kind } = work;
  const { addressNames } = kind;
  const orgId = inputs["orgId"] as string | undefined;
  const given = addressNames.includes("orgId") ? { ...inputs, orgId: organizationOf(work, orgId) } : inputs;
  const address = addressOf({ kind }, given);
  return addressNames.every((name) => address[name] !== undefined) ? address : undefined;
}
