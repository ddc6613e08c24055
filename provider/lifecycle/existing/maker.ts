import { tagAnnotation } from "../../../api/schemas/branch";
import type { Account } from "../../call/services";
import { idOf } from "../../kind/id";
import { titleOf } from "../../ownership/claim";
import { formerUrns, isOfUrn, type OwnershipTag, parseTag } from "../../ownership/ownership-tag";
import { copiedAt, firstBranch, readBranch } from "../../resources/branch/read";
import type { Values } from "../../values";
import { appearedAt } from "../appeared-at";
import { type Place, placesOf } from "../claims";
import type { Work } from "../work";
import { addressOf } from "./namesakes";

/** The maker of an object, as far as a tag tells. */
export interface Maker {
  /**
   * - `this-resource`, `this-urn`: a run for this resource, certainly or as far as its URN tells;
   * - `this-project`: the object was created with the project that a resource of this run has;
   * - `parent-branch`: the object was copied from the parent when its branch was created;
   * - `this-stack`, `unknown-stack`: a resource of another URN, which the program has not declared so far;
   * - `another-stack`, `another-resource`: another stack or resource. As with the two before, only `adopt` on the
   *   resource itself takes the object;
   * - `unknown`: no tag tells.
   */
  readonly by:
    | "this-resource"
    | "this-urn"
    | "this-project"
    | "parent-branch"
    | "this-stack"
    | "unknown-stack"
    | "another-stack"
    | "another-resource"
    | "unknown";
  /** The URN of the maker, if it is a resource of this run, or one that this run has moved or renamed. */
  readonly urn?: string | undefined;
  /** The id of the parent branch. */
  readonly parent?: string;
}

const unknown: Maker = { by: "unknown" };

/** Whether an object may belong to a resource of this stack that the program has moved or renamed. */
export function mayBeMoved({ by }: Maker = unknown): boolean {
  return by === "unknown" || by === "this-stack" || by === "unknown-stack";
}

/** Whether a tag and the call belong to the same stack, as far as both tell. */
function stackOf({ services, call }: Work, { stack: theirs }: OwnershipTag): "same" | "another" | "unsure" {
  const ours = services.stack(call.urn);
  if (ours === undefined || theirs === undefined) return "unsure";
  return ours === theirs ? "same" : "another";
}

/** Finds the maker of an object or, if it carries no tag, of the branch or project that it belongs to. */
export async function makerOf(work: Work, outputs: Values): Promise<Maker> {
  const { kind, call } = work;
  const { registry } = work.services;
  // The branch has often just been read. That answer has the tag and is reused.
  work.requests.keepAnswers();
  if (kind.tagOf === undefined) return makerOfPlace(work, outputs);
  const tag = await tagOf(work, outputs).catch(() => undefined);
  if (tag === undefined) return unknown;
  const stack = stackOf(work, tag);
  if (isOfUrn(tag, call.urn)) {
    return { by: ({ same: "this-resource", unsure: "this-urn", another: "another-stack" } as const)[stack] };
  }
  const named = stack === "another" ? undefined : registry.namedBy(tag);
  // The first branch of a project carries the tag of the project.
  const { projectId, parentId } = outputs;
  const isFirst = kind.name === "Branch" && typeof projectId === "string" && parentId === undefined;
  const [holder] = isFirst ? registry.claimsTo({ kind: "Project", id: idOf(projectId) }) : [];
  const ofProject = holder?.urn ?? (isProject(named) ? named : undefined);
  if (ofProject !== undefined) return { by: "this-project", urn: ofProject };
  if (named !== undefined || stack === "another") return { by: "another-resource", urn: named };
  const former = [...formerUrns(call.urn, registry.urns, outputs["name"])].find((urn) => isOfUrn(tag, urn));
  return { by: stack === "same" ? "this-stack" : "unknown-stack", urn: former };
}

function isProject(urn: string | undefined): boolean {
  return urn !== undefined && titleOf(urn).startsWith('Project "');
}

/** Finds the parent branch of an object, if the parent already had the object when the branch was created. */
export async function parentOf(work: Work, outputs: Values): Promise<Maker | undefined> {
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

/** The tag of an object that carries one. */
export async function tagOf(work: Work, outputs: Values): Promise<OwnershipTag | undefined> {
  return parseTag(await work.kind.tagOf?.(work, outputs));
}

/**
 * Tells only whether the branch or project of an object belongs to another stack. Nothing tells what made the object
 * itself.
 */
async function makerOfPlace(work: Work, outputs: Values): Promise<Maker> {
  const { registry } = work.services;
  const [place] = placesOf(work.kind, outputs);
  if (place === undefined || registry.claimsTo(place).length > 0) return unknown;
  const tag = await tagOfPlace(work, work.account, place).catch(() => undefined);
  if (tag === undefined) return unknown;
  const stack = stackOf(work, tag);
  const isOurs = stack === "same" || (stack === "unsure" && registry.namedBy(tag) !== undefined);
  return isOurs ? unknown : { by: "another-resource" };
}

/** Tags never change, so each one is read once. */
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
