import { HttpError, PlatformError, summaryOf } from "../../api/errors";
import { AlreadyThereError, type Context } from "../kind/context";
import { differences, uniqueInputs } from "../kind/differences";
import { ruleFor } from "../kind/field-rules";
import type { Found } from "../kind/found";
import { segmentsOf } from "../kind/id";
import type { Changes, Kind } from "../kind/kind";
import type { Values } from "../kind/values";
import { atPath } from "../kind/values";
import { type Claim, titleOf } from "../ownership/claim";
import type { ResourceRegistry } from "../ownership/registry";
import { hashOfUrn, parseTag } from "../ownership/tag";

/** A call that creates a resource. */
export interface CreateCall<Inputs> {
  readonly context: Context;
  readonly urn: string;
  readonly inputs: Values;
  readonly parsed: Inputs;
}

/** The rules by which a resource takes over an object that exists, because the program says so. */
export class Adoption<Inputs, Outputs extends object> {
  readonly #kind: Kind<Inputs, Outputs>;
  readonly #registry: ResourceRegistry;

  constructor(kind: Kind<Inputs, Outputs>, registry: ResourceRegistry) {
    this.#kind = kind;
    this.#registry = registry;
  }

  /** The object that `adopt` names, or undefined when one is to be created. */
  async adopted({ context, urn, inputs, parsed }: CreateCall<Inputs>): Promise<Found<Outputs> | undefined> {
    const kind = this.#kind;
    const adopt = inputs["adopt"];
    if (adopt !== true && typeof adopt !== "string") return undefined;
    const wanted = typeof adopt === "string" ? adopt : undefined;
    const address = await kind.find(context, parsed, wanted);
    const outputs = address === undefined ? undefined : await kind.read(context, address);
    const id = outputs === undefined ? undefined : kind.id(outputs);
    const isOwn = id !== undefined && this.#registry.claimsTo({ kind: kind.name, id }).some((one) => one.urn === urn);
    if (outputs !== undefined && !isOwn) {
      this.#assertFree(outputs, urn);
      const found = this.assertAdoptable(inputs, outputs, false);
      this.claim(urn, found);
      return found;
    }
    if (wanted === undefined) return undefined;
    if (isOwn) throw new PlatformError("invalid", this.#adoptsItself(wanted), undefined);
    throw new PlatformError(
      "invalid",
      `There is no ${kind.noun} "${wanted}" to adopt, or this API key does not see it: correct \`adopt\`, or use a key that sees it.`,
      undefined,
    );
  }

  /** From now on nothing of this run deletes the object, and no other resource adopts it. */
  claim(urn: string, { id }: Found<Outputs>): void {
    this.#registry.claim({ kind: this.#kind.name, id, urn, stateUrn: urn, as: "adopted" });
  }

  /**
   * Makes sure that an object can become what the program declares.
   *
   * @param isOwned whether this stack has created it: then what cannot be read back is as it was declared
   */
  assertAdoptable(inputs: Values, outputs: Outputs, isOwned: boolean): Found<Outputs> {
    const kind = this.#kind;
    const wrong = differences(kind, outputs as Values, [], inputs).filter((path) => {
      const { platform, onChange, unset } = ruleFor(kind.rules, path);
      const isReported = atPath(outputs, path) !== undefined || unset === "none";
      return (!isOwned && platform === "write-only") || (onChange === "replace" && isReported);
    });
    if (wrong.length > 0) {
      const list = wrong.map((path) => `${path}${there(atPath(outputs, path))}`);
      throw new PlatformError(
        "invalid",
        `The ${kind.noun} ${kind.id(outputs)} cannot be taken over, because the program declares differently what cannot be changed: ${list.join(", ")}. Declare what is there, or leave it out.`,
        undefined,
      );
    }
    return { id: kind.id(outputs), outputs };
  }

  /** A replacement is created before the old object is deleted, and would adopt the very object that is then deleted. */
  assertReplaceable(inputs: Values, outputs: Partial<Outputs>): void {
    const adopt = inputs["adopt"];
    if (typeof adopt !== "string" || !this.#isNamed(outputs, adopt)) return;
    throw new PlatformError("invalid", this.#adoptsItself(adopt), undefined);
  }

  /** What another resource manages cannot become a part of this one. */
  assertPartsFree(outputs: Outputs, declared: Changes, urn: string): void {
    const kind = this.#kind;
    for (const part of kind.parts?.(outputs, declared) ?? []) {
      const [other] = this.#registry.claimsOfOthers(part, urn);
      if (other === undefined) continue;
      throw new PlatformError(
        "invalid",
        `This ${kind.noun} declares as its part what ${titleOf(other.urn)} manages already (${part.id}). Declare it in one of the two places only.`,
        undefined,
      );
    }
  }

  /** Makes sure that no other resource has adopted the object in this run. */
  assertNotAdoptedByOther(outputs: Partial<Outputs>, urn: string): void {
    const kind = this.#kind;
    const id = kind.id(outputs);
    const other = this.#registry.claimsOfOthers({ kind: kind.name, id }, urn).find(({ as }) => as === "adopted");
    if (other !== undefined) throw this.#managedBy(id, other);
  }

  /** Why a creation was refused, when an object of the same natural key exists: what that is, and what can be done. */
  async conflict({ context, urn, parsed }: CreateCall<Inputs>, error: unknown): Promise<unknown> {
    const isConflict = error instanceof AlreadyThereError || (HttpError.isInstance(error) && error.status === 409);
    if (!isConflict) return error;
    const kind = this.#kind;
    const existing = await kind.find(context, parsed, undefined).catch(() => undefined);
    if (existing === undefined) return error;
    const id = kind.id(existing);
    const claims = this.#registry.claimsTo({ kind: kind.name, id });
    if (claims.some((claim) => claim.urn === urn)) return error;
    const [other] = claims;
    if (other !== undefined) return this.#managedBy(id, other, error);
    const isNamed = uniqueInputs(kind, parsed as Values).includes(kind.defaultName ?? "name");
    const like = isNamed ? `A ${kind.noun} of that name` : `Such a ${kind.noun}`;
    const tag = await this.#tagOf(context, parsed, id);
    return new PlatformError("invalid", `${like} exists already: ${id} (${summaryOf(error)})`, error, {
      fix:
        tag === undefined
          ? `If no other stack manages it, declare ${this.#adoptLine(existing)} to manage it here. ${ifReplaced(kind)}`
          : `${tag.urnHash === hashOfUrn(urn) ? madeForThisUrn : "Another Pulumi resource created it."} ${ifReplaced(kind)} Otherwise declare another name, or delete it if nothing manages it.`,
    });
  }

  /**
   * Warns of objects that another run created under this URN, where a name need not be unique and nothing tells whose
   * they are. Best effort.
   */
  async warnOfCandidates({ context, urn, parsed }: CreateCall<Inputs>, own: Found<Outputs>): Promise<void> {
    const kind = this.#kind;
    if (kind.recovery.by !== "tag" || uniqueInputs(kind, parsed as Values).length > 0) return;
    const all = await kind.recovery.list(context, parsed, undefined).catch(() => []);
    const candidates = all.filter(({ tag, found }) => {
      const id = kind.id(found);
      const isFree = id !== own.id && this.#registry.claimsTo({ kind: kind.name, id }).length === 0;
      return isFree && parseTag(tag)?.urnHash === hashOfUrn(urn);
    });
    for (const { found } of candidates) {
      context.warn(
        `The ${kind.noun} ${kind.id(found)} has the same name. ${madeForThisUrn} It was not changed, and this run created ${own.id}. Delete ${kind.id(found)} if nothing manages it. If another stack does, declare another \`name\` here to tell the two apart.`,
      );
    }
  }

  async #tagOf(context: Context, parsed: Inputs, id: string): Promise<ReturnType<typeof parseTag>> {
    const { recovery, id: idOf } = this.#kind;
    if (recovery.by !== "tag") return undefined;
    const all = await recovery.list(context, parsed, undefined).catch(() => []);
    return parseTag(all.find(({ found }) => idOf(found) === id)?.tag);
  }

  #assertFree(outputs: Outputs, urn: string): void {
    const { name, id: idOf } = this.#kind;
    const id = idOf(outputs);
    const [other] = this.#registry.claimsOfOthers({ kind: name, id }, urn);
    if (other !== undefined) throw this.#managedBy(id, other);
  }

  #managedBy(id: string, { as, urn }: Claim, cause?: unknown): PlatformError {
    const { noun } = this.#kind;
    const reason =
      as === "part"
        ? `is declared as a part of ${titleOf(urn)}: change it there.`
        : `is managed by ${titleOf(urn)} already, and only one resource can manage it: remove one of the two from the program.`;
    return new PlatformError("invalid", `The ${noun} ${id} ${reason}`, cause);
  }

