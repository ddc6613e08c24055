import { ignoreNotFound, ignoreStatus } from "../../../api/core/errors";
import type { Context } from "../../call/context";
import { organizationOf } from "../../kind/inputs";
import { uniqueInputs } from "../../kind/natural-key";
import { isOfUrn, type OwnershipTag, parseTag } from "../../ownership/ownership-tag";
import { pick, type Values } from "../../values";
import { keyOf } from "../claims";
import { managedBy } from "../errors";
import type { Looking } from "../work";
import { alreadyExists, createdBefore, describedNamesake, existsBeside, type Maker } from "./messages";

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
export async function namesakesOf(look: Looking, inputs: Values, counted: Counted): Promise<readonly Values[]> {
  const { kind, context } = look;
  const search = kind.namesakes?.(context, inputs);
  if (search !== undefined) {
    // Nothing is in what does not exist, and a key that may create an object may be unable to list others.
    const items = (await ignoreStatus(context.find(search, counted !== "listed"), 403, 404)) ?? [];
    if (items.length > 0 || counted !== "refused") return items.map(search.outputs);
  }
  const address = addressIn(look, inputs);
  const found = address && (await ignoreNotFound(kind.read(context, address)));
  return found === undefined ? [] : [found];
}

/** What an object is read by: nothing of what a list says of it counts as known. */
export function addressOf({ kind }: Pick<Looking, "kind">, values: Values): Values {
  return pick(values, kind.addressNames);
}

/** The same with the inputs, where these hold the whole address: what the platform words otherwise stays as declared. */
export function knownOf(look: Pick<Looking, "kind">, inputs: Values, found: Values): Values {
  return { ...(look.kind.namesakes === undefined ? inputs : {}), ...addressOf(look, found) };
}

/** The address that these inputs hold. Undefined if a part of it is no input. */
function addressIn({ kind, context }: Looking, inputs: Values): Values | undefined {
  const { addressNames } = kind;
  const orgId = inputs["orgId"] as string | undefined;
  const given = addressNames.includes("orgId") ? { ...inputs, orgId: organizationOf(context, orgId) } : inputs;
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
  look: Looking,
  inputs: Values,
  { counted = "listed", isCreating = false, error }: Looked,
): Promise<Existing> {
  const { kind, services, call, context } = look;
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const free: Values[] = [];
  for (const listed of await namesakesOf(look, inputs, counted)) {
    const key = keyOf(kind, listed);
    const [other] = services.registry.claimsOfOthers(key, call.urn);
    if (other !== undefined && isUnique) return { conflict: managedBy(kind, key.id, other, error), beside: [] };
    if (isHeld(look, inputs, listed, isCreating)) continue;
    const found =
      kind.secretOnce === true
        ? unlessReleased(look, listed)
        : await ignoreStatus(kind.read(context, addressOf(look, listed)), 403);
    if (found !== undefined) free.push(found);
  }
  if (free.length === 0) return { beside: [] };
  const [first = {}] = free;
  if (isUnique) {
    const described = describedNamesake(look, first, await makerOf(look, first));
    return { conflict: alreadyExists(look, inputs, described, error), beside: [] };
  }
  if (kind.tagOf !== undefined) return ofSameUrn(look, inputs, free);
  return { beside: free.map((one) => ({ id: kind.id(one), text: existsBeside(look, one) })) };
}

/**
 * Whether a resource of this run has an object.
 *
 * @param isCreating what a replacement deletes first is deleted by then: a resource that still has an object of a unique name has lost it
 */
export function isHeld({ kind, services, call }: Looking, inputs: Values, found: Values, isCreating: boolean): boolean {
  const { registry } = services;
  const key = keyOf(kind, found);
  const hasLostIt = isCreating && uniqueInputs(kind, inputs).length > 0;
  return (hasLostIt ? registry.claimsOfOthers(key, call.urn) : registry.claimsTo(key)).length > 0;
}

/** There can be many of them, so each is taken as the list has it, unless this process has deleted it since. */
function unlessReleased({ kind, services }: Looking, listed: Values): Values | undefined {
  return services.registry.hasReleased(keyOf(kind, listed)) ? undefined : listed;
}

/**
 * Where names can repeat, only the tag tells what has made an object. One of this very resource is probably the one that it lost;
 * unless it was to be kept (`retainOnDelete`).
 */
async function ofSameUrn(look: Looking, inputs: Values, free: readonly Values[]): Promise<Existing> {
  const { kind, call } = look;
  const made = await Promise.all(
    free.slice(0, maxTags).map(async (found) => ({ found, maker: await makerOf(look, found) })),
  );
  const own = made.find(({ maker }) => maker === "this-resource" && !call.isRetained);
  if (own !== undefined) {
    return { conflict: alreadyExists(look, inputs, describedNamesake(look, own.found, own.maker)), beside: [] };
  }
  const ofUrn = made.filter(({ maker }) => maker === "this-resource" || maker === "this-urn");
  return {
    beside: ofUrn.map(({ found, maker }) => ({
      id: kind.id(found),
      text: createdBefore(look, describedNamesake(look, found, maker)),
    })),
  };
}

/** What has made an object, as far as its tag tells. */
export async function makerOf(look: Looking, outputs: Values): Promise<Maker | undefined> {
  const { services, call } = look;
  const tag = await tagOf(look, outputs).catch(() => undefined);
  if (tag === undefined) return undefined;
  if (!isOfUrn(tag, call.urn)) return "another-resource";
  const stack = services.stack(call.urn);
  return stack !== undefined && tag.stack === stack ? "this-resource" : "this-urn";
}

/** The tag of an object that carries one. */
export async function tagOf(
  { kind, context }: { readonly kind: Looking["kind"]; readonly context: Context },
  outputs: Values,
): Promise<OwnershipTag | undefined> {
  return parseTag(await kind.tagOf?.(context, outputs));
}
