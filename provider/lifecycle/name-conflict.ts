import { isConflict } from "../call/conflict";
import { adoptValueOf } from "../kind/id";
import { naturalKeyOf, uniqueInputs } from "../kind/natural-key";
import { hashOfUrn, parseTag } from "../ownership/ownership-tag";
import type { Values } from "../values";
import { findDeclared, tagOf } from "./adoption";
import { keyOf } from "./claims";
import { alreadyExists, createdForThisUrn, managedBy } from "./errors";
import type { CreateWork } from "./work";

/** How long to search for other objects of the same name: what is created does not wait longer for a warning. In milliseconds. */
const namesakeSearch = 3_000;

/** The error of a creation: if it is a conflict, with the object that has the natural key, and what to do about it. */
export async function explainConflict(work: CreateWork, error: unknown): Promise<unknown> {
  const { kind, services, call, inputs } = work;
  if (!isConflict(error)) return error;
  const existing = await findDeclared(work, inputs).catch(() => undefined);
  if (existing === undefined) return error;
  const id = kind.id(existing);
  const claims = services.registry.claimsTo(keyOf(kind, existing));
  const isOwn = claims.some((claim) => claim.urn === call.urn);
  const [other] = claims;
  if (other !== undefined && !isOwn) return managedBy(kind, id, other, error);
  const tag = isOwn ? undefined : await tagOf(work, existing).catch(() => undefined);
  const interrupted = await services.journal.interrupted(work.ownCreations);
  const isOfInterruptedRun = interrupted.some((one) => one.id === tag?.creationId || one.objectId === id);
  const key = naturalKeyOf(kind, inputs);
  const sharesName = uniqueInputs(kind, inputs).includes(kind.defaultName ?? "name");
  const namesake = {
    id,
    shares: sharesName ? "name" : "place",
    adopt: adoptValueOf(id),
    createdBy: isOfInterruptedRun
      ? "interrupted-run"
      : tag && (tag.urnHash === hashOfUrn(call.urn) ? "same-urn" : "other-urn"),
    requestedAt: interrupted.find((one) => one.objectId === undefined && one.naturalKey === key)?.sentAt,
    isOwn,
    isRetained: call.isRetained,
  } as const;
  return alreadyExists(kind, namesake, error);
}

/**
 * Warns of objects that another run created for this URN, where names need not be unique and nothing tells who owns
 * them. Best effort.
 */
export async function warnOfNamesakes(work: CreateWork, created: Values): Promise<void> {
  const { kind, services, context, call } = work;
  const search = kind.recovery.by === "tag" ? kind.recovery.namesakes : undefined;
  if (search === undefined) return;
  const namesakes = await context.within(namesakeSearch, (reading) => search(reading, created)).catch(() => []);
  for (const { tag, found } of namesakes) {
    const isOfUrn = parseTag(tag)?.urnHash === hashOfUrn(call.urn);
    if (!isOfUrn || services.registry.claimsTo(keyOf(kind, found)).length > 0) continue;
    context.warn(
      `The ${kind.noun} ${kind.id(found)} has the same name. ${createdForThisUrn} It was not changed, and this run created ${kind.id(created)}. Delete ${kind.id(found)} if nothing manages it. If another stack does, declare another \`name\` here to tell the two apart.`,
    );
  }
}
