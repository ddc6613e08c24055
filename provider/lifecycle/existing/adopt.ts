import { adoptedSegment, idOf } from "../../kind/id";
import { onlyMatch, organizationOf } from "../../kind/inputs";
import { uniqueInputs } from "../../kind/natural-key";
import type { KeptClaim } from "../../ownership/claim";
import { newId } from "../../ownership/ids";
import type { Values } from "../../values";
import { claimAdopted, keyOf } from "../claims";
import { adoptsItself, createAnother, deletedBy, managedBy, notAdoptable, nothingToAdopt } from "../errors";
import type { Work } from "../work";
import type { Maker } from "./messages";
import { type Counted, knownOf, makerOf, namesakesOf } from "./namesakes";
import { obstacleTo } from "./obstacles";
import { settleAdopted } from "./unfinished";

/** Which object a new resource is to adopt: the one with this id; or, if `true`, the one that the inputs name, if there is one. */
export type Wanted = string | true | undefined;

/** What the program declares, or what `neon:adopt` says of all new resources that declare nothing. */
export function wantedAdoption({ account }: Pick<Work, "account">, { adopt }: Values): Wanted {
  if (adopt === undefined) return account.settings.adopt ? true : undefined;
  return adopt === true || typeof adopt === "string" ? adopt : undefined;
}

/** Adopts the object that is wanted. Undefined if none is, or if there is none by that name. */
export async function adopt(
  work: Work,
  inputs: Values,
  wanted: Wanted,
  counted: Counted = "listed",
): Promise<Values | undefined> {
  const { kind } = work;
  const found = await adoptable(work, inputs, wanted, { counted, isCreating: true });
  if (found === undefined) return undefined;
  const object = { id: kind.id(found), adoptionId: newId() };
  work.progress.object = { ...object, outputs: found };
  const outputs = await settleAdopted(work, found);
  work.progress.object = { ...object, outputs };
  claimAdopted(work, outputs, object.adoptionId);
  return outputs;
}

/** How an object is looked for, and whether it is about to be adopted. */
interface Looked {
  readonly counted?: Counted;
  readonly isCreating?: boolean;
}

/**
 * The object that is wanted.
 *
 * @throws NeonError `invalid` if it cannot be adopted, or if it is not certain which one is meant
 */
export async function adoptable(
  work: Work,
  inputs: Values,
  wanted: Wanted,
  { counted = "listed", isCreating = false }: Looked = {},
): Promise<Values | undefined> {
  const { kind, services, call } = work;
  const { registry } = services;
  if (wanted === undefined) return undefined;
  const address = await (wanted === true ? findNamed(work, inputs, counted) : findById(work, inputs, wanted));
  const former = address && registry.formerClaimTo(keyOf(kind, address));
  if (former !== undefined) throw deletedBy(kind, kind.id(address ?? {}), former);
  const outputs =
    address === undefined
      ? undefined
      : await kind.read(work, wanted === true ? knownOf(work, inputs, address) : address);
  if (outputs === undefined) {
    if (wanted === true) return undefined;
    throw nothingToAdopt(kind, wanted);
  }
  const claims = registry.claimsTo(keyOf(kind, outputs));
  // What a replacement deletes first is deleted by then: an object of a unique name is another one.
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const isReplaced = isCreating && isUnique;
  const isOwn = claims.some((claim) => claim.urn === call.urn);
  if (isOwn && !isReplaced && !call.isRetained) {
    if (wanted === true) return undefined;
    throw adoptsItself(kind, wanted);
  }
  const other = claims.find((claim) => claim.urn !== call.urn);
  if (other !== undefined) throw managedBy(kind, kind.id(outputs), other);
  const obstacle = obstacleTo(kind, inputs, outputs);
  if (obstacle !== undefined) {
    // A change replaces it and keeps it (`retainOnDelete`): the new one is created beside it.
    if (isOwn && wanted === true && !isUnique) return undefined;
    throw notAdoptable(kind, kind.id(outputs), obstacle, wanted === true ? createAnother(isUnique) : "");
  }
  return outputs;
}

/**
 * The object that these inputs name. Of several, the one that no resource of this run has or, if the tag tells, its own one. Many
 * stacks can have a project of one name: `neon:adopt` does not mean one that another resource or stack has created. A replacement, beside
 * the old object of this name, means only what a killed run has created for it, which a tag tells.
 */
async function findNamed(work: Work, inputs: Values, counted: Counted): Promise<Values | undefined> {
  const { kind, services, call } = work;
  if (kind.namesakes?.(work, inputs).isVague === true) return undefined;
  const all = await namesakesOf(work, inputs, counted);
  const claims = (one: Values): readonly KeptClaim[] => services.registry.claimsTo(keyOf(kind, one));
  const held = all.length < 2 ? [] : all.filter((one) => claims(one).length > 0);
  const free = all.filter((one) => !held.includes(one));
  const isUnique = uniqueInputs(kind, inputs).length > 0;
  const isReplacing = !isUnique && held.some((one) => claims(one).some(({ urn }) => urn === call.urn));
  const meansAny = isUnique || (inputs["adopt"] !== undefined && !isReplacing);
  if (free.length < 2 && meansAny) return free[0];
  const made = await Promise.all(free.map(async (found) => ({ found, maker: await makerOf(work, found) })));
  const meant = [
    ...(["this-resource", "this-urn"] as const).map((by) => made.filter(({ maker }) => maker === by)),
    isReplacing ? [] : made.filter(({ maker }) => meansAny || !isForeign(maker)),
  ];
  const only = meant.find((some) => some.length === 1) ?? meant.at(-1) ?? [];
  return onlyMatch(
    only.map(({ found }) => ({ ...found, id: kind.id(found) })),
    `${kind.noun}s of this name`,
    createAnother(isUnique),
  );
}

function isForeign(maker: Maker | undefined): boolean {
  return maker === "another-resource" || maker === "another-stack";
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
