import { ignoreStatus } from "../../../api/core/errors";
import { together } from "../../../api/core/together";
import { adoptedSegment, idOf } from "../../kind/id";
import { organizationOf } from "../../kind/inputs";
import { uniqueInputs } from "../../kind/natural-key";
import { unknownValue, type Values } from "../../values";
import { appearedAt } from "../appeared-at";
import { claimForAdoption, holderOf, keyOf, namedSo } from "../claims";
import { Work } from "../work";
import { makerOf, mayBeMoved, parentOf } from "./maker";
import { addressOf, type Counted, knownOf, namesakesOf } from "./namesakes";
import { fixedInputs } from "./obstacles";
import type { Asks, Candidate, Situation, Unread } from "./verdict";

/** How to look for objects. */
export interface Looked {
  /** How the resource asks for an object. Default: as the program or the setting says. */
  readonly asks?: Asks;
  /** The objects that count. Default: `listed`. */
  readonly counted?: Counted;
  /** The id of the adoption by a create. Undefined in a check, which adopts and deletes nothing. */
  readonly adoptionId?: string | undefined;
}

/**
 * How a new resource asks for an existing object: by the program's `adopt` or, if there is none, by the setting
 * `neon:adopt`. If a change of its container deleted its object, the resource also takes the object that the change put
 * in its place, because no other resource has that one.
 */
export function asksOf({ account, services, call }: Work, { adopt }: Values): Asks {
  if (typeof adopt === "string") return "an id";
  if (typeof adopt === "boolean") return adopt ? "true" : "false";
  if (adopt === unknownValue) return "nothing";
  const isPutInPlace = services.registry.containers.lossOf(call.urn)?.isEmptied === true;
  return account.settings.adopt || isPutInPlace ? "the run" : "nothing";
}

export function isAdopting(asks: Asks): boolean {
  return asks !== "nothing" && asks !== "false";
}

/** Gathers the existing objects that a new resource can mean, as far as the verdict needs them. Decides nothing. */
export class Facts {
  readonly #work: Work;
  readonly #inputs: Values;
  readonly #asks: Asks;
  readonly #looked: Looked;
  /**
   * Reads objects that are not adopted. During a change, it skips passwords and gives up early if the answer is
   * optional.
   */
  readonly #look: Work;

  constructor(work: Work, inputs: Values, looked: Looked) {
    const { asks = asksOf(work, inputs), counted = "listed" } = looked;
    this.#work = work;
    this.#inputs = inputs;
    this.#asks = asks;
    this.#looked = looked;
    this.#look = work;
    if (work.purpose !== "change") return;
    const isOptional = !isAdopting(asks) && counted === "listed";
    this.#look = new Work(work, work.call, isOptional ? "look" : "preview", { values: inputs });
    // An object that makes a create fail is read alone, not from a list.
    this.#look.requests.reads = "alone";
  }

