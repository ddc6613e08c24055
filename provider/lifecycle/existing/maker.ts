import { tagAnnotation } from "../../../api/schemas/branch";
import type { Account } from "../../call/services";
import { idOf } from "../../kind/id";
import { titleOf } from "../../ownership/claim";
import { formerUrns, isOfUrn, type OwnershipTag, parseTag } from "../../ownership/ownership-tag";
import { copiedAt, firstBranch, readBranch } from "../../resources/branch/read";
import type { Values } from "../../values";
import { appearedAt } from "../appeared-at";
import { keyOf, type Place, placesOf } from "../claims";
import type { Work } from "../work";
import { addressOf } from "./namesakes";

/** What has made an object, as far as a tag tells. */
export interface Maker {
  /**
   * - `this-resource`, `this-urn`: a run for this resource, for certain or as far as its URN tells;
   * - `this-project`: it was created with the project that a resource of this run has;
   * - `parent-branch`: it was created with its branch, as a copy of what the parent has;
   * - `this-stack`, `unknown-stack`: a resource of another URN, which the program has not declared so far;
   * - `another-stack`, `another-resource`: only `adopt` at the resource takes it, as with those.
   */
  readonly by:
    | "this-resource"
    | "this-urn"
    | "this-project"
    | "parent-branch"
    | "this-stack"
    | "unknown-stack"
    | "another-stack"
    | "another-resource";
  /** The resource, if it is one of this run, or one that this run has moved or renamed. */
  readonly urn?: string | undefined;
  /** The id of the parent branch. */
  readonly parent?: string;
}

const foreign: readonly (Maker["by"] | undefined)[] = [
  "this-stack",
  "unknown-stack",
  "another-stack",
  "another-resource",
];

/** Whether a tag calls an object another resource's: the consent of a run does not mean it. */
export function isForeign(maker: Maker | undefined): boolean {
  return foreign.includes(maker?.by);
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
  if (ofProject !== undefined) return { by: "this-project", urn: ofProject };
  if (named !== undefined || isOfOtherStack) return { by: "another-resource", urn: named };
  const { registry } = services;
  const former = [...formerUrns(call.urn, registry.urns, outputs["name"])].find((urn) => isOfUrn(tag, urn));
  return { by: isKnown ? "this-stack" : "unknown-stack", urn: former };
}

/** Who can have made an object that a resource of this stack may have under another URN. */
const unsure: readonly (Maker["by"] | undefined)[] = [undefined, "this-stack", "unknown-stack"];

/** Whether an object may be that of a resource of this stack that the program has moved or renamed. */
export function mayBeMoved(maker: Maker | undefined): boolean {
  return unsure.includes(maker?.by);
}

/** The URN under which a resource of this stack has an object, if the state or the tag tells, and the program has not declared it so far. */
export function formerUrnOf({ kind, services }: Work, found: Values, maker: Maker | undefined): string | undefined {
  if (!mayBeMoved(maker)) return undefined;
  return services.registry.undeclaredHolder(keyOf(kind, found)) ?? maker?.urn;
}

/** What has made an object or, if nothing tells that, the parent that its branch has it from. */
export async function makerOrParentOf(work: Work, outputs: Values): Promise<Maker | undefined> {
  return (await makerOf(work, outputs)) ?? (await parentOf(work, outputs).catch(() => undefined));
}

/** The parent has the object, too, and had it when the branch was created. */
async function parentOf(work: Work, outputs: Values): Promise<Maker | undefined> {
  const { kind } = work;
  const { projectId, branchId } = outputs;
  if (kind.listing?.isCopied === undefined || typeof projectId !== "string" || typeof branchId !== "string")
    return undefined;
  const branch = (await readBranch(work, projectId, branchId))?.branch;
  const { parent_id: parent } = branch ?? {};
  if (branch === undefined || parent === undefined) return undefined;
  const original = await kind.read(work, addressOf(work, { ...outputs, branchId: parent }));
  const isLater = Date.parse(appearedAt(original ?? {}) ?? "") > Date.parse(copiedAt(branch));
  return original === undefined || isLater ? undefined : { by: "parent-branch", parent };
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
