import { randomUUID } from "node:crypto";

import { hasStatus, invalid, type NeonError, summaryOf } from "../../api/errors";
import type { Context } from "../kind/context";
import { differences, uniqueInputs } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import { segmentsOf } from "../kind/id";
import type { AnyKind, Changes } from "../kind/kind";
import { AlreadyThereError } from "../kind/mutation";
import { atPath, type Values } from "../kind/values";
import { type Claim, titleOf } from "../ownership/claim";
import type { Journal } from "../ownership/journal";
import type { ResourceRegistry } from "../ownership/registry";
import { hashOfUrn, type OwnershipTag, parseTag } from "../ownership/ownership-tag";
import type { CreateCall } from "./create-call";
import { mayHaveCreated } from "./effect-time";
import { naturalKeyOf } from "./natural-key";
import type { Services } from "./services";
import { entryOf, type State } from "./state";

/** How long to search for other objects of the same name: what is created does not wait longer for a warning. In milliseconds. */
const namesakeSearch = 3_000;

/** The rules by which a resource adopts an existing object because the program says so. */
export class Adoption {
  readonly #kind: AnyKind;
  readonly #registry: ResourceRegistry;
  readonly #journal: Journal;
  readonly #stack: Services["stack"];
  readonly #savedStates: Services["savedStates"];
  readonly #program: Services["program"];

  constructor(kind: AnyKind, { registry, journal, stack, savedStates, program }: Services) {
    this.#kind = kind;
    this.#program = program;
    this.#stack = stack;
    this.#savedStates = savedStates;
    this.#registry = registry;
    this.#journal = journal;
  }