  /**
   * The situation before further reads: the objects from a list, or from the id in the program, and the resources of
   * the run that have them.
   */
  async situation(): Promise<Situation> {
    const { kind, call } = this.#work;
    const isUnique = uniqueInputs(kind, this.#inputs).length > 0;
    return {
      asks: this.#asks,
      like: isUnique ? "unique" : kind.tagOf === undefined ? "many" : "tagged",
      urn: call.urn,
      isRetained: call.isRetained,
      candidates: this.#asks === "an id" ? [await this.#byId()] : await this.#byName(),
      naming: this.#naming(),
    };
  }

  #naming(): Situation["naming"] {
    const { kind, call, services } = this.#work;
    const isUnique = uniqueInputs(kind, this.#inputs).length > 0;
    const others = namedSo(this.#work, this.#inputs).filter(({ urn }) => urn !== call.urn);
    return others.filter(({ urn }) => isUnique || !services.registry.hasObject(kind.name, urn));
  }

  /** Reads a fact that the verdict lacks. */
  async read(situation: Situation, { fact, candidates }: Unread): Promise<Situation> {
    const reader = { exists: this.#exists, complete: this.#complete, maker: this.#maker }[fact];
    const known = await together(candidates.map(reader));
    const read = situation.candidates.map((one) => known[candidates.indexOf(one)] ?? one);
    return { ...situation, candidates: read, naming: this.#naming() };
  }

  /** Adds the maker of the candidate or, if that is unknown, the parent branch from which it was copied. */
  async withOrigin(candidate: Candidate): Promise<Candidate> {
    const known = candidate.maker === undefined ? await this.#maker(candidate) : candidate;
    if (known.maker?.by !== "unknown") return known;
    const maker = await parentOf(this.#look, known.outputs).catch(() => undefined);
    return maker === undefined ? known : { ...known, maker };
  }

  async #byName(): Promise<readonly Candidate[]> {
    return (await namesakesOf(this.#look, this.#inputs, this.#looked.counted ?? "listed")).map((listed) =>
      this.#candidate(listed),
    );
  }

  async #byId(): Promise<Candidate> {
    const address = await addressNamed(this.#work, this.#inputs);
    return address === undefined ? { outputs: {}, age: NaN, exists: false, complete: true } : this.#candidate(address);
  }

  #candidate(outputs: Values): Candidate {
    const { kind, services } = this.#work;
    const former = services.registry.undeclaredHolder(keyOf(kind, outputs));
    return {
      ...this.#seen(outputs),
      holder: holderOf(this.#work, this.#inputs, outputs, this.#looked.adoptionId !== undefined),
      former,
    };
  }

  #seen(outputs: Values): Pick<Candidate, "outputs" | "age"> {
    return { outputs, age: this.#work.serverClock.now().getTime() - Date.parse(appearedAt(outputs) ?? "") };
  }

  /** Confirms an object from a list by a read. API keys are not read, because there can be many. */
  readonly #exists = async (candidate: Candidate): Promise<Candidate> => {
    const { kind, services } = this.#work;
    const { outputs } = candidate;
    if (kind.secretOnce === true) return { ...candidate, exists: !services.registry.hasReleased(keyOf(kind, outputs)) };
    const found = await ignoreStatus(kind.read(this.#look, addressOf(this.#work, outputs)), 403);
    return { ...candidate, ...(found && this.#seen(found)), exists: found !== undefined };
  };

  readonly #complete = async (candidate: Candidate): Promise<Candidate> => {
    const { kind, requests } = this.#work;
    const { outputs } = candidate;
    // Claim the object before waiting for anything, because two resources can want it at the same time.
    const rival = claimForAdoption(this.#work, outputs, undefined);
    if (rival !== undefined) return { ...candidate, holder: rival };
    // The object has often just been read to find its maker. That answer is reused.
    requests.keepAnswers();
    const isById = this.#asks === "an id";
    const found = await kind.read(this.#work, isById ? outputs : knownOf(this.#work, this.#inputs, outputs));
    if (found !== undefined) {
      const fixed = fixedInputs(kind, this.#inputs, found);
      return { ...candidate, ...this.#seen(found), exists: true, complete: true, fixed };
    }
    const recovery = isById ? await kind.recovery?.(this.#work, this.#inputs, outputs) : undefined;
    return { ...candidate, exists: false, complete: true, recovery };
  };

  readonly #maker = async (candidate: Candidate): Promise<Candidate> => {
    const maker = await makerOf(isAdopting(this.#asks) ? this.#work : this.#look, candidate.outputs);
    return { ...candidate, maker, former: mayBeMoved(maker) ? (candidate.former ?? maker.urn) : undefined };
  };
}

/**
 * The address of the object that `adopt` names, by its whole id or by the last segment. The segments before it come
 * from the inputs.
 */
async function addressNamed(work: Work, inputs: Values): Promise<Values | undefined> {
  const { kind } = work;
  const { adopt = "", orgId, ...others } = inputs as Readonly<Partial<Record<string, string>>>;
  const names = [...kind.addressNames];
  const last = names.pop() ?? "";
  const parents = Object.fromEntries(
    names.map((name) => [name, name === "orgId" ? organizationOf(work, orgId) : (others[name] ?? "")]),
  );
  const segment = adoptedSegment(adopt, ...Object.values(parents));
  // Neon assigns no such id: it belongs to another project, or it is a name. A request with it would be malformed.
  if (kind.address(idOf(...Object.values(parents), segment))[last] === "") return undefined;
  return kind.adopted === undefined ? { ...parents, [last]: segment } : kind.adopted(work, inputs, segment);
}
