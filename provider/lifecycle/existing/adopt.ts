import { together } from "../../../api/core/together";
import { adoptedSegment, idOf } from "../../kind/id";
import { onlyMatch, organizationOf } from "../../kind/inputs";
import { uniqueInputs } from "../../kind/natural-key";
import type { Values } from "../../values";
import { claimAdopted, claimWanted, holdersOf } from "../claims";
import { adoptsItself, createAnother, notAdoptable, nothingToAdopt } from "../errors";
import type { Work } from "../work";
import { isForeign, makerOf } from "./maker";
import { knownOf } from "./namesakes";
import { obstacleTo } from "./obstacles";

/** Which object a new resource is to adopt: the one with this id; or, if `true`, the one that the inputs name, if there is one. */
export type Wanted = string | true | undefined;

/**
 * What the program declares, or what `neon:adopt` says of all new resources that declare nothing. A resource whose object was deleted
 * by a change of its container takes what that change has put in its place: it belongs to no other resource.
 */
export function wantedAdoption({ account, services, call }: Work, { adopt }: Values): Wanted {
  const isPutInPlace = services.registry.containers.lossOf(call.urn)?.isEmptied === true;
  if (adopt === undefined) return account.settings.adopt || isPutInPlace ? true : undefined;
  return adopt === true || typeof adopt === "string" ? adopt : undefined;
}

/**
 * The object that is wanted, claimed for the resource. Undefined if there is none by that name.
 *
 * @param namesakes the objects that have the name
 * @param adoptionId undefined in a check: then nothing is adopted yet
 * @throws NeonError `invalid` if it cannot be adopted, or if it is not certain which one is meant
 */
export async function adoptable(
  work: Work,
  inputs: Values,
  namesakes: readonly Values[],
  wanted: NonNullable<Wanted>,
  adoptionId: string | undefined,
): Promise<Values | undefined> {
  const { kind, call } = work;
  const address = await (wanted === true ? named(work, inputs, namesakes) : findById(work, inputs, wanted));
  const isOwn = address !== undefined && holdersOf(work, address).some(({ urn }) => urn === call.urn);
  // It is claimed before anything else is waited for: two resources can want it at the same time.
  if (address !== undefined && !isOwn) claimWanted(work, address);
  // To find out what has made it, it can have been read already.
  work.requests.keepAnswers();
  const outputs =
    address === undefined
      ? undefined
      : await kind.read(work, wanted === true ? knownOf(work, inputs, address) : address);
  if (outputs === undefined) {
    if (wanted === true) return undefined;
    throw nothingToAdopt(kind, wanted, address && (await kind.recovery?.(work, inputs, address)));
  }
  // What a replacement deletes first is deleted by then: an object of a unique name is another one.
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const isReplaced = adoptionId !== undefined && isUnique;
  if (isOwn && !isReplaced && !call.isRetained) {
    if (wanted === true) return undefined;
    throw adoptsItself(kind, wanted);
  }
  const obstacle = obstacleTo(kind, inputs, outputs);
  if (obstacle !== undefined) {
    // A change replaces it and keeps it (`retainOnDelete`): the new one is created beside it.
    if (isOwn && wanted === true && !isUnique) return undefined;
    throw notAdoptable(kind, kind.id(outputs), obstacle, wanted === true ? createAnother(isUnique) : "");
  }
  if (adoptionId === undefined) claimWanted(work, outputs);
  else claimAdopted(work, outputs, adoptionId);
  return outputs;
}

/**
 * The object that these inputs name. Of several, the one that no resource of this run has or, if the tag tells, its own one. The consent
 * of a run does not mean one that a tag calls another resource's. A replacement, beside the old object of this name, means only what a
 * killed run has created for it, which a tag tells.
 */
async function named(work: Work, inputs: Values, all: readonly Values[]): Promise<Values | undefined> {
  const { kind, call } = work;
  if (kind.namesakes?.(work, inputs).isVague === true) return undefined;
  const held = all.length < 2 ? [] : all.filter((one) => holdersOf(work, one).length > 0);
  const free = all.filter((one) => !held.includes(one));
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const isReplacing = !isUnique && held.some((one) => holdersOf(work, one).some(({ urn }) => urn === call.urn));
  const meansAny = inputs["adopt"] !== undefined && !isReplacing;
  if (free.length < 2 && meansAny) return free[0];
  const made = await together(free.map(async (found) => ({ found, maker: await makerOf(work, found) })));
  const meant = [
    ...(["this-resource", "this-urn"] as const).map((by) => made.filter(({ maker }) => maker?.by === by)),
    isReplacing ? [] : made.filter(({ maker }) => meansAny || !isForeign(maker)),
  ];
  const only = meant.find((some) => some.length === 1) ?? meant.at(-1) ?? [];
  return onlyMatch(
    only.map(({ found }) => ({ ...found, id: kind.id(found) })),
    `${kind.noun}s of this name`,
    createAnother(isUnique),
  );
}

/** The object with this id, or with this last segment of an id: the segments before it are inputs. */
async function findById(work: Work, inputs: Values, adopt: string): Promise<Values | undefined> {
  const { kind } = work;
  const names = [...kind.addressNames];
  const last = names.pop() ?? "";
  const { orgId, ...others } = inputs as Readonly<Partial<Record<string, string>>>;
  const parents = Object.fromEntries(
    names.map((name) => [name, name === "orgId" ? organizationOf(work, orgId) : (others[name] ?? "")]),
  );
  const segment = adoptedSegment(adopt, ...Object.values(parents));
  // Neon gives no such id: one of another project, or a name. A request with it would be malformed.
  if (kind.address(idOf(...Object.values(parents), segment))[last] === "") return undefined;
  return kind.adopted === undefined ? { ...parents, [last]: segment } : kind.adopted(work, inputs, segment);
}