  /** Adopts the object that `adopt` names. Undefined if the program does not adopt one, or if there is none by that name. */
  async adopt({ context, urn, inputs }: CreateCall): Promise<Values | undefined> {
    const outputs = await this.adoptable(context, urn, inputs);
    if (outputs === undefined) return undefined;
    const adoption = randomUUID();
    this.claim(urn, outputs, adoption);
    await this.#settleCreation(context, urn, outputs, naturalKeyOf(this.#kind, { ...outputs, ...inputs }));
    context.progress.object = { id: this.#kind.id(outputs), outputs, adoption };
    return outputs;
  }

  /**
   * The object that `adopt` names: by its id, or, if it is `true`, by what the inputs say.
   *
   * @throws NeonError `invalid` if it cannot be adopted, or if it is not certain which one is meant
   */
  async adoptable(context: Context, urn: string, inputs: Values): Promise<Values | undefined> {
    const kind = this.#kind;
    const { adopt } = inputs;
    if (adopt !== true && typeof adopt !== "string") return undefined;
    const wanted = typeof adopt === "string" ? adopt : undefined;
    const address = await kind.find(context, inputs, wanted);
    const former = address && this.#registry.formerClaimTo({ kind: kind.name, id: kind.id(address) });
    if (former !== undefined) throw this.#deletedBy(kind.id(address ?? {}), former);
    const outputs = address === undefined ? undefined : await kind.read(context, address);
    if (outputs === undefined) {
      if (wanted === undefined) return undefined;
      throw invalid(
        `There is no ${kind.noun} "${wanted}" to adopt, or this API key cannot see it. Correct \`adopt\`, or use a key that can see the ${kind.noun}.`,
      );
    }
    const id = kind.id(outputs);
    const claims = this.#registry.claimsTo({ kind: kind.name, id });
    if (claims.some((claim) => claim.urn === urn) && !this.#program.isRetained(urn)) {
      if (wanted === undefined) return undefined;
      throw invalid(this.#adoptsItself(wanted));
    }
    const other = claims.find((claim) => claim.urn !== urn);
    if (other !== undefined) throw this.#managedBy(id, other);
    const otherStack = this.#savedStates.otherStackWith(urn, undefined, { kind: kind.name, id });
    if (otherStack !== undefined) throw invalid(`The ${kind.noun} ${id} is ${managedByStack(otherStack)}`);
    this.#assertAdoptable(inputs, outputs);
    return outputs;
  }

  /**
   * An interrupted run of another stack on this machine may have created the object: it must not recover it any more. Where
   * neither an id nor a tag tells, the time does.
   */
  async #settleCreation(context: Context, urn: string, outputs: Values, key: string): Promise<void> {
    const { name, id, recovery } = this.#kind;
    const interrupted = await this.#journal.interrupted({ kind: name });
    if (interrupted.length === 0) return;
    const creationId = (await this.#tagOf(context, outputs))?.creationId;
    for (const entry of interrupted) {
      const isOwn = entry.stack === this.#stack(urn) && entry.urnHash !== hashOfUrn(urn);
      const isOfKey = entry.naturalKey === undefined || entry.naturalKey === key;
      const isLikely = recovery.by === "naturalKey" && entry.objectId === undefined && isOfKey && !isOwn;
      const isCreator = entry.number === creationId || entry.objectId === id(outputs);
      if (isCreator || (isLikely && mayHaveCreated(entry, outputs))) await this.#journal.settle(entry.number);
    }
  }

  /** From now on, nothing in this run deletes the object, and no other resource adopts it. */
  claim(urn: string, outputs: Values, entry: string): void {
    const { name, id } = this.#kind;
    this.#registry.claim({ kind: name, id: id(outputs), urn, stateUrn: urn, entry, as: "adopted" });
  }

  /** Makes sure that an object can become what the program declares. */
  #assertAdoptable(inputs: Values, outputs: Values): void {
    const obstacle = this.obstacle(inputs, outputs, false);
    if (obstacle === undefined) return;
    const { noun, id } = this.#kind;
    throw invalid(
      `The ${noun} ${id(outputs)} cannot be adopted: ${obstacle} Declare the present value, or omit the property.`,
    );
  }

  /**
   * Why an object cannot become what the program declares, if so.
   *
   * @param isOwned whether this stack has created it: then what cannot be read is as declared
   */
  obstacle(inputs: Values, outputs: Values, isOwned: boolean): string | undefined {
    const kind = this.#kind;
    const fixed = differences(kind, outputs, [], inputs).filter((path) => {
      const { platform, onChange, unset } = ruleFor(kind.rules, path);
      const isReported = atPath(outputs, path) !== undefined || unset === "none";
      return (!isOwned && platform === "write-only") || (onChange === "replace" && isReported);
    });
    if (fixed.length === 0) return undefined;
    const list = fixed.map((path) => `\`${path}\`${presentValue(atPath(outputs, path))}`);
    return `the program declares another value for ${list.join(", ")}, which cannot be changed in place.`;
  }

  /** Makes sure that a replacement, which is created first, does not adopt the object that is deleted afterwards. */
  assertReplaceable(inputs: Values, outputs: Values): void {
    const adopt = inputs["adopt"];
    if (typeof adopt !== "string" || !this.#isNamed(outputs, inputs, adopt)) return;
    throw invalid(this.#adoptsItself(adopt));
  }

  /** Makes sure that no other resource manages what this resource declares as its part. */
  assertPartsFree(outputs: Values, declared: Changes, urn: string): void {
    const kind = this.#kind;
    for (const part of kind.parts?.(outputs, declared) ?? []) {
      const [other] = this.#registry.claimsOfOthers(part, urn);
      if (other === undefined) continue;
      throw invalid(
        `This ${kind.noun} declares a part that ${titleOf(other.urn)} already manages (${part.id}). Declare it in one place only.`,
      );
    }
  }

  /**
   * Makes sure that no other resource that the program declares manages the object, or has adopted it in this run.
   *
   * @param hidden from the state: an alias can have given the resource another URN, but its entry stays the same
   */
  assertNotManagedByOther(outputs: Values, urn: string, hidden: State["hidden"]): void {
    const kind = this.#kind;
    const id = kind.id(outputs);
    const other = this.#registry.claimsOfOthers({ kind: kind.name, id }, urn).find((claim) => {
      const isRenamed = (claim.urn === hidden.urn || claim.stateUrn === urn) && claim.entry === entryOf(hidden);
      return claim.as === "adopted" || (claim.as === "managed" && !isRenamed);
    });
    if (other !== undefined) throw this.#managedBy(id, other);
  }

  /** Explains why a creation failed with a conflict: which object has the same natural key, and what to do about it. */
  async conflict({ context, urn, parsed }: CreateCall, error: unknown): Promise<unknown> {
    const isConflict = error instanceof AlreadyThereError || hasStatus(error, 409);
    if (!isConflict) return error;
    const kind = this.#kind;
    const existing = await kind.find(context, parsed, undefined).catch(() => undefined);
    if (existing === undefined) return error;
    const id = kind.id(existing);
    const claims = this.#registry.claimsTo({ kind: kind.name, id });
    if (claims.some((claim) => claim.urn === urn)) {
      // It is where the creation is to put another one: somebody has moved or renamed it.
      return invalid(`This ${kind.noun} already exists: ${id} is the one in the state (${summaryOf(error)})`, {
        cause: error,
        fix: `To keep it, ${fromState} declare ${adoptLine(id)}. ${ifReplaced(kind)}`,
      });
    }
    const [other] = claims;
    if (other !== undefined) return this.#managedBy(id, other, error);
    const isNamed = uniqueInputs(kind, parsed).includes(kind.defaultName ?? "name");
    const like = isNamed ? `A ${kind.noun} with this name` : `This ${kind.noun}`;
    const exists = `${like} already exists: ${id} (${summaryOf(error)})`;
    const key = { kind: kind.name, id };
    const entries = this.#savedStates.ownEntriesOf(urn, undefined, key);
    const isReplaced = entries.some((entry) => entry.urn === urn && entry.isToBeDeleted);
    if (isReplaced) return invalid(exists, { cause: error, fix: replacedByFailedRun(kind) });
    const former = entries.find(
      (entry) =>
        entry.urn !== urn && entry.as === "managed" && !entry.isToBeDeleted && !this.#registry.declares(entry.urn),
    );
    if (former !== undefined) return invalid(exists, { cause: error, fix: managedByFormer(kind, former.urn, urn) });
    const otherStack = this.#savedStates.otherStackWith(urn, undefined, key);
    if (otherStack !== undefined) return invalid(exists, { cause: error, fix: `It is ${managedByStack(otherStack)}` });
    const tag = await this.#tagOf(context, existing).catch(() => undefined);
    const isOfOther = tag !== undefined && tag.urnHash !== hashOfUrn(urn);
    if (this.#program.isRetained(urn) && !isOfOther) {
      return invalid(exists, {
        cause: error,
        fix: `If it is the one that \`retainOnDelete\` has kept, declare ${adoptLine(id)} to manage it again. Otherwise declare another name.`,
      });
    }
    return invalid(exists, {
      cause: error,
      fix:
        tag === undefined
          ? `If no other stack manages it and this run does not delete it, declare ${adoptLine(id)} to manage it here. ${ifRenamed} ${ifReplaced(kind)}`
          : `${isOfOther ? `Another Pulumi resource created it. ${ifRenamed}` : createdForThisUrn} ${ifReplaced(kind)} Otherwise declare another name, or delete the object if nothing manages it.`,
    });
  }

  /**
   * Warns of objects that another run created for this URN, where names need not be unique and nothing tells who owns
   * them. Best effort.
   */
  async warnOfCandidates({ context, urn }: CreateCall, created: Values): Promise<void> {
    const kind = this.#kind;
    const search = kind.recovery.by === "tag" ? kind.recovery.namesakes : undefined;
    if (search === undefined) return;
    const namesakes = await context.within(namesakeSearch, (reading) => search(reading, created)).catch(() => []);
    const candidates = namesakes.filter(
      ({ tag, found }) =>
        parseTag(tag)?.urnHash === hashOfUrn(urn) &&
        this.#registry.claimsTo({ kind: kind.name, id: kind.id(found) }).length === 0,
    );
    for (const { found } of candidates) {
      context.warn(
        `The ${kind.noun} ${kind.id(found)} has the same name. ${createdForThisUrn} It was not changed, and this run created ${kind.id(created)}. Delete ${kind.id(found)} if nothing manages it. If another stack does, declare another \`name\` here to tell the two apart.`,
      );
    }
  }

  async #tagOf(context: Context, outputs: Values): Promise<OwnershipTag | undefined> {
    const { recovery } = this.#kind;
    return recovery.by === "tag" ? parseTag(await recovery.tagOf(context, outputs)) : undefined;
  }