  #isNamed(found: Partial<Outputs>, name: string): boolean {
    const id = this.#kind.id(found);
    return id === name || segmentsOf(id).at(-1) === name;
  }

  #adoptsItself(name: string): string {
    return `This change replaces the ${this.#kind.noun} ${name}, which the program also says to adopt: the replacement would take over the very object that is then deleted. Remove \`adopt\` to let a new one be made.`;
  }

  #adoptLine(found: Partial<Outputs>): string {
    const id = this.#kind.id(found);
    const last = segmentsOf(id).at(-1) ?? id;
    // The last segment alone is what people know, unless it is written otherwise in the id.
    return `\`adopt: ${JSON.stringify(id.endsWith(last) ? last : id)}\``;
  }
}

const madeForThisUrn =
  "Another run created it for a resource with this URN: one of another stack, or an earlier one of this stack.";
/** What to do if the engine replaces the object without asking the provider. */
function ifReplaced({ noun, onlyOnce }: Pick<Kind<never, never>, "noun" | "onlyOnce">): string {
  return onlyOnce === true
    ? `If it is tainted, run \`pulumi state untaint\`: once deleted, this ${noun} can never be created again.`
    : "If this run is to replace it (`--replace`, or a taint), set the resource option `deleteBeforeReplace: true`.";
}

/** What the platform says, where that is one plain value. What the program says may be secret. */
function there(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? ` (it is ${JSON.stringify(value)} there)`
    : "";
}
