import { ignoreStatus } from "../../../api/core/errors";
import { together } from "../../../api/core/together";
import { uniqueInputs } from "../../kind/natural-key";
import type { Values } from "../../values";
import { keyOf, namedSo } from "../claims";
import { managedBy } from "../errors";
import { Work } from "../work";
import { adoptable, type Wanted } from "./adopt";
import { formerUrnOf, type Maker, makerOf, makerOrParentOf } from "./maker";
import { ageOf, alreadyExists, createdBefore, existsBeside } from "./messages";
import { addressOf, type Counted, isHeld, namesakesOf } from "./namesakes";

/** Of how many objects of one name to find out what has made them: each takes a request. */
const maxTags = 20;

/**
 * What there is of a new resource: asked by its check, by its create, and before a creation is sent again.
 *
 * - `own`: the object that it is to adopt, claimed for it;
 * - `unowned`: one that no resource of this run has, and that only `adopt` takes;
 * - `held`: one that another resource of this run has;
 * - `none`: nothing that keeps it from being created. What is `beside` it is said, each with its id.
 */
export type Existing =
  | { readonly is: "own"; readonly outputs: Values }
  | { readonly is: "unowned" | "held"; readonly conflict: Error }
  | { readonly is: "none"; readonly beside: readonly { readonly id: string; readonly text: string }[] };

/** How to look for what is there. */
export interface Looked {
  /** Which object the resource is to adopt. */
  readonly wanted?: Wanted;
  /** The id of the adoption. Undefined in a check: then nothing is adopted yet. */
  readonly adoptionId?: string;
  readonly counted?: Counted;
  /** The object is about to be created. */
  readonly isCreating?: boolean;
  /** What the platform has answered to the creation. */
  readonly error?: unknown;
}

/**
 * Finds what is there already, in one look at those that have the name.
 *
 * @throws NeonError `invalid` if what is to be adopted cannot be, or if it is not certain which object is meant
 */
export async function existing(work: Work, inputs: Values, looked: Looked): Promise<Existing> {
  const { wanted, adoptionId, counted = "listed" } = looked;
  const look = work.purpose === "change" ? lookOf(work, inputs, looked) : work;
  const namesakes = typeof wanted === "string" ? [] : await namesakesOf(look, inputs, counted);
  if (wanted === undefined) return ofOthers(look, inputs, namesakes, looked);
  let outputs: Values | undefined;
  try {
    outputs = await adoptable(work, inputs, namesakes, wanted, adoptionId);
  } finally {
    if (outputs === undefined) work.services.registry.withdraw(work.call.urn, adoptionId);
  }
  return outputs === undefined ? ofOthers(look, inputs, namesakes, looked) : { is: "own", outputs };
}

/** What a change looks with: it reads no passwords, and does not take long where it can do without an answer. */
function lookOf(work: Work, inputs: Values, { wanted, counted = "listed" }: Looked): Work {
  const isVital = wanted !== undefined || counted !== "listed";
  const look = new Work(work, work.call, isVital ? "preview" : "look", { values: inputs });
  // What makes a create fail is read alone.
  look.requests.reads = "alone";
  return look;
}

const none: Existing = { is: "none", beside: [] };

/** What the resource is not to adopt. What a list says is confirmed by a read. */
async function ofOthers(
  work: Work,
  inputs: Values,
  namesakes: readonly Values[],
  { isCreating = false, error }: Looked,
): Promise<Existing> {
  const { kind, services, call } = work;
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const free: Values[] = [];
  for (const listed of namesakes) {
    const key = keyOf(kind, listed);
    const [other] = services.registry.claimsOfOthers(key, call.urn);
    if (other !== undefined && isUnique) return { is: "held", conflict: managedBy(kind, key.id, other, error) };
    if (isHeld(work, inputs, listed, isCreating)) continue;
    const found =
      kind.secretOnce === true
        ? unlessReleased(work, listed)
        : await ignoreStatus(kind.read(work, addressOf(work, listed)), 403);
    if (found !== undefined) free.push(found);
  }
  if (free.length === 0) return none;
  const [first = {}] = free;
  const naming = namedSo(work, inputs);
  if (isUnique) {
    // The resource that calls its object so has not said yet which one it has.
    const other = naming.find(({ urn }) => urn !== call.urn);
    if (other !== undefined) return { is: "held", conflict: managedBy(kind, kind.id(first), other, error) };
    return { is: "unowned", conflict: alreadyExists(work, inputs, first, await makerOrParentOf(work, first), error) };
  }
  if (kind.tagOf !== undefined) return ofSameUrn(work, inputs, free);
  // Those of resources that have not said yet which object they have are among them.
  const unknown = naming.filter(({ urn }) => !services.registry.hasObject(kind.name, urn));
  if (free.length <= unknown.length) return none;
  return { is: "none", beside: free.map((one) => ({ id: kind.id(one), text: existsBeside(work, one) })) };
}

/** There can be many of them, so each is taken as the list has it, unless this process has deleted it since. */
function unlessReleased({ kind, services }: Work, listed: Values): Values | undefined {
  return services.registry.hasReleased(keyOf(kind, listed)) ? undefined : listed;
}

/** How long ago an object of this URN can have been created by a killed run of this stack, in milliseconds: a day. */
const youth = 24 * 3600 * 1000;

/** What a tag says of an object that a run for the URN of the resource has made. */
const ownUrn: readonly Maker["by"][] = ["this-resource", "this-urn", "this-project", "another-stack"];

/**
 * Where names can repeat, only the tag tells what has made an object. One of this very resource is probably the one that it lost; and so
 * is a young one of this URN, where nothing tells stacks apart. Unless it was to be kept (`retainOnDelete`), or the program says
 * that it means another one.
 */
async function ofSameUrn(work: Work, inputs: Values, free: readonly Values[]): Promise<Existing> {
  const { kind, call } = work;
  const made = await together(
    free.slice(0, maxTags).map(async (found) => ({ found, maker: await makerOf(work, found) })),
  );
  const meansAnother = call.isRetained || inputs["adopt"] === false;
  const own = made.find(
    ({ found, maker }) => maker?.by === "this-resource" || (maker?.by === "this-urn" && ageOf(work, found) < youth),
  );
  if (own !== undefined && !meansAnother) {
    return { is: "unowned", conflict: alreadyExists(work, inputs, own.found, own.maker) };
  }
  // A name alone says nothing: any number of objects can have it.
  const told = made.filter(
    ({ found, maker }) =>
      formerUrnOf(work, found, maker) !== undefined || (maker !== undefined && ownUrn.includes(maker.by)),
  );
  const beside = told.map(({ found, maker }) => ({ id: kind.id(found), text: createdBefore(work, found, maker) }));
  return { is: "none", beside };
}