  #managedBy(id: string, { as, urn }: Claim, cause?: unknown): NeonError {
    const { noun } = this.#kind;
    const reason =
      as === "part"
        ? `is declared as a part of ${titleOf(urn)}. Change it there.`
        : `is already managed by ${titleOf(urn)}. Only one resource can manage it: remove one of the two from the program or, if the two exchange names, give one of them a third name first.`;
    return invalid(`The ${noun} ${id} ${reason}`, { cause });
  }

  #deletedBy(id: string, { urn }: Claim): NeonError {
    const owner = titleOf(urn);
    return invalid(
      `The ${this.#kind.noun} ${id} is a part of ${owner}, which no longer declares it and deletes it in this run. To keep it, set the resource option \`retainOnDelete: true\` on ${owner} for this run.`,
    );
  }

  /** Whether `adopt` names this object: by its id, or by its name alone if the program still declares the same parent. */
  #isNamed(outputs: Values, inputs: Values, adopt: string): boolean {
    const id = this.#kind.id(outputs);
    if (id === adopt) return true;
    const declared = Object.entries(inputs).map(
      ([name, value]) => [name, typeof value === "string" ? value : ""] as const,
    );
    const [parent, declaredParent] = [id, this.#kind.id({ ...outputs, ...Object.fromEntries(declared) })].map(parentOf);
    return segmentsOf(id).at(-1) === adopt && parent === declaredParent;
  }

  #adoptsItself(name: string): string {
    return `This change replaces the ${this.#kind.noun} ${name}, and \`adopt\` names the same object: the replacement would adopt the object that is deleted afterwards. Remove \`adopt\` to create a new one. If the object is already as the program declares it, ${fromState} run the same command again to keep it.`;
  }
}

