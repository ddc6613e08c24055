import { tagAnnotation } from "../../../api/schemas/branch";
import type { Account } from "../../call/services";
import { idOf } from "../../kind/id";
import { titleOf } from "../../ownership/claim";
import { isOfUrn, type OwnershipTag, parseTag } from "../../ownership/ownership-tag";
import { firstBranch, readBranch } from "../../resources/branch/read";
import type { Values } from "../../values";
import { type Place, placesOf } from "../claims";
import type { Work } from "../work";

/** What has made an object, as far as a tag tells. */
export interface Maker {
  /**
   * - `this-resource`, `this-urn`: a run for this resource, for certain or as far as its URN tells;
   * - `this-project`: it was created with the project that a resource of this run has;
   * - `another-stack`, `another-resource`: only `adopt` at the resource takes it.
   */
  readonly by: "this-resource" | "this-urn" | "this-project" | "another-stack" | "another-resource";
  /** The resource, if it is one of this run. */
  readonly urn?: string | undefined;
}

/** Whether a tag calls an object another resource's: the consent of a run does not mean it. */
export function isForeign(maker: Maker | undefined): boolean {
  return maker?.by === "another-resource" || maker?.by === "another-stack";
}

/** What has made an object or, if it carries no tag, the branch or the project that it belongs to. */
export async function makerOf(work: Work, outputs: Values): Promise<Maker | undefined> {
  const { kind, services, call } = work;
  // It has often just been read: then that says whose it is.
  work.requests.keepAnswers();
  if (kind.tagOf === undefined) return makerOfPlace(work, outputs);
  const tag = await tagOf(work, outputs).catch(() => undefined);
  if (tag === undefined) return undefined;
  const stack = services.stack(call.urn);
  const isKnown = stack !== undefined && tag.stack !== undefined;
  if (isOfUrn(tag, call.urn)) {
    if (!isKnown) return { by: "this-urn" };
    return { by: tag.stack === stack ? "this-resource" : "another-stack" };
  }
  const isOfOtherStack = isKnown && tag.stack !== stack;
  const named = isOfOtherStack ? undefined : services.registry.namedBy(tag);
  // The first branch of a project carries the tag of the project.
  const { projectId, parentId } = outputs;
  const isFirst = kind.name === "Branch" && typeof projectId === "string" && parentId === undefined;
  const [holder] = isFirst ? services.registry.claimsTo({ kind: "Project", id: idOf(projectId) }) : [];
  const ofProject = holder?.urn ?? (isProject(named) ? named : undefined);
  return ofProject === undefined ? { by: "another-resource", urn: named } : { by: "this-project", urn: ofProject };
}

function isProject(urn: string | undefined): boolean {
  return urn !== undefined && titleOf(urn).startsWith('Project "');
}

/** The tag of an object that carries one. */
export async function tagOf(work: Work, outputs: Values): Promise<OwnershipTag | undefined> {
  return parseTag(await work.kind.tagOf?.(work, outputs));
}

/** Only says whether the branch or the project of an object is another stack's: what has made the object, nothing tells. */
async function makerOfPlace(work: Work, outputs: Values): Promise<Maker | undefined> {
  const { services, call, account } = work;
  // It carries the tag of objects that carry none themselves.
  const [place] = placesOf(work.kind, outputs);
  if (place === undefined || services.registry.claimsTo(place).length > 0) return undefined;
  const tag = await tagOfPlace(work, account, place).catch(() => undefined);
  if (tag === undefined) return undefined;
  const stack = services.stack(call.urn);
  const isKnown = stack !== undefined && tag.stack !== undefined;
  const isOurs = isKnown ? tag.stack === stack : services.registry.namedBy(tag) !== undefined;
  return isOurs ? undefined : { by: "another-resource" };
}

/** A tag stays what it is, so it is read once. */
const tags = new WeakMap<Account, Map<string, Promise<OwnershipTag | undefined>>>();

function tagOfPlace(
  work: Work,
  account: Account,
  { kind, id, projectId, branchId }: Place,
): Promise<OwnershipTag | undefined> {
  const known = tags.get(account) ?? new Map<string, Promise<OwnershipTag | undefined>>();
  tags.set(account, known);
  const key = `${kind} ${id}`;
  const reading =
    known.get(key) ??
    (branchId === undefined ? firstBranch(work, projectId) : readBranch(work, projectId, branchId)).then((found) =>
      parseTag(found?.annotations[tagAnnotation]),
    );
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return reading;
}