/** The line that adopts an object: with the last segment of its id, which people know, unless the id encodes it. */
function adoptLine(id: string): string {
  const last = segmentsOf(id).at(-1) ?? id;
  return `\`adopt: ${JSON.stringify(id.endsWith(last) ? last : id)}\``;
}

/** What an id in state contains before its last segment: the ids of the object's parents. */
function parentOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf("/")));
}

/** How another stack has the object, and what to do about it. */
function managedByStack(stack: string): string {
  return `managed by the stack ${stack}. Only one stack can manage it: remove it there with \`pulumi state delete\`, move it with \`pulumi state move\`, or declare another object.`;
}

/** What to do about an object that the state is going to delete. */
function replacedByFailedRun({ noun }: AnyKind): string {
  return `An earlier run failed while it replaced this ${noun}, and the state is going to delete it. To keep it, declare \`adopt: true\`. To complete the replacement, declare what that run declared.`;
}

/**
 * What to do about an object of a resource in the state of this stack that the program has not declared, or not yet: it may be
 * this one under its former URN.
 */
function managedByFormer({ onlyOnce }: AnyKind, former: string, urn: string): string {
  const keep = `It is managed by ${titleOf(former)} of this stack. If the program has renamed that resource, set the resource option \`aliases: [${aliasOf(former, urn)}]\` to keep the object.`;
  return onlyOnce === true
    ? keep
    : `${keep} Otherwise declare another name, or first run \`pulumi up\` with neither of the two in the program, which deletes the object.`;
}

/** The alias that makes a resource the one with the former URN: its name, unless it had another parent. */
function aliasOf(former: string, urn: string): string {
  const [type, ...name] = former.split("::").slice(2);
  const isNameEnough = type === urn.split("::")[2];
  return isNameEnough ? `{ name: ${JSON.stringify(name.join("::"))} }` : JSON.stringify(former);
}

/** What to do if the resource that manages the object is this one under its former URN. */
const ifRenamed =
  "If the program has renamed the resource that manages it, declare the former name in the resource option `aliases`.";
const createdForThisUrn =
  "Another run created it for a resource with this URN, in another stack or earlier in this stack.";
/** What takes an object out of the state, so that it can be adopted as it is now. */
const fromState = "remove the resource with `pulumi state delete`, then";
/** What to do if the engine replaces the object without asking the provider. */
function ifReplaced({ noun, onlyOnce }: AnyKind): string {
  return onlyOnce === true
    ? `If it is tainted, run \`pulumi state untaint\`: once deleted, this ${noun} can never be created again.`
    : "If this run is to replace it (`--replace`, `replacementTrigger`, or a taint), set the resource option `deleteBeforeReplace: true`.";
}

/** The value that the platform reports, if it is a single one. The declared value may be a secret. */
export function presentValue(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? ` (now ${JSON.stringify(value)})`
    : "";
}
